"""Kills the game while it is played in a terminal of its own, again and again, and looks at what is lost or left.

`python tests/drivers/kills.py 200 [SEED]` ends it by SIGKILL, SIGTERM, SIGHUP and the loss of the terminal in turn, and
prints the figures. A match goes on from one kill to the next: each start takes it up from the first screen.
"""

from __future__ import annotations

import copy
import fcntl
import os
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyte
from rich.segment import Segment
from textual.color import Color

from kalooki_tui.presenter.sentences import log_line
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.match_store import Store
from kalooki_tui.tui.looks.palettes import AsciiFilter

WIDTH: Final = 140
HEIGHT: Final = 44
START: Final = 90.0
"""Seconds that the program may take to show what is waited for."""
FIRST: Final = 10.0
"""Seconds of typing after which it is ended though nothing has been told."""
LEFT: Final = 2.0
"""Seconds after its end in which the processes it started have ended too."""
WAYS: Final = ("KILL", "TERM", "HUP", "lost")
"""A signal's name, or the loss of the terminal."""
SETTINGS: Final = 'ascii = true\nreduced_motion = true\ncurtain = false\nbell = false\nai_speed = "instant"\n'
PLAY: Final = ("play", "--seat", "Ann", "--seat", "ai:club", "--seat", "ai:club")
KEYS: Final = ("d", "p", " x", "\x1b[C x", "d x", "L", "\r", "o", "g", "p")
"""What a person at the table types, at random: draw, pass, throw a card, lay, arrange the hand."""
COMPARED: Final = 6
"""Lines of the log, the newest, that are looked for in the record: below them other things may lie over it."""

IN_ONE: Final = "2026"
"""The mode in which a terminal goes on showing what it shows, until it is switched off and all is drawn."""
BAR: Final = 3
"""Columns at the right in one of which the log may have its scroll bar."""
STRAY: Final = re.compile(r" [_=#-]$")
"""A piece of a bar that stands elsewhere, as where it was drawn before the log became wider."""
FRAME: Final = "-----"
"""What the upper edge of a question's frame is drawn with."""

MODES: Final = re.compile(r"\x1b\[([?<>])([\d;]*)\$?([hlpu])")
UNFINISHED: Final = re.compile(r"\x1b(\[[^@-~]*)?$")


class Screen(pyte.Screen):
    """What a terminal shows, and which of its modes are on, of which the emulator does not know all."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.reset_mode(pyte.modes.DECAWM >> 5, private=True)
        self.modes: set[str] = set()
        """Private modes that are on, such as `1049`; `25` and `7` while cursor and wrapping are off; `keys` pushed."""
        self.asked = False
        """Whether it was asked, and not answered yet, if it shows a drawing only once it is complete."""
        self._stream, self._rest = pyte.Stream(self), ""
        self._complete: str | None = None
        """What is shown while the next is being drawn."""

    def feed(self, text: str) -> None:
        text, at = self._rest + text, 0
        unfinished = UNFINISHED.search(text)
        end = len(text) if unfinished is None else unfinished.start()
        self._rest = text[end:]
        for found in MODES.finditer(text, 0, end):
            self._stream.feed(text[at : found.start()])
            self._control(*found.groups())
            at = found.end()
        self._stream.feed(text[at:end])

    @property
    def text(self) -> str:
        """Everything shown, a line a row. What is drawn in one piece is shown once it is complete, as terminals do."""
        return "\n".join(row.rstrip() for row in self.display) if self._complete is None else self._complete

    def snapshot(self) -> Screen:
        taken = copy.copy(self)
        taken._complete = self.text
        return taken

    def _control(self, private: str, numbers: str, final: str) -> None:
        if final in "hl":
            for number in numbers.split(";"):
                # The cursor and wrapping are on as a rule.
                on = (final == "h") is (number not in ("25", "7"))
                (self.modes.add if on else self.modes.discard)(number)
            if numbers == IN_ONE:
                self._complete = self.text if final == "h" else None
            if numbers == "1049":
                self.erase_in_display(2)
        elif final == "p":
            self.asked = numbers == IN_ONE
        else:
            (self.modes.add if private == ">" else self.modes.discard)("keys")


class Terminal:
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
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) >= 0:
            if select.select([self._main], [], [], left)[0]:
                try:
                    self.screen.feed(os.read(self._main, 65536).decode("utf-8", "replace"))
                except OSError:
                    return
                if self.screen.asked:
                    self.screen.asked = False
                    self.type(f"\x1b[?{IN_ONE};2$y")

    def wait_for(self, condition: Callable[[str], bool], seconds: float = START) -> None:
        """Show what is written until the condition on the text shown holds."""
        end = time.monotonic() + seconds
        while not condition(self.screen.text):
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"nothing came of it; exit code {self.process.poll()}; shown:\n{self.screen.text}")
            self.read(0.05)

    def type(self, keys: str) -> None:
        os.write(self._main, keys.encode())

    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self._other)

    def lose(self) -> None:
        os.close(self._main)
        os.close(self._other)
        self._main = self._other = -1

    def close(self) -> None:
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
    found = set()
    for process in processes:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            found.add(process)
    return found


@dataclass
class Figures:
    kills: int = 0
    compared: int = 0
    """Kills after which the log shown was compared with the record."""
    lost: int = 0
    """Steps that were shown and are not in the record."""
    left: int = 0
    """Processes that ran on."""
    locked: int = 0
    """Matches that could not be taken up again."""
    unrestored: int = 0
    """Signals after which the terminal was not as before."""
    wrong_codes: list[str] = field(default_factory=list)
    unfound: list[str] = field(default_factory=list)
    """Of each kill after which steps were missing: the log shown, the record's last lines, and the screen."""
    shown: int = 0
    """Lines of the log that were looked for."""


def kill_again_and_again(home: Path, kills: int, seed: int) -> Figures:
    dice = random.Random(seed)
    figures = Figures()
    (home / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    for number in range(kills):
        way = WAYS[number % len(WAYS)]
        ignored = (signal.SIGHUP,) if dice.random() < 0.5 else ()
        terminal = Terminal((sys.executable, "-m", "kalooki_tui", *_arguments(home)), home, ignored)
        try:
            _play(terminal, dice)
            _end(terminal, way, figures)
        finally:
            terminal.close()
        _compare(home, terminal.screen, figures)
        figures.kills += 1
    return figures


def _arguments(home: Path) -> tuple[str, ...]:
    """Nothing, to go on with a match from the first screen, where there is one to go on with."""
    with Store.look(home) as store:
        return () if store.lists().unfinished else PLAY


def _play(terminal: Terminal, dice: random.Random) -> None:
    terminal.wait_for(lambda text: "Continue" in text or "Ann's hand" in text)
    if "Continue" in terminal.screen.text:
        terminal.type("c")
    terminal.wait_for(lambda text: "STOCK" in text)
    begun = time.monotonic()
    end = begun + dice.uniform(0.0, 1.5)
    # A match that has only just begun has nothing to lose yet.
    while (now := time.monotonic()) < end or (now < begun + FIRST and not log_lines(terminal.screen)):
        terminal.type(dice.choice(KEYS))
        terminal.read(dice.uniform(0.01, 0.1))


def _end(terminal: Terminal, way: str, figures: Figures) -> None:
    process = terminal.process
    children = descendants(process.pid)
    started = time.monotonic()
    if way == "lost":
        terminal.lose()
    else:
        process.send_signal(signal.Signals[f"SIG{way}"])
    shown: Screen | None = None
    while process.poll() is None and time.monotonic() - started < START:
        if way == "lost":
            time.sleep(0.005)
        else:
            # What was shown is compared later: the end wipes the screen.
            shown = shown or terminal.screen.snapshot()
            terminal.read(0.005)
    if way != "KILL":
        number = signal.SIGHUP if way == "lost" else signal.Signals[f"SIG{way}"]
        if process.poll() != 128 + number:
            figures.wrong_codes.append(f"{way}: {process.poll()}")
    if way in ("TERM", "HUP"):
        terminal.read(0.05)
        figures.unrestored += bool(terminal.screen.modes) or terminal.attributes() != terminal.before
    if way == "KILL":
        # What it had written by then was shown too.
        terminal.read(0.05)
    else:
        terminal.screen = shown or terminal.screen
    deadline = time.monotonic() + LEFT
    while running(children) and time.monotonic() < deadline:
        time.sleep(0.02)
    figures.left += len(running(children))


def _compare(home: Path, screen: Screen, figures: Figures) -> None:
    """Look for what the log showed in the record that was being played."""
    with Store.open(home) as store:
        # A match that has just been finished is in the list all the same.
        about = store.summaries()[0]
        replay = store.replay(about.id)
        told: list[str] = []
        for played in replay.steps():
            lines = (log_line(event, replay.head.names, replay.head.rules) for event in played.events)
            told += [" ".join(plain(line.text).split()) for line in lines if line is not None]
        if not about.finished:
            try:
                store.resume(about.id).close()
            except StoreError:
                figures.locked += 1
    shown = log_lines(screen)[:COMPARED]
    if shown:
        figures.compared += 1
        figures.shown += len(shown)
        lost = missing(shown[::-1], told)
        figures.lost += lost
        if lost:
            figures.unfound.append(f"shown {shown}, recorded at last {told[: -COMPARED - 1 : -1]}\n{screen.text}")


def plain(text: str) -> str:
    return "".join(segment.text for segment in AsciiFilter().apply([Segment(text)], Color(0, 0, 0)))


def log_lines(screen: Screen) -> list[str]:
    """The first row of each line of the log that is shown, the newest first."""
    rows = screen.text.split("\n")
    top = next((number for number, row in enumerate(rows) if "STOCK" in row), len(rows))
    column = rows[top].index("STOCK") if top < len(rows) else 0
    lines: list[str] = []
    for row in rows[top:]:
        text = row[column : screen.columns - BAR]
        # Further rows of a line are set in by two columns more.
        if text[:2] in (". ", "> ") or (lines and text[:2] == "  " and text[2:3] != " "):
            lines.append(" ".join(STRAY.sub("", text[2:].rstrip()).split()))
        elif lines and (not text.strip() or FRAME in text):
            break
    return lines


def missing(shown: list[str], told: list[str]) -> int:
    """How many of the newest lines shown must be left out until the others stand in the record, one after another."""
    for count in range(len(shown)):
        rest = shown[: len(shown) - count]
        if any(all(map(str.startswith, told[at:], rest)) for at in range(len(told) - len(rest) + 1)):
            return count
    return len(shown)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        print(kill_again_and_again(Path(folder), int(sys.argv[1]), int((sys.argv[2:] or ["1"])[0])))
