"""The terminal is given back whatever happens: a signal, a terminal that is gone, one that takes nothing any more."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable
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
TRIES: Final = 20
PAUSE: Final = 0.005
"""How often, and with how many seconds between, a terminal that takes nothing is tried before it is left as it is."""
ENDED_BY: Final = 128
"""What a shell adds to a signal's number for the exit code of what it ended."""

#: What the driver switches on, switched off: paste, no wrapping, sizes, mouse, focus; then synchronised output, keys of
#: the kitty protocol, which each of the terminal's two screens has its own of, the alternate screen, the cursor.
RESTORE: Final = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l"
    "\x1b[?2026l\x1b[<u\x1b[?1049l\x1b[?25h"
)


class TerminalDriver(LinuxDriver):
    """The framework's driver, which outlives its terminal."""

    taken: bool = False
    """Whether the terminal is as the app needs it."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        if sys.__stderr__ is None or not sys.__stderr__.isatty():
            # Only the input and the output need to be a terminal; `2>errors` is no place to draw.
            self._file = sys.__stdout__

    @property
    def output(self) -> int:
        """The number of the file it draws to."""
        assert self._file is not None
        return self._file.fileno()

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
        self.taken = True
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        self._mouse_pixels = False
        self.write("\x1b[?1016l")
        super().stop_application_mode()

    def close(self) -> None:
        """Let the writing thread end, once everything is written."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().close()
        self.taken = False

    def run_input_thread(self) -> None:
        """Hear what is typed; the end of the terminal is not a fault, and `Ending` sees to it."""
        with suppress(OSError):
            super().run_input_thread()


class Ending:
    """While it lasts, a signal or the loss of the terminal ends the app within a second; `code` is the exit code then.

    The app is asked to end. If it does not in time, as when it cannot write to its terminal, the terminal is restored
    and the program left at once: every step of a match is on disk, and locks end with the process.
    """

    def __init__(self, app: App[Any]) -> None:
        self.code: int | None = None
        app.driver_class = TerminalDriver
        self._app = app
        self._terminal = sys.__stdin__.fileno() if sys.__stdin__ is not None else 0
        self._attributes = _attributes(self._terminal)
        self._told, self._tell = os.pipe()
        self._before: dict[signal.Signals, Any] = {}
        self._wakeup = -1
        self._watch = threading.Thread(target=self._wait, name="ending", daemon=True)

    def __enter__(self) -> Self:
        # A signal that was ignored, as under nohup, ends the app all the same: without a terminal there is no game.
        for number in SIGNALS:
            self._before[number] = signal.signal(number, self._on_signal)
        # The system tells the watch itself: handlers run in the main thread, and only once that has something to do.
        os.set_blocking(self._tell, False)
        self._wakeup = signal.set_wakeup_fd(self._tell, warn_on_full_buffer=False)
        self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self.code is None:
            os.write(self._tell, b"\0")
            self._watch.join()
            os.close(self._tell)
            os.close(self._told)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """There must be a handler, or the signal would end the program where it stands."""

    def _wait(self) -> None:
        """Runs in a thread of its own, since the app may be what hangs."""
        number = 0
        while not number:
            if select.select([self._told], [], [], CHECK)[0]:
                number = os.read(self._told, 1)[0]
                if not number:
                    return
                if number not in SIGNALS:
                    # Of another size, or that the program goes on: the main thread has to wake for its handler to run.
                    with suppress(RuntimeError):  # it has just ended
                        self._in_the_app(int)
                    number = 0
            elif self._attributes is not None and _attributes(self._terminal) is None:
                number = signal.SIGHUP
        self.code = code = ENDED_BY + number
        with suppress(Exception):
            # Where a step may be on its way to the disk just now.
            self._in_the_app(lambda: self._app.exit(return_code=code))
        time.sleep(GRACE)
        # Still there: the program has not ended by itself. The processes it started end with it.
        with suppress(Exception):
            self._restore()
        os._exit(self.code)

    def _in_the_app(self, call: Callable[[], object]) -> None:
        """Call something in the app's own thread, if that runs."""
        loop = self._app._loop  # the framework has no other way to it that does not wait
        if loop is None:
            call()
        else:
            loop.call_soon_threadsafe(call)

    def _restore(self) -> None:
        """Restore the terminal past what waits to be written to it; where nobody reads at all, its attributes only."""
        driver = self._app._driver  # the framework has no other way to it
        if self._attributes is None or not isinstance(driver, TerminalDriver) or not driver.taken:
            return
        with suppress(OSError, termios.error):
            own = os.open(os.ttyname(self._terminal), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
            termios.tcsetattr(own, termios.TCSANOW, self._attributes)
            # What is drawn from now on goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), driver.output)
            for _ in range(TRIES):
                with suppress(BlockingIOError):
                    os.write(own, RESTORE.encode())
                    return
                termios.tcflush(own, termios.TCOFLUSH)
                time.sleep(PAUSE)


def stop_for_a_while() -> None:
    """Stop until the shell goes on with the program: whoever started it must stop too, or no shell would come."""
    os.killpg(os.getpgrp(), signal.SIGSTOP)


def _attributes(terminal: int) -> list[Any] | None:
    """How the terminal is set; None where there is none, or none any more."""
    try:
        return termios.tcgetattr(terminal)
    except (termios.error, OSError):
        return None
