"""The doors of a table: where people come in, which browsers may, and whose screens are open."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from kalooki_tui.hosting.guest import Guest, Guests, OpenApp, name_of

if TYPE_CHECKING:
    from kalooki_tui.hosting.browser import Browsers
    from kalooki_tui.hosting.hand.guest import HandGuest, HandLine
    from kalooki_tui.hosting.screen import Screen
    from kalooki_tui.hosting.ssh import Callers

EVERY_ADDRESS: Final = ("0.0.0.0", "::")
"""Where to listen on whatever addresses the machine has."""
SSH: Final = 22
"""The port that nobody needs to name."""
CLOSED: Final = "The table has closed."
ELSEWHERE: Final = "You have come from another screen, so this one has been closed."
SWEEP: Final = 2.0
"""Seconds after somebody has gone in which others may go too."""
SECONDS: Final = 1.8
"""Within which all doors are closed."""
OpenHand: TypeAlias = "Callable[[Guest], HandGuest]"
"""Makes what a guest with a browser sees."""


@dataclass(frozen=True)
class Address:
    """What somebody types to come: into a terminal (`line` is ssh), or into a browser (browser)."""

    line: str
    text: str


class Doors:
    """Open doors. Whoever comes again with the same token gets a new screen, and the one they had before ends.

    Where the process has an app of its own, the doors are closed before it ends: it takes its streams with it.
    """

    def __init__(self, guests: Guests, open_app: OpenApp, open_hand: OpenHand) -> None:
        self._guests = guests
        self._open_app, self._open_hand = open_app, open_hand
        self._screens: dict[Screen | HandLine, str] = {}
        self._is_closing = False
        self._callers: Callers | None = None
        self._browsers: Browsers | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self.addresses: tuple[Address, ...] = ()
        """What people type to come."""

    @classmethod
    async def open(
        cls,
        addresses: Sequence[str],
        ssh_port: int | None,
        web_port: int | None,
        guests: Guests,
        open_app: OpenApp,
        open_hand: OpenHand,
        *,
        names: Sequence[str] = (),
    ) -> Doors:
        """Listen on these addresses; a port of None opens no such door, one of 0 takes any that is free.

        `open_app`: makes what a guest at a terminal sees; `open_hand`: what one with a browser does.
        `names`: under which browsers may open the page, besides numbers and the machine's own.

        Raises:
            ModuleNotFoundError: the extra `host` is not installed.
            OSError: a port cannot be had.
            StoreError: the key that clients know this host by cannot be read or kept.
        """
        doors = cls(guests, open_app, open_hand)
        keep_tasks_as_they_are(asyncio.get_running_loop())
        try:
            if ssh_port is not None:
                await doors._open_ssh(addresses, ssh_port)
            if web_port is not None:
                gate = Gate(guests, (*addresses, *map(str.lower, names)))
                await doors._open_browsers(addresses, web_port, gate)
        except BaseException:
            await doors.close()
            raise
        return doors

    @property
    def ssh_port(self) -> int | None:
        """Where SSH listens; None: nowhere."""
        return None if self._callers is None else self._callers.port

    @property
    def web_port(self) -> int | None:
        """Where browsers come; None: nowhere."""
        return None if self._browsers is None else self._browsers.port

    async def _open_ssh(self, addresses: Sequence[str], port: int) -> None:
        from kalooki_tui.hosting.ssh import Callers

        self._callers = callers = Callers(self._guests, self._show)
        await callers.listen(addresses, port)
        way = "ssh" if callers.port == SSH else f"ssh -p {callers.port}"
        self.addresses += tuple(Address("ssh", f"{way} {address}") for address in reached_at(addresses))

    async def _open_browsers(self, addresses: Sequence[str], port: int, gate: Gate) -> None:
        from kalooki_tui.hosting.browser import Browsers

        self._browsers = browsers = Browsers(gate, self._guests, self._show_hand)
        await browsers.listen(addresses, port)
        self.addresses += tuple(
            Address("browser", page_at(address, browsers.port)) for address in reached_at(addresses)
        )

    async def _show(self, guest: Guest, screen: Screen) -> None:
        try:
            await self._come(guest, screen)
            await screen.run(lambda: self._open_app(guest))
        finally:
            screen.over.set()
            self._go(screen)

    async def _show_hand(self, guest: Guest, line: HandLine, heard: Callable[[HandGuest], object]) -> None:
        """Show a guest their hand, until the line is over; `heard` is given what takes the messages."""
        try:
            await self._come(guest, line)
            hand = self._open_hand(guest)
            heard(hand)
            await hand.run(line)
        finally:
            line.over.set()
            self._go(line)

    async def _come(self, guest: Guest, screen: Screen | HandLine) -> None:
        """A screen comes: it is the only one of its guest."""
        if self._is_closing:
            screen.end(CLOSED)
        self._screens[screen] = guest.token
        for other, token in list(self._screens.items()):
            if token and token == guest.token and other is not screen:
                other.end(ELSEWHERE)
                # Whatever keeps it, whoever it is of is not kept out.
                with suppress(TimeoutError):
                    await asyncio.wait_for(other.over.wait(), SECONDS)

    def _go(self, screen: Screen | HandLine) -> None:
        del self._screens[screen]
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP, self._sweep)

    def _sweep(self) -> None:
        from kalooki_tui.hosting.screen import let_go_of_ended_apps

        self._sweeping = None
        let_go_of_ended_apps()

    async def close(self, sentence: str = CLOSED) -> None:
        """End all screens with a sentence, and listen no more; done within two seconds."""
        self._is_closing = True
        for door in (self._callers, self._browsers):
            if door is not None:
                door.listen_no_more()
        for visit in list(self._guests.visits):
            if not visit.is_let_in:
                visit.end(sentence)
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


def keep_tasks_as_they_are(loop: asyncio.AbstractEventLoop) -> None:
    """Have tasks begin at the next turn of the loop, whatever an app of this process wants.

    From Python 3.12 on the framework has them begin where they are made. SSH's bookkeeping is not made for that: nobody
    could come any more.
    """
    loop.set_task_factory(None)
    vars(loop)["set_task_factory"] = lambda factory: None


def reached_at(addresses: Sequence[str]) -> tuple[str, ...]:
    """The addresses that people type: where every one is listened on, this machine's own."""
    own = own_addresses() or ("127.0.0.1",)
    found = (own if address in EVERY_ADDRESS else (address,) for address in addresses)
    return tuple(dict.fromkeys(one for some in found for one in some))


def page_at(address: str, port: int) -> str:
    """What is typed into a browser."""
    shown = f"[{address}]" if ":" in address else address
    return f"http://{shown}:{port}/"


def own_addresses() -> tuple[str, ...]:
    """This machine's addresses in private ranges."""
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
    return tuple(found)


LOCAL_NAME: Final = "localhost"


@dataclass(frozen=True)
class Gate:
    """Guests of a table: with its code, and from then on with what their browser was given for it."""

    guests: Guests
    names: tuple[str, ...] = ()
    """Under which the page is opened besides the numbers of this machine and its own name."""

    def why_not(self, host: str, origin: str | None) -> str:
        """Why nobody may ask from there, with these headers of the same names; empty where they may.

        A page whose name was made to lead here has another host; one from elsewhere that asks this server has another
        origin.
        """
        own = socket.gethostname().lower()
        name = _bare(host)
        if not (_is_number(name) or name in (LOCAL_NAME, own, f"{own.partition('.')[0]}.local", *self.names)):
            return f"This table is not called {name}: open it by its number, or host it with --name {name}."
        try:
            is_own = origin is None or (urlsplit(origin).netloc == host != "")
        except ValueError:
            is_own = False
        return "" if is_own else "Only the game's own page may ask this."

    def guest(self, given: str) -> Guest | None:
        """Who was let in before; None if nobody was with what is in the cookie."""
        token = f"browser {given}"
        return Guest(self.guests.name_of(token), token) if self.guests.knows(token) else None

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """What the browser of somebody who gives the code is given for it, or else why they may not come in."""
        why = self.guests.try_code(address, code)
        if why:
            return "", why
        given = secrets.token_urlsafe(24)
        self.guests.remember(f"browser {given}", name_of(name))
        return given, ""


def _bare(host: str) -> str:
    """The name or number in a `Host` header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
