"""The list of matches: keys that come before it is there."""

from __future__ import annotations

import pytest

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
