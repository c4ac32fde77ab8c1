"""TOML as the settings need it: read by Python and within bounds, written, and lines found for messages."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, Final

#: Whole numbers have 64 bits in TOML; Python's own can be too long to be printed.
_INTEGERS: Final = range(-(2**63), 2**63)
MOST_CHARACTERS: Final = 200_000
MOST_DOTS: Final = 100
"""In a line, not counting quoted texts."""
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


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
    """The line that stops the reader. It goes from front to back: whatever begins with that line stops it too."""
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


def write_toml(data: Mapping[str, Any]) -> str:
    """The document; values are texts, numbers, switches, lists of such and tables of such."""
    return "".join(f"{line}\n" for line in _lines(data, ()))


def _lines(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    tables = {key: value for key, value in data.items() if isinstance(value, Mapping)}
    for key, value in data.items():
        if key not in tables:
            yield f"{_key(key)} = {_value(value)}"
    for key, table in tables.items():
        yield ""
        yield f"[{'.'.join(map(_key, (*path, key)))}]"
        yield from _lines(table, (*path, key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"{value!r} cannot be written as TOML")


def _text(text: str) -> str:
    return f'"{"".join(_character(character) for character in text)}"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\U{ord(character):08x}"


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
