"""What the coach says in a teaching match: before a costly throw, after the deal; and coached deals."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from time import monotonic

import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import Card
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.learn import LearnScreen
from kalooki_tui.ui.screens.scores import DealOverScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.drivers.keyboard import Thinks
from tests.moments import ASKED, CALLED, OPEN
from tests.ui.conftest import (
    AppAtPosition,
    alone,
    coaching,
    is_asked,
    match_of,
    press,
    table_of,
    text_of,
    wait_until,
)
from tests.ui.driving import answer
from tests.ui.openings import asked, at_table, running

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
    await press(pilot, "x")


async def test_a_costly_throw_is_warned_of_once() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, app, screen):
        card, before = screen.hand.cards[0], len(screen.desk.view.history)
        await throw(pilot, screen, card)
        assert len(screen.desk.view.history) == before
        assert "x again throws" in " ".join(text_of(app).split())
        await throw(pilot, screen, card)
        await wait_until(pilot, lambda: len(screen.sitting._table.match.deal.history) > before)
        thrown = screen.sitting._table.match.deal.history[before]
        assert (thrown.seat, thrown.card) == (0, card)


async def test_a_throw_asked_for_again_while_the_coach_thinks_is_not_thought_about_anew() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, _, screen):
        asked, found = list[object](), asyncio.Event()

        async def think(function: object, view: object, action: object) -> str:
            asked.append(action)
            await found.wait()
            return ""

        screen.moves._hints._consult = think
        before = len(screen.desk.view.history)
        for _ in range(3):
            await throw(pilot, screen, screen.hand.cards[0])
        found.set()
        await wait_until(pilot, lambda: len(screen.sitting._table.match.deal.history) > before)
        assert len(asked) == 1


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
    async with asked(at(position, teaching=True)) as (pilot, app):
        before = match_of(app).deal.history[:]
        await press(pilot, key, until=lambda: again in " ".join(text_of(app).replace("│", " ").split()))
        assert match_of(app).deal.history == before
        await press(pilot, key, until=lambda: match_of(app).deal.history != before)


async def test_after_a_deal_one_sentence_says_what_could_have_been() -> None:
    async with running(alone(teaching=True), size=(80, 40)) as (pilot, app):
        screen = await play_deal(pilot, app)
        await wait_until(pilot, lambda: str(screen.query_one("#remark").render()).strip() != "")
        assert re.search("would have|could have|called", str(screen.query_one("#remark").render()))


async def test_outside_teaching_nothing_is_said_of_it() -> None:
    async with running(alone(), size=(80, 40)) as (pilot, app):
        screen = await play_deal(pilot, app)
        assert not screen.query("#remark")


async def test_the_words_of_the_game_lie_over_the_table_and_close_again() -> None:
    async with asked(alone(ruleset="jamaican")) as (pilot, app):
        await press(pilot, "G", until=lambda: app.screen.name == "words")
        assert "A three is 3 or more cards of one rank" in text_of(app)
        await press(pilot, "G", until=lambda: isinstance(app.screen, TableScreen))


async def dealt(pilot: Pilot[None], app: KalookiApp, chapter_id: str, own_seed: int | None = None) -> TableScreen:
    """The deal of a chapter."""
    await wait_until(pilot, lambda: isinstance(app.screen, LearnScreen))
    app.set(ai_speed="instant")
    learning = app.learning()
    chapter = learning.course.chapter(chapter_id)
    app.go(routes.coached_deal(learning, chapter, own_seed))
    await wait_until(pilot, lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
    return table_of(app)


async def test_the_distance_is_guessed_before_it_is_shown_and_a_step_is_taken_back() -> None:
    async with running(KalookiApp(routes.course("jamaican"), Thinks())) as (pilot, app):
        screen = await dealt(pilot, app, "distance")
        await wait_until(pilot, lambda: app.screen.name == "guess")
        assert "from the contract" not in text_of(app)
        deal = screen.sitting._table.match.deal
        await press(pilot, "0", until=lambda: is_asked(app))
        shown = text_of(app)
        assert re.search(r"\d missing:", shown)
        hand = screen.desk.view.hand
        assert screen.place.may_take_back(screen.desk.seat).why
        await press(pilot, "d", until=lambda: len(screen.desk.view.hand) == len(hand) + 1)
        drawn = screen.desk.view.hand
        await wait_until(pilot, lambda: "from the contract" in text_of(app))
        await press(pilot, "u", until=lambda: is_asked(app) and screen.desk.view.hand == hand)
        assert screen.sitting._table.match.deal is not deal
        await press(pilot, "d", until=lambda: len(screen.desk.view.hand) == len(hand) + 1)
        assert sorted(screen.desk.view.hand) == sorted(drawn)  # the stock lies as it lay
        screen.beside.see("coach")
        assert not app.settings.notes_seen, "what the coach says of a call is no note that is read once"


async def test_a_deal_of_ones_own_has_no_coach_counts_hints_and_takes_nothing_back() -> None:
    async with running(KalookiApp(routes.course("jamaican"), Thinks())) as (pilot, app):
        screen = await dealt(pilot, app, "turn", own_seed=11)
        await wait_until(pilot, lambda: is_asked(app))
        await press(pilot, "h", until=lambda: "Hint:" in text_of(app))
        assert screen.moves.hints == 1
        assert coaching(screen).said == ""
        await press(pilot, "d", "u")
        assert screen.place.may_take_back(screen.desk.seat).why
        await press(pilot, "q", until=lambda: app.screen.name == "question")
        assert "does not count" in text_of(app)


async def test_what_gave_up_most_is_looked_back_on_and_played_again_from_its_moment() -> None:
    async with running(KalookiApp(routes.course("jamaican"), Thinks())) as (pilot, app):
        first = await dealt(pilot, app, "mixed")
        for _ in range(400):
            await wait_until(pilot, lambda: is_asked(app) or app.screen.name == "looking-back")
            if app.screen.name == "looking-back":
                break
            await answer(pilot, app)
        shown = text_of(app)
        assert "Looking back" in shown
        assert "In turn " in shown
        assert "Back to the chapters" in shown
        dear = (await coaching(first).look_back())[0]
        view, _ = coaching(first)._past.decisions()[dear.place]

        def plays_on() -> bool:
            screen = app.screen
            return isinstance(screen, TableScreen) and screen is not first and is_asked(app)

        await wait_until(pilot, lambda: app.screen.name == "looking-back" and app.screen.hears(monotonic()))
        await press(pilot, "1", until=plays_on)
        again = app.screen
        assert again.desk.view == view
        assert coaching(again).coach is not None
        # A step that was taken before that moment can be taken back as well.
        assert not again.place.may_take_back(again.desk.seat).why


async def test_a_hint_asked_for_again_while_the_coach_thinks_is_told_once_it_is_found() -> None:
    async with at_table(at(COMPLETE, teaching=True)) as (pilot, app, screen):
        real, asked, found = screen.moves._hints._consult, list[object](), asyncio.Event()

        async def think(*what: object) -> object:
            asked.append(what)
            await found.wait()
            return await real(*what)

        screen.moves._hints._consult = think
        for _ in range(3):
            await press(pilot, "h")
        found.set()
        await wait_until(pilot, lambda: "Hint: " in text_of(app))
        assert len(asked) == 1
