"""A table that people can come to: its lobby, its code, its doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalooki_tui.hosting.doors import EVERY_ADDRESS, Doors, NotInstalled, OpenHand, own_addresses
from kalooki_tui.hosting.extras import how_to_add
from kalooki_tui.hosting.guest import Guests, OpenApp
from kalooki_tui.hosting.lobby import Lobby
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.errors import StoreError

SSH_PORT: Final = 2222
WEB_PORT: Final = 8000
EVERYWHERE: Final = "The table is open on every address of this machine, not only in this network."


@dataclass(frozen=True)
class Doorway:
    """Where a table is to be found: addresses, and ports, None for no such door."""

    addresses: tuple[str, ...]
    ssh_port: int | None
    web_port: int | None
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

    @property
    def game_name(self) -> str:
        """The ruleset's name."""
        return load_ruleset(self.lobby.plan.ruleset).name

    @property
    def ways_in(self) -> str:
        """How to come to the table."""
        addresses = self.doors.addresses if self.doors is not None else ()
        wide = [EVERYWHERE] if {*self._doorway.addresses} & {*EVERY_ADDRESS} else []
        return "\n".join([*(address.text for address in addresses), f"code  {self.guests.code}", *wide])

    async def open(self, open_app: OpenApp, open_hand: OpenHand | None = None) -> None:
        """Let people come, and give each the app or the hand made for them; else `problem` says why that cannot be."""
        if self.doors is not None:
            return
        where = self._doorway
        try:
            self.doors = await Doors.open(
                where.addresses, where.ssh_port, where.web_port, self.guests, open_app, open_hand=open_hand,
                names=where.names,
            )  # fmt: skip
        except NotInstalled as missing:
            self.problem = f"this needs more packages: {how_to_add(str(missing))}"
        except (OSError, StoreError) as error:
            self.problem = str(error)


def hosts_of(addresses: Sequence[str]) -> tuple[str, ...]:
    """The addresses to listen on: those that are given, else this machine's own in private ranges."""
    return tuple(addresses) or own_addresses() or ("127.0.0.1",)
