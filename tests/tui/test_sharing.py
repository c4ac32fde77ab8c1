"""Several people at one keyboard: one key passes the turn, calls, looks; nothing typed ahead opens a hand."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from itertools import product
from time import monotonic

import pytest
from msgspec.structs import replace
from rich.color import Color
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import Card
from kalooki_tui.engine.events import Passed
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.session.plan import AskCalls, Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.looks.palettes import Depth
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.curtain import PassScreen
from kalooki_tui.tui.screens.rule_pages import RuleLine
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside.people import (
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
from kalooki_tui.tui.widgets.choices import ChoiceLine
from kalooki_tui.wording import AI_NAMES
from scripts.contrast import ratio
from tests.drivers.keyboard import Thinks
from tests.moments import call_window
from tests.tui.conftest import (
    burst,
    is_asked,
    is_asked_at_table,
    key_of,
    match_of,
    press,
    table_of,
    text_of,
    until_happened,
    wait_until,
)
from tests.tui.driving import answer
from tests.tui.openings import AppAtPosition, Waits, app_at_table, asked, between, plan, running, together


def footer(app: KalookiApp) -> str:
    return text_of(app).splitlines()[-1].strip()


async def test_one_key_denies_the_calls_and_opens_the_hand_and_keys_that_are_nobodys_do_nothing() -> None:
    async with between(app_at_table(plan("Ann", "Bob", "Cat", "Dee")), "callers") as (pilot, app, screen):
        table = table_of(app)
        turn = table.session._table.match.deal.turn
        assert f"{turn + 1}      {table.session._table.match.names[turn]}: it is your turn" in text_of(app)
        steps = len(match_of(app).deal.history)
        await pilot.press("enter", "space", "escape", "tab", "x", "d", "9")
        await pilot.pause(0.05)
        assert app.screen is screen
        assert len(match_of(app).deal.history) == steps
        assert_nothing_private(app)
        await press(pilot, str(turn + 1), until=lambda: isinstance(app.screen, TableScreen) and table.viewer == turn)
        assert table.state.view.phase is Phase.DRAW
        assert sorted(table.hand.cards) == sorted(table.session._table.view(turn).hand)


async def test_the_mark_of_a_drawn_card_and_the_cursor_outlive_a_covered_hand_and_undo() -> None:
    async with between(together(), "callers") as (pilot, app, _):
        table = table_of(app)
        key = str(table.session._table.match.deal.turn + 1)
        await pilot.press(key, "d")
        await wait_until(pilot, lambda: table.state.view.phase is Phase.PLAY and bool(table.hand.arrangement.new))
        drawn = table.hand.arrangement
        await press(pilot, "b", key, until=lambda: isinstance(app.screen, TableScreen) and bool(table.hand.cards))
        assert table.hand.arrangement == drawn
        await pilot.press("home")
        lay = table.hand.arrangement
        assert lay.new == drawn.new
        await press(pilot, "space", "x", until=lambda: isinstance(app.screen, PassScreen))
        await press(pilot, "u", until=lambda: table.state.view.phase is Phase.PLAY)
        if isinstance(app.screen, PassScreen):
            await pilot.press(key)
        await wait_until(pilot, lambda: isinstance(app.screen, TableScreen) and bool(table.hand.cards))
        assert table.hand.arrangement == lay


async def test_what_is_typed_ahead_opens_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    async with between(together(), "callers") as (pilot, app, _):
        await answer(pilot, app, until=lambda: is_asked_at_table(app))
        monkeypatch.setattr(question, "QUIET_SECONDS", 3600.0)
        await press(pilot, "d", until=lambda: table_of(app).state.view.phase is Phase.PLAY)
        burst(app, ("x", "x", "1", "2", "3", "n", "a", "b", "c", "1", "2", "3"))
        await wait_until(pilot, lambda: app.screen.name == "callers")
        screen = app.screen
        # Its keys do not look like keys before they count.
        assert all("muted" in str(line.content.spans[0].style) for line in screen.query(ChoiceLine))
        await pilot.press("1", "2", "3")
        assert app.screen is screen
        assert table_of(app).viewer is None


async def test_a_key_that_a_question_has_no_use_for_or_of_a_stream_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed_on: list[str] = []
    monkeypatch.setattr(KalookiApp, "on_key", lambda _, event: passed_on.append(event.key), raising=False)
    async with between(together(), "first-look") as (pilot, app, screen):
        await press(pilot, "d", "x", "enter", "i", until=lambda: app.screen.name == "rules")
        assert passed_on == ["i"]
        await press(pilot, "escape", until=lambda: app.screen is screen)
        # A stream of keys is not heard until it pauses.
        monkeypatch.setattr(question, "QUIET_SECONDS", 600.0)
        screen._hears_from = monotonic() + 60
        await pilot.press("n")
        assert app.screen is screen
        assert screen._hears_from > monotonic() + 100
        screen._hears_from = monotonic()
        await press(pilot, "n", until=lambda: app.screen is not screen)


async def test_a_persons_key_calls_and_the_turn_seat_decides_behind_its_own() -> None:
    async with between(AppAtPosition(call_window(second="Zoe")), "callers") as (pilot, app, _):
        await pilot.press(key_of(app, "Call 5♣, then your number"), key_of(app, "Zoe: look at your hand"))
        await wait_until(pilot, lambda: app.screen.name == "curtain")
        assert "Zoe calls" in text_of(app)
        assert "Ann allows or refuses" in text_of(app)
        assert_nothing_private(app)
        await pilot.press("2", "enter", "n")
        assert app.screen.name == "curtain"
        await press(pilot, "1", until=lambda: app.screen.name == "decision")
        await pilot.press("b")  # it was not Ann
        await wait_until(pilot, lambda: app.screen.name == "curtain")
        assert_nothing_private(app)
        await press(pilot, "1", until=lambda: app.screen.name == "decision")
        await press(pilot, "a", until=lambda: is_asked_at_table(app))
        assert table_of(app).viewer == 0


async def test_who_is_asked_less_is_kept_with_the_match() -> None:
    async with between(together(), "callers") as (pilot, app, _):
        for person, way in (("1", "3"), ("2", "3"), ("3", "2")):
            await press(pilot, "m", until=lambda: "Who wants to change it?" in text_of(app))
            await press(pilot, person, until=lambda: "when are you asked?" in text_of(app))
            await press(pilot, way, until=lambda: app.screen.name == "callers")
        asking = table_of(app).session.asking
        assert [asking.of(seat) for seat in range(3)] == [AskCalls.TURN, AskCalls.TURN, AskCalls.HELPS]
        live = table_of(app).session._live
        assert live.ui_state["asking"] == {"0": "turn", "1": "turn", "2": "helps"}


async def test_in_a_race_the_clock_ends_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "SECOND", 3600.0)  # it moves when the test says so
    app = AppAtPosition(call_window(second="Zoe", race=True))
    app.position_plan = replace(app.position_plan, call_seconds=3)
    app.thinker = Waits()
    async with asked(app, "callers") as (pilot, _):
        assert "s to call" in text_of(app)
        clock = app.screen
        await wait_until(pilot, lambda: clock.is_heard)
        # Whose turn it is denies no call while the clock runs.
        await pilot.press("1", "n", "enter")
        assert app.screen is clock
        for _ in range(3 * question.TICKS + 1):
            clock.clock.tick()
        await until_happened(pilot, app, Passed, 1)


async def test_a_race_is_over_when_everybody_has_let_the_card_go() -> None:
    app = AppAtPosition(call_window(turn="Cat", second="Zoe", race=True))
    app.thinker = Waits()
    async with asked(app, "callers") as (pilot, _):
        screen = app.screen
        await wait_until(pilot, lambda: screen.is_heard)
        keys = [choice.key for choice in screen._beside]
        await pilot.press(keys[0])
        assert "no call" in text_of(app)
        await pilot.press(keys[0], keys[1])  # a slip is taken back by the same key
        assert app.screen is screen
        await pilot.press(keys[0])
        history = match_of(app).deal.history
        await wait_until(pilot, lambda: {event.seat for event in history if isinstance(event, Passed)} >= {0, 1})


async def test_the_keys_shown_between_people_are_heard_there_and_the_wrong_persons_is_taken_back() -> None:
    async with between(together(), "callers") as (pilot, app, screen):
        before = [event for event in match_of(app).deal.history if not isinstance(event, Passed)]
        assert footer(app) == "i Rules  s Scores  q Quit  ? Help"
        await pilot.press("v", "z")
        assert table_of(app).session.speed is Speed.INSTANT
        assert not table_of(app).session.paused
        await press(pilot, "q", until=lambda: "Leave this match?" in text_of(app))
        await press(pilot, "n", until=lambda: app.screen is screen)
        await answer(pilot, app, until=lambda: is_asked_at_table(app))
        assert "d Stock" in footer(app)
        await pilot.press("b")
        # Nothing has happened since: people are asked again whether they call.
        await wait_until(pilot, lambda: app.screen.name == "callers")
        assert_nothing_private(app)
        assert [*match_of(app).deal.history] == before


def test_a_key_can_be_read_on_its_colour() -> None:
    for colour, depth in product(COLOURS.values(), Depth):
        assert ratio(Color.parse(INK), Color.parse(colour), depth) >= 4.5, (colour, depth)


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


def test_keys_that_do_something_else_between_people_cannot_be_had() -> None:
    for key in ("i", "s", "n", "u", "m", "c", ".", "?", "Z", "é", "", "12"):
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
    async with asked(together(ruleset="kalookie-40"), "seats-drawn") as (pilot, app):
        table = table_of(app)
        assert table.client.session.names != ("Ann", "Bob", "Cat")
        own = {table.client.session.names[seat]: badge.key for seat, badge in table.badges.items()}
        assert own == {"Ann": "1", "Bob": "2", "Cat": "3"}
        # Where no card is called a deal begins with the first turn: nobody looks before it.
        await press(pilot, "enter", until=lambda: app.screen.name in ("curtain", "first-look"))
        assert app.screen.name == "curtain"
        assert app.screen.query_one(".dialog").region.bottom == 23, "it lies where the hand would be, over the keys"


def public_cards(app: KalookiApp) -> set[Card]:
    """Cards that everybody may see: on the table, on the pile, named in the log."""
    view = table_of(app).session._table.view(0)
    cards = {card for meld in view.melds for card in meld.cards}
    if view.discard is not None:
        cards.add(view.discard)
    for event in view.history:
        for field in ("card", "cards", "now"):
            value = getattr(event, field, None)
            cards |= {value} if isinstance(value, int) else set(value or ())
    return cards


def assert_nothing_private(app: KalookiApp) -> None:
    """No card of any hand is on the screen or in a widget, unless everybody knows that card anyway."""
    table_screen = table_of(app)
    match, faces = table_screen.session._table.match, table_screen.session._table.match.rules.faces
    known = public_cards(app)
    hidden = {card for seat in range(len(match.names)) for card in match.view(seat).hand} - known
    shown = text_of(app) + "\n".join(_texts(app))
    for line in app.screen.query(RuleLine):
        # What is an example of a contract is one in every deal.
        shown = shown.replace(" | ".join(map(faces.symbols, line.line.example)) or "\0", "")
    for card in hidden:
        assert faces.symbol(card) not in shown.replace("10", "X" if not faces.symbol(card).startswith("10") else "10")
    assert table_screen.hand.cards == ()
    assert table_screen.state.view.hand == ()
    assert table_screen.state.view.legal == ()
    assert table_screen.state.staged == []
    assert not app._notifications
    assert all(screen.query("HandView").nodes == [] or screen is table_screen for screen in app.screen_stack)


def _texts(app: KalookiApp) -> Iterable[str]:
    """What every text of every screen in the stack says, seen or not."""
    for screen in app.screen_stack:
        for static in screen.query(Static):
            content = static.content
            yield content.plain if isinstance(content, Content) else str(content)


async def test_between_people_nothing_private_is_shown_and_to_each_the_own_hand_only() -> None:
    seen: Counter[object] = Counter()
    async with running(app_at_table(plan("Ann", "Bob", "ai:club"))) as (pilot, app):
        for _ in range(16):
            await wait_until(pilot, lambda: is_asked(app))
            screen = app.screen
            if isinstance(screen, PassScreen):
                assert_nothing_private(app)
                seen[screen.name] += 1
            elif isinstance(screen, TableScreen):
                seat = screen.viewer
                assert sorted(screen.hand.cards) == sorted(screen.session._table.view(seat).hand)
                seen[seat] += 1
            await answer(pilot, app)
    assert seen["curtain"] >= 1
    assert seen["callers"] >= 3
    assert min(seen[0], seen[1]) > 0


class Gate(Thinks):
    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.open.set()

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        await self.open.wait()
        return await super().decide(level, seed, view)


@pytest.mark.parametrize("curtain", [True, False])
async def test_a_hand_is_closed_while_others_move_after_its_turn(*, curtain: bool) -> None:
    gate = Gate()
    app = KalookiApp(routes.new_match(plan("Ann", "Bob", "ai:club", curtain=curtain)), gate)
    async with app.run_test(size=(80, 24)) as pilot:
        thrown = False
        for _ in range(60):
            await wait_until(pilot, lambda: is_asked(app))
            match = match_of(app)
            assert curtain or app.screen.name != "curtain"
            # After Ann's discard the AI seat is the first that is asked whether it calls.
            thrown = match.actor == 0 and match.phase is Phase.PLAY
            if thrown:
                assert table_of(app).hand.cards
                gate.open.clear()
            await answer(pilot, app)
            if thrown and match_of(app).actor == 2:
                break
        assert thrown
        await pilot.pause()
        assert_nothing_private(app)
        assert "Ann's hand" not in text_of(app)
