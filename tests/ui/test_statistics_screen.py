"""Statistics: at a glance by family and game, read without holding the screen back."""

from __future__ import annotations

import threading

import pytest
from msgspec.structs import replace

from kalooki_tui.desk.shelf.overview import overview
from kalooki_tui.rulesets.loader import catalogue, family_of, load_ruleset
from kalooki_tui.store import matches as store_matches
from kalooki_tui.store.statistics import PlayerStatistics, Rating, Statistics, statistics
from kalooki_tui.ui.screens.statistics import StatisticsScreen, everybody, person_page, reading
from kalooki_tui.ui.widgets.chart import ScoreChart
from tests.store.tables import change_head
from tests.ui.conftest import press, text_of, wait_until
from tests.ui.openings import at_home
from tests.ui.test_looking_back import played as played_out
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
    lines = "\n".join(block.plain for block in everybody(FOUND)).splitlines()
    head = next(place for place, line in enumerate(lines) if "kalookies" in line)
    assert lines[head].split()[-2:] == ["kalookies", "counters"]
    assert lines[head + 1].split() == ["Ann", "2", "1", "5.6", "5", "2", "-7"]
    assert sum("counters" in line for line in lines) == 1
    assert max(map(len, lines)) <= 68, "a page has room for it"


def test_reading_is_a_bar() -> None:
    assert reading(0, 0).plain.splitlines()[0] == "Reading 0 of 0 matches"
    assert reading(500, 1000).plain.count("█") == reading(500, 1000).plain.count("░")


def test_a_persons_page_tells_the_contracts_that_the_game_has() -> None:
    forty = replace(of("Ann", "kalookie-40", 2, 1, -7), laid=dict.fromkeys(range(1, 19), (1, 2)))
    baby = replace(of("Ann", "baby", 3, 1), laid={1: (3, 3), 2: (1, 3), 3: (0, 3)})
    gone = replace(of("Ann", "gone", 1, 0), laid={1: (1, 1), 2: (0, 1)})
    _, (first, second, third) = person_page(Statistics((baby, forty, gone, of("Bob", "baby", 1, 0)), {}), "Ann")
    assert [line.split("  ")[1] for line in first.plain.splitlines() if " of 3" in line] == [
        "two sets", "one set, one run", "two runs",
    ]  # fmt: skip
    assert second.plain.count("40 points") == 1
    assert "18 of 36" in second.plain
    assert third.plain.count("deal ") == 3, "of a game that is there no more the numbers, and the points a deal"


def test_the_course_of_a_rating_is_kept_match_by_match() -> None:
    played_out()
    with store_matches.open_store() as store:
        about = store.lists().finished[0]
        change_head(store.folder.path / f"{about.id}.jsonl", lambda head: head["seats"][0].update(player="human"))
    with store_matches.open_store() as store:
        found = statistics(store)
        name = about.seats[0].name
        assert found.courses[name] == (found.ratings[name].rating,)


async def test_each_person_has_a_page_with_the_rating_over_time() -> None:
    course = (1500.0, 1540.0, 1480.0, 1510.0)
    async with at_home((120, 36)) as (pilot, app):
        app.push_screen(screen := StatisticsScreen())
        await wait_until(pilot, lambda: "No match with a person" in text_of(app))
        screen._show(replace(FOUND, courses={"Ann": course}))
        await wait_until(pilot, lambda: "Statistics · everybody" in text_of(app))
        assert not screen.query_one(ScoreChart).display
        await press(pilot, "right", until=lambda: "Statistics · Ann" in text_of(app) and "● Ann 1510" in text_of(app))
        assert "Bob" not in text_of(app)
        assert "rating 1500 ± 700 after 4 matches" in text_of(app)
        await press(pilot, "right", until=lambda: "Statistics · Bob" in text_of(app))
        await press(pilot, "right", "right", until=lambda: "Statistics · everybody" in text_of(app))


async def test_a_large_page_with_room_left_tells_of_each_person_too() -> None:
    found = replace(FOUND, players=FOUND.players[:2], ratings={"Ann": Rating(), "ai:club/caller": Rating()})
    async with at_home((200, 50)) as (pilot, app):
        app.push_screen(screen := StatisticsScreen())
        await wait_until(pilot, lambda: "No match with a person" in text_of(app))
        screen._show(found)
        await wait_until(pilot, lambda: text_of(app).count("points a deal") == 2)
        assert "AI, club, caller" in text_of(app)
        assert screen.query_one(".dialog").size.height < 30, "a frame about as high as what is in it"
        await pilot.resize_terminal(80, 24)
        await wait_until(pilot, lambda: "points a deal" not in text_of(app))


async def test_at_120_columns_peoples_bars_stand_beside_everybodys_numbers() -> None:
    player = replace(FOUND.players[0], ruleset="baby", laid={1: (3, 3), 2: (1, 3), 3: (0, 3)})
    async with at_home((120, 36)) as (pilot, app):
        app.push_screen(screen := StatisticsScreen())
        await wait_until(pilot, lambda: "No match with a person" in text_of(app))
        screen._show(replace(FOUND, players=(player,), ratings={}))
        await wait_until(pilot, lambda: "████░░░░░░░░  1 of 3" in text_of(app))
        assert "points a deal" in text_of(app)


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
        await press(pilot, "t", until=lambda: inside.is_set() and "Reading 1 of 40 matches" in text_of(app))
        await press(pilot, "escape", until=lambda: app.screen.name == "home-screen")
        go_on.set()
        await wait_until(pilot, left.is_set)
        await press(pilot, "m", until=lambda: app.screen.name == "matches")


async def test_the_foot_says_what_its_key_would_do_next() -> None:
    async with at_home() as (pilot, app):
        await press(pilot, "t", until=lambda: "i counts imported matches too" in text_of(app))
        await press(pilot, "i", until=lambda: "i leaves imported matches out" in text_of(app))
        await press(pilot, "i", until=lambda: "i counts imported matches too" in text_of(app))
