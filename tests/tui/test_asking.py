"""Questions, and all else that lies over a screen: each is asked once, for one decision, and goes with it."""

import asyncio
from time import monotonic

import pytest
from msgspec.structs import replace
from textual.events import Click

from kalooki_tui.engine.actions import Call
from kalooki_tui.engine.events import Called, Passed
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.live_match import Driver
from kalooki_tui.players import PlayerChoice
from kalooki_tui.session import turn_loop
from kalooki_tui.session.plan import Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.curtain import PassScreen
from kalooki_tui.tui.screens.question import Finder
from kalooki_tui.tui.screens.table import TableScreen
from scripts.scenes import middle
from tests.drivers.keyboard import Thinks
from tests.moments import buy_in, call_window
from tests.tui.conftest import (
    burst,
    go,
    has_table,
    match_of,
    press,
    table_of,
    text_of,
    until_happened,
    wait_until,
)
from tests.tui.driving import play_until
from tests.tui.openings import AppAtPosition, Waits, alone, app_at_table, asked, plan, running


@pytest.fixture
def quick_reactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a race AI seats do not take the seconds they would beside people."""
    monkeypatch.setitem(turn_loop.SPEED_FACTOR, Speed.NATURAL, 0.005)


class Caller(Thinks):
    """Calls as soon as it is let, and passes over nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.may_call = asyncio.Event()

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        if view.phase is Phase.CALL_WINDOW:
            await self.may_call.wait()
            return PlayerChoice(Call(view.seat))
        return await super().decide(level, seed, view)


def racing() -> tuple[AppAtPosition, Caller]:
    app, thinker = AppAtPosition(call_window(second="Zoe", race=True)), Caller()
    app.thinker = thinker
    return app, thinker


@pytest.mark.usefixtures("quick_reactions")
@pytest.mark.parametrize("covered", [False, True], ids=["in sight", "under the settings"])
async def test_a_prompt_is_taken_down_when_a_program_calls_first(*, covered: bool) -> None:
    app, thinker = racing()
    async with asked(app, "callers") as (pilot, _):
        prompt = app.screen
        if covered:
            await go(pilot, app, routes.settings(), lambda: app.screen.name == "settings")
        thinker.may_call.set()
        await until_happened(pilot, app, Called)
        if covered:
            await pilot.pause(0.1)
            assert app.screen.name == "settings"
            assert "s to call" not in text_of(app)
            await pilot.press("escape")
        # The turn seat is a person: she is asked next, whether she allows it.
        await wait_until(pilot, lambda: app.screen.name in ("curtain", "decision"))
        assert prompt not in app.screen_stack
        assert not any(screen.name == "fault" for screen in app.screen_stack)


async def test_an_answer_to_a_decision_that_has_passed_is_dropped() -> None:
    app, _ = racing()
    async with asked(app, "callers") as (pilot, _):
        table, prompt = app.position_table, app.screen
        cat = table.match.names.index("Cat")
        # Both in one instant: the program's call counts, what the people say comes too late.
        table.apply(Call(cat))
        prompt.dismiss(prompt.choices[0].value)
        await wait_until(pilot, lambda: prompt not in app.screen_stack)
        assert [event.seat for event in table.match.deal.history if isinstance(event, Called)] == [cat]
        assert not any(screen.name == "fault" for screen in app.screen_stack)


async def test_the_other_programs_stop_thinking_about_a_call_that_is_made() -> None:
    app, _ = racing()
    async with asked(app, "callers") as (pilot, _):
        await pilot.press("c", "2")
        # Cat and Dee never answer: who plays next is asked all the same.
        await wait_until(pilot, lambda: app.screen.name in ("curtain", "decision"))


@pytest.mark.usefixtures("quick_reactions")
async def test_programs_that_think_at_once_are_not_asked_about_a_call_that_is_made() -> None:
    app, thinker = AppAtPosition(call_window(race=True)), Thinks()
    app.thinker = thinker
    asked: list[Phase] = []

    async def decide(level: str, seed: str, view: View) -> PlayerChoice:
        asked.append(view.phase)
        assert view.legal
        return PlayerChoice(Call(view.seat) if view.phase is Phase.CALL_WINDOW else view.legal[0])

    thinker.decide = decide
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen.name in ("curtain", "decision"))
        assert asked == [Phase.CALL_WINDOW]
        assert not any(screen.name == "fault" for screen in app.screen_stack)


def react_late(app: AppAtPosition, monkeypatch: pytest.MonkeyPatch) -> None:
    """AI seats want every card, but take an hour to say so; nor does the clock end the window."""
    app.thinker = Caller()
    app.thinker.may_call.set()
    monkeypatch.setattr(Driver, "reactions", lambda self, seats: [(3600.0, seat) for seat in seats])
    monkeypatch.setattr(question, "SECOND", 3600.0)


async def test_who_presses_as_soon_as_keys_are_heard_is_faster_than_an_instant_seat_of_later_reaction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.5)
    app = AppAtPosition(call_window(second="Zoe", race=True))
    react_late(app, monkeypatch)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, PassScreen) and app.screen.is_heard)
        await pilot.press("c", "2")
        history = match_of(app).deal.history
        await until_happened(pilot, app, Called)
        assert [event.seat for event in history if isinstance(event, Called)] == [1]


async def test_when_no_person_may_call_any_more_instant_seats_react_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppAtPosition(call_window(turn="Cat", thrower="Bob", race=True))
    react_late(app, monkeypatch)
    async with asked(app) as (pilot, _):
        await pilot.press("p")
        await until_happened(pilot, app, Called, 3)


async def test_two_people_eliminated_in_one_deal_are_both_asked_to_buy_in() -> None:
    async with asked(AppAtPosition(buy_in("Ann", "Zoe")), "deal-over") as (pilot, app):
        await pilot.click(offset=(40, 10))
        await wait_until(pilot, lambda: app.screen.name == "buy-in")
        first = app.screen
        # Two keys of one burst answer one question.
        burst(app, "bb")
        await wait_until(pilot, lambda: app.screen.name == "buy-in" and app.screen is not first)
        assert len(app.position_table.match.buying) == 1
        await press(pilot, "b", until=lambda: app.position_table.match.buying == [])
        assert app.position_table.match.totals[:2] == (90, 90)


async def test_moves_that_arrive_while_the_table_goes_do_nothing() -> None:
    app = app_at_table(replace(plan("ai:club", "ai:club", "ai:novice"), speed=Speed.BRISK))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: has_table(app))
        screen = table_of(app)
        await wait_until(pilot, lambda: len(screen.session._table.match.deal.history) > 3)
        app.go(routes.same_seats(screen.plan))
        # A step that was on its way.
        actor = screen.session._table.match.actor
        screen.session._table.apply(screen.session._table.view(actor).legal[0])
        await wait_until(pilot, lambda: screen not in app.screen_stack)
        await go(pilot, app, routes.home(), lambda: app.screen.name == "home-screen")


async def test_clicks_in_the_command_palette_while_it_closes() -> None:
    async with running(alone()) as (pilot, app):
        await play_until(pilot, app, lambda: isinstance(app.screen, TableScreen))
        await press(pilot, "ctrl+p", until=lambda: isinstance(app.screen, Finder))
        await press(pilot, *"scores", until=lambda: "See the score so far" in text_of(app))
        await pilot.press("down")
        palette = app.screen
        burst(app, ["enter", "enter", "escape", "enter"])
        for _ in range(3):
            click = Click(palette, 0, 0, 0, 0, 1, False, False, False, 0, 0)
            palette.post_message(click)
        await wait_until(pilot, lambda: palette not in app.screen_stack)
        await pilot.pause(0.1)
        assert [screen.name for screen in app.screen_stack].count("scores") <= 1
        assert has_table(app)


async def test_the_clock_is_seen_stands_still_under_the_rules_and_ends_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(question, "SECOND", 60.0)
    app = AppAtPosition(call_window(turn="Cat", thrower="Bob", race=True))
    app.thinker = Waits()
    async with running(app) as (pilot, _):
        await wait_until(pilot, lambda: "██████████ 5 s" in text_of(app))
        table = table_of(app)
        history = match_of(app).deal.history
        assert not any(isinstance(event, Passed) and event.seat == 0 for event in history)
        await press(pilot, "i", until=lambda: app.screen.name == "rules")
        left = table.clock.left = 0.05
        table.clock.tick()
        assert table.clock.left == left
        await press(pilot, "i", until=lambda: app.screen is table)
        table.clock.tick()
        await until_happened(pilot, app, Passed, 0)
        await wait_until(pilot, lambda: table.clock.words == "")


SIZES = [(80, 24), (160, 45)]
DECISION = middle("Ann", "decision", "caller: Bob")


def frame_is_clear(app: KalookiApp) -> bool:
    """Whether nothing that a question is about lies under its frame."""
    table, frame = table_of(app), app.screen.query_one(".dialog").region
    parts = (table.seats, table.melds, table.piles, table.hand, table.log_view)
    is_whole = table.melds._layout_now.fits(table.melds.size.width, table.melds.size.height)
    return is_whole and table.log_view.region.height >= 1 and not any(part.region.overlaps(frame) for part in parts)


async def test_allow_or_refuse_covers_nothing_it_is_about_and_addresses_nobody_as_you() -> None:
    app = AppAtPosition(DECISION.replace("name: Ann", "name: You").replace("turn: Ann", "turn: You"))
    async with asked(app, "decision") as (pilot, _):
        for size in (*SIZES, SIZES[0]):
            await pilot.resize_terminal(*size)
            await wait_until(pilot, lambda: frame_is_clear(app))
        assert "Allow the call?" in text_of(app)
        assert "You, allow" not in text_of(app)
        before = table_of(app).hand.cards
        app.screen.tell("Hint: which one helps more? " * 3)
        await wait_until(pilot, lambda: frame_is_clear(app))
        await press(pilot, "r", until=lambda: app.screen.name == "table")
        assert table_of(app).status.styles.margin.top == 0
        assert table_of(app).hand.cards[: len(before)] == before


async def test_a_question_that_comes_by_itself_is_not_answered_by_keys_meant_for_the_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(question, "QUIET_SECONDS", 600.0)
    async with asked(AppAtPosition(DECISION), "decision") as (pilot, app):
        asking = app.screen
        await pilot.press("space", "enter", "a", "r")
        await pilot.click(".choice")
        assert app.screen is asking
        monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)
        asking._hears_from = 0.0
        await press(pilot, "a", until=lambda: app.screen.name == "table")
        # What answers a key hears the next one at once.
        await press(pilot, "q", "y", until=lambda: app.screen.name == "home-screen")


async def test_a_question_that_comes_back_by_ones_own_key_hears_the_next_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with asked(AppAtPosition(DECISION), "decision") as (pilot, app):
        asking = app.screen
        await wait_until(pilot, lambda: asking.hears(monotonic()))
        monkeypatch.setattr(question, "QUIET_SECONDS", 600.0)
        for opens in ("question_mark", "i", "s", "q"):
            await press(pilot, opens, until=lambda: app.screen is not asking)
            await press(pilot, "n" if opens == "q" else "escape", until=lambda: app.screen is asking)
        await press(pilot, "a", until=lambda: app.screen.name == "table")
