"""Kills the game while it is played in a terminal of its own, again and again, and looks at what is lost or left.

`python scripts/kills.py 200 [SEED]` ends it by SIGKILL, SIGTERM, SIGHUP and the loss of the terminal in turn, and
prints the figures. A match goes on from one kill to the next: each start takes it up from the first screen.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

WIDTH: Final = 140
HEIGHT: Final = 44
START: Final = 30.0
"""Seconds that the program may take to show what is waited for."""
END: Final = 1.0
"""Seconds in which it has ended after a signal."""
LEFT: Final = 2.0
"""Seconds after its end in which the processes it started have ended too."""
WAYS: Final = ("KILL", "TERM", "HUP", "lost")
"""A signal's name, or the loss of the terminal."""
SETTINGS: Final = 'ascii = true\nreduced_motion = true\ncurtain = false\nbell = false\nai_speed = "instant"\n'
KEYS: Final = ("d", "p", "x", "L", "\r", "o", "right", "space", "h", "g", "u")
"""What a person at the table types, at random; arrows and the space bar choose a card to throw."""
BYTES: Final = {"right": "\x1b[C", "space": " "}

CONTROL: Final = re.compile(
    r"\x1b\[(?P<private>[?<>=]?)(?P<numbers>[\d;:]*)[ $]?(?P<final>[@-~])"
    r"|\x1b[()][0-9A-B]|\x1b[=>78cM]|\x1b\].*?(?:\x07|\x1b\\)"
    r"|(?P<char>[^\x1b])",
    re.DOTALL,
)


class Screen:
    """What a terminal would show, and which of its modes are on; no more of it than the game uses."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [[" "] * width for _ in range(height)]
        self.modes: set[str] = set()
        """Private modes that are on, such as `1049`; `cursor` and `wrap` while they are off; `keys` pushed."""
        self._x = self._y = 0
        self._rest = ""

    def feed(self, text: str) -> None:
        """Take what was written."""
        text, self._rest = self._rest + text, ""
        at = 0
        while at < len(text):
            found = CONTROL.match(text, at)
            if found is None:
                self._rest = text[at:]
                return
            at = found.end()
            if found["char"]:
                self._put(found["char"])
            elif found["final"]:
                self._control(found["private"], found["numbers"], found["final"])

    @property
    def text(self) -> str:
        """Everything shown, a line a row."""
        return "\n".join("".join(row).rstrip() for row in self.rows)

    def _put(self, character: str) -> None:
        if character == "\n":
            self._y = min(self._y + 1, self.height - 1)
        elif character == "\r":
            self._x = 0
        elif character >= " ":
            if self._x < self.width:
                self.rows[self._y][self._x] = character
            self._x += 1

    def _control(self, private: str, numbers: str, final: str) -> None:
        if final in "hl" and private == "?":
            for number in numbers.split(";"):
                # The cursor and wrapping are on as a rule.
                on = (final == "h") is (number not in ("25", "7"))
                (self.modes.add if on else self.modes.discard)(number)
            if numbers == "1049":
                self.rows = [[" "] * self.width for _ in range(self.height)]
        elif final == "u" and private in "<>" and private:
            (self.modes.add if private == ">" else self.modes.discard)("keys")
        elif final == "H":
            y, _, x = numbers.partition(";")
            self._y, self._x = min(int(y or 1), self.height) - 1, min(int(x or 1), self.width) - 1
        elif final == "J":
            self.rows = [[" "] * self.width for _ in range(self.height)]
        elif final == "K":
            self.rows[self._y][self._x :] = [" "] * (self.width - self._x)


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, command: Iterable[str], home: Path, ignored: Iterable[signal.Signals] = ()) -> None:
        self.screen = Screen(WIDTH, HEIGHT)
        self._main, self._other = os.openpty()
        fcntl.ioctl(self._other, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.before = termios.tcgetattr(self._other)
        environment = {**os.environ, "KALOOKI_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        other = self._other

        def begin() -> None:
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            os.login_tty(other)

        self.process = subprocess.Popen(list(command), env=environment, preexec_fn=begin)  # noqa: PLW1509 - no threads

    def read(self, seconds: float) -> None:
        """Show what is written in that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) >= 0:
            if select.select([self._main], [], [], left)[0]:
                try:
                    self.screen.feed(os.read(self._main, 65536).decode("utf-8", "replace"))
                except OSError:
                    return

    def wait_for(self, condition: Callable[[str], bool], seconds: float = START) -> None:
        """Show what is written until the condition on the text shown holds."""
        end = time.monotonic() + seconds
        while not condition(self.screen.text):
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"nothing came of it; exit code {self.process.poll()}; shown:\n{self.screen.text}")
            self.read(0.05)

    def type(self, keys: str) -> None:
        """Type."""
        os.write(self._main, keys.encode())

    def attributes(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._other)

    def lose(self) -> None:
        """Close the terminal's window."""
        os.close(self._main)
        os.close(self._other)
        self._main = self._other = -1

    def close(self) -> None:
        """End what runs in it, and close it."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self._main >= 0:
            self.lose()


def descendants(process: int) -> set[int]:
    """All processes that a process has started, and those that these have."""
    found: set[int] = set()
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found |= {child} | descendants(child)
    return found


def running(processes: Iterable[int]) -> set[int]:
    """Those that have not ended."""
    found = set()
    for process in processes:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            found.add(process)
    return found
