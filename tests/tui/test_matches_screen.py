import asyncio
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.live_match import Table, record
from kalooki_tui.presenter.match_list import ListState
from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.writer import dump
from kalooki_tui.storage.match_store import Lists
from kalooki_tui.storage.paths import MATCHES, data_folder
from kalooki_tui.storage.summary import Summary
from kalooki_tui.tui import app as app_of_all
from kalooki_tui.tui import preload as arriving
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.matches import COMMANDS, MatchesScreen
from kalooki_tui.tui.screens.question import ChoiceLine
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.command_bar import CommandBar
from tests.drivers.keyboard import Thinks
from tests.presenter.test_match_list import match
from tests.tui.conftest import press, text_of, wait_until
from tests.tui.openings import alone, asked, at_home, running


async def leave_a_match() -> None:
    async with asked(alone()):
        pass


async def test_what_comes_before_the_list_is_there_does_nothing() -> None:
    await leave_a_match()
    async with at_home() as (pilot, app):
        for command in COMMANDS[:3]:
            app.go(routes.matches())
            screen = app.screen
            screen.run_command(command.name)
            await wait_until(pilot, lambda screen=screen: screen.is_mounted and screen.marked is not None)
            assert app.screen is screen, command.name


async def test_a_damaged_match_is_listed_last_and_says_what_can_be_done(tmp_path: Path) -> None:
    await leave_a_match()
    await leave_a_match()
    folder = data_folder() / MATCHES
    broken = min(folder.glob("*.jsonl"))
    broken.write_bytes(broken.read_bytes().replace(b'"do"', b'"od"', 1))
    async with at_home() as (pilot, app):
        app.go(routes.matches())
        screen = app.screen
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
        await press(pilot, "y", until=lambda: app.screen is screen and len(screen.list_of_matches.options) == 1)
    assert not list(folder.glob("*.damaged-*"))


def many(count: int) -> list[Summary]:
    """Matches played a day apart, a third of them unfinished."""
    games, names = ("Jamaican Kalooki", "Baby Kalooki", "Trinidad Kalooki"), ("Ann", "Bob", "Cat", "Dee")
    return [
        match(f"m-{at:08x}", at, names[at % 4], "ai:club", "ai:club", name=games[at % 3], finished=at % 3 != 0)
        for at in range(count)
    ]


async def listed(pilot: Pilot[None], app: KalookiApp, matches: list[Summary]) -> MatchesScreen:
    """The screen with these matches on its list."""
    await wait_until(pilot, lambda: app.screen.name == "home-screen")
    app.store.lists = lambda: Lists([], matches, [])
    app.go(routes.matches())
    screen = app.screen
    await wait_until(pilot, lambda: screen.is_mounted and screen.list_of_matches.option_count == len(matches))
    return screen


async def test_the_place_in_the_list_is_kept() -> None:
    app = KalookiApp(thinker=Thinks())
    matches = many(60)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await listed(pilot, app, matches)
        await pilot.press("s", *["down"] * 20)
        marked = screen.marked
        assert marked == matches[20]
        app.go(routes.home())
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        app.go(routes.matches())
        again = app.screen
        await wait_until(pilot, lambda: again.is_mounted and again.marked is not None)
        assert again.marked == marked
        assert "last played first" in text_of(app)


def copies(count: int) -> None:
    """So many finished matches of AI seats, all new to the program."""
    table, lines = Table.open(text_setup("baby", ["ai:novice"] * 3, 1, [])), list[str]()
    record(table, lines.append)
    play_match(table)
    first, *others = lines
    folder = data_folder() / MATCHES
    folder.mkdir(parents=True)
    for number in range(count):
        head = {**unsealed(json.loads(first)), "copy": number}
        texts = [dump(head), *(dump(unsealed(json.loads(line))) for line in others)]
        (folder / f"{number:03}.jsonl").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Of forty new matches one is read at once, and the others from this event on."""
    event = asyncio.Event()

    async def once_let(seconds: float) -> None:
        await event.wait()
        await asyncio.sleep(0)

    monkeypatch.setattr(app_of_all, "PATIENCE", 0.0)
    monkeypatch.setattr(arriving, "TOLD", 0.0)
    monkeypatch.setattr(arriving, "READING", 0.0)
    monkeypatch.setattr(arriving, "sleep", once_let)
    copies(40)
    return event


async def test_the_first_screen_does_not_wait_for_many_new_matches_and_the_list_shows_them_as_they_are_found(
    go: asyncio.Event,
) -> None:
    async with at_home() as (pilot, app):
        assert "Matches: 1 found, 39 not read yet" in text_of(app)
        app.go(routes.matches())
        await wait_until(pilot, lambda: "Matches · 1 · 39 more to be read" in text_of(app))
        screen = app.screen
        await pilot.press("f")
        assert screen.wanted.which is not ListState().wanted.which, "keys are answered meanwhile"
        screen.want(which=ListState().wanted.which)
        go.set()
        await wait_until(pilot, lambda: len(screen.list_of_matches.options) in range(2, 40))
        await wait_until(pilot, lambda: len(screen.list_of_matches.options) == 40)
        assert "more to be read" not in text_of(app)


async def test_the_marked_line_stays_where_new_matches_have_been_counted(go: asyncio.Event) -> None:
    async with at_home() as (pilot, app):
        await pilot.press("down", "down")
        marked = str(app.screen.query_one(".-current", ChoiceLine).render())
        go.set()
        await wait_until(pilot, lambda: "Matches: 40 watched" in text_of(app))
        assert str(app.screen.query_one(".-current", ChoiceLine).render()) == marked


async def test_a_list_takes_the_whole_width_and_tells_of_the_marked_match_beside_it_where_there_is_room() -> None:
    async with running(KalookiApp(thinker=Thinks()), size=(120, 36)) as (pilot, app):
        screen = await listed(pilot, app, many(5))
        await wait_until(pilot, lambda: screen.query_one(ScoreChart).size.width > 0)
        rows = text_of(app).splitlines()
        assert any(row[72:].strip().startswith(f"{screen.marked.seats[0].name} 0") for row in rows)
        for columns, foot in ((120, 1), (80, 2)):  # every command stands there
            await pilot.resize_terminal(columns, 24)
            await wait_until(pilot, lambda foot=foot: app.screen.query_one(CommandBar).size.height == foot)
            shown = "\n".join(text_of(app).splitlines()[-foot:])
            assert all(f"{command.shown} {command.label}" in shown for command in COMMANDS)
        await wait_until(pilot, lambda: not screen.query_one("#about").display)
