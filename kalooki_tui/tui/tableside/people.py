"""Key and colour of each person at one keyboard: in the set-up, on the screens between people, at the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Final

from msgspec import Struct
from textual.content import Content

from kalooki_tui.presenter.commands import BY_NAME

#: Keys of the seats, in their order: one opens the hand of its seat. A person may choose another.
SEAT_KEYS: Final = "1234567890-"
#: Keys with which each of several people says something that the own key does not, where they are nobody's own.
LETTERS: Final = "abcdefghjkl"
#: Grounds of the keys, light enough for `INK` in every theme and on terminals of few colours; the key itself tells the
#: seats apart where a colour comes again.
COLOURS: Final = {
    "gold": "#f5c451", "blue": "#7cc7ff", "red": "#ff8a7a", "green": "#7bd88f",
    "violet": "#c9a0ff", "orange": "#ffa552", "teal": "#63e0d8", "pink": "#ff9ecb",
}  # fmt: skip
INK: Final = "#101418"
#: Commands that a screen between people has too.
_BESIDE: Final = ("rules", "scores", "note-away", "asking", "undo", "challenge", "call")
#: The key with which nobody calls or looks.
NOBODY: Final = "n"


class Badge(Struct, frozen=True):
    key: str
    colour: str

    @property
    def ground(self) -> str:
        return COLOURS[self.colour]

    def chip(self, *, wide: bool = False) -> Content:
        return Content.styled(f"    {self.key}    " if wide else f" {self.key} ", f"bold {INK} on {self.ground}")


def usual_badge(seat: int) -> Badge:
    return Badge(SEAT_KEYS[seat], list(COLOURS)[seat % len(COLOURS)])


def kept_keys() -> frozenset[str]:
    """Return keys that no person can have: a screen between people has another use for them."""
    commands = [BY_NAME[name] for name in _BESIDE]
    return frozenset({NOBODY, *(key for one in commands for key in (one.key, one.keys.partition(",")[0]))})


def may_have(key: str) -> bool:
    return len(key) == 1 and key in f"{SEAT_KEYS}{ascii_lowercase}" and key not in kept_keys()


def badges(
    names: Sequence[str],
    people: Iterable[int],
    keys: Mapping[str, str],
    colours: Mapping[str, str],
    places: Sequence[int] = (),
) -> dict[int, Badge]:
    """Return key and colour of each of these seats: those chosen by name and free, else the usual.

    `places`: the seats in the set-up, by which the usual ones go; empty: where they sit now.
    """
    seats = sorted(people)
    own: dict[int, str] = {}
    for seat in seats:
        key = keys.get(names[seat], "")
        if may_have(key) and key not in own.values():
            own[seat] = key
    shade = {seat: colours[names[seat]] for seat in seats if colours.get(names[seat]) in COLOURS}
    for seat in seats:
        usual = usual_badge(places[seat] if places else seat)
        if seat not in own:
            own[seat] = _first_free((usual.key, *SEAT_KEYS), own.values())
        if seat not in shade:
            shade[seat] = _first_free((usual.colour, *COLOURS), shade.values(), usual.colour)
    return {seat: Badge(own[seat], shade[seat]) for seat in seats}


def seat_keys(seats: Iterable[int], own: Mapping[int, Badge]) -> dict[int, str]:
    """Return the key that names each seat in a question: its person's, else its number at the table."""
    found: dict[int, str] = {}
    taken = {badge.key for badge in own.values()}
    for seat in seats:
        number = _first_free((SEAT_KEYS[seat], *SEAT_KEYS), {*taken, *found.values()})
        found[seat] = own[seat].key if seat in own else number
    return found


def letters(of: Mapping[int, Badge]) -> dict[int, str]:
    taken = {*kept_keys(), *(badge.key for badge in of.values())}
    found: dict[int, str] = {}
    for seat in of:
        found[seat] = _first_free((LETTERS[seat], *LETTERS, *ascii_lowercase), {*taken, *found.values()})
    return found


def _first_free(wanted: Iterable[str], taken: Collection[str], otherwise: str = "") -> str:
    return next((one for one in wanted if one not in taken), otherwise)
