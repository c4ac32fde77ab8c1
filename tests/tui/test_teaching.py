"""A table at which somebody teaches, and matches that begin where a key is pressed."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Static

from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.session.plan import Speed, as_usual, plan_of_last, practice_plan, with_match
from kalooki_tui.storage.player.settings_file import PlayerSettings
from kalooki_tui.training.teaching import answer_words
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.contract_page import ContractPage
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside.questions import dearest_deal
from tests.tui.conftest import go, has_table, is_asked_at_table, press, table_of, text_of, wait_until
from tests.tui.driving import play_until
from tests.tui.openings import alone, app_at_table, asked, at_home, between, plan, played_to, together


def strip_of(table: TableScreen) -> str:
    return str(table.query_one("#open-hands", Static).render())


def teaching(*seats: str) -> KalookiApp:
    return app_at_table(replace(as_usual(plan(*seats, teach=True), PlayerSettings()), speed=Speed.INSTANT))


async def at_turn(pilot: Pilot[None], app: KalookiApp) -> None:
    await play_until(pilot, app, lambda: is_asked_at_table(app))


async def test_a_deal_begins_with_its_contract_and_hands_lie_open_until_a_key_closes_them() -> None:
    async with asked(teaching("Ann", "Bob", "ai:club"), "contract-page") as (pilot, app):
        assert isinstance(app.screen, ContractPage)
        for words in ("Deal 1 of 3: two sets", "These make it:", "These do not, by one card:", "(M", "enter goes on"):
            assert words in text_of(app), words
        await at_turn(pilot, app)
        table, match = table_of(app), table_of(app).session._table.match
        others = [seat for seat in range(3) if seat != table.state.seat]
        shown = strip_of(table)
        for seat in others:
            assert match.names[seat] in shown
            assert all(match.rules.faces.symbol(card) in shown for card in match.view(seat).hand)
        assert "O Hands" in text_of(app)
        await press(pilot, "O", until=lambda: not strip_of(table).strip())
        await press(pilot, "O", until=lambda: strip_of(table) == shown)
        # Closed hands are behind the curtain, whoever comes next.
        await pilot.press("O")
        await play_until(pilot, app, lambda: app.screen.name in ("curtain", "callers"))
        assert table.viewer is None
        # An answer would tell of the hand that lies hidden.
        for words in ("what would you do? T again", "O opens all hands first."):
            await press(pilot, "T", until=lambda words=words: words in " ".join(text_of(app).replace("│", " ").split()))  # type: ignore[misc]
        assert not re.search(r"▏(10|[2-9AJQK])[♣♦♥♠] *▏", text_of(app))


async def test_whoever_is_to_act_is_asked_and_the_answer_waits_for_the_same_key() -> None:
    async with asked(teaching("Ann", "Bob", "ai:club"), "contract-page") as (pilot, app):
        await press(pilot, "enter", until=lambda: "Does Bob call" in text_of(app))
        await press(pilot, "T", until=lambda: "Bob, what would you do? T again tells" in " ".join(text_of(app).split()))
        await press(pilot, "T", until=lambda: "Let 7♦ go." in text_of(app))
        await at_turn(pilot, app)
        table = table_of(app)
        match = table.session._table.match
        answer = answer_words(match.view(match.actor))
        await press(pilot, "T", until=lambda: "what would you do? T again tells" in text_of(app))
        assert answer[:20] not in text_of(app)
        await press(pilot, "T", until=lambda: answer[:20] in text_of(app))


async def test_a_moment_is_written_to_a_file_that_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with asked(teaching("Ann", "Bob", "ai:club"), "contract-page") as (pilot, app):
        await at_turn(pilot, app)
        await press(pilot, "W", until=lambda: app.screen.name == "ask-file")
        await press(pilot, "enter", until=lambda: is_asked_at_table(app))
        match = table_of(app).session._table.match
        (file,) = tmp_path.glob("*.yaml")
        written = set_up(load_position(file))
        assert [sorted(hand) for hand in written.deal.hands] == [sorted(hand) for hand in match.deal.hands]
        # What is there already stays as it is.
        kept = file.read_bytes()
        await press(pilot, "W", until=lambda: app.screen.name == "ask-file")
        await press(pilot, "enter", until=lambda: any("is there already" in one.message for one in app._notifications))
        assert file.read_bytes() == kept


async def test_other_tables_have_no_such_keys() -> None:
    async with played_to(alone(), Phase.PLAY) as (pilot, app, table):
        before = text_of(app)
        await pilot.press("O", "T", "W")
        assert text_of(app) == before
        assert not table.query("#open-hands")
        assert table.beside.teacher_choices == []


async def test_one_contract_is_taught_three_keys_from_learning() -> None:
    async with at_home() as (pilot, app):
        await go(pilot, app, routes.course(), lambda: app.screen.name == "learn")
        await press(pilot, "t", until=lambda: "Teach which" in text_of(app))
        await press(pilot, "4", until=lambda: "How many people?" in text_of(app))
        await press(pilot, "2", until=lambda: app.screen.name == "contract-page")
        assert "Game 4 of 9: three fours" in text_of(app)
        plans = table_of(app).session.plans
        assert [seat.is_human for seat in plans][:2] == [True, True]
        assert table_of(app).plan.is_teaching


async def test_rules_lead_to_teaching_only_where_no_match_is_played() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.rules(load_ruleset("baby")))
        await wait_until(pilot, lambda: app.screen.name == "rules")
        await press(pilot, "t", until=lambda: "Teach which deal of Baby Kalooki?" in text_of(app))
    async with asked(alone()) as (pilot, app):
        await press(pilot, "i", until=lambda: app.screen.name == "rules")
        assert "t teaches" not in text_of(app)
        await pilot.press("t")
        assert "Teach which" not in text_of(app)


async def test_what_was_done_last_is_offered_first() -> None:
    async with at_home() as (pilot, app):
        assert app.settings == PlayerSettings()
        usual = [command.name for command in app.screen._open]
        await press(pilot, "l", until=lambda: app.settings.last_done == "home-learn")
        await go(pilot, app, routes.home(), lambda: app.screen.name == "home-screen")
        await wait_until(pilot, lambda: app.screen._open[0].name == "home-learn")
        assert sorted(command.name for command in app.screen._open) == sorted(usual)


@pytest.mark.parametrize(
    ("ruleset", "options", "totals", "dear"),
    [
        ("baby", (), ((30, 0), (95, 0), (100, 5)), 2),
        ("jamaican", ("deals=2,5,9",), ((9, 0), (60, 0), (60, 70)), 5),
        ("baby", (), ((-10, 0), (-10, 9), (-20, 9)), 0),
        ("kalookie-40", (), ((30, 0), (95, 0)), 0),
        ("baby", (), (), 0),
    ],
)
def test_the_contract_that_cost_the_first_person_most_is_practised(
    ruleset: str, options: tuple[str, ...], totals: tuple[tuple[int, ...], ...], dear: int
) -> None:
    rules = make_rules(resolve(ruleset, options), 3)
    session: Any = SimpleNamespace(rules=rules, people=[0], totals=totals, names=("Ann", "Bob"))
    assert dearest_deal(session) == dear
    assert dearest_deal(SimpleNamespace(rules=rules, people=[], totals=totals, names=())) == 0  # type: ignore[arg-type]


def test_practice_is_the_same_game_with_other_cards() -> None:
    played = plan("Ann", "ai:club", ruleset="jamaican", options=("six-jokers", "deals=1-3"), minutes=30)
    again = practice_plan(played, 2)
    assert again.options == ("six-jokers", "deals=2")
    assert (again.seed, again.teaching, again.minutes, again.seats) == (None, True, 0, played.seats)


async def test_the_end_of_a_match_leads_to_practice_by_one_key() -> None:
    ended = app_at_table(plan("Ann", "ai:novice", "ai:novice", options=("deals=1",)))
    async with asked(ended) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "match-over")
        dear = dearest_deal(table_of(app).session)
        kept = app.settings.last
        assert dear == (1 if table_of(app).session.totals[0][0] > 0 else 0)
        assert ("p practise deal 1" in text_of(app)) == bool(dear)
        await press(pilot, "p", until=lambda: app.screen.name != "match-over" and has_table(app))
        assert table_of(app).plan.is_teaching
        assert table_of(app).plan.options == ("deals=1",)
        # The next match is set up as the last one that was, and not as this.
        assert app.settings.last == kept


async def test_the_curtain_follows_the_settings_of_a_match_being_played() -> None:
    async with between(together(), "callers") as (pilot, app, _):
        table = table_of(app)
        await play_until(pilot, app, lambda: is_asked_at_table(app))
        for on in (False, True):
            await press(pilot, "comma", until=lambda: app.screen.name == "settings")
            app.set(curtain=on)
            await press(pilot, "escape", until=lambda: app.screen.name != "settings")
            assert table.hides_hands == on


async def test_hands_that_were_closed_are_closed_when_the_match_is_continued() -> None:
    async with asked(teaching("Ann", "Bob", "ai:club"), "contract-page") as (pilot, app):
        await at_turn(pilot, app)
        table = table_of(app)
        await press(pilot, "O", until=lambda: not strip_of(table).strip())
        match = table.session._live.id
        await press(pilot, "q", until=lambda: "Leave" in text_of(app))
        await pilot.press("y")
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        app.go(routes.resume(match))
        await wait_until(pilot, lambda: has_table(app) and table_of(app) is not table)
        assert table_of(app).client.open_hands() == []
        assert table_of(app).hides_hands


def test_teaching_others_is_no_teaching_match_once_it_is_switched_off() -> None:
    plan_of_others = replace(plan("Ann", "ai:club"), teach=True)
    settings = with_match(PlayerSettings(), plan_of_others)
    assert settings.last is not None
    again = plan_of_last(settings.last, settings)
    assert (again.teach, again.is_teaching, replace(again, teach=False).is_teaching) == (True, True, False)
