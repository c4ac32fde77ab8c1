"""TOML as the settings need it: Python reads it, this writes it, and finds the line of a key for messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


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
