"""What the coach says of itself in a teaching match: before a costly throw, and after the deal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import Card
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.scores import DealOverScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.moments import ASKED, CALLED, OPEN
from tests.ui.conftest import AppAtPosition, app_at_table, is_asked, plan, table_of, text_of, wait_until
from tests.ui.driving import answer
from tests.ui.openings import asked, at_table

#: Ann's contract is complete: to throw any card of it costs some fifty points.
COMPLETE = """
ruleset: baby
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 3C 3D 3H 9H 9S 9C KC KD 8S QC}
  - {name: Bob, hand: 10}
  - {name: Cat, hand: 10}
discard: 5D
"""


def at(position: str, *, teaching: bool) -> AppAtPosition:
    """An app that begins at a position."""
    app = AppAtPosition(position)
    app.position_plan = replace(app.position_plan, teaching=teaching)
    return app


async def throw(pilot: Pilot[None], screen: TableScreen, card: Card) -> None:
    """Choose the card and press the key that throws it."""
    screen.hand.select_cards((card,))
    await pilot.pause()
    await pilot.press("x")
    await pilot.pause()


async def test_a_costly_throw_is_warned_of_once() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, app, screen):
        card, before = screen.hand.cards[0], len(screen.desk.view.history)
        await throw(pilot, screen, card)
        assert len(screen.desk.view.history) == before
        assert "x again throws" in " ".join(text_of(app).split())
        await throw(pilot, screen, card)
        await wait_until(pilot, lambda: len(screen.sitting._table.match.deal.history) > before)
        thrown = screen.sitting._table.match.deal.history[before]
        assert (thrown.seat, thrown.card) == (0, card)  # type: ignore[union-attr]


@pytest.mark.parametrize(("teaching", "warnings"), [(False, True), (True, False)])
async def test_no_throw_is_warned_of_outside_teaching_or_where_the_player_wants_none(
    teaching: bool, warnings: bool
) -> None:
    async with at_table(at(COMPLETE, teaching=teaching)) as (pilot, app, screen):
        app.set(warnings=warnings)
        before = len(screen.desk.view.history)
        await throw(pilot, screen, screen.hand.cards[0])
        await wait_until(pilot, lambda: len(screen.sitting._table.match.deal.history) > before)


async def play_deal(pilot: Pilot[None], app: KalookiApp) -> DealOverScreen:
    """Play a deal to its end, warned or not."""
    await wait_until(pilot, lambda: is_asked(app))
    while not isinstance(app.screen, DealOverScreen):
        await answer(pilot, app)
        await pilot.pause(0.02)
        await wait_until(pilot, lambda: is_asked(app))
    return app.screen


@pytest.mark.parametrize(
    ("position", "key", "again"),
    [
        (OPEN, "d", "d again draws from the stock"),
        (ASKED, "p", "p again lets it go"),
        (CALLED, "a", "a again allows it"),
    ],
)
async def test_whoever_passes_over_a_card_that_completes_the_contract_is_warned_once(
    position: str, key: str, again: str
) -> None:
    app = at(position, teaching=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_asked(app))
        before = table_of(app).sitting._table.match.deal.history[:]
        await pilot.press(key)
        await wait_until(pilot, lambda: again in " ".join(text_of(app).replace("│", " ").split()))
        assert table_of(app).sitting._table.match.deal.history == before
        await pilot.press(key)
        await wait_until(pilot, lambda: table_of(app).sitting._table.match.deal.history != before)


async def test_after_a_deal_one_sentence_says_what_could_have_been() -> None:
    app = app_at_table(plan("Ann", "ai:club", "ai:club", teaching=True))
    async with app.run_test(size=(80, 40)) as pilot:
        screen = await play_deal(pilot, app)
        await wait_until(pilot, lambda: str(screen.query_one("#remark").render()).strip() != "")
        assert re.search("would have|could have|called", str(screen.query_one("#remark").render()))


async def test_outside_teaching_nothing_is_said_of_it() -> None:
    app = app_at_table(plan("Ann", "ai:club", "ai:club"))
    async with app.run_test(size=(80, 40)) as pilot:
        screen = await play_deal(pilot, app)
        assert not screen.query("#remark")


async def test_the_words_of_the_game_lie_over_the_table_and_close_again() -> None:
    async with asked(app_at_table(plan("Ann", "ai:club", "ai:club", ruleset="jamaican"))) as (pilot, app):
        await pilot.press("G")
        await wait_until(pilot, lambda: app.screen.name == "words")
        assert "A three is 3 or more cards of one rank" in text_of(app)
        await pilot.press("G")
        await wait_until(pilot, lambda: isinstance(app.screen, TableScreen))
