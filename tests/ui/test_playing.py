"""Matches played at the screen, by keys and by mouse."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote

import pytest

from kalooki_tui.desk.words import log_line
from kalooki_tui.engine.events import Discarded, Scored
from kalooki_tui.engine.view import Phase
from kalooki_tui.ui.screens.table import TableScreen
from tests.ui.conftest import app_at_table, is_asked, plan, short, table_of, text_of, wait_until
from tests.ui.driving import answer, answer_by_mouse, play_to, play_until
from tests.ui.openings import asked


async def test_a_deal_is_played_by_keys_to_its_end() -> None:
    app = app_at_table(plan("Ann", "ai:club", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: app.screen.name == "deal-over")
        table = table_of(app).sitting._table
        scored = table.match.deal.history[-1]
        assert isinstance(scored, Scored)
        shown = text_of(app)
        for name, total in zip(table.match.names, scored.totals, strict=True):
            assert name in shown
            assert f"= {total:>4d}" in shown
        await pilot.press("enter")
        await wait_until(pilot, lambda: is_asked(app))
        assert table.match.deal.number == 2


@pytest.mark.parametrize("ruleset", ["tuluki", "kalookie-40", "kooky", "trinidad"])
async def test_every_kind_of_game_can_be_played(ruleset: str) -> None:
    seats = ("Ann", "ai:club") if ruleset in ("tuluki", "kalookie-40") else ("Ann", "ai:club", "ai:novice")
    app = app_at_table(plan(*seats, ruleset=ruleset, seed=5))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: app.screen.name == "deal-over")
        events = table_of(app).sitting._table.match.deal.history
        assert len(events) > 20


async def test_a_watched_match_runs_to_its_result() -> None:
    async with asked(app_at_table(plan("ai:club", "ai:club", "ai:novice")), "match-over") as (pilot, app):
        table = table_of(app).sitting._table
        assert table.match.finished
        assert "the match" in text_of(app)
        assert "i rules · s scores" in text_of(app)  # its keys are named, as on every question
        assert all(table.match.names[seat] in text_of(app) for seat in table.match.winners)
        await pilot.press("h")
        await wait_until(pilot, lambda: app.screen.name == "home-screen")


async def test_the_same_seats_play_again() -> None:
    async with asked(app_at_table(short("ai:club", "ai:club", "ai:novice")), "match-over") as (pilot, app):
        first = table_of(app)
        await pilot.press("a")
        # The table may lie under the end of a deal already.
        await wait_until(
            pilot, lambda: any(isinstance(screen, TableScreen) and screen is not first for screen in app.screen_stack)
        )
        again = table_of(app).sitting._table
        assert again is not first.sitting._table
        assert [plan.name for plan in again.plans] == [plan.name for plan in first.sitting._table.plans]
        # Its seed is a new one, so how long it takes is not known: it is enough that it is played.
        await wait_until(pilot, lambda: len(again.match.deal.history) > 20 or again.match.deal.number > 1)


async def test_a_program_plays_a_seat(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if 'ask' in said:\n"
        "        print(said['options'][0], flush=True)\n"
    )
    app = app_at_table(plan("Ann", f"Bot=exec:{quote(sys.executable)} {bot}", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(8):
            await wait_until(pilot, lambda: is_asked(app))
            await answer(pilot, app)
        screen = table_of(app)
        bot_seat = screen.sitting._table.match.names.index("Bot")
        assert any(
            isinstance(event, Discarded) and event.seat == bot_seat
            for event in screen.sitting._table.match.deal.history
        )
        assert not any("goes on" in line.text for line in screen.log_view.lines)


async def test_a_program_that_is_refused_three_times_is_replaced_and_the_table_says_so(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    if 'ask' in json.loads(line) or 'refused' in json.loads(line):\n"
        "        print('end', flush=True)\n"
    )
    app = app_at_table(plan("Ann", f"Bot=exec:{quote(sys.executable)} {bot}", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(30):
            await wait_until(pilot, lambda: is_asked(app))
            screen = table_of(app)
            bot_seat = screen.sitting._table.match.names.index("Bot")
            history = screen.sitting._table.match.deal.history
            if any(isinstance(event, Discarded) and event.seat == bot_seat for event in history):
                break
            await answer(pilot, app)
        told = [line.text for line in screen.log_view.lines if "novice AI plays on" in line.text]
        assert len(told) == 1
        assert "was refused 3 times" in told[0]
        assert screen.sitting._flow.driver.programs[bot_seat].failed


async def test_a_deal_is_played_by_mouse_to_its_end() -> None:
    app = app_at_table(plan("Ann", "ai:club", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(200):
            await wait_until(pilot, lambda: is_asked(app))
            if app.screen.name == "deal-over":
                break
            await answer_by_mouse(pilot, app)
        assert app.screen.name == "deal-over"
        await pilot.click(app.screen.query(".report").first())
        await wait_until(pilot, lambda: is_asked(app))
        assert table_of(app).sitting._table.match.deal.number == 2


async def test_commands_of_the_footer_can_be_clicked() -> None:
    app = app_at_table(plan("Ann", "ai:club", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await play_to(pilot, app, Phase.DRAW)
        await pilot.click("CommandBar", offset=(2, 0))
        await wait_until(pilot, lambda: screen.desk.view.phase is Phase.PLAY)


@pytest.mark.parametrize("seed", range(3, 9))
async def test_the_log_tells_of_moves_made_before_anybody_could_look(seed: int) -> None:
    async with asked(app_at_table(plan("ai:club", "ai:club", "Ann", seed=seed))) as (_, app):
        screen = table_of(app)
        match = screen.sitting._table.match
        told = [log_line(event, match.names, match.rules) for event in screen.sitting._table.view(0).history]
        assert screen.log_view.lines == tuple(line for line in reversed(told) if line is not None)
