"""Matches played at the screen, by keys and by mouse; people who are out of the match look on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

import pytest

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.table import flow
from kalooki_tui.desk.words import log_line
from kalooki_tui.engine.events import Discarded, Scored
from tests.ui.conftest import (
    AppAtPosition,
    alone,
    app_at_table,
    is_asked,
    match_of,
    plan,
    press,
    table_of,
    text_of,
    wait_until,
)
from tests.ui.driving import answer, answer_by_mouse, play_until
from tests.ui.openings import asked, running


async def test_a_deal_is_played_by_keys_to_its_end() -> None:
    async with running(alone()) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "deal-over")
        table = table_of(app).sitting._table
        scored = table.match.deal.history[-1]
        assert isinstance(scored, Scored)
        shown = text_of(app)
        for name, total in zip(table.match.names, scored.totals, strict=True):
            assert name in shown
            assert f"= {total:>4d}" in shown
        await press(pilot, "enter", until=lambda: is_asked(app))
        assert table.match.deal.number == 2


@pytest.mark.parametrize("ruleset", ["tuluki", "kalookie-40", "kooky", "trinidad"])
async def test_every_kind_of_game_can_be_played(ruleset: str) -> None:
    seats = ("Ann", "ai:club") if ruleset in ("tuluki", "kalookie-40") else ("Ann", "ai:club", "ai:novice")
    async with running(app_at_table(plan(*seats, ruleset=ruleset, seed=5))) as (pilot, app):
        await play_until(pilot, app, lambda: app.screen.name == "deal-over")
        events = match_of(app).deal.history
        assert len(events) > 20


async def test_a_watched_match_runs_to_its_result() -> None:
    async with asked(app_at_table(plan("ai:club", "ai:club", "ai:novice")), "match-over") as (pilot, app):
        table = table_of(app).sitting._table
        assert table.match.finished
        assert "the match" in text_of(app)
        assert "i rules · s scores" in text_of(app)  # its keys are named, as on every question
        assert all(table.match.names[seat] in text_of(app) for seat in table.match.winners)
        await press(pilot, "h", until=lambda: app.screen.name == "home-screen")


async def test_a_program_plays_a_seat(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if 'ask' in said:\n"
        "        print(said['options'][0], flush=True)\n"
    )
    async with running(app_at_table(plan("Ann", f"Bot=exec:{quote(sys.executable)} {bot}", "ai:club"))) as (pilot, app):
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
    async with running(app_at_table(plan("Ann", f"Bot=exec:{quote(sys.executable)} {bot}", "ai:club"))) as (pilot, app):
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
    async with running(alone()) as (pilot, app):
        for _ in range(200):
            await wait_until(pilot, lambda: is_asked(app))
            if app.screen.name == "deal-over":
                break
            await answer_by_mouse(pilot, app)
        assert app.screen.name == "deal-over"
        await pilot.click(app.screen.query(".report").first())
        await wait_until(pilot, lambda: is_asked(app))
        assert match_of(app).deal.number == 2


@pytest.mark.parametrize("seed", range(3, 9))
async def test_the_log_tells_of_moves_made_before_anybody_could_look(seed: int) -> None:
    async with asked(app_at_table(plan("ai:club", "ai:club", "Ann", seed=seed))) as (_, app):
        screen = table_of(app)
        match = screen.sitting._table.match
        told = [log_line(event, match.names, match.rules) for event in screen.sitting._table.view(0).history]
        assert screen.log_view.lines == tuple(line for line in reversed(told) if line is not None)


def ending(*others: Sequence[str], out: Sequence[str]) -> AppAtPosition:
    """Kalookie 40: Bob goes out with his next card, and these people have been eliminated before."""
    people = "\n".join(f'  - {{name: {name}, hand: "", score: 160, eliminated: true}}' for name in out)
    seats = "\n".join(f"  - {{name: {name}, hand: {hand}}}" for name, hand in others)
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
{seats}
pool: 40
discard: KH
""")


@pytest.mark.parametrize("out", [["Ann"], ["Ann", "Zoe"]], ids=["one", "two"])
async def test_the_match_goes_on_by_itself_where_everybody_at_the_keyboard_is_out(
    out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 0.01)
    async with running(ending(out=out)) as (pilot, app):
        match = app.position_table.match
        await wait_until(pilot, lambda: match.deal.number > 3 and len(match.deal.history) > 5)
        assert match.totals[0] == 160


async def test_the_end_of_a_deal_can_be_read_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 60.0)
    async with asked(ending(out=["Ann"]), "deal-over") as (pilot, app):
        screen = app.screen
        assert "goes on by itself" in text_of(app)
        await press(pilot, "z", until=lambda: "goes on by itself" not in text_of(app))
        screen._go_by_itself()
        await pilot.pause()
        assert app.screen is screen
        await press(pilot, "enter", until=lambda: app.position_table.match.deal.number == 4)


async def test_who_is_still_in_the_match_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 0.0)
    async with asked(ending(("Zoe", "5D 9H"), out=["Ann"]), "deal-over") as (pilot, app):
        assert "goes on by itself" not in text_of(app)
        await press(pilot, "enter", until=lambda: match_of(app).deal.number == 4)
        await wait_until(pilot, lambda: app.screen.name == "curtain")
        assert "It is Zoe's turn" in text_of(app)
