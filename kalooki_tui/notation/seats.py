"""Seats as text: a name, or a number from 1; and the one rule of what a seat may be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kalooki_tui.notation.cards import NotationError
from kalooki_tui.problems import nearest
from kalooki_tui.wording import alike, prints, quote

LONGEST_NAME: Final = 40


class WrongName(NamedTuple):
    """A seat whose name will not do, and why."""

    seat: int
    why: str


def check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot stand before the colon of an action, or do not tell the seats apart.

    Raises:
        NotationError: what is wrong with the first such name.
    """
    wrong = wrong_name(names)
    if wrong is not None:
        raise NotationError(wrong.why)


def wrong_name(names: Sequence[str]) -> WrongName | None:
    """The first name, in the order of the seats, that will not do beside those before it; None if all will."""
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
    """Why nothing can be called by this name, or None."""
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
    """Refuse what a seat is called, or who plays it, in the middle of a match; `first`: the names in the record's head.

    Raises:
        NotationError: the names do not tell the seats apart, or the player is not named.
    """
    check_names(names)
    others = [alike(name) for other, name in enumerate(first) if other != seat]
    if alike(names[seat]) in others:
        raise NotationError(f"another seat of this match was called {quote(names[seat])} at first")
    if not player.strip() or not prints(player):
        raise NotationError(f"the player of {quote(names[seat])} is not named: write human, or who else plays the seat")


def seating_words(before: str, name: str, player: str) -> str:
    """Who sits in a seat from now on; `before`: what it was called."""
    if player != "human":
        who = "A program" if player.startswith("exec:") else f"An AI, {player.removeprefix('ai:')},"
        return f"{who} plays for {before} from now on." if before == name else f"{who} plays as {name} for {before}."
    return (
        f"{name} plays this seat from now on." if before == name else f"{name} plays from now on, where {before} sat."
    )


def parse_seat(text: str, names: Sequence[str]) -> int:
    """The seat of that name, else of that number from 1: a name that looks like a number comes before the number.

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
