"""Statistics: at a glance by family and game, read without holding the screen back."""

from __future__ import annotations

import threading

import pytest

from kalooki_tui.desk.shelf.overview import overview
from kalooki_tui.rulesets.loader import catalogue, family_of, load_ruleset
from kalooki_tui.store import matches as store_matches
from kalooki_tui.store.glicko import Rating
from kalooki_tui.store.statistics import PlayerStatistics, Statistics
from kalooki_tui.ui.screens.statistics import StatisticsScreen, reading, statistics_page
from tests.ui.conftest import text_of, wait_until
from tests.ui.openings import at_home
from tests.ui.test_replay import played


def of(name: str, ruleset: str, matches: int, wins: int, money: int | None = None) -> PlayerStatistics:
    return PlayerStatistics(
        name, ruleset, matches, wins, {1: wins}, deals=matches * 9, points=100, outs=5, bends=2, calls=4, money=money
    )


FOUND = Statistics(
    (
        of("Ann", "baby", 3, 1),
        of("Bob", "baby", 4, 3),
        of("Ann", "air-jamaica", 5, 4),
        of("Ann", "kalookie-40", 2, 1, -7),
        of("Zoe", "gone", 1, 0),
    ),
    {"Ann": Rating()},
)


def test_games_are_grouped_by_the_ruleset_they_come_from() -> None:
    families = overview(FOUND.players)
    assert [family.name for family in families] == ["Air Jamaica Kalooki", "Kalookie 40", "gone"]
    air = families[0]
    assert [game.name for game in air.games] == ["Air Jamaica Kalooki", "Baby Kalooki"]
    assert [player.name for player in air.games[1].players] == ["Bob", "Ann"], "the best first"
    assert air.totals == (("Ann", 8, 5), ("Bob", 4, 3))


def test_every_ruleset_has_a_family_that_can_be_loaded() -> None:
    families = {entry.id: family_of(entry.id) for entry in catalogue()}
    assert families["baby"] == families["tuluki"] == "air-jamaica"
    assert families["classic"] == "jamaican"
    assert families["kooky"] == "kooky"
    assert all(load_ruleset(family).id == family for family in families.values())


def test_counters_and_kalookies_are_told_where_they_count() -> None:
    lines = statistics_page(FOUND).plain.splitlines()
    head = next(place for place, line in enumerate(lines) if "kalookies" in line)
    assert lines[head].split()[-2:] == ["kalookies", "counters"]
    assert lines[head + 1].split() == ["Ann", "2", "1", "5.6", "5", "2", "-7"]
    assert sum("counters" in line for line in lines) == 1
    assert max(map(len, lines)) <= 68, "a page has room for it"


def test_reading_is_a_bar() -> None:
    assert reading(0, 0).plain.splitlines()[0] == "Reading 0 of 0 matches"
    assert reading(500, 1000).plain.count("█") == reading(500, 1000).plain.count("░")


async def test_the_page_can_be_left_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    played()
    inside, go_on, left = threading.Event(), threading.Event(), threading.Event()
    read_all = store_matches.Store.read_all

    def slowly(store: store_matches.Store, progress: object) -> None:
        assert callable(progress)
        read_all(store, progress)
        progress(1, 40)
        inside.set()
        go_on.wait(20)
        try:
            progress(2, 40)
        except Exception:
            left.set()
            raise

    monkeypatch.setattr(store_matches.Store, "read_all", slowly)
    async with at_home() as (pilot, app):
        await pilot.press("t")
        await wait_until(pilot, lambda: inside.is_set() and "Reading 1 of 40 matches" in text_of(app))
        screen = app.screen
        assert isinstance(screen, StatisticsScreen)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen.name == "home-screen")
        go_on.set()
        await wait_until(pilot, left.is_set)
        await pilot.press("m")
        await wait_until(pilot, lambda: app.screen.name == "matches")


async def test_the_foot_says_what_its_key_would_do_next() -> None:
    async with at_home() as (pilot, app):
        await pilot.press("t")
        await wait_until(pilot, lambda: "i counts imported matches too" in text_of(app))
        await pilot.press("i")
        await wait_until(pilot, lambda: "i leaves imported matches out" in text_of(app))
        await pilot.press("i")
        await wait_until(pilot, lambda: "i counts imported matches too" in text_of(app))
