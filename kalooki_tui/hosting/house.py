"""A table that people can come to: its lobby, its code, its doors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from kalooki_tui.hosting.doors import EVERY_ADDRESS, Doors, OpenHand, own_addresses
from kalooki_tui.hosting.extras import how_to_add
from kalooki_tui.hosting.guest import Guests, OpenApp
from kalooki_tui.hosting.lobby import Lobby
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.kept import Hosted, HostedFile, path_beside

SSH_PORT: Final = 2222
WEB_PORT: Final = 8000
EVERYWHERE: Final = "The table is open on every address of this machine, not only in this network."


@dataclass(frozen=True)
class Doorway:
    """Where a table is to be found: addresses, and ports, None for no such door."""

    addresses: tuple[str, ...]
    ssh_port: int | None = SSH_PORT
    web_port: int | None = WEB_PORT
    names: tuple[str, ...] = ()
    """Under which browsers may open the page, besides numbers and the machine's own."""


class House:
    """What a host keeps open for others."""

    def __init__(self, lobby: Lobby, doorway: Doorway, guests: Guests) -> None:
        self.lobby, self.guests = lobby, guests
        guests.has_seat = lobby.has_seat
        self._doorway = doorway
        self.doors: Doors | None = None
        """None until they are open."""
        self.problem = ""
        """Why they could not be opened."""
        self._file: HostedFile | None = None
        """Where what the host was told is kept with the match that is played."""
        guests.changed = self._keep
        lobby.hear(self, self._keep)

    # What is kept with the match

    def keep_with(self, match: str) -> None:
        """Keep how the table is found and who has been let in with this match, until it ends."""
        self._file = HostedFile(path_beside(match))
        self._keep()

    def forget_if_over(self) -> None:
        """Once the match is over nothing is kept."""
        sitting = self.lobby.sitting
        if self._file is not None and sitting is not None and sitting.is_finished:
            with suppress(OSError):
                self._file.path.unlink(missing_ok=True)
            self._file = None

    def _keep(self) -> None:
        self.forget_if_over()
        if self._file is None or self.doors is None or self.lobby.sitting is None:
            return
        where = self._doorway
        seats = {chair.name: chair.token for chair in self.lobby.chairs if chair.token}
        now = Hosted(
            where.addresses, self.doors.ssh_port, self.doors.web_port, where.names, self.guests.code,
            self.guests.known, seats,
        )  # fmt: skip
        if now != self._file.kept:
            # Where it cannot be written the match cannot be either, and that is told.
            with suppress(StoreError):
                self._file.save(now)

    @property
    def game_name(self) -> str:
        return load_ruleset(self.lobby.plan.ruleset).name

    @property
    def ways_in(self) -> str:
        """How to come to the table."""
        addresses = self.doors.addresses if self.doors is not None else ()
        wide = [EVERYWHERE] if {*self._doorway.addresses} & {*EVERY_ADDRESS} else []
        return "\n".join([*(address.text for address in addresses), f"code  {self.guests.code}", *wide])

    async def open(self, open_app: OpenApp, open_hand: OpenHand) -> None:
        """Let people come, and give each the app or the hand made for them; else `problem` says why that cannot be."""
        if self.doors is not None or self.problem:
            return
        where = self._doorway
        try:
            self.doors = await Doors.open(
                where.addresses, where.ssh_port, where.web_port, self.guests, open_app, open_hand, names=where.names
            )
        except ModuleNotFoundError:
            self.problem = f"this needs more packages: {how_to_add('host')}"
        except (OSError, StoreError) as error:
            self.problem = str(error)


def kept_doorway(kept: Hosted) -> Doorway:
    """Where the table of a match was found; of one that was never open, as usual."""
    if not kept.addresses:
        return Doorway(hosts_of(()))
    return Doorway(kept.addresses, kept.ssh_port, kept.web_port, kept.names)


def house_again(lobby: Lobby, kept: HostedFile, doorway: Doorway, code: str = "") -> House:
    """The house of a match that was left, open to those who had been let in; a file that cannot be used opens nothing.

    `code`: another than it had.
    """
    before, chairs = kept.kept, lobby.chairs
    for chair in chairs:
        chair.token = before.seats.get(chair.name, "") if chair.is_own else ""
        chair.has_come = bool(chair.token)
    house = House(lobby, doorway, Guests(code or before.code, before.known))
    house.problem = "" if kept.problem is None else str(kept.problem)
    return house


def hosts_of(addresses: Sequence[str]) -> tuple[str, ...]:
    """The addresses to listen on: those that are given, else this machine's own in private ranges."""
    return tuple(addresses) or own_addresses() or ("127.0.0.1",)
