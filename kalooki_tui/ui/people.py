"""A key and a colour for each person at one keyboard: in the set-up, on the screens between people, at the table."""

from __future__ import annotations

from typing import Final

from textual.content import Content

#: Keys of the seats, in their order: one opens the hand of its seat, or calls for it.
SEAT_KEYS: Final = "1234567890-"
#: Grounds of the keys, light enough for `INK` in every theme and on terminals of few colours; the key itself tells the
#: seats apart where a colour comes again.
COLOURS: Final = ("#f5c451", "#7cc7ff", "#ff8a7a", "#7bd88f", "#c9a0ff", "#ffa552", "#63e0d8", "#ff9ecb")
INK: Final = "#101418"


def colour_of(seat: int) -> str:
    """The ground of a seat's key."""
    return COLOURS[seat % len(COLOURS)]


def key_of_seat(seat: int) -> Content:
    """A seat's key on its colour."""
    return Content.styled(f" {SEAT_KEYS[seat]} ", f"bold {INK} on {colour_of(seat)}")
