from dataclasses import replace

import pytest

from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.facts import MatchFacts, SeatFacts
from kalooki_tui.ui.screens.scores import MatchOverScreen, podium
from kalooki_tui.ui.widgets.lay_down import LayDownView
from tests.ui import samples
from tests.ui.conftest import app_at_table, plan, text_of, wait_until
from tests.ui.openings import asked, at_home
from tests.ui.widgets.conftest import drawn

NAMES = ("Ann", "Bob", "Cat")


def ended(names: tuple[str, ...], totals: tuple[int, ...]) -> View:
    return replace(samples.view("jamaican"), names=names, totals=totals)


async def told(view: View, winners: tuple[int, ...], facts: MatchFacts | None = None, width: int = 80) -> str:
    return "\n".join(await drawn(podium(view, winners, facts), lambda widget: None, (width, 24)))


async def test_the_podium_has_a_step_for_each_place_there_is() -> None:
    two = await told(ended(("Ann", "Bob"), (10, 30)), (0,))
    assert "★ Ann wins the match ★" in two
    assert " 2 " in two
    assert " 3 " not in two
    assert "10 points" in two
    three = await told(ended(NAMES, (10, 30, 40)), (0,))
    assert " 3 " in three
    tie = await told(ended(("Ann", "Bob"), (10, 10)), (0, 1))
    assert "Ann and Bob win the match" in tie
    assert "Ann & Bob" in tie
    assert " 2 " not in tie


async def test_where_seats_are_eliminated_whoever_lasted_longer_stands_higher() -> None:
    view = replace(ended(NAMES, (100, 160, 231)), rules=make_rules(load_ruleset("kalookie-40"), 3), money=(5, -1, -4))
    facts = MatchFacts(tuple(SeatFacts(name, place) for name, place in zip(NAMES, (1, 3, 2), strict=True)))
    rows = (await told(view, (0,), facts)).splitlines()
    where = {
        name: next(y for y, row in enumerate(rows) if f" {name} " in f"{row} " and "wins" not in row) for name in NAMES
    }
    assert where["Ann"] < where["Cat"] < where["Bob"]
    assert "+5 counters" in "\n".join(rows)


async def test_places_stand_beside_the_steps_where_there_is_room_and_below_them_where_there_is_none() -> None:
    names = ("Ann", "Bob", "Cat", "Dee")
    facts = MatchFacts(tuple(SeatFacts(name, seat + 1, deals=3, points=30) for seat, name in enumerate(names)))
    view = ended(names, (10, 30, 40, 90))
    assert "points a deal" in await told(view, (0,), facts, width=114)
    narrow = await told(view, (0,), facts, width=74)
    assert "points a deal" not in narrow
    assert "4 Dee  90 points" in narrow


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
async def test_the_end_of_a_match_is_as_wide_as_the_page(size: tuple[int, int]) -> None:
    seats = ("ai:club", "ai:club", "ai:club")
    async with asked(app_at_table(plan(*seats)), "match-over", size=size) as (pilot, app):
        await wait_until(pilot, lambda: "last lay-down" in text_of(app))
        screen = app.screen
        assert isinstance(screen, MatchOverScreen)
        assert screen.query_one(".dialog").outer_size.width == size[0]
        assert screen.query_one(LayDownView).region.bottom <= size[1]


async def test_one_key_leads_from_the_end_of_a_match_to_its_review() -> None:
    opened: list[str] = []
    async with at_home() as (pilot, app):
        view = ended(NAMES, (10, 30, 40))
        app.push_screen(MatchOverScreen(view, (0,), [(10, 30, 40)], 3, review=lambda: opened.append("review")))
        await wait_until(pilot, lambda: "v review" in text_of(app))
        await pilot.press("v")
        await wait_until(pilot, lambda: opened == ["review"])


async def test_a_match_that_is_not_saved_says_that_it_cannot_be_reviewed() -> None:
    async with at_home() as (pilot, app):
        app.push_screen(MatchOverScreen(ended(NAMES, (10, 30, 40)), (0,), [(10, 30, 40)], 3))
        await wait_until(pilot, lambda: "h goes home" in text_of(app))
        assert "review" not in text_of(app)
        why = next(command for command in MatchOverScreen.OFFERED if command.name == "review").why_not(app.screen)
        assert why.message == "This match is not saved."
