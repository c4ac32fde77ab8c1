"""Who plays is changed at the table, and the keys and colours by which people know each other."""

from __future__ import annotations

import pytest
from rich.color import Color
from textual.pilot import Pilot

from kalooki_tui.engine.view import Phase
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.ui.app import KalookiApp
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
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.wording import AI_NAMES
from scripts.contrast import ratio
from tests.ui.conftest import (
    alone,
    app_at_table,
    is_asked,
    key_of,
    plan,
    press,
    table_of,
    text_of,
    together,
    wait_until,
)
from tests.ui.driving import answer, play_until
from tests.ui.openings import asked, between, played_to
from tests.ui.test_privacy import assert_nothing_private


async def change(pilot: Pilot[None], app: KalookiApp, seat: str, what: str, *typed: str) -> None:
    """Go through the questions."""
    await press(pilot, "ctrl+o", until=lambda: "Which seat do you want to change?" in text_of(app))
    await press(pilot, key_of(app, f"{seat}: "), until=lambda: "What is to change?" in text_of(app))
    await press(pilot, key_of(app, what), until=lambda: "What is to change?" not in text_of(app))
    await pilot.press(*typed)


def live_of(app: KalookiApp) -> LiveMatch:
    """The match that is kept."""
    return table_of(app).sitting._live


async def test_a_person_gives_the_seat_to_an_ai_and_the_other_plays_alone() -> None:
    async with between(app_at_table(plan("Ann", "Bob", "ai:club")), "callers") as (pilot, app, _):
        await change(pilot, app, "Bob", "An AI plays for Bob", "1")
        table = table_of(app)
        await wait_until(pilot, lambda: table.place.here == (0,) and table.viewer == 0)
        assert not table.shared
        await play_until(pilot, app, lambda: isinstance(app.screen, TableScreen) and is_asked(app))
        assert any("An AI, novice, plays for Bob from now on." in line.text for line in table.log_view.lines)
        assert '"seat": "Bob", "name": "Bob", "player": "ai:novice"' in "".join(live_of(app).lines)


async def test_a_second_person_takes_the_seat_of_an_ai_and_the_hand_is_covered() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, table):
        name = table.sitting.names[1]
        await change(pilot, app, name, "A person here takes the seat", *"Gran", "enter")
        await wait_until(pilot, lambda: table.shared and app.screen.name == "curtain")
        assert table.place.here == (0, 1)
        assert_nothing_private(app)
        assert table.sitting.names[1] == "Gran"
        assert "2 Gran" in text_of(app)
        await answer(pilot, app, until=lambda: table.viewer == 0 and is_asked(app))
        assert table.desk.view.phase is Phase.PLAY


async def test_a_name_is_mended_and_a_level_changed() -> None:
    async with played_to(app_at_table(plan("MumDad", "ai:club", "ai:club")), Phase.DRAW) as (pilot, app, table):
        await change(pilot, app, "MumDad", "Another name", *"Mum", "enter")
        await wait_until(pilot, lambda: table.sitting.names[0] == "Mum")
        assert "Mum's hand" in text_of(app)
        await change(pilot, app, table.sitting.names[1], "An AI of another level", "1")
        await wait_until(pilot, lambda: table.sitting.plans[1].player == "ai:novice")
        await change(pilot, app, "Mum", "Another name", *"B:b", "enter")
        await wait_until(pilot, lambda: "holds a colon" in text_of(app))
        assert table.sitting.names[0] == "Mum"


async def test_somebody_must_stay() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, table):
        await change(pilot, app, "Ann", "An AI plays for Ann", "1")
        await wait_until(pilot, lambda: "Somebody must stay" in text_of(app))
        assert table.place.here == (0,)


async def test_the_scores_lead_to_who_plays() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, table):
        await press(pilot, "s", until=lambda: app.screen.name == "scores")
        assert "ctrl+o changes who plays" in text_of(app)
        await change(pilot, app, table.sitting.names[1], "Another name", *"Gran", "enter")
        await wait_until(pilot, lambda: "Gran" in table.sitting.names)
        assert not any(screen.name == "scores" for screen in app.screen_stack)


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
    async with asked(together(ruleset="kalookie-40"), "seats-drawn") as (_, app):
        table = table_of(app)
        assert table.place.names != ("Ann", "Bob", "Cat")
        own = {table.place.names[seat]: badge.key for seat, badge in table.badges.items()}
        assert own == {"Ann": "1", "Bob": "2", "Cat": "3"}
