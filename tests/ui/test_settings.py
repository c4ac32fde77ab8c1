"""Settings: changed on their screen, kept in a file, never over one that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.engine.view import Phase
from kalooki_tui.store.player.settings import SettingsFile
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.wording import ASCII
from tests.drivers.keyboard import Thinks
from tests.ui.conftest import alone, app_at_table, is_asked, plan, press, table_of, text_of, wait_until
from tests.ui.driving import play_to
from tests.ui.openings import asked, at_home, played_to, running


async def test_what_is_changed_holds_at_once_and_the_next_time(own_home: Path) -> None:
    async with at_home() as (pilot, app):
        await press(pilot, "o", until=lambda: app.screen.name == "settings")
        await press(pilot, "t", "4", "m", "b", "s")
        assert app.theme == "kalooki-midnight"
        assert app.look.four_colours
        assert app.look.reduced_motion
        assert app.animation_level == "none"
        shown = text_of(app)
        assert "midnight" in shown
        assert "instant" in shown
        # Each stands on one line.
        assert "costly moves in teaching matches" in shown
        assert "explain a rule when it matters" in shown
        await pilot.press("escape")
    kept = SettingsFile.load().settings
    assert kept.theme == "kalooki-midnight"
    assert kept.four_colour
    assert not kept.bell
    async with at_home() as (_, app):
        assert app.theme == "kalooki-midnight"
        assert app.look.four_colours


async def test_ascii_leaves_no_other_glyph_on_the_screen() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await press(pilot, "a", "escape", until=lambda: app.screen is screen)
        await wait_until(pilot, lambda: text_of(app).isascii())
        shown = text_of(app)
        assert not set(shown) & set(ASCII)
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await press(pilot, "a", "escape", until=lambda: app.screen is screen and not text_of(app).isascii())


async def test_the_speed_of_the_match_changes_with_the_setting() -> None:
    async with played_to(alone(), Phase.DRAW) as (pilot, app, screen):
        assert app.settings.ai_speed == "instant"
        await press(pilot, "comma", until=lambda: app.screen.name == "settings")
        await press(pilot, "s", "escape", until=lambda: app.screen is screen)
        assert screen.sitting.speed is Speed.BRISK
        assert screen.sitting._live.ui_state["speed"] == "brisk"


async def test_a_broken_file_is_reported_by_its_line_and_left_alone(own_home: Path) -> None:
    file = own_home / "settings.toml"
    broken = 'theme = "kalooki-paper"\nbell = "loud"\n'
    file.write_text(broken)
    async with asked(KalookiApp(routes.new_match(plan("Ann", "ai:club", "ai:club")), Thinks())) as (pilot, app):
        told = [notice.message for notice in app._notifications]
        assert any("settings.toml:2" in message and "bell" in message for message in told), told
        assert app.theme == "kalooki-paper"
        await press(pilot, "v")
    assert file.read_text() == broken
    async with at_home() as (_, app):
        app.set(four_colour=True)
    assert SettingsFile.load().settings.four_colour
    (aside,) = own_home.glob("settings.damaged-*.toml")
    assert aside.read_text() == broken


async def test_an_unknown_theme_is_reported(own_home: Path) -> None:
    (own_home / "settings.toml").write_text('theme = "plaid"\n')
    async with at_home() as (_, app):
        assert any("no theme 'plaid'" in notice.message for notice in app._notifications)
    assert SettingsFile.load().settings.theme == "plaid"


async def test_the_last_set_up_is_there_again() -> None:
    async with asked(app_at_table(plan("Zoe", "ai:novice", "ai:club", teaching=True))):
        pass  # sitting down is enough
    async with running(KalookiApp(thinker=Thinks())) as (pilot, app):
        await wait_until(pilot, lambda: "Play again" in text_of(app))
        assert app.settings.names == ["Zoe"]
        await press(pilot, "p", until=lambda: is_asked(app))
        made = table_of(app).plan
        assert [seat.player for seat in made.seats] == ["human", "ai:novice", "ai:club"]
        assert made.teaching
        assert made.ruleset == "baby"
        assert len(app.store.unfinished()) == 2


async def test_the_theme_chosen_from_the_palette_is_kept() -> None:
    async with at_home() as (pilot, app):
        app.theme = "kalooki-contrast"
        await wait_until(pilot, lambda: SettingsFile.load().settings.theme == "kalooki-contrast")


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_rings_for_the_persons_turn_unless_it_is_off(bell: bool) -> None:
    app = alone()
    rung: list[Phase] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.set(bell=bell)
        await wait_until(pilot, lambda: any(isinstance(one, TableScreen) for one in app.screen_stack))
        sitting = table_of(app).sitting
        app.bell = lambda: rung.append(sitting._table.match.phase)
        await play_to(pilot, app, Phase.PLAY)
        await play_to(pilot, app, Phase.DRAW)
        assert (Phase.DRAW in rung) == bell
        assert set(rung) <= {Phase.DRAW, Phase.DECISION, Phase.CALL_WINDOW}


async def test_a_card_that_may_be_called_rings_twice() -> None:
    app = alone()
    rung: list[int] = []
    async with played_to(app, Phase.CALL_WINDOW) as (pilot, _, screen):
        app.bell = lambda: rung.append(1)
        screen.prompts.ask(0)
        assert len(rung) == 1
        await wait_until(pilot, lambda: len(rung) == 2)
