"""Rules and scores open from every question, and lead back to it; nothing private is shown by them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.rules import RuleLine, RulesScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.moments import buy_in, call_window
from tests.ui.conftest import (
    AppAtPosition,
    app_at_table,
    match_of,
    plan,
    press,
    table_of,
    text_of,
    together,
    wait_until,
)
from tests.ui.driving import play_until
from tests.ui.openings import asked, at_table, running
from tests.ui.test_privacy import assert_nothing_private

DECISION = call_window(second="Zoe").replace("call-window", "decision\ncaller: Zoe")
PLAY = call_window().replace("call-window", "play").replace("discarded_by: Dee", "")


def lit(app: KalookiApp) -> list[str]:
    """The rules that are marked on the screen."""
    return [line.text for line in app.screen.query(RuleLine) if line.is_lit]


async def consult(pilot: Pilot[None], app: KalookiApp, *, private: bool = True) -> list[str]:
    """Open rules and scores over the question on the screen, and come back; returns the rules that were lit up."""
    question, steps = app.screen, len(match_of(app).deal.history)
    # In the table's footer, or at the foot of a page that covers it.
    assert re.search("i [Rr]ules", text_of(app))
    found: list[str] = []
    for key, name in (("i", "rules"), ("s", "scores")):
        await press(pilot, key, until=lambda name=name: app.screen.name == name)
        await pilot.pause()
        if private:
            assert_nothing_private(app)
        if name == "rules":
            found = lit(app)
        await press(pilot, key, until=lambda: app.screen is question)
        assert question.is_live
    # Nobody has to answer to leave: the match goes on at the question.
    await press(pilot, "q", until=lambda: "Leave it" in text_of(app) and app.screen is not question)
    await press(pilot, "n", until=lambda: app.screen is question)
    assert len(match_of(app).deal.history) == steps
    return found


@pytest.mark.parametrize("name", ["first-look", "callers", "curtain", "deal-over"])
async def test_between_people_nothing_private_is_shown(name: str) -> None:
    # A curtain comes alone where nobody is asked about a call before it.
    asked = AskCalls.TURN if name == "curtain" else AskCalls.ALWAYS
    async with running(together(ask_several=asked)) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == name)
        await consult(pilot, app, private=name != "deal-over")


async def test_a_look_at_a_hand() -> None:
    async with running(together()) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "first-look")
        await press(pilot, "1", until=lambda: app.screen.name == "peek")
        await consult(pilot, app, private=False)
        for key, next_one in (("enter", "2"), ("escape", "3"), ("b", "")):
            await press(pilot, key, until=lambda: app.screen.name != "peek" and not table_of(app).hand.cards)
            if next_one:
                await press(pilot, next_one, until=lambda: app.screen.name == "peek")


@pytest.mark.parametrize(
    ("position", "name", "words"),
    [
        (DECISION, "decision", "The seat to draw allows the call and draws from the stock"),
        (buy_in("Ann"), "buy-in", "(P3, P4)"),
    ],
)
async def test_a_question_opens_the_rules_at_its_own(position: str, name: str, words: str) -> None:
    async with running(AppAtPosition(position)) as (pilot, app):
        await wait_until(pilot, lambda: app.screen.name in ("curtain", name, "deal-over"))
        if app.screen.name != name:
            await pilot.press("enter" if app.screen.name == "deal-over" else "1")
            await wait_until(pilot, lambda: app.screen.name == name)
        marked = await consult(pilot, app, private=False)
        assert len(marked) == 1
        assert words in marked[0]


async def test_the_cut_opens_the_rule_of_the_cut() -> None:
    match = plan("Ann", "ai:club", "ai:club", ruleset="air-jamaica", settings={"dealer_cut": True})
    async with asked(_dealing(match), "cut") as (pilot, app):
        assert "-50" in text_of(app), "what an exact cut scores"
        marked = await consult(pilot, app)
        assert "cuts a packet" in marked[0]
        await press(pilot, "enter", until=lambda: isinstance(app.screen, TableScreen))


def _dealing(match: MatchPlan) -> KalookiApp:
    """An app at which the person deals first."""
    for seed in range(40):
        tried = replace(match, seed=seed)
        if tried.open().match.deal.dealer == 0:
            return app_at_table(tried)
    raise AssertionError


async def test_nothing_comes_over_the_question_whether_to_leave() -> None:
    async with at_table(AppAtPosition(PLAY)) as (pilot, app, _):
        await press(pilot, "q", until=lambda: app.screen.name == "question")
        question = app.screen
        assert "i rules" not in text_of(app)
        await press(pilot, "i", "s")
        assert app.screen is question


async def test_the_rules_open_at_the_refusal_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.ui.screens.table.MOMENT", 3600.0)  # it gives way, but not while this test runs
    async with at_table(AppAtPosition(PLAY)) as (pilot, app, _):
        await press(pilot, "i", until=lambda: isinstance(app.screen, RulesScreen))
        assert lit(app) == []
        await press(pilot, "i", until=lambda: app.screen is table_of(app))
        await pilot.press("k")
        assert "(L9)" in text_of(app)
        await press(pilot, "i", until=lambda: isinstance(app.screen, RulesScreen))
        await pilot.pause()
        assert len(lit(app)) == 1
        assert "Only then do you tack or swap. (L1, L9)" in lit(app)[0]
        assert "▸ The first lay-down holds the whole contract" in text_of(app), "the rule is not in sight"
        await press(pilot, "i", until=lambda: app.screen is table_of(app))
        assert "(L9)" in text_of(app), "the refusal is still to be read"


async def test_a_rule_is_found_by_a_word() -> None:
    async with asked(AppAtPosition(PLAY)) as (pilot, app):
        await press(pilot, "i", "slash", *"jokers")
        first = lit(app)
        assert "finds a word" not in text_of(app)
        assert "joker" in first[0].casefold()
        await pilot.press("enter")
        assert "joker" in lit(app)[0].casefold()
        assert lit(app) != first
        await pilot.press("escape")
        assert isinstance(app.screen, RulesScreen)
        await press(pilot, "escape", until=lambda: app.screen is table_of(app))


async def test_a_rule_is_found_by_the_words_of_the_course_and_what_is_not_found_is_told() -> None:
    async with asked(AppAtPosition(PLAY)) as (pilot, app):
        await pilot.press("i", "slash", *"away")
        await wait_until(pilot, lambda: [line for line in lit(app) if line.endswith("(L1, L9) away")] != [])
        assert "No rule has" not in text_of(app)
        await press(pilot, "e", "[", until=lambda: "No rule has “awaye[”." in text_of(app))
        assert lit(app) == []
        await press(pilot, "escape", until=lambda: "No rule has" not in text_of(app))


async def test_no_rules_of_a_table_where_there_is_none() -> None:
    async with running(KalookiApp()) as (pilot, app):
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        await press(pilot, "r", until=lambda: app.screen.name == "question")
        assert "i rules" not in text_of(app)
        question = app.screen
        await press(pilot, "i", "s")
        assert app.screen is question
