"""TOML as the settings need it: read by Python and within bounds; comments stay when it is written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, Final

from kalooki_tui.problems import Problem

MOST_CHARACTERS: Final = 200_000


def read_toml(path: Path, raw: bytes) -> tuple[str, dict[str, Any]] | Problem:
    """Read a document: its text and its data, or why it cannot be used, with its line."""
    try:
        text = raw.decode("utf-8-sig")
        if len(text) > MOST_CHARACTERS:
            return Problem(str(path), 0, f"cannot be read: it is longer than {MOST_CHARACTERS:,} characters")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        return Problem(str(path), raw.count(b"\n", 0, error.start) + 1, "is not UTF-8 text")
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        found = re.match(r"line (\d+)", place)
        line = int(found[1]) if found else max(1, len(text.splitlines()))
        return Problem(str(path), line, f"is not valid TOML: {message[:1].lower()}{message[1:]}")
    except (RecursionError, ValueError):
        why = "it is nested too deep, or holds a number with too many digits"
        return Problem(str(path), 0, f"cannot be read: {why}")


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
