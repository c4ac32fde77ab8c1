"""The framework's driver over a stream of bytes: what an app draws goes out, what is typed comes in.

It touches nothing of its process: no signal, no terminal, no thread, no file, no browser of the machine it runs on.
"""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any, BinaryIO, Final, TextIO

from textual import constants, events, messages
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.terminal import RESTORE

NARROWEST, WIDEST, LOWEST, TALLEST = 20, 500, 10, 200
"""Columns and lines of a screen; one that says it has others is drawn as if it had these."""
SLICE: Final = 32
"""Characters typed that an app is given before it has dealt with them."""
TURN: Final = 0.5
"""Seconds after which it is given the next all the same."""
SETTLED: Final = 0.05
"""Seconds between two sizes: a window that is being dragged sends many."""

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
    """A size that can be drawn."""
    return Size(min(max(width, NARROWEST), WIDEST), min(max(height, LOWEST), TALLEST))


class ScreenDriver(Driver):
    """Draws one app on one screen."""

    def __init__(
        self, app: App[Any], send: Callable[[str], None], *, debug: bool, mouse: bool, size: tuple[int, int] | None
    ) -> None:
        """`send`: sends what the app draws after what is waiting already."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._send = send
        self._context: Context | None = None
        self._parser = XTermParser()
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._typed = ""
        self._unanswered = 0
        """Characters that the parser holds and that are no event yet, as in a paste that has not ended."""
        self._next: asyncio.TimerHandle | None = None
        """When the app is given more, if it has not asked for it by then."""
        self._tick: asyncio.TimerHandle | None = None
        self._resizing: asyncio.TimerHandle | None = None

    def write(self, data: str) -> None:
        """Send what the app draws."""
        self._send(data)

    def start_application_mode(self) -> None:
        """Take the screen; called by the app, in its context."""
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

    # What comes in

    @property
    def waiting(self) -> int:
        """Characters typed that are no event yet."""
        return len(self._typed) + self._unanswered

    def feed(self, data: bytes) -> None:
        """Take what was typed; the app is given it as fast as it deals with it."""
        self._typed += self._decode(data)
        if self._next is None:
            self._give()

    def _give(self) -> None:
        """Give the app a slice of what was typed, and the next one when it has dealt with that."""
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
        """The app has taken the last slice; go on once every key of it has done its work."""
        if isinstance(self._app, KalookiApp):
            self._app.ahead.when_done(self._give_soon)
        else:
            self._give_soon()

    def _give_soon(self) -> None:
        """The app has dealt with the last slice; others come first, since an app with messages gives nobody a turn."""
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
        """Give the app a message: it runs in this very thread."""
        self._app.post_message(message)

    def resize(self, width: int, height: int) -> None:
        """The screen has another size."""
        self._size = clamped(width, height)
        if self._resizing is None and self._context is not None:
            self._resizing = self._loop.call_later(SETTLED, self._context.run, self._post_size)

    def _post_size(self) -> None:
        self._resizing = None
        size = clamped(*(self._size or (80, 24)))
        self._app.post_message(events.Resize(size, size))

    # What belongs to the machine that the app runs on

    def open_url(self, url: str, new_tab: bool = True) -> None:
        """A terminal shows no pages, and the host's browser is not the guest's to open."""

    def deliver_binary(self, binary: BinaryIO | TextIO, **_named: Any) -> None:
        """A screen has no files: nothing is written where the app runs."""
        binary.close()
