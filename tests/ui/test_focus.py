"""Keys for cards are the hand's whatever was clicked; the wheel scrolls what lies under it; signs are told in words."""

from __future__ import annotations

import pytest
from textual.events import MouseScrollDown

from kalooki_tui.desk.words import LogLine
from kalooki_tui.ui.widgets.canvas import Painted
from kalooki_tui.ui.widgets.log import LogView
from kalooki_tui.ui.widgets.melds import MeldsView
from kalooki_tui.ui.widgets.piles import PilesView
from kalooki_tui.ui.widgets.seats import SeatsStrip
from scripts.make_screenshots import middle
from tests.ui.conftest import AppAtPosition, press, text_of, wait_until
from tests.ui.openings import at_table


def playing() -> AppAtPosition:
    """Ann's turn to play, eleven cards in her hand and three melds on the table."""
    return AppAtPosition(middle("Ann", "play"))


@pytest.mark.parametrize("clicked", ["MeldsView", "LogView", "SeatsStrip", "PilesView", "StatusView", "ContractBanner"])
async def test_a_click_on_the_table_leaves_the_keys_with_the_hand(clicked: str) -> None:
    async with at_table(playing()) as (pilot, app, table):
        region = app.screen.query_one(clicked).region
        # The last cell has felt under it in each of them.
        await pilot.click(offset=(region.right - 2, region.bottom - 1))
        await pilot.press("K")
        assert table.hand.has_focus
        card = table.hand.cursor_card
        assert table.desk.view.rules.faces.symbol(card) == "K♦"
        await pilot.press("space")
        assert table.hand.selected == (card,)


@pytest.mark.parametrize("focused", [LogView, MeldsView, None])
async def test_keys_for_cards_work_wherever_the_focus_is(focused: type[Painted] | None) -> None:
    async with at_table(playing()) as (pilot, app, table):
        app.screen.set_focus(None if focused is None else app.screen.query_one(focused))
        await pilot.press("7")
        card = table.hand.cursor_card
        assert table.desk.view.rules.faces.symbol(card) == "7♣"
        order = table.hand.cards
        await pilot.press("right_square_bracket")
        assert table.hand.cards != order
        if focused is not MeldsView:
            await pilot.press("space")
            assert table.hand.selected == (card,)


async def test_the_key_of_a_rank_that_is_not_held_says_so() -> None:
    async with at_table(playing()) as (pilot, app, _):
        await press(pilot, "6", until=lambda: "There is no 6 in your hand" in text_of(app))
        await press(pilot, "j", until=lambda: "Ranks are their capital letters" in text_of(app))


async def test_keys_that_a_widget_uses_itself_stay_its_own() -> None:
    async with at_table(playing()) as (pilot, _, table):
        table.hand.move_cursor(2)
        table.melds.focus()
        await pilot.press("right")
        assert table.hand.cursor == 2
        assert table.melds.cursor_meld == 1


async def test_the_wheel_scrolls_what_lies_under_it() -> None:
    async with at_table(playing()) as (pilot, app, table):
        table.log_view.set_lines([LogLine(f"line {number}", False) for number in range(60)])
        await pilot.pause()
        x, y = table.log_view.region.offset
        app.screen._forward_event(MouseScrollDown(None, x + 3, y, 0, 1, 0, False, False, False))
        await wait_until(pilot, lambda: table.log_view.scroll_y > 0)
        assert table.hand.has_focus


async def test_the_pointer_is_told_what_signs_mean() -> None:
    async with at_table(playing()) as (pilot, app, table):

        async def told(widget: Painted, x: int, y: int) -> str:
            await pilot.hover(type(widget), offset=(x, y))
            await pilot.pause()
            return str(widget.tooltip)

        seats, piles = app.screen.query_one(SeatsStrip), app.screen.query_one(PilesView)
        assert await told(seats, 3, 0) == (
            "Ann: 11 cards in hand, 40 points so far, is to move. Dots are calls: 2 of 3 left."
        )
        assert "has laid" in await told(seats, 43, 1)
        assert await told(piles, 2, 2) == f"Stock: {table.desk.view.stock} cards face down. A click draws the top one."
        assert "7♥ on top" in await told(piles, 15, 2)
        slot = table.banner._canvas.targets[0].index(table.desk.slots()[0])
        assert (
            await told(table.banner, slot, 0)
            == "The contract asks here for 3 cards of one rank: 2 together in your hand."
        )
