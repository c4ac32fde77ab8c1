"""Files from outside (rulesets, positions, records): opened safely, each error with its place."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Final, NamedTuple

from kalooki_tui.wording import escaped, quote

#: Opening a pipe does not wait for its other end, nor does a terminal become that of the program.
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


class SourceLocation(NamedTuple):
    """Line of a file, counted from 1; 0 or an empty `file` if there is none."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        file = escaped(self.file)
        return f"{file}:{self.line}" if self.line else file


class Problem(NamedTuple):
    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = str(SourceLocation(self.file, self.line))
        return f"{place}: {self.message}" if place else self.message


class Failure(NamedTuple):
    """First line of a position or a record that differs from what it says."""

    place: SourceLocation
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class InputError(ValueError):
    """Unusable input; the text holds one line a problem, ``file:line: what is wrong``."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        # Python would make it anew from its text, where it comes from another process.
        return InputError, (self.problems,)


def problem(message: str, place: SourceLocation | None = None) -> InputError:
    file, line = place or SourceLocation()
    return InputError([Problem(file, line, message)])


@contextmanager
def located(place: SourceLocation) -> Iterator[None]:
    """Give `place` to an error raised within that knows no line."""
    try:
        yield
    except InputError as error:
        if error.problems[0].line:
            raise
        raise problem(str(error), place) from None


def reason(error: Exception) -> str:
    """Return the reason in words, of a system error without its number and file."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def about(name: str, message: str) -> str:
    """Begin a message with the name of a value."""
    joint = " " if message.startswith("must") else ": "
    return f"{name}{joint}{message}" if name else message


def shown(value: object) -> str:
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
    """Suggest the name that was probably meant, else list all."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    # Of a short name much is left in another by chance: ``id`` in ``wild``.
    if close and abs(len(close[0]) - len(name)) <= max(1, len(name) // 3):
        return f"; did you mean {close[0]!r}?"
    return f"; choose from: {', '.join(known)}" if known else "; there are none"


def open_to_read(path: str | Path) -> IO[bytes]:
    """Open an ordinary file for reading, or raise OSError or ValueError; links are followed."""
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    try:
        see_that_it_is_a_file(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def open_input(path: str | Path, what: str) -> IO[bytes]:
    """Open a file of this kind to read; raise InputError if it is missing or may not be read."""
    place = SourceLocation(str(path))
    try:
        return open_to_read(path)
    except FileNotFoundError:
        raise problem("there is no such file", place) from None
    except IsADirectoryError:
        raise problem(f"is a folder, not a {what}", place) from None
    except (OSError, ValueError) as error:
        raise problem(f"cannot be read: {reason(error)}", place) from None


def see_that_it_is_a_file(status: os.stat_result) -> None:
    """Raise OSError for anything but an ordinary file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device, a pipe or a socket, not a file")
