"""The list of matches: keys that come before it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from kalooki_tui.store.paths import MATCHES, data_folder
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.matches import COMMANDS, MatchesScreen
from tests.ui.conftest import Thinks, app_at_table, is_asked, plan, wait_until


async def leave_a_match() -> None:
    """Begin a match, so that the list has one."""
    app = app_at_table(plan("Ann", "ai:club", "ai:club"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_asked(app))


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
async def test_what_comes_before_the_list_is_there_does_nothing(command: str) -> None:
    await leave_a_match()
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        app.show_matches()
        screen = app.screen
        assert isinstance(screen, MatchesScreen)
        screen.run_command(command)
        await wait_until(pilot, lambda: screen.is_mounted and screen.marked is not None)
        assert app.screen is screen


async def test_a_damaged_match_is_listed_last_and_says_what_can_be_done(tmp_path: Path) -> None:
    await leave_a_match()
    await leave_a_match()
    folder = data_folder() / MATCHES
    broken = min(folder.glob("*.jsonl"))
    broken.write_bytes(broken.read_bytes().replace(b'"do"', b'"od"', 1))
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        app.show_matches()
        screen = app.screen
        assert isinstance(screen, MatchesScreen)
        await wait_until(pilot, lambda: screen.is_mounted and len(screen.list_of_matches.options) == 2)
        last = screen.list_of_matches.options[1]
        assert "damaged: " in str(last.prompt)
        screen.list_of_matches.highlighted = 1
        screen.run_command("match-open")
        assert app.screen is screen
        await wait_until(pilot, lambda: any("cannot be played on" in note.message for note in app._notifications))
        screen.run_command("match-export")
        await wait_until(pilot, lambda: app.screen.name == "ask-file")
        app.screen.query_one(Input).value = str(tmp_path / "rest.jsonl")
        await pilot.press("enter")
        await wait_until(pilot, (tmp_path / "rest.jsonl").exists)
        await wait_until(pilot, lambda: app.screen is screen)
        screen.run_command("match-delete")
        await wait_until(pilot, lambda: app.screen is not screen)
        await pilot.press("y")
        await wait_until(pilot, lambda: app.screen is screen and len(screen.list_of_matches.options) == 1)
    assert not list(folder.glob("*.damaged-*"))
