"""Lines out and lines in: wrapped to the width there is, in letters the terminal has."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TextIO

from kalooki_tui.cards import FACES, JOKER
from kalooki_tui.wording import as_ascii, escaped

NARROWEST: Final = 20
WIDEST: Final = 80
#: Moves the cursor home and clears the screen and what was scrolled out of it.
CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
#: Empty lines that move a hand out of sight where the screen cannot be cleared.
AWAY: Final = 60
#: A joker as it is typed, by the sign of each deck that has one.
_JOKERS: Final = str.maketrans({faces.joker_symbol: faces.text(JOKER) for faces in FACES.values()})


class Ended(Exception):
    """End of the input, or departure of the person."""


class Lines:
    def __init__(self, source: TextIO, target: TextIO, *, ascii_only: bool = False, width: int | None = None) -> None:
        self._source, self._target = source, target
        self._ascii = ascii_only or not _has_suits(target)
        self._width = width

    @property
    def width(self) -> int:
        return max(NARROWEST, min(WIDEST, self._width or shutil.get_terminal_size().columns) - 1)

    def tell(self, text: str = "") -> None:
        for paragraph in text.split("\n"):
            for line in self._wrapped(paragraph):
                self._write(f"{line}\n")
        self._target.flush()

    def _write(self, text: str) -> None:
        self._target.write(as_ascii(text) if self._ascii else text)

    def _wrapped(self, text: str) -> list[str]:
        """Wrap a text; ASCII jokers are written out, which takes more room."""
        text = text.translate(_JOKERS) if self._ascii else text
        return textwrap.wrap(escaped(text), self.width, break_on_hyphens=False) or [""]

    def ask(self, question: str) -> str:
        """Return an answer without outer spaces; raise Ended at the end of the input."""
        *before, last = self._wrapped(question)
        for line in before:
            self._write(f"{line}\n")
        self._write(f"{last} ")
        self._target.flush()
        line = self._source.readline()
        if not line:
            self.tell()
            raise Ended
        if not self._source.isatty():  # no terminal has shown what was typed
            self._write(f"{escaped(line.strip())}\n")
        return line.strip()

    def forget_typed_ahead(self) -> None:
        """Drop what was typed at a terminal before the question; other input is a list of answers."""
        if not self._source.isatty():
            return
        try:
            import termios
        except ImportError:  # not on Windows
            return
        with suppress(termios.error):
            termios.tcflush(self._source.fileno(), termios.TCIFLUSH)

    def choose(self, question: str, ways: Sequence[str]) -> int | None:
        """Ask for one of several ways; return its index, or None for no choice."""
        for number, way in enumerate(ways, 1):
            self.tell(f"{number}: {way}")
        answer = self.ask(f"{question} 1 to {len(ways)}, or nothing to go back:")
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(ways):
            return int(answer) - 1
        self.tell("Nothing was done.")
        return None

    def confirm(self, question: str) -> bool:
        answer = self.ask(f"{question} yes or no:").lower()
        while answer not in ("y", "yes", "n", "no"):
            answer = self.ask("yes or no:").lower()
        return answer.startswith("y")

    def clear(self) -> None:
        self._target.write(CLEAR if self._target.isatty() else "\n" * AWAY)
        self._target.flush()


def _has_suits(target: TextIO) -> bool:
    try:
        "♣★·".encode(getattr(target, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def standard_lines(*, ascii_only: bool = False) -> Lines:
    return Lines(sys.stdin, sys.stdout, ascii_only=ascii_only)
