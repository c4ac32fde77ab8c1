"""The screens round the table: home and what it goes on with, set-up, too small a terminal."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import OptionList

from kalooki_tui.engine.events import Charged, DroppedOut, History, Scored
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.settings_file import LastSetup, SettingsFile
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.home import COMMANDS
from kalooki_tui.tui.screens.question import FINGER, HAIR, CutDeck
from kalooki_tui.tui.screens.scores import DealOverScreen, MatchOverScreen, seat_reports
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.row import LeftRow
from tests.drivers.keyboard import Thinks
from tests.storage.tables import open_table
from tests.tui import samples
from tests.tui.conftest import go, press, text_of, wait_until
from tests.tui.openings import alone, at_home, plan, played_to, running


@asynccontextmanager
async def deal_over(
    view: View, scored: Scored, totals: Sequence[Sequence[int]], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], KalookiApp, DealOverScreen]]:
    """The page at the end of a deal that was scored so."""
    async with running(KalookiApp(thinker=Thinks()), size) as (pilot, app):
        screen = DealOverScreen(replace(view, history=History([scored])), totals)
        await app.push_screen(screen)
        yield pilot, app, screen


async def test_a_small_terminal_says_what_it_needs_and_the_hand_has_the_keys_again_when_it_has_grown() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        before = screen.state.view
        await pilot.resize_terminal(79, 23)
        await wait_until(pilot, lambda: "needs 80 columns and 24 rows" in text_of(app))
        assert "hand" not in text_of(app)
        await pilot.press("d", "p", "x")
        assert screen.state.view == before
        await pilot.resize_terminal(80, 24)
        await wait_until(pilot, lambda: "needs 80 columns" not in text_of(app) and screen.focused is screen.hand)


def test_a_cut_begins_anywhere_and_no_two_movements_need_be_alike() -> None:
    decks = [CutDeck(108, random.Random(seed)) for seed in range(40)]
    starts = {deck.count for deck in decks}
    assert len(starts) > 10
    assert min(starts) >= 27
    assert max(starts) <= 81
    moved = []
    for deck in decks:
        before = deck.count
        deck.move(1, HAIR)
        moved.append(deck.count - before)
    assert set(moved) == {1, 2, 3, 4}
    # A packet never holds no card, or all.
    for direction, end in ((-1, 1), (1, 107)):
        for _ in range(30):
            decks[0].move(direction, FINGER)
        assert decks[0].count == end


def test_the_hand_of_the_last_seat_in_the_deal_is_said_not_to_count() -> None:
    view = samples.view(seats=3, deal=1, melds=())
    scored = Scored(None, False, False, ((), (19, 20), ()), (80, 0, 70), (80, 0, 70))
    history = History([Charged(0, 80, "F3"), DroppedOut(0, None), scored])
    report = seat_reports(replace(view, history=history, in_deal=(False, True, True)), scored)
    told = "\n".join(words.plain for words, _ in report)
    assert "not counted: the last seat in the deal" in told
    assert "dropped out after a challenge" in told
    assert "+80: lost a challenge: the hand plus 50 (F3)" in told


async def test_what_eight_seats_were_left_with_lies_side_by_side_and_the_chart_takes_the_other_rows() -> None:
    totals = [tuple(10 * deal * seat for seat in range(8)) for deal in range(1, 6)]
    view = samples.view(seats=8, deal=5, totals=totals[-1], melds=())
    scored = Scored(0, False, False, ((), *((view.hand,) * 7)), (0, *((80,) * 7)), totals[-1])
    async with deal_over(view, scored, totals, size=(160, 45)) as (pilot, app, screen):
        chart, scroll = screen.query_one(ScoreChart), screen.query_one(VerticalScroll)
        await wait_until(pilot, lambda: chart.grown > 0)
        rows = screen.query(LeftRow)
        assert len({row.region.x for row in rows}) == 2
        assert {row.size.height for row in rows} == {4}
        await wait_until(pilot, lambda: chart.region.bottom <= scroll.region.bottom)
        assert scroll.max_scroll_y == 0
        await pilot.resize_terminal(80, 24)
        await wait_until(pilot, lambda: "end scrolls down" in text_of(app))
        await press(pilot, "end", until=lambda: "Hal 350" in text_of(app))


async def test_the_match_left_last_is_offered_also_where_no_step_was_made() -> None:
    with Store.open() as store:
        first, second = (store.begin(open_table("baby")) for _ in range(2))
        first.close()
        second.close()
        store.resume(first.id).close()
    async with at_home() as (_, app):
        assert "Continue Baby Kalooki" in text_of(app)
        assert app.screen.waiting.id == first.id


async def test_all_there_is_to_do_stands_in_the_smallest_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [*("Fitzgerald-Montmorency", "Maximiliane"), *("ai:club",) * 4]
    with Store.open() as store:
        store.begin(plan(*seats, ruleset="jamaican").open()).close()
    settings = SettingsFile.load()
    settings.save(replace(settings.settings, last=LastSetup(seats=seats)))
    monkeypatch.setattr(KalookiApp, "due", property(lambda app: 3))
    async with running(KalookiApp(thinker=Thinks())) as (pilot, app):
        await wait_until(pilot, lambda: "Quit" in text_of(app))
        assert len(app.screen._open) >= len(COMMANDS) - 1
        text = text_of(app)
        assert "Continue Jamaican Kalooki · deal 1 of 9 · today" in text
        assert "Dot 0" in text  # the last seat's
        assert "finds any command" in text


async def test_without_colours_the_marked_line_of_a_menu_or_a_list_is_underlined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_home((80, 24)) as (pilot, app):
        assert [line.styles.text_style.underline for line in app.screen.query(".choice.-current")] == [True]
        await press(pilot, "n", "enter", until=lambda: isinstance(app.screen.focused, OptionList))
        assert isinstance(shown := app.screen.focused, OptionList)
        assert shown.get_visual_style("option-list--option-highlighted").underline


NAMES = ("Ann", "Bob", "Cat")


def ended(names: tuple[str, ...], totals: tuple[int, ...]) -> View:
    return replace(samples.view("jamaican"), names=names, totals=totals)


async def test_one_key_leads_from_the_end_of_a_match_to_its_review_where_it_is_saved() -> None:
    opened: list[str] = []
    view, totals = ended(NAMES, (10, 30, 40)), [(10, 30, 40)]
    async with at_home() as (pilot, app):
        app.push_screen(MatchOverScreen(view, (0,), totals, 3, review=lambda: opened.append("review")))
        await wait_until(pilot, lambda: "v review" in text_of(app))
        await press(pilot, "v", until=lambda: opened == ["review"])
        app.push_screen(other := MatchOverScreen(view, (0,), totals, 3))
        await wait_until(pilot, lambda: app.screen is other and "h home" in text_of(app))
        assert "review" not in text_of(app)


async def test_a_match_that_was_only_watched_is_none_that_was_played() -> None:
    async with at_home() as (pilot, app):
        await go(pilot, app, routes.watch_ai(), lambda: app.screen.name == "table")
        await go(pilot, app, routes.home(), lambda: "Matches: 1 watched" in text_of(app))
        assert "Never played?" in text_of(app)
