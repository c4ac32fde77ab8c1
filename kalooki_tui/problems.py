"""Errors in files from outside (rulesets, positions, records), each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from kalooki_tui.wording import escaped, quote


class Place(NamedTuple):
    """A line of a file, counted from 1; 0 and an empty `file` if there is no line or file."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        file = escaped(self.file)
        return f"{file}:{self.line}" if self.line else file


class Problem(NamedTuple):
    """One thing wrong."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = str(Place(self.file, self.line))
        return f"{place}: {self.message}" if place else self.message


class Failure(NamedTuple):
    """The first line of a position or a record that does not come out as it says, and where it stands."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class InputError(ValueError):
    """Something read from outside cannot be used; the text holds one line a problem, ``file:line: what is wrong``."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        # Python would make it anew from its text, where it comes from another process.
        return InputError, (self.problems,)


def problem(message: str, place: Place | None = None) -> InputError:
    file, line = place or Place()
    return InputError([Problem(file, line, message)])


def about(name: str, message: str) -> str:
    """What is wrong with the value of that name."""
    joint = " " if message.startswith("must") else ": "
    return f"{name}{joint}{message}" if name else message


def shown(value: object) -> str:
    """A value of a file, as an error quotes it."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    return quote(value) if isinstance(value, str) else quote(str(value)).strip("'")


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint to end a message with: the name that was probably meant, else the names there are."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    # Of a short name much is left in another by chance: ``id`` in ``wild``.
    if close and abs(len(close[0]) - len(name)) <= max(1, len(name) // 3):
        return f"; did you mean {close[0]!r}?"
    return f"; choose from: {', '.join(known)}" if known else "; there are none"
