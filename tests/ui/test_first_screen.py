"""Which match the first screen goes on with: the one that was left last, and none that was only watched."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import OptionList

from kalooki_tui.store.matches import Store
from kalooki_tui.store.player.settings import LastSetup, SettingsFile
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.playing.prompts import DealIntro
from kalooki_tui.ui.screens.home import COMMANDS, HALL_ROWS, TitleArt
from kalooki_tui.ui.widgets.banner import EXAMPLE_SIZES, DealBanner
from kalooki_tui.ui.widgets.choices import ChoiceLine
from tests.drivers.keyboard import Thinks
from tests.store.tables import open_table
from tests.ui import samples
from tests.ui.conftest import plan, text_of, wait_until
from tests.ui.openings import at_home


async def test_the_match_left_last_is_offered_also_where_no_step_was_made() -> None:
    with Store.open() as store:
        first, second = (store.begin(open_table("baby")) for _ in range(2))
        first.close()
        second.close()
        assert store.unfinished()[0].id == second.id
        store.resume(first.id).close()
        assert store.unfinished()[0].id == first.id
        offered = first.id
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.go(routes.resume(offered))
        await pilot.pause()
        app.go(routes.watch_ai())
        await pilot.pause()
        app.go(routes.home())
        await pilot.pause()
        assert "Continue Baby Kalooki" in text_of(app)
        assert app.screen.waiting is not None  # type: ignore[attr-defined]
        assert app.screen.waiting.id == offered  # type: ignore[attr-defined]


async def test_a_match_that_was_only_watched_is_none_that_was_played() -> None:
    async with at_home() as (pilot, app):
        app.go(routes.watch_ai())
        await wait_until(pilot, lambda: app.screen.name == "table" or len(app.store.summaries()) == 1)
        app.go(routes.home())
        await wait_until(pilot, lambda: "Matches: 1 watched" in text_of(app))
        assert "Never played?" in text_of(app)


async def test_all_there_is_to_do_stands_in_the_smallest_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [*("Fitzgerald-Montmorency", "Maximiliane"), *("ai:club",) * 4]
    with Store.open() as store:
        store.begin(plan(*seats, ruleset="jamaican").open()).close()
    settings = SettingsFile.load()
    settings.save(replace(settings.settings, last=LastSetup(seats=seats)))
    monkeypatch.setattr(KalookiApp, "due", property(lambda app: 3))
    app = KalookiApp(thinker=Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "Quit" in text_of(app))
        assert len(app.screen._open) >= len(COMMANDS) - 1  # type: ignore[attr-defined]
        text = text_of(app)
        assert "Continue Jamaican Kalooki · deal 1 of 9 · today" in text
        assert "Dot 0" in text  # the last seat's
        assert "finds any command" in text


async def test_a_large_terminal_has_larger_cards_and_room_between_the_lines() -> None:
    async with at_home(size=(160, 45)) as (pilot, app):
        lines = app.screen.query(ChoiceLine)
        await wait_until(pilot, lambda: app.screen.query_one(TitleArt).size.height == HALL_ROWS)
        assert lines[1].region.y - lines[0].region.y == 2
        await pilot.resize_terminal(140, 45)
        await wait_until(pilot, lambda: app.screen.query_one(TitleArt).size.height < HALL_ROWS)
        await wait_until(pilot, lambda: lines[1].region.y - lines[0].region.y == 1)
        app.push_screen(DealIntro(samples.view("jamaican"), seconds=1000))
        await wait_until(pilot, lambda: app.screen.name == "deal-intro")
        await wait_until(pilot, lambda: app.screen.query_one(DealBanner).size.height == EXAMPLE_SIZES[0][0])


async def test_without_colours_the_marked_line_is_underlined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_home((80, 24)) as (_, app):
        assert [line.styles.text_style.underline for line in app.screen.query(".choice.-current")] == [True]


async def test_without_colours_the_marked_line_of_a_list_is_underlined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_home((80, 24)) as (pilot, app):
        await pilot.press("n", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen.focused, OptionList))
        assert isinstance(shown := app.screen.focused, OptionList)
        assert shown.get_visual_style("option-list--option-highlighted").underline
