"""Seats as text: a name, or a number from 1; and the rule for names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.problems import nearest, shown
from kalooki_tui.wording import alike, prints, quote

LONGEST_NAME: Final = 40


class WrongName(NamedTuple):
    seat: int
    why: str


def check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot stand before a colon, or do not tell the seats apart; raise NotationError."""
    wrong = wrong_name(names)
    if wrong is not None:
        raise NotationError(wrong.why)


def wrong_name(names: Sequence[str]) -> WrongName | None:
    """Find the first name that will not do beside those before it."""
    seen: dict[str, str] = {}
    for seat, name in enumerate(names):
        why = _why_not(name)
        other = seen.setdefault(alike(name), name)
        if why is None and len(seen) == seat:
            why = f"two seats are called {quote(name)}"
            if other != name:
                how = "differ only in capital letters" if other.casefold() == name.casefold() else "look the same"
                why = f"the names {quote(other)} and {quote(name)} {how}"
        if why is not None:
            return WrongName(seat, why)
    return None


def _why_not(name: str) -> str | None:
    if not name:
        return "a seat needs a name"
    if len(name) > LONGEST_NAME:
        return f"the name {quote(name)} is longer than {LONGEST_NAME} characters"
    if ":" in name:
        return f"the name {quote(name)} holds a colon, which ends a name before an action"
    if not prints(name):
        return f"the name {quote(name)} has a character that cannot be printed"
    if name.strip(" ") != name or "  " in name:
        return f"the name {quote(name)} has extra spaces"
    return None


def check_seating(first: Sequence[str], names: Sequence[str], seat: int, player: str) -> None:
    """Refuse a seat's new name or player; raise NotationError. `first`: names in the record's head."""
    check_names(names)
    others = [alike(name) for other, name in enumerate(first) if other != seat]
    if alike(names[seat]) in others:
        raise NotationError(f"another seat of this match was called {quote(names[seat])} at first")
    if not player.strip() or not prints(player):
        raise NotationError(f"the player of {quote(names[seat])} is not named: write human, or who else plays the seat")


def seating_words(before: str, name: str, player: str) -> str:
    """Describe who sits in a seat from now on; `before`: its old name."""
    if player != "human":
        who = "A program" if player.startswith("exec:") else f"An AI, {player.removeprefix('ai:')},"
        return f"{who} plays for {before} from now on." if before == name else f"{who} plays as {name} for {before}."
    return (
        f"{name} plays this seat from now on." if before == name else f"{name} plays from now on, where {before} sat."
    )


def parse_seat(text: str, names: Sequence[str]) -> int:
    """Parse a seat, by name rather than by number from 1; raise NotationError."""
    if text in names:
        return names.index(text)
    if text.isascii() and text.isdigit() and len(text) <= 2 and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise NotationError(f"no seat is called {quote(text)}{nearest(text[:LONGEST_NAME], names)}")


def seat_of(value: object, names: Sequence[str]) -> int:
    """Read a seat from a file's value, by name or number from 1; raise NotationError."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotationError(f"must be a seat's name, not {shown(value)}")
    return parse_seat(str(value), names)


def by_name(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(names, numbers, strict=True))
