"""Doors of a table: where people come in, which browsers may, and whose screens are open."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import asdict, replace

from kalooki_tui.extras import how_to_add
from kalooki_tui.hosting.guest import Guest, Guests, OpenApp, name_of
from kalooki_tui.hosting.lobby import Chair, Lobby
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.kept import Doorway, Hosted, HostedFile, path_beside

if TYPE_CHECKING:
    from kalooki_tui.hosting.browser import Browsers
    from kalooki_tui.hosting.guest_screen import Screen
    from kalooki_tui.hosting.hand.phone_guest import HandGuest, HandLine
    from kalooki_tui.hosting.ssh import Callers

EVERY_ADDRESS: Final = ("0.0.0.0", "::")
SSH: Final = 22
CLOSED: Final = "The table has closed."
SENT_AWAY: Final = "The host has sent you away."
ELSEWHERE: Final = "You have come from another screen, so this one has been closed."
SECONDS: Final = 1.8
"""Time limit for closing all doors."""
OpenHand: TypeAlias = "Callable[[Guest], HandGuest]"


class Address(Struct, frozen=True):
    """Text that people type to come: into a terminal (`line` is ssh) or a browser (browser)."""

    line: str
    text: str


class GuestTransports:
    """Open doors of a table; a new screen with the same token ends the one before."""

    def __init__(self, doorway: Doorway, guests: Guests, open_app: OpenApp, open_hand: OpenHand) -> None:
        self.doorway, self._guests = doorway, guests  # the ports become those that are free
        self._open_app, self._open_hand = open_app, open_hand
        self._screens: dict[Screen | HandLine, str] = {}
        self._is_closing = False
        self._callers: Callers | None = None
        self._browsers: Browsers | None = None
        self.addresses: tuple[Address, ...] = ()

    @classmethod
    async def open(cls, doorway: Doorway, guests: Guests, open_app: OpenApp, open_hand: OpenHand) -> GuestTransports:
        """Open the doors for apps at terminals and hands in browsers.

        Raise ModuleNotFoundError without the extra `host`, OSError if a port is taken, StoreError without a host key.
        """
        doors, at = cls(doorway, guests, open_app, open_hand), reached_at(doorway.addresses)
        loop = asyncio.get_running_loop()
        # From Python 3.12 on Textual has tasks begin at once, and SSH's bookkeeping breaks: nobody could come any more.
        loop.set_task_factory(None)
        vars(loop)["set_task_factory"] = lambda factory: None
        try:
            if doorway.ssh_port is not None:
                from kalooki_tui.hosting.ssh import Callers

                doors._callers = callers = Callers(guests, doors._show)
                await callers.listen(doorway.addresses, doorway.ssh_port)
                way = "ssh" if callers.port == SSH else f"ssh -p {callers.port}"
                doors.doorway = replace(doors.doorway, ssh_port=callers.port)
                doors.addresses += tuple(Address("ssh", f"{way} {address}") for address in at)
            if doorway.web_port is not None:
                from kalooki_tui.hosting.browser import Browsers

                public = [urlsplit(doorway.public_url).hostname or ""] if doorway.public_url else []
                gate = BrowserAccess(guests, (*doorway.addresses, *map(str.lower, doorway.names), *public))
                doors._browsers = browsers = Browsers(gate, guests, doors._show_hand, doorway.proxies)
                await browsers.listen(doorway.addresses, doorway.web_port, doorway.tls)
                doors.doorway = replace(doors.doorway, web_port=browsers.port)
                pages = [page_at(address, browsers.port, secure=doorway.tls is not None) for address in at]
                pages = [doorway.public_url, *pages] if public else pages
                doors.addresses += tuple(Address("browser", page) for page in pages)
        except BaseException:
            await doors.close()
            raise
        return doors

    async def _show(self, guest: Guest, screen: Screen) -> None:
        async with self._only_screen_of(guest, screen):
            await screen.run(lambda: self._open_app(guest))

    async def _show_hand(self, guest: Guest, line: HandLine, heard: Callable[[HandGuest], object]) -> None:
        async with self._only_screen_of(guest, line):
            hand = self._open_hand(guest)
            heard(hand)
            await hand.run(line)

    @asynccontextmanager
    async def _only_screen_of(self, guest: Guest, screen: Screen | HandLine) -> AsyncIterator[None]:
        """End the guest's earlier screen; this one ends with the block."""
        if self._is_closing:
            screen.end(CLOSED)
        self._screens[screen] = guest.token
        try:
            for other, token in list(self._screens.items()):
                if token and token == guest.token and other is not screen:
                    other.end(ELSEWHERE)
                    # Whatever keeps it, whoever it is of is not kept out.
                    with suppress(TimeoutError):
                        await asyncio.wait_for(other.over.wait(), SECONDS)
            yield
        finally:
            screen.over.set()
            del self._screens[screen]

    def send_away(self, token: str) -> None:
        for screen, other in self._screens.items():
            if other == token:
                screen.end(SENT_AWAY)

    async def close(self, sentence: str = CLOSED) -> None:
        """End all screens with a sentence, and stop listening, within two seconds."""
        self._is_closing = True
        for door in (self._callers, self._browsers):
            if door is not None:
                door.listen_no_more()
        for screen in self._screens:
            screen.end(sentence)
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                for screen in list(self._screens):
                    await screen.over.wait()
                for visit in list(self._guests.visits):
                    visit.end(sentence)
                if self._browsers is not None:
                    await self._browsers.close()


def reached_at(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses people type, this machine's own in place of 0.0.0.0 and ::."""
    own = own_addresses()
    found = (own if address in EVERY_ADDRESS else (address,) for address in addresses)
    return tuple(dict.fromkeys(one for some in found for one in some))


def page_at(address: str, port: int, *, secure: bool = False) -> str:
    shown = f"[{address}]" if ":" in address else address
    return f"http{'s' if secure else ''}://{shown}:{port}/"


def own_addresses() -> tuple[str, ...]:
    """Return this machine's private addresses, else its loopback address."""
    found: dict[str, None] = {}
    for target in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        # No packet is sent: it is only asked from which address one would be.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            try:
                one.connect((target, 9))
            except OSError:
                continue
            address = one.getsockname()[0]
        if ipaddress.ip_address(address).is_private and not address.startswith("127."):
            found[address] = None
    return tuple(found) or ("127.0.0.1",)


LOCAL_NAME: Final = "localhost"


class BrowserAccess(Struct, frozen=True):
    """Access of browsers: by the code, and from then on by a cookie."""

    guests: Guests
    names: tuple[str, ...] = ()

    def why_not(self, host: str, origin: str | None) -> str:
        """Return why a request with these headers is refused; empty: it is not.

        A foreign name made to lead here shows in the host, a foreign page in the origin.
        """
        own = socket.gethostname().lower()
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            name = ""
        if not (_is_number(name) or name in (LOCAL_NAME, own, f"{own.partition('.')[0]}.local", *self.names)):
            return f"This table is not called {name}: open it by its number, or host it with --name {name}."
        try:
            is_own = origin is None or (urlsplit(origin).netloc == host != "")
        except ValueError:
            is_own = False
        return "" if is_own else "Only the game's own page may ask this."

    def guest(self, given: str) -> Guest | None:
        token = f"browser {given}"
        return Guest(self.guests.known[token], token) if token in self.guests.known else None

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """Return a cookie for the right code, or why there is none."""
        why = self.guests.try_code(address, code)
        if why:
            return "", why
        given = secrets.token_urlsafe(24)
        self.guests.remember(f"browser {given}", name_of(name))
        return given, ""


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


EVERYWHERE: Final = "The table is open on every address of this machine, not only in this network."


class HostedTable:
    def __init__(self, lobby: Lobby, doorway: Doorway, guests: Guests) -> None:
        self.lobby, self.guests = lobby, guests
        guests.has_seat, guests.expected = lobby.has_seat, lambda: lobby.expected
        self._doorway = doorway
        self.doors: GuestTransports | None = None
        self.problem = ""
        self._file: HostedFile | None = None
        """File that keeps addresses and guests of the match in play."""
        guests.changed = self._keep
        lobby.hear(self, self._keep)

    def keep_with(self, match: str) -> None:
        self._file = HostedFile(path_beside(match))
        self._keep()

    def forget_if_over(self) -> None:
        session = self.lobby.session
        if self._file is not None and session is not None and session.is_finished:
            with suppress(OSError):
                self._file.path.unlink()
            self._file = None

    def _keep(self) -> None:
        self.forget_if_over()
        if self._file is None or self.doors is None or self.lobby.session is None:
            return
        seats = {chair.name: chair.token for chair in self.lobby.chairs if chair.token}
        found = asdict(self.doors.doorway)
        now = Hosted(**found, code=self.guests.code, known=dict(self.guests.known), seats=seats)
        if now != self._file.kept:
            # Where it cannot be written the match cannot be either, and that is told.
            with suppress(StoreError):
                self._file.save(now)

    @property
    def ways_in(self) -> str:
        addresses = self.doors.addresses if self.doors is not None else ()
        wide = [EVERYWHERE] if {*self._doorway.addresses} & {*EVERY_ADDRESS} else []
        return "\n".join([*(address.text for address in addresses), f"code  {self.guests.code}", *wide])

    def send_away(self, chair: Chair) -> None:
        """Send a guest away, who comes back with another code only; the seat waits for whoever has that."""
        token = chair.token
        self.lobby.free(chair)
        self.guests.forget(token)
        if self.doors is not None:
            self.doors.send_away(token)

    async def open(self, open_app: OpenApp, open_hand: OpenHand) -> None:
        """Open the doors; on failure `problem` says why."""
        if self.doors is not None or self.problem:
            return
        try:
            self.doors = await GuestTransports.open(self._doorway, self.guests, open_app, open_hand)
        except ModuleNotFoundError:
            self.problem = f"this needs more packages: {how_to_add('host')}"
        except (OSError, StoreError) as error:
            self.problem = str(error)


def kept_doorway(kept: Hosted) -> Doorway:
    if not kept.addresses:
        return Doorway(own_addresses())
    return Doorway(**{field: getattr(kept, field) for field in Doorway.__struct_fields__})


def reopen_hosted_table(lobby: Lobby, kept: HostedFile, doorway: Doorway, code: str = "") -> HostedTable:
    """Make the hosted table of a match left before, for its guests to come back; an unusable file lets nobody in."""
    before, chairs = kept.kept, lobby.chairs
    for chair in chairs:
        chair.token = before.seats.get(chair.name, "") if chair.is_own else ""
        chair.has_come = bool(chair.token)
    hosted = HostedTable(lobby, doorway, Guests(code or before.code, before.known))
    hosted.problem = "" if kept.problem is None else str(kept.problem)
    return hosted
