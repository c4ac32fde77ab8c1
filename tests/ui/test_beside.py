"""Questions lie beside what they are about: melds, piles, the newest lines of the log and the hand stay in sight."""

from __future__ import annotations

from time import monotonic

import pytest

from kalooki_tui.desk.table.moves import Way
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens import question
from kalooki_tui.ui.screens.dialogs import Ask
from kalooki_tui.ui.widgets.canvas import in_rows
from kalooki_tui.ui.widgets.choices import Choice, ChoiceLine
from scripts.make_screenshots import middle
from tests.ui.conftest import AppAtPosition, press, table_of, text_of, until_so, wait_until
from tests.ui.openings import asked, at_table

SIZES = [(80, 24), (120, 36), (160, 45), (200, 50)]
DECISION = middle("Ann", "decision", "caller: Bob")


def frame_is_clear(app: KalookiApp) -> None:
    """Nothing that a question is about lies under its frame."""
    table, frame = table_of(app), app.screen.query_one(".dialog").region
    for part in (table.seats, table.melds, table.piles, table.hand):
        assert not part.region.overlaps(frame), part
    assert table.piles.region.height == table.piles.outer_size.height >= 6
    assert table.log_view.region.height >= 1
    assert not table.log_view.region.overlaps(frame)
    layout = table.melds._layout_now
    assert layout.fits(table.melds.size.width, table.melds.size.height)


@pytest.mark.parametrize("size", SIZES)
async def test_allow_or_refuse_covers_nothing_it_is_about(size: tuple[int, int]) -> None:
    async with asked(AppAtPosition(DECISION), "decision", size=size) as (pilot, app):
        await until_so(pilot, lambda: frame_is_clear(app))
        assert "Your hand" not in text_of(app)
        before = table_of(app).hand.cards
        await press(pilot, "h", until=lambda: app.screen.query_one("#told").display)
        await until_so(pilot, lambda: frame_is_clear(app))
        await press(pilot, "r", until=lambda: app.screen.name == "table")
        assert table_of(app).status.styles.margin.top == 0
        hand = table_of(app).hand.cards
        assert hand[: len(before)] == before


@pytest.mark.parametrize("size", SIZES)
async def test_which_end_a_joker_goes_to_is_asked_below_the_melds(size: tuple[int, int]) -> None:
    async with at_table(AppAtPosition(middle("Ann", "play")), size=size) as (pilot, app, _):
        table, chosen = table_of(app), []
        ways = [Way("low 2♥ 3♥ 4♥ 5♥ 6♥", "low", "l"), Way("high 3♥ 4♥ 5♥ 6♥ 7♥", "high", "h")]
        table.choose("Which end?", "The cards fit at either end.", ways, chosen.append)
        await wait_until(pilot, lambda: app.screen.name == "question")
        await until_so(pilot, lambda: frame_is_clear(app))
        await press(pilot, "h", until=lambda: app.screen.name == "table")
        assert chosen == ["high"]
        assert table.status.styles.margin.top == 0


async def test_a_question_finds_its_place_anew_in_a_terminal_of_another_size() -> None:
    async with asked(AppAtPosition(DECISION), "decision") as (pilot, app):
        await pilot.resize_terminal(160, 45)
        await until_so(pilot, lambda: frame_is_clear(app))
        await pilot.resize_terminal(80, 24)
        await until_so(pilot, lambda: frame_is_clear(app))


async def test_the_one_person_called_you_is_not_addressed_by_that_name() -> None:
    app = AppAtPosition(DECISION.replace("name: Ann", "name: You").replace("turn: Ann", "turn: You"))
    async with asked(app, "decision"):
        assert "Allow the call?" in text_of(app)
        assert "You, allow" not in text_of(app)


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


def test_answers_stand_side_by_side_as_far_as_there_is_room() -> None:
    assert in_rows([70, 40, 20], 74) == [[0], [1, 2]]
    assert in_rows([10, 10, 10], 32) == [[0, 1, 2]]
    assert in_rows([10, 10, 10], 31) == [[0, 1], [2]]
    assert in_rows([100], 74) == [[0]]
    assert in_rows([], 74) == []


async def test_keys_of_the_pass_screen_look_like_keys_only_while_they_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.4)
    app = AppAtPosition(
        middle("Cat", "call-window", "discarded_by: Dee").replace("name: Bob", "name: Zoe").replace("Bob", "Zoe")
    )
    async with asked(app, "callers") as (pilot, _):

        def looks_live() -> bool:
            contents = [line.content for line in app.screen.query(ChoiceLine)]
            return not any("muted" in str(content.spans[0].style) for content in contents)

        screen = app.screen
        assert not screen.is_heard
        assert not looks_live()
        await wait_until(pilot, looks_live)
        assert screen.is_heard


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)], ids=str)
async def test_nothing_behind_a_question_is_cut_inside_a_word(size: tuple[int, int]) -> None:
    async with at_table(AppAtPosition(middle("Ann", "play")), size) as (pilot, app, _):
        app.overlays.show(Ask("What now?", "", [Choice("y", "Yes", True), Choice("n", "No", False)]))
        await wait_until(pilot, lambda: "What now?" in text_of(app))
        frame = app.screen.query_one(".dialog").region
        assert (frame.x, frame.width) == (0, size[0]), "whole rows lie above and below it, and none beside it"
