"""The clock of one person among AI seats where whoever is first gets the card."""

from __future__ import annotations

import asyncio

import pytest

from kalooki_tui.engine.events import Called, Passed
from kalooki_tui.engine.view import View
from kalooki_tui.players.protocol import Decision
from kalooki_tui.ui.screens import passing
from tests.drivers.keyboard import Thinks
from tests.moments import call_window
from tests.ui.conftest import AppAtPosition, table_of, text_of, wait_until


class Waits(Thinks):
    """AI seats that never come to a decision."""

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        await asyncio.Event().wait()
        raise AssertionError


def app_at_race() -> AppAtPosition:
    app = AppAtPosition(call_window(turn="Cat", thrower="Bob", race=True))
    app.thinker = Waits()
    return app


async def test_the_clock_is_seen_and_ends_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "SECOND", 60.0)
    app = app_at_race()
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "██████████ 5 s" in text_of(app))
        table = table_of(app)
        history = app.position_table.match.deal.history
        assert not any(isinstance(event, Passed) and event.seat == 0 for event in history)
        monkeypatch.setattr(passing, "SECOND", 0.01)
        table.clock.start(0, 5)
        await wait_until(pilot, lambda: any(isinstance(event, Passed) and event.seat == 0 for event in history))
        await wait_until(pilot, lambda: table.clock.words == "")


async def test_the_clock_stands_still_while_something_lies_over_the_table() -> None:
    app = app_at_race()
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: table_of(app).clock.words != "")
        await pilot.press("i")
        await wait_until(pilot, lambda: app.screen.name == "rules")
        table_of(app).clock._left = 0.05
        await pilot.pause(0.4)
        history = app.position_table.match.deal.history
        assert not any(isinstance(event, Passed) for event in history)
        await pilot.press("escape")
        await wait_until(pilot, lambda: any(isinstance(event, Passed) and event.seat == 0 for event in history))


async def test_a_key_calls_while_the_clock_runs() -> None:
    app = app_at_race()
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: table_of(app).clock.words != "")
        await pilot.press("c")
        history = app.position_table.match.deal.history
        await wait_until(pilot, lambda: any(isinstance(event, Called) and event.seat == 0 for event in history))
