"""Screen of one guest: an app in this process and its line; a fault ends this screen and no other."""

from __future__ import annotations

import asyncio
import codecs
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO, cast

from rich.console import Console
from textual import constants, events, messages
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from kalooki_tui.hosting.guest import KEYS, Allowance, Guest
from kalooki_tui.storage.paths import fault_sentence, log_fault
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.terminal import RESTORE

if TYPE_CHECKING:
    from kalooki_tui.hosting.ssh import GuestSession

PATIENCE: Final = 10.0
"""Seconds within which a screen must take some data."""
CHUNK: Final = 16_384
"""Bytes sent at once, so that a slow line is seen to take some."""
BEHIND: Final = 1_000_000
"""Characters that may wait to be sent."""
MESSAGE: Final = 64
"""Bytes that a change of size counts."""
GRACE: Final = 0.5
"""Seconds for an app to end by itself, then by force, and for its line to take the last words."""

TOO_MUCH: Final = "More keys came from your screen than anybody can type, so it has been closed."
TOO_SLOW: Final = "Your screen does not take what is drawn, so it has been closed."


class Screen:
    def __init__(self, line: GuestSession, size: tuple[int, int], term: str, colorterm: str = "") -> None:
        self._line = line
        self._size = clamped(*size)
        self._terminal = {"TERM": term, "COLORTERM": colorterm}
        self._app: App[Any] | None = None
        self._driver: ScreenDriver | None = None
        #: Of this app alone: the framework finds the app by a context variable.
        self._context = Context()
        self._early = b""
        self._allowance = Allowance(KEYS)
        self._waiting: list[str] = []
        self._behind = 0
        self._more = asyncio.Event()
        self._overdue = asyncio.Event()
        self.over = asyncio.Event()
        self._showing: asyncio.Task[None] | None = None
        self._is_ending = self._is_broken = self._is_done = False
        self.sentence = ""

    async def run(self, make: Callable[[], App[Any]]) -> None:
        """Show the app until it ends, the line breaks or the screen is ended. Never raises."""
        sending = asyncio.create_task(self._send())
        self._showing = asyncio.create_task(self._show(make), context=self._context)
        overdue = asyncio.create_task(self._overdue.wait())
        try:
            await asyncio.wait({self._showing, overdue}, return_when=asyncio.FIRST_COMPLETED)
            if self._showing.done() and not self._showing.cancelled() and (error := self._showing.exception()):
                self._fault(error)
            self._is_ending = self._is_done = True
            self._more.set()
            if not self._is_broken:
                await asyncio.wait({sending}, timeout=GRACE)
            if not self._is_broken:
                with suppress(OSError, TimeoutError):
                    await asyncio.wait_for(self._line.close(self.sentence), GRACE)
        finally:
            for task in (sending, overdue, self._showing):
                task.cancel()
            self._line.abort()
            self._app = self._driver = self._showing = None
            self._context = Context()
            self.over.set()

    async def _show(self, make: Callable[[], App[Any]]) -> None:
        app: Any = make()
        self._app = app
        app.driver_class = cast("type[Driver]", self._make_driver)
        app._handle_exception = self._fault
        # Apps of one process end in any order: none may put back the streams of another.
        app._capture_stdout, app._capture_stderr = sys.stdout, sys.stderr
        # What the framework asks for the colours of a terminal: this one's, not those of the process's own.
        app.console = Console(
            file=app.console.file, force_terminal=True, highlight=False, emoji=False, legacy_windows=False,
            safe_box=False, _environ=self._terminal,
        )  # fmt: skip
        if not self._is_ending:
            await app.run_async(size=self._size)

    def _make_driver(self, app: App[Any], **given: Any) -> ScreenDriver:
        self._driver = driver = ScreenDriver(app, self.write, **{**given, "size": self._size})
        driver.feed(self._early)
        return driver

    def end(self, sentence: str) -> None:
        """End the screen with a sentence; the first one counts."""
        if self._is_ending:
            return
        self._is_ending = True
        self.sentence = sentence
        if self._app is not None:
            # A copy, since the app may be what is calling.
            self._context.copy().run(self._exit, self._app)
        loop = asyncio.get_running_loop()
        if self._showing is not None:
            loop.call_later(GRACE, self._showing.cancel)
        loop.call_later(2 * GRACE, self._overdue.set)

    def _exit(self, app: App[Any]) -> None:
        try:
            app.exit()
        except Exception as error:  # noqa: BLE001 - whatever it does when it is to end, it ends
            log_fault(error)
            App.exit(app)

    def lost(self) -> None:
        self._is_broken = True
        self.end("")

    def _fault(self, error: BaseException) -> None:
        log_fault(error)
        self.end(fault_sentence(error, None))

    def write(self, data: str) -> None:
        self._waiting.append(data)
        self._behind += len(data)
        self._more.set()
        if self._behind > BEHIND and not self._is_ending:
            self._waiting.clear()
            self.end(TOO_SLOW)

    async def _send(self) -> None:
        try:
            while self._waiting or not self._is_done:
                await self._more.wait()
                self._more.clear()
                data = "".join(self._waiting).encode("utf-8", "replace")
                self._waiting.clear()
                self._behind = 0
                for start in range(0, len(data), CHUNK):
                    async with asyncio.timeout(PATIENCE):
                        await self._line.send(data[start : start + CHUNK])
        except OSError:  # and the line that has taken nothing for too long
            self.lost()

    def feed(self, data: bytes) -> None:
        if not self.may_say(len(data)):
            return
        if self._driver is None:
            self._early += data
            return
        self._driver.feed(data)
        if self._driver.waiting > KEYS:
            self.end(TOO_MUCH)

    def may_say(self, size: int) -> bool:
        """Count bytes; return whether they may be heard. Too many end the screen."""
        if not self._allowance.take(size):
            self.end(TOO_MUCH)
        return not self._is_ending

    def resize(self, width: int, height: int) -> None:
        self._size = clamped(width, height)
        if self.may_say(MESSAGE) and self._driver is not None:
            self._driver.resize(*self._size)


Show = Callable[[Guest, Screen], Coroutine[Any, Any, None]]


NARROWEST, WIDEST, LOWEST, TALLEST = 20, 500, 10, 200
SLICE: Final = 32
"""Characters given to an app at once."""
TURN: Final = 0.5
"""Seconds after which the next are given, even if the app is busy."""
SETTLED: Final = 0.05
"""Seconds between two sizes: a window that is dragged sends many."""

#: Alternate screen, no cursor, mouse (as the framework's own drivers ask for it), focus, paste, no wrapping; whether
#: the terminal takes a frame at once; keys of the kitty protocol: no doubt about escape, all keys, and the text that
#: they make.
TAKE: Final = (
    "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?1004h\x1b[?2026$p\x1b[?2004h\x1b[?7l"
    "\x1b[>25u"
)
#: What a screen may say. A size comes by another way than what is typed, where it is checked.
HEARD: Final = (
    events.Key,
    events.Paste,
    events.MouseEvent,
    events.AppFocus,
    events.AppBlur,
    messages.TerminalSupportsSynchronizedOutput,
)


def clamped(width: int, height: int) -> Size:
    return Size(min(max(width, NARROWEST), WIDEST), min(max(height, LOWEST), TALLEST))


class ScreenDriver(Driver):
    def __init__(
        self, app: App[Any], send: Callable[[str], None], *, debug: bool, mouse: bool, size: tuple[int, int] | None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._send = send
        self._context: Context | None = None
        self._parser = XTermParser()
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._typed = ""
        self._unanswered = 0
        """Characters in the parser that are no event yet, as in an unfinished paste."""
        self._next: asyncio.TimerHandle | None = None
        """Timer that gives the app more, unless it asks for it before."""
        self._tick: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None

    def write(self, data: str) -> None:
        self._send(data)

    def start_application_mode(self) -> None:
        self._context = copy_context()
        self.write(TAKE)
        self._post_size()
        self._loop.call_soon(self._give)

    def disable_input(self) -> None:
        self._context = None
        for timer in (self._next, self._tick, self._resizing):
            if timer is not None:
                timer.cancel()
        self._typed = ""

    def stop_application_mode(self) -> None:
        self.disable_input()
        self.write(RESTORE)

    @property
    def waiting(self) -> int:
        return len(self._typed) + self._unanswered

    def feed(self, data: bytes) -> None:
        self._typed += self._decode(data)
        if self._next is None:
            self._give()

    def _give(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        context = self._context
        if context is None or not self._typed:
            return
        now, self._typed = self._typed[:SLICE], self._typed[SLICE:]
        context.run(self._hear, now)
        if self._tick is not None:
            self._tick.cancel()
        if self._typed:
            self._next = self._loop.call_later(TURN, self._give)
            context.run(self._app.call_later, self._when_heard)
        else:
            # An escape that nothing follows is the key of that name.
            self._tick = self._loop.call_later(constants.ESCAPE_DELAY * 1.1, context.run, self._hear, "")

    def _when_heard(self) -> None:
        """Go on once each key of the last slice has done its work."""
        if isinstance(self._app, KalookiApp):
            self._app.when_quiet(self._give_soon)
        else:
            self._give_soon()

    def _give_soon(self) -> None:
        """Go on at the next turn of the loop: others come first."""
        self._loop.call_soon(self._give)

    def _hear(self, typed: str) -> None:
        for message in self._parse(typed):
            if isinstance(message, HEARD):
                self.process_message(message)

    def _parse(self, typed: str) -> list[Message]:
        self._unanswered += len(typed)
        found: list[Message] = []
        try:
            for message in self._parser.feed(typed) if typed else self._parser.tick():
                found.append(message)
                self._unanswered = 0
        except (ArithmeticError, LookupError, RuntimeError, StopIteration, TypeError, ValueError):
            # The framework's parser trips over some sequences that no terminal sends, and is of no use after that.
            self._parser = XTermParser()
        return found

    def send_message(self, message: Message) -> None:
        self._app.post_message(message)

    def resize(self, width: int, height: int) -> None:
        self._size = clamped(width, height)
        if self._resizing is None and self._context is not None:
            self._resizing = self._loop.call_later(SETTLED, self._context.run, self._post_size)

    def _post_size(self) -> None:
        self._resizing = None
        size = clamped(*(self._size or (80, 24)))
        self._app.post_message(events.Resize(size, size))

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """Do nothing: the host's browser is not the guest's to open."""

    def deliver_binary(self, binary: BinaryIO | TextIO, **_named: Any) -> None:
        """Write nothing: a screen has no files."""
        binary.close()
