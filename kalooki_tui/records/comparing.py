"""Comparing a line of a record with the line that playing it again leads to."""

from __future__ import annotations

import json
from typing import Any, Final

from kalooki_tui.records.writing import Line

#: Keys whose values are cards in their order.
_CARDS: Final = ("discard", "stock", "reshuffled", "got")
#: The key whose value holds cards by seat, in any order.
_HANDS: Final = "hands"
#: Keys that may only stand in a line that leads to them.
_OUTCOMES: Final = ("refused", "charged", "got")
LONGEST_VALUE: Final = 200
"""Characters of a value that an error shows."""


def difference(given: Line, expected: Line) -> str | None:
    """In which way a line does not say what was played, or None; `got` may be left out.

    The action itself is not compared: it has been parsed and played.
    """
    for key, value in expected.items():
        if key not in given:
            if key == "got":
                continue
            return f"what follows here is {show(expected)}"
        if key != "do" and not _same(key, given[key], value):
            return f"{key} is {show(value)} here, not {show(given[key])}"
    for key in _OUTCOMES:
        if key in given and key not in expected:
            return f"nothing was {key} here"
    return None


def show(value: Any) -> str:
    """A value as an error shows it: JSON, shortened."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _same(key: str, given: Any, value: Any) -> bool:
    if key == _HANDS and isinstance(given, dict):
        return given.keys() == value.keys() and all(
            isinstance(given[name], str) and sorted(given[name].upper().split()) == sorted(value[name].split())
            for name in value
        )
    if key in _CARDS and isinstance(value, str) and isinstance(given, str):
        return given.upper().split() == value.split()
    return identical(given, value)


def identical(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: to Python ``True == 1 == 1.0``, to a reader of JSON they differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return bool(one == other)
