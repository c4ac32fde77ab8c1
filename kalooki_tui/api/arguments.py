"""Checks of arguments: each wrong one is a `ValueError` that says what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def text(value: object, what: str) -> str:
    """Check a text; `what` begins the message, such as ``a seat is named by a text``."""
    if not isinstance(value, str):
        raise ValueError(f"{what}, not {_said(value)}")
    return value


def texts(value: object, what: str) -> tuple[str, ...]:
    """Check several texts; one text alone would be taken for its letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(f"{what}, not {_said(value)}")
    return tuple(text(item, what) for item in value)


def whole(value: object, what: str, least: int | None = None) -> int:
    """Check a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        raise ValueError(f"{what}, not {_said(value)}")
    return value


def named(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what}, not {_said(value)}")
    return {text(key, what): item for key, item in value.items()}


def _said(value: object) -> str:
    """Describe a value in a message, by its type if it is long or shows only its place in memory."""
    shown = repr(value) if isinstance(value, str | bytes | int | float | list | tuple | dict | None) else ""
    return shown if 0 < len(shown) <= 60 else type(value).__name__
