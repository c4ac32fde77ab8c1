"""Who watches sees all hands on request, in cards as large as there is room for; who plays never does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kalooki_tui.desk.commands import COMMANDS, HAND, MELDS
from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.engine.view import Phase
from kalooki_tui.ui.playing.noting import Watching
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.screens.tabletop import table_layout
from kalooki_tui.ui.widgets.hands import LONG, NAME, HandsView, hands_layout, rows_for_hands
from tests.ui.conftest import app_at_table, plan, press, table_of, text_of, wait_until
from tests.ui.openings import asked, at_table, running


@pytest.mark.parametrize("seats", range(2, 12))
def test_hands_of_all_seats_fit_in_their_part_of_every_screen(seats: int) -> None:
    for width, height in ((80, 24), (120, 36), (160, 45), (200, 50)):
        layout = hands_layout(seats, width, max(seats, rows_for_hands(height)))
        assert layout.height <= max(seats, rows_for_hands(height))
        assert width // layout.columns - NAME >= 3 * LONG


def test_larger_screens_show_larger_hands() -> None:
    heights = [
        hands_layout(4, width, rows_for_hands(height)).size[1]
        for width, height in ((80, 24), (120, 36), (160, 45), (200, 50))
    ]
    assert heights == sorted(heights)
    assert heights[1] >= 4
    assert heights[-1] >= 7


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
async def test_a_key_shows_all_hands_and_hides_them_again(size: tuple[int, int]) -> None:
    # At once a whole match may be over before it is halted.
    app = app_at_table(replace(plan("ai:novice", "ai:novice", "ai:novice"), speed=Speed.NATURAL))
    async with asked(app, "deal-intro", size) as (pilot, _):
        await press(pilot, "enter", until=lambda: isinstance(app.screen, TableScreen) and app.screen.is_live)
        table = table_of(app)
        table.sitting.set_paused(True)
        await wait_until(pilot, lambda: table.desk.view.phase is not Phase.CUT)
        assert isinstance(table.beside, Watching)
        hands = table.query_one(HandsView)
        assert not hands.display
        closed = table.melds.size.height
        # Without a hand of one's own the melds have its rows.
        assert closed >= size[1] - table_layout(*size).banner - table_layout(*size).seats - 5 - 2
        await press(pilot, "a", until=lambda: hands.display and hands._strips)
        drawn = "".join(strip.text for strip in hands._strips)
        match = table.sitting._table.match
        for seat, name in enumerate(match.names):
            assert name[: NAME - 3] in drawn
            for card in match.view(seat).hand:
                assert match.rules.faces.symbol(card)[:-1] in drawn
        await press(pilot, "a")
        assert not hands.display
        assert not hands._hands
        assert not hands._strips


async def test_at_instant_speed_too_a_match_that_is_watched_stops_at_the_end_of_each_deal() -> None:
    async with running(app_at_table(plan("ai:novice", "ai:novice", "ai:novice"))) as (pilot, app):
        for deal in (1, 2, 3):
            await wait_until(pilot, lambda deal=deal: f"Deal {deal} of 3 is over" in text_of(app))
            await pilot.press("enter")


async def test_hands_lie_open_from_the_first_card_on_where_that_is_asked_for() -> None:
    watched = replace(plan("ai:novice", "ai:novice", "ai:novice"), speed=Speed.NATURAL, open_hands=True)
    async with app_at_table(watched).run_test(size=(80, 24)) as pilot:
        app = pilot.app
        await wait_until(pilot, lambda: app.screen.name == "deal-intro")
        await wait_until(pilot, lambda: bool(table_of(app).query_one(HandsView)._hands))


async def test_the_help_of_a_watcher_tells_what_a_watcher_can_do() -> None:
    app = app_at_table(replace(plan("ai:novice", "ai:novice", "ai:novice"), speed=Speed.NATURAL))
    async with asked(app, "deal-intro") as (pilot, _):
        await press(pilot, "enter", until=lambda: isinstance(app.screen, TableScreen) and app.screen.is_live)
        table_of(app).sitting.set_paused(True)
        await press(pilot, "question_mark", until=lambda: "While you watch" in text_of(app))
        told = text_of(app)
        assert told.index("Show all hands") < told.index("Pause the AI seats") < told.index("Change how fast")
        assert "Draw the top card" not in told


async def test_a_table_with_a_person_has_no_such_key() -> None:
    async with at_table(app_at_table(plan("Ann", "ai:novice", "ai:novice"))) as (_, app, _):
        assert not isinstance(table_of(app).beside, Watching)
        assert not table_of(app).query(HandsView)
        assert "Hands" not in text_of(app)


def test_what_is_beside_a_table_takes_no_key_of_the_table() -> None:
    taken = [key for command in (*COMMANDS, *HAND, *MELDS) for key in command.keys.split(",")]
    assert not {key for command in Watching.offered for key in command.keys.split(",")} & {*taken}
