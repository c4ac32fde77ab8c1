"""People who come from outside, and the small app or page that they see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp
import asyncssh
import pyte
from textual.app import App, ComposeResult
from textual.events import Key, Paste
from textual.widgets import Static

from kalooki_tui.hosting.doors import Doors
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.hand.guest import HandLine

CODE: Final = "7QK4"
HOST: Final = "127.0.0.1"
SECONDS: Final = 20.0
"""How long a busy machine may take."""


class Counting(App[None]):
    """Shows who it is for and the last key; `x` is a fault, `q` its end."""

    ended: Final[list[str]] = []
    """Names of guests whose app has been unmounted."""
    current: Final[list[Counting]] = []
    keys = 0

    def __init__(self, guest: Guest) -> None:
        super().__init__()
        self.guest = guest

    def compose(self) -> ComposeResult:
        """One line."""
        yield Static(f"Welcome {self.guest.name}")

    def on_mount(self) -> None:
        """It is there."""
        self.current.append(self)

    def on_key(self, event: Key) -> None:
        """Show it."""
        self.keys += 1
        if event.key == "q":
            self.exit()
        if event.key == "x":
            raise RuntimeError("a fault in an app")
        # What is read here is the context variable, which must be this app and no other.
        self.query_one(Static).update(f"{self.guest.name}: key {event.key} of {self.size.width}x{self.size.height}")

    def on_paste(self, event: Paste) -> None:
        """Show how much."""
        self.query_one(Static).update(f"{self.guest.name}: pasted {len(event.text)}")

    def on_unmount(self) -> None:
        """It is over."""
        self.ended.append(self.guest.name)


class Echoing:
    """A page that is told who it is for, and each message that it sends; `x` is a fault."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    async def run(self, line: HandLine) -> None:
        """Show it until the line ends."""
        self._line = line
        line.send({"welcome": self.guest.name})
        await line.run()
        Counting.ended.append(self.guest.name)

    def hear(self, text: str) -> None:
        """Tell it."""
        if text == "x":
            self._line.fail(RuntimeError("a fault in a page"))
        else:
            self._line.send({"said": text})


@asynccontextmanager
async def open_doors(
    guests: Guests | None = None, open_app: Callable[[Guest], App[Any]] = Counting
) -> AsyncIterator[tuple[Doors, int, int]]:
    """Doors on free ports of this machine, and these ports: for SSH and for browsers."""
    Counting.ended.clear()
    Counting.current.clear()
    guests = guests or Guests(CODE)
    open_hand: Any = Echoing
    doors = await Doors.open([HOST], 0, 0, guests, open_app, open_hand)
    ssh, browser = (address.text for address in doors.addresses)
    try:
        yield doors, int(ssh.split()[2]), int(browser.rstrip("/").rpartition(":")[2])
    finally:
        await doors.close()


class Typist(asyncssh.SSHClient):
    """Answers each question for the code with the next of those given; notes what was asked."""

    def __init__(self, codes: list[str]) -> None:
        self.codes = codes
        self.asked: list[str] = []
        self.farewell = ""

    def kbdint_auth_requested(self) -> str:
        """No special way."""
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: Any) -> list[str] | None:
        """Type the next code."""
        self.asked.append(instructions)
        return [self.codes.pop(0)] if self.codes else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Note why."""
        self.farewell = getattr(exc, "reason", "")


@asynccontextmanager
async def caller(
    port: int, *codes: str, name: str = "Bob", keys: list[asyncssh.SSHKey] | None = None
) -> AsyncIterator[tuple[asyncssh.SSHClientConnection, Typist]]:
    """Somebody who calls by SSH and gives these codes, one after the other."""
    typist = Typist(list(codes))
    connection, _ = await asyncssh.create_connection(
        lambda: typist, HOST, port, username=name, known_hosts=None, client_keys=keys, config=None, agent_path=None,
        login_timeout=SECONDS,
    )  # fmt: skip
    try:
        yield connection, typist
    finally:
        connection.abort()
        await connection.wait_closed()


class Shown:
    """What a terminal shows of the bytes that it is sent."""

    def __init__(self) -> None:
        # Larger than any screen that a test has: what does not fit would be scrolled away.
        self.emulator = pyte.Screen(120, 60)
        self._stream = pyte.ByteStream(self.emulator)
        self.raw = b""

    def take(self, data: bytes) -> None:
        """Show more."""
        self.raw += data
        # The emulator knows neither the kitty protocol nor questions about modes, and would show what it does not know.
        for unknown in (b"\x1b[>25u", b"\x1b[<u", b"\x1b[?2026$p"):
            data = data.replace(unknown, b"")
        self._stream.feed(data)

    def __contains__(self, text: str) -> bool:
        return any(text in line for line in self.emulator.display)

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self.emulator.display).strip()


class Terminal:
    """A screen over SSH."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        self.process = process
        self.shown = Shown()

    @classmethod
    async def open(
        cls, connection: asyncssh.SSHClientConnection, size: tuple[int, int] = (80, 24), term: str = "xterm-256color"
    ) -> Terminal:
        """Ask for one."""
        return cls(await connection.create_process(term_type=term, term_size=size, encoding=None))

    def type(self, keys: str) -> None:
        """Press keys."""
        self.process.stdin.write(keys.encode())

    async def until(self, text: str) -> None:
        """Wait until it shows that."""
        async with asyncio.timeout(SECONDS):
            while text not in self.shown:
                data = await self.process.stdout.read(65536)
                assert data, f"ended, and showed: {self.shown}"
                self.shown.take(data)

    async def to_the_end(self) -> str:
        """What it shows when it has ended."""
        async with asyncio.timeout(SECONDS):
            while data := await self.process.stdout.read(65536):
                self.shown.take(data)
        return str(self.shown)


class Window:
    """A page in a browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.told: list[Any] = []

    async def next(self) -> bool:
        """Take one message; false at the end."""
        async with asyncio.timeout(SECONDS):
            message = await self.socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            return False
        self.told.append(json.loads(message.data))
        return True

    async def until(self, **message: str) -> None:
        """Wait until it is told that."""
        while message not in self.told:
            assert await self.next(), f"ended, and was told: {self.told}"

    async def to_the_end(self) -> list[Any]:
        """What it has been told when it has ended."""
        while await self.next():
            pass
        return self.told


@asynccontextmanager
async def browser(port: int) -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
    """A browser, and the address of the page."""
    jar = aiohttp.CookieJar(unsafe=True)  # keeps cookies of numbered addresses as well, as browsers do
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield session, f"http://{HOST}:{port}/"


@asynccontextmanager
async def window(session: aiohttp.ClientSession, address: str) -> AsyncIterator[Window]:
    """The page's own socket, as the page opens it."""
    async with session.ws_connect(f"{address}hand/ws", origin=address.rstrip("/")) as socket:
        yield Window(socket)


async def until(so: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(SECONDS):
        while not so():
            await asyncio.sleep(0.01)
