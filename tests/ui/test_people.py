"""Keys and colours of people: each key can be read on its colour, whatever the terminal shows."""

from __future__ import annotations

import pytest
from rich.color import Color

from kalooki_tui.table.seats import AI_NAMES
from kalooki_tui.ui.palettes import Depth
from kalooki_tui.ui.people import COLOURS, INK, SEAT_KEYS, colour_of, key_of_seat
from scripts.contrast import ratio


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("colour", COLOURS)
def test_a_key_can_be_read_on_its_colour(colour: str, depth: Depth) -> None:
    assert ratio(Color.parse(INK), Color.parse(colour), depth) >= 4.5


def test_every_seat_has_a_key_of_its_own() -> None:
    assert len(set(SEAT_KEYS)) == len(SEAT_KEYS) == len(AI_NAMES)
    assert [key_of_seat(seat).plain.strip() for seat in range(len(SEAT_KEYS))] == [*SEAT_KEYS]
    assert len({colour_of(seat) for seat in range(len(COLOURS))}) == len(COLOURS)
