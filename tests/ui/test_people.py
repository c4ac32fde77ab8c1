"""Keys and colours of people: each key can be read on its colour, whatever the terminal shows."""

from __future__ import annotations

import pytest
from rich.color import Color

from kalooki_tui.ui.looks.palettes import Depth
from kalooki_tui.ui.playing.people import (
    COLOURS,
    INK,
    SEAT_KEYS,
    Badge,
    badges,
    kept_keys,
    letters,
    may_have,
    seat_keys,
    usual_badge,
)
from kalooki_tui.wording import AI_NAMES
from scripts.contrast import ratio
from tests.ui.conftest import app_at_table, plan, table_of, wait_until


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("colour", COLOURS.values())
def test_a_key_can_be_read_on_its_colour(colour: str, depth: Depth) -> None:
    assert ratio(Color.parse(INK), Color.parse(colour), depth) >= 4.5


def test_every_seat_has_a_key_of_its_own() -> None:
    assert len(set(SEAT_KEYS)) == len(SEAT_KEYS) == len(AI_NAMES)
    assert [usual_badge(seat).chip().plain.strip() for seat in range(len(SEAT_KEYS))] == [*SEAT_KEYS]
    assert len({usual_badge(seat).ground for seat in range(len(COLOURS))}) == len(COLOURS)


def test_what_people_choose_they_have_and_nobody_else() -> None:
    names, people = ("Ann", "Zoe", "Cy", "Bob", "Eve"), (0, 1, 3, 4)
    own = badges(names, people, {"Zoe": "z", "Bob": "1", "Eve": "z"}, {"Bob": "blue", "Eve": "no such"})
    assert {seat: badge.key for seat, badge in own.items()} == {0: "2", 1: "z", 3: "1", 4: "5"}
    assert seat_keys((1, 2, 3, 0), own) == {1: "z", 2: "3", 3: "1", 0: "2"}
    assert seat_keys((2,), own | {0: Badge("3", "gold")}) == {2: "2"}, "a number that is a person's names nobody else"
    assert {seat: badge.colour for seat, badge in own.items()} == {0: "gold", 1: "red", 3: "blue", 4: "violet"}


@pytest.mark.parametrize("key", ["i", "s", "n", "u", "m", "c", ".", "?", "Z", "é", "", "12"])
def test_keys_that_do_something_else_between_people_cannot_be_had(key: str) -> None:
    assert not may_have(key)
    assert badges(("Ann",), (0,), {"Ann": key}, {})[0].key == "1"


@pytest.mark.parametrize("chosen", [{}, {"Ann": "b", "Bob": "a"}, {"Ann": "z", "Bob": "y", "Cat": "d", "Dee": "e"}])
def test_no_two_keys_of_a_screen_between_people_are_the_same(chosen: dict[str, str]) -> None:
    names = ("Ann", "Bob", "Cat", "Dee")
    own = badges(names, range(4), chosen, {})
    keys = [*(badge.key for badge in own.values()), *letters(own).values()]
    assert len(set(keys)) == 8
    assert not set(keys) & kept_keys()


async def test_a_person_keeps_the_number_and_the_colour_of_the_set_up_where_seats_are_drawn() -> None:
    app = app_at_table(plan("Ann", "Bob", "Cat", ruleset="kalookie-40", seed=3))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "seats-drawn")
        table = table_of(app)
        assert table.place.names != ("Ann", "Bob", "Cat")
        own = {table.place.names[seat]: badge.key for seat, badge in table.badges.items()}
        assert own == {"Ann": "1", "Bob": "2", "Cat": "3"}
