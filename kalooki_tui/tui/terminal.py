"""Terminal given back whatever happens: a signal, a terminal that is gone, one that takes nothing any more."""

from __future__ import annotations

import os
import signal
import sys
import termios
import threading
import time
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Final, Self

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
CHECK: Final = 0.2
"""Seconds between two looks whether the terminal is there. Its loss sends a signal, but not to everybody."""
GRACE: Final = 0.6
"""Seconds that the app has to end by itself."""
ENDED_BY: Final = 128
"""Number that a shell adds to a signal's for the exit code of what it ended."""

#: Seconds in which any thread has caught a signal.
CAUGHT: Final = 0.1
#: What the driver switches on, switched off: paste, no wrapping, sizes, mouse, focus; then synchronised output, keys of
#: the kitty protocol, which each of the terminal's two screens has its own of, the alternate screen, the cursor.
RESTORE: Final = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l"
    "\x1b[?2026l\x1b[<u\x1b[?1049l\x1b[?25h"
)


class TerminalDriver(LinuxDriver):
    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        if sys.__stderr__ is None or not sys.__stderr__.isatty():
            # Only the input and the output need to be a terminal; `2>errors` is no place to draw.
            self._file = sys.__stdout__

    def write(self, data: str) -> None:
        """Write, as long as there is something to write to: the writing thread ends with the terminal."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            self._writer_thread.write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, or wait for it: `bg` goes on without one, and `fg` comes here once more."""
        with suppress(OSError):
            if os.tcgetpgrp(self.fileno) != os.getpgrp():
                stop_for_a_while()
                return
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        self._mouse_pixels = False
        self.write("\x1b[?1016l")
        super().stop_application_mode()

    def close(self) -> None:
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().close()

    def run_input_thread(self) -> None:
        """Hear what is typed; the end of the terminal is not a fault, and `TerminalWatch` sees to it."""
        with suppress(OSError):
            super().run_input_thread()


class TerminalWatch:
    """Watch over signals and the terminal, whose loss ends the app within a second; `code` is the exit code then.

    The app is asked to end. If it does not in time, as when it cannot write to its terminal, the program is left at
    once: every step of a match is on disk, and locks end with the process.
    """

    def __init__(self, app: App[Any]) -> None:
        self.code: int | None = None
        app.driver_class = TerminalDriver
        self._app = app
        self._terminal = sys.__stdin__.fileno() if sys.__stdin__ is not None else 0
        self._attributes = _attributes(self._terminal)
        self._before: dict[signal.Signals, Any] = {}
        self._over = threading.Event()

    def __enter__(self) -> Self:
        # A signal that was ignored, as under nohup, ends the app all the same: without a terminal there is no game.
        for number in SIGNALS:
            self._before[number] = signal.signal(number, self._end)
        if self._attributes is not None:
            threading.Thread(target=self._watch, name="terminal", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        if self.code is not None:
            return
        self.code = code = ENDED_BY + number
        leaving = threading.Timer(GRACE, self._leave)
        leaving.daemon = True
        leaving.start()
        loop = self._app._loop  # the framework has no other way to it that does not wait
        if loop is None:
            self._app.exit(return_code=code)
        else:
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(lambda: self._app.exit(return_code=code))

    def _leave(self) -> None:
        """Leave where the app has not ended by itself; the processes it started end with it."""
        with suppress(termios.error, OSError):
            if self._attributes is not None:
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._attributes)
        os._exit(self.code or 0)

    def _watch(self) -> None:
        """Hang up where the terminal has gone: not every program is sent a signal for it."""
        while not self._over.wait(CHECK):
            if _attributes(self._terminal) is None:
                os.kill(os.getpid(), signal.SIGHUP)
                return


def stop_for_a_while() -> None:
    """Stop until the shell goes on with the program: whoever started it must stop too, or no shell would come."""
    os.killpg(os.getpgrp(), signal.SIGSTOP)
    # Another thread may catch what lets it go on. A loop that waits for nothing else would never hear of it.
    time.sleep(CAUGHT)


def _attributes(terminal: int) -> list[Any] | None:
    try:
        return termios.tcgetattr(terminal)
    except (termios.error, OSError):
        return None
