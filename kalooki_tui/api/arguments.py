"""What a caller hands over, seen to be of its kind: whatever is not is a `ValueError` that says what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def text(value: object, what: str) -> str:
    """A text; `what` begins the message, such as ``a seat is named by a text``."""
    if not isinstance(value, str):
        raise ValueError(f"{what}, not {_said(value)}")
    return value


def texts(value: object, what: str) -> tuple[str, ...]:
    """Several texts, of a list or anything like it; one text alone would be taken for its letters."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ValueError(f"{what}, not {_said(value)}")
    return tuple(text(item, what) for item in value)


def whole(value: object, what: str, least: int | None = None) -> int:
    """A whole number, of at least so much."""
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        raise ValueError(f"{what}, not {_said(value)}")
    return value


def named(value: object, what: str) -> dict[str, object]:
    """Values by name."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{what}, not {_said(value)}")
    return {text(key, what): item for key, item in value.items()}


def path(value: object, what: str) -> str | Path:
    """A path, or a text."""
    return value if isinstance(value, Path) else text(value, what)


def _said(value: object) -> str:
    """The value as a message shows it: what is long, or says nothing but its place in memory, is named by its type."""
    shown = repr(value) if isinstance(value, str | bytes | int | float | list | tuple | dict | None) else ""
    return shown if 0 < len(shown) <= 60 else type(value).__name__
