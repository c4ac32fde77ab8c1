"""Seats as text: a name, or a number from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.notation.errors import NotationError
from kalooki_tui.problems import nearest
from kalooki_tui.wording import quote

LONGEST_NAME: Final = 40


def check_name(name: str) -> None:
    """Refuse a name that could not stand before a colon.

    Raises:
        NotationError: it is empty, too long, or holds a space, a colon or a character that does not print.
    """
    if not name:
        raise NotationError("a seat needs a name")
    if len(name) > LONGEST_NAME:
        raise NotationError(f"the name {quote(name)} is longer than {LONGEST_NAME} characters")
    if ":" in name or any(character.isspace() or not character.isprintable() for character in name):
        raise NotationError(f"the name {quote(name)} holds a space, a colon or a character that does not print")


def check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot tell the seats apart.

    Raises:
        NotationError: a name cannot be written, or two seats have the same.
    """
    for index, name in enumerate(names):
        check_name(name)
        if name in names[:index]:
            raise NotationError(f"two seats are named {quote(name)}")


def parse_seat(text: str, names: Sequence[str]) -> int:
    """The seat of that name, else of that number from 1.

    Raises:
        NotationError: there is no such seat.
    """
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdigit() and len(text) <= 2 and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise NotationError(f"no seat is called {quote(text)}{nearest(text[:LONGEST_NAME], names)}")


def by_name(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    """Numbers by seat as a mapping by name."""
    return dict(zip(names, numbers, strict=True))
