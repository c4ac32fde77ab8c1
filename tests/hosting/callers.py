"""People who come from outside, what they see, and the small app or page that they come to."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp
import asyncssh
import pyte
from textual.app import App, ComposeResult
from textual.events import Key, Paste
from textual.widgets import Static

from kalooki_tui.hosting.doors import GuestTransports
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.hand.phone_guest import TOGETHER, HandLine
from kalooki_tui.storage.kept import Doorway

CODE: Final = "7QK4"
HOST: Final = "127.0.0.1"
SECONDS: Final = 60.0
"""How long a busy machine may take."""
Message = dict[str, Any]
#: The kitty protocol and questions about modes, which the emulator does not know and would show; and colours, on which
#: it spends most of its time.
_UNSEEN: Final = re.compile(rb"\x1b\[(?:>25u|<u|\?2026\$p|[0-9;:]*m)")


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
        yield Static(f"Welcome {self.guest.name}")

    def on_mount(self) -> None:
        self.current.append(self)

    def on_key(self, event: Key) -> None:
        self.keys += 1
        if event.key == "q":
            self.exit()
        if event.key == "x":
            raise RuntimeError("a fault in an app")
        # What is read here is the context variable, which must be this app and no other.
        self.query_one(Static).update(f"{self.guest.name}: key {event.key} of {self.size.width}x{self.size.height}")

    def on_paste(self, event: Paste) -> None:
        self.query_one(Static).update(f"{self.guest.name}: pasted {len(event.text)}")

    def on_unmount(self) -> None:
        self.ended.append(self.guest.name)


class Echoing:
    """A page that is told who it is for, and each message that it sends; `x` is a fault."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    async def run(self, line: HandLine) -> None:
        self._line = line
        line.send({"welcome": self.guest.name})
        await line.run()
        Counting.ended.append(self.guest.name)

    def hear(self, text: str) -> None:
        if text == "x":
            self._line.fail(RuntimeError("a fault in a page"))
        else:
            self._line.send({"said": text})


@asynccontextmanager
async def open_doors(
    guests: Guests | None = None, open_app: Callable[[Guest], App[Any]] = Counting, **doorway: Any
) -> AsyncIterator[tuple[GuestTransports, int, int]]:
    """Doors on free ports of this machine, and these ports: for SSH and for browsers."""
    Counting.ended.clear()
    Counting.current.clear()
    guests = guests or Guests(CODE)
    open_hand: Any = Echoing
    doors = await GuestTransports.open(Doorway((HOST,), 0, 0, **doorway), guests, open_app, open_hand)
    assert doors.doorway.ssh_port is not None
    assert doors.doorway.web_port is not None
    assert [one.line for one in doors.addresses][:2] == ["ssh", "browser"]
    try:
        yield doors, doors.doorway.ssh_port, doors.doorway.web_port
    finally:
        await doors.close()


class Typist(asyncssh.SSHClient):
    """Answers each question for the code with the next of those given; notes what was asked."""

    def __init__(self, codes: list[str]) -> None:
        self.codes = codes
        self.asked: list[str] = []
        self.prompts: list[tuple[str, bool]] = []
        self.farewell = ""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: Any) -> list[str] | None:
        self.asked.append(instructions)
        self.prompts += prompts
        return [self.codes.pop(0)] if self.codes else None

    def connection_lost(self, exc: Exception | None) -> None:
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


class Line:
    """A line that takes what it is given as long as it is open, and what a terminal at its end shows."""

    def __init__(self) -> None:
        # Larger than any screen that a test has: what does not fit would be scrolled away.
        self.emulator = pyte.Screen(120, 60)
        self._stream = pyte.ByteStream(self.emulator)
        self.raw = bytearray()
        self._fed = 0
        """Bytes that the emulator has had: it is slow, and has them when somebody looks."""
        self._text = ""
        self.open = asyncio.Event()
        self.open.set()
        self.farewell: str | None = None
        self.is_broken = self.is_aborted = False

    def take(self, data: bytes) -> None:
        self.raw += data

    async def send(self, data: bytes) -> None:
        await self.open.wait()
        if self.is_broken:
            raise ConnectionResetError
        self.take(data)

    async def close(self, sentence: str) -> None:
        self.farewell = sentence

    def abort(self) -> None:
        self.is_aborted = True

    @property
    def text(self) -> str:
        if len(self.raw) > self._fed:
            self._stream.feed(_UNSEEN.sub(b"", self.raw[self._fed :]))
            self._fed, self._text = len(self.raw), self._drawn()
        return self._text

    def _drawn(self) -> str:
        # What the emulator offers itself looks at every place of its screen, each time.
        rows = (self.emulator.buffer[row] for row in range(self.emulator.lines))
        lines = ("".join(row[at].data for at in range(max(row, default=-1) + 1)).rstrip() for row in rows)
        return "\n".join(lines).strip()

    async def until(self, text: str) -> None:
        await until(lambda: text in self.text, lambda: f"{text!r} is not in\n{self.text}")


class Terminal:
    def __init__(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        self.process = process
        self.shown = Line()

    @classmethod
    async def open(cls, connection: asyncssh.SSHClientConnection) -> Terminal:
        asked = {"term_type": "xterm-256color", "term_size": (80, 24)}
        return cls(await connection.create_process(encoding=None, **asked))

    def type(self, keys: str) -> None:
        self.process.stdin.write(keys.encode())

    async def until(self, text: str) -> None:
        async with asyncio.timeout(SECONDS):
            while text not in self.shown.text:
                data = await self.process.stdout.read(65536)
                assert data, f"ended, and showed: {self.shown.text}"
                self.shown.take(data)

    async def to_the_end(self) -> str:
        async with asyncio.timeout(SECONDS):
            while data := await self.process.stdout.read(65536):
                self.shown.take(data)
        return self.shown.text


class Hand:
    """One page: the newest of each message that it was sent."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.heard: list[Message] = []
        self.state: Message = {}
        self.lobby: Message = {}
        self.is_over = False
        self._count = 0
        self.received = 0

    async def listen(self) -> None:
        async for message in self.socket:
            told = json.loads(message.data)
            self.received += 1
            self.heard.append(told)
            if "ask" in told:
                self.state = told
            elif "lobby" in told:
                self.lobby = told["lobby"]
        self.is_over = True

    async def say(self, **message: Any) -> int:
        """Send a message; its number."""
        self._count += 1
        await self.socket.send_str(json.dumps({**message, "id": self._count}))
        return self._count

    async def act(self, **message: Any) -> None:
        """Do something at this moment, and wait until it has been heard and shown."""
        before = self.received
        number = await self.say(**message, moment=self.state["moment"])
        await self.until(lambda: {"heard": number} in self.heard)
        await self.until(lambda: self.received > before + 1)

    async def rest(self) -> None:
        received = -1
        while received != self.received:
            received = self.received
            await asyncio.sleep(5 * TOGETHER)

    def told(self, key: str) -> list[Any]:
        return [message[key] for message in self.heard if key in message]

    async def until(self, condition: Callable[[], object]) -> None:
        await until(condition, lambda: json.dumps(self.heard[-3:], indent=1))

    async def hears(self, **message: str) -> None:
        await self.until(lambda: message in self.heard)

    @property
    def seen(self) -> str:
        return json.dumps(self.heard, ensure_ascii=False)


class Pocket:
    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session, self.address = session, address

    @asynccontextmanager
    async def page(self) -> AsyncIterator[Hand]:
        async with self.session.ws_connect(f"{self.address}hand/ws", origin=self.address.rstrip("/")) as socket:
            hand = Hand(socket)
            listening = asyncio.ensure_future(hand.listen())
            try:
                yield hand
            finally:
                listening.cancel()


@asynccontextmanager
async def browser(port: int) -> AsyncIterator[Pocket]:
    jar = aiohttp.CookieJar(unsafe=True)  # keeps cookies of numbered addresses as well, as browsers do
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        yield Pocket(session, f"http://{HOST}:{port}/")


@asynccontextmanager
async def pocket(port: int, name: str = "Ann") -> AsyncIterator[Pocket]:
    """A phone that has been let in."""
    async with browser(port) as phone:
        async with phone.session.post(phone.address, data={"code": CODE, "name": name}) as answer:
            assert answer.status == 200
        yield phone


async def until(condition: Callable[[], object], why: Callable[[], str] = str) -> None:
    try:
        async with asyncio.timeout(SECONDS):
            while not condition():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(why()) from None
