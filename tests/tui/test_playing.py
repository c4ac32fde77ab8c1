"""Matches played at the screen, by keys and by mouse; people who are out of the match look on."""

from itertools import product

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.events import Discarded
from kalooki_tui.engine.view import Phase
from kalooki_tui.presenter.commands import COMMANDS, HAND, MELDS
from kalooki_tui.presenter.sentences import log_line
from kalooki_tui.session import turn_loop
from kalooki_tui.session.plan import Speed
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside import questions
from kalooki_tui.tui.tableside.notes import Watching
from kalooki_tui.tui.widgets.hand import LONG, NAME, HandsView, hands_layout, rows_for_hands
from scripts.scenes import middle
from tests.tui.conftest import match_of, press, table_of, text_of, until_happened, wait_until
from tests.tui.driving import click_on
from tests.tui.openings import AppAtPosition, app_at_table, asked, at_table, plan, running


async def test_a_watched_match_stops_at_the_end_of_a_deal_and_runs_to_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "WATCHED_SECONDS", 60.0)  # enter leads on, however busy the machine is
    watched = plan("ai:club", "ai:club", "ai:novice", options=("deals=1",), seed=10)
    async with running(app_at_table(watched), (100, 60)) as (pilot, app):
        await wait_until(pilot, lambda: "Deal 1 of 3 is over" in text_of(app))
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.screen.name == "match-over" and "points a deal" in text_of(app))
        table = table_of(app).session._table
        assert table.match.finished
        assert "the match" in text_of(app)
        assert "i rules · s scores" in text_of(app)  # its keys are named, as on every question
        assert all(table.match.names[seat] in text_of(app) for seat in table.match.winners)
        await wait_until(pilot, lambda: not app.screen.is_opening)
        # The keys that close other pages do nothing here, where two ways lead on.
        await press(pilot, "enter", "h", until=lambda: app.screen.name == "home-screen")


async def test_a_turn_is_played_by_mouse() -> None:
    async with at_table(AppAtPosition(middle("Ann", "draw"))) as (pilot, app, table):
        await click_on(pilot, table.piles, "stock")
        await wait_until(pilot, lambda: table.state.view.phase is Phase.PLAY)
        await click_on(pilot, table.hand, 0)
        thrown = table.hand.selected[0]
        await click_on(pilot, table.piles, "discard")
        await until_happened(pilot, app, Discarded, 0)
        assert thrown in [event.card for event in match_of(app).deal.history if isinstance(event, Discarded)]


async def test_the_log_tells_of_moves_made_before_anybody_could_look() -> None:
    async with asked(app_at_table(plan("ai:club", "ai:club", "Ann"))) as (_, app):
        screen = table_of(app)
        match = screen.session._table.match
        told = [log_line(event, match.names, match.rules) for event in screen.session._table.view(0).history]
        assert screen.log_view.lines == tuple(line for line in reversed(told) if line is not None)
        # Where a person plays, nothing shows all hands.
        assert not screen.query(HandsView)
        assert "Hands" not in text_of(app)


def ending(*out: str) -> AppAtPosition:
    """Kalookie 40: Bob goes out with his next card, and these people have been eliminated before."""
    people = "\n".join(f'  - {{name: {name}, hand: "", score: 160, eliminated: true}}' for name in out)
    return AppAtPosition(f"""
ruleset: kalookie-40
deal: 3
dealer: Cat
turn: Bob
phase: play
seats:
{people}
  - {{name: Bob, hand: 2D, laid: true}}
  - {{name: Cat, hand: 4D 7H}}
pool: 40
discard: KH
""")


async def test_the_match_goes_on_by_itself_where_everybody_at_the_keyboard_is_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(turn_loop.SPEED_FACTOR, Speed.NATURAL, 0.01)
    async with running(ending("Ann", "Zoe")) as (pilot, app):
        match = app.position_table.match
        await wait_until(pilot, lambda: match.deal.number > 3 and len(match.deal.history) > 5)
        assert match.totals[0] == 160


async def test_the_end_of_a_deal_can_be_read_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(turn_loop.SPEED_FACTOR, Speed.NATURAL, 60.0)
    async with asked(ending("Ann"), "deal-over") as (pilot, app):
        screen = app.screen
        assert "goes on by itself" in text_of(app)
        await press(pilot, "z", until=lambda: "goes on by itself" not in text_of(app))
        screen._go_by_itself()
        await pilot.pause()
        assert app.screen is screen
        await press(pilot, "enter", until=lambda: app.position_table.match.deal.number == 4)


def test_hands_of_all_seats_fit_in_their_part_of_every_screen() -> None:
    sizes = ((80, 24), (120, 36), (160, 45), (200, 50))
    for seats, (width, height) in product(range(2, 12), sizes):
        layout = hands_layout(seats, width, max(seats, rows_for_hands(height)))
        assert layout.height <= max(seats, rows_for_hands(height))
        assert width // layout.columns - NAME >= 3 * LONG
    heights = [hands_layout(4, width, rows_for_hands(height)).size[1] for width, height in sizes]
    assert heights == sorted(heights)
    assert heights[1] >= 4
    assert heights[-1] >= 7


async def test_a_key_shows_all_hands_and_hides_them_again() -> None:
    # At once a whole match may be over before it is halted.
    watched = replace(plan("ai:novice", "ai:novice", "ai:novice", ruleset="kooky"), speed=Speed.NATURAL)
    async with asked(app_at_table(watched), "deal-intro") as (pilot, app):
        await press(pilot, "enter", until=lambda: isinstance(app.screen, TableScreen) and app.screen.is_live)
        table = table_of(app)
        table.session.set_paused(True)
        await wait_until(pilot, lambda: table.state.view.phase is not Phase.CUT)
        assert not table.note.display, "nobody is there to whom a rule matters"
        hands = table.query_one(HandsView)
        assert not hands.display
        await press(pilot, "a", until=lambda: hands.display and hands._strips)
        drawn = "".join(strip.text for strip in hands._strips)
        match = table.session._table.match
        for seat, name in enumerate(match.names):
            assert name[: NAME - 3] in drawn
            for card in match.view(seat).hand:
                assert match.rules.faces.symbol(card)[:-1] in drawn
        await press(pilot, "a")
        assert not hands.display
        assert not hands._hands
        await press(pilot, "question_mark", until=lambda: "While you watch" in text_of(app))
        assert "Draw the top card" not in text_of(app)
        await press(pilot, "escape", "q", until=lambda: "to go on watching" in " ".join(text_of(app).split()))


async def test_hands_lie_open_from_the_first_card_on_where_that_is_asked_for() -> None:
    watched = replace(plan("ai:novice", "ai:novice", "ai:novice"), speed=Speed.NATURAL, open_hands=True)
    async with app_at_table(watched).run_test(size=(80, 24)) as pilot:
        app = pilot.app
        await wait_until(pilot, lambda: app.screen.name == "deal-intro")
        await wait_until(pilot, lambda: bool(table_of(app).query_one(HandsView)._hands))


def test_what_is_beside_a_table_takes_no_key_of_the_table() -> None:
    taken = [key for command in (*COMMANDS, *HAND, *MELDS) for key in command.keys.split(",")]
    assert not {key for command in Watching.offered for key in command.keys.split(",")} & {*taken}
