"""TOML as the settings need it: read by Python and within bounds; comments stay when it is written."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Final

#: Whole numbers have 64 bits in TOML; Python's own can be too long to be printed.
_INTEGERS: Final = range(-(2**63), 2**63)
MOST_CHARACTERS: Final = 200_000
MOST_DOTS: Final = 100
"""In a line, not counting quoted texts."""
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')


class Unreadable(ValueError):
    """A text that may be TOML, but not such as can be used; `line`, from 1, is where it cannot, 0 if not known."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """The document.

    Raises:
        tomllib.TOMLDecodeError: it is not valid TOML.
        Unreadable: it is too long, nested too deep, or holds a number that is too long.
    """
    _check_size(text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise Unreadable("it is nested too deep", _line_too_much(text)) from None
    except ValueError:
        raise Unreadable("it holds a number with too many digits", _line_too_much(text)) from None
    for path, value in _values(data):
        # Hexadecimal numbers are read at any length.
        if isinstance(value, int) and value not in _INTEGERS:
            raise Unreadable("it holds a number with too many digits", line_of(text, path))
    return data


def _check_size(text: str) -> None:
    """Raises Unreadable for what would keep Python's reader busy: each dot of a key is looked up from the top."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"it is longer than {MOST_CHARACTERS:,} characters", 0)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS and _QUOTED.sub("", line).count(".") > MOST_DOTS:
            raise Unreadable("it is nested too deep", number)


def _line_too_much(text: str) -> int:
    """The line that stops the parser, which reads from front to back: any text that begins with it stops it too."""
    lines = text.splitlines(keepends=True)
    return 1 + bisect_left(range(1, len(lines)), True, key=lambda count: _is_too_much("".join(lines[:count])))


def _is_too_much(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return False


def _values(data: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Everything that is no table or list, with the keys that lead to it; dotted keys can be of any depth."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(path, inner) for inner in value]
        else:
            yield path, value


def rewrite_toml(text: str, data: Mapping[str, Any]) -> str:
    """The document with the values of `data` and no others; comments and order of `text` stay where their keys stay.

    Values are texts, numbers, switches, lists of such and tables of such.

    Raises:
        ValueError: `text` is not TOML.
    """
    # Loaded for those who save something.
    import tomlkit

    document = tomlkit.parse(text)
    _update(document, data)
    written = tomlkit.dumps(document)
    # A key that stands in several places cannot always be changed where it is.
    return written if _reads_as(written, data) else tomlkit.dumps(data)


def _update(table: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    for key in [key for key in table if key not in data]:
        del table[key]
    for key, value in data.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), MutableMapping):
            _update(table[key], value)
        elif table.get(key) != value or isinstance(table[key], bool) != isinstance(value, bool):
            table[key] = value


def _reads_as(text: str, data: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == data
    except ValueError:
        return False


def line_of(text: str, path: tuple[str, ...]) -> int:
    """The line, from 1, in which the key at `path` is written, or the table it is in; 0 where neither is found."""
    section: list[str] = []
    found = 0
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            section = _names(stripped.strip("[").partition("]")[0])
            written = section
        elif "=" in stripped:
            written = section + _names(stripped.partition("=")[0])
        else:
            continue
        if written == [*path]:
            return number
        if written and written == [*path[: len(written)]]:
            found = number
    return found


def _names(keys: str) -> list[str]:
    return [key.strip().strip("\"'") for key in keys.split(".")]
