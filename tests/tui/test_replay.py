import threading

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.rated_advice import reason_of
from kalooki_tui.match.headless import play_match
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.storage import match_store as store_matches
from kalooki_tui.storage.match_store import open_store
from kalooki_tui.storage.people_statistics import PlayerStatistics, Rating, Statistics
from kalooki_tui.storage.summary import Summary
from kalooki_tui.training.steps import PastDeal, past_deals, why_made
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.statistics import StatisticsScreen, everybody, person_page
from kalooki_tui.tui.widgets.chart import ScoreChart
from tests.moments import play_first_deal
from tests.tui.conftest import press, text_of, wait_until
from tests.tui.openings import at_home, plan


def played(ruleset: str = "baby", *seats: str) -> tuple[Summary, list[PastDeal]]:
    """A match in the store whose first deal is over."""
    seats = seats or ("ai:club",) * max(2, min(load_ruleset(ruleset).seat_counts))
    with open_store() as store:
        live = store.begin(plan(*seats, ruleset=ruleset).open())
        play_first_deal(live.table)
        live.close()
        about = store.summaries()[0]
        return about, past_deals(store.replay(about.id))


@pytest.mark.parametrize("ruleset", ["baby", "kalookie-40"])
def test_every_step_has_the_fact_that_speaks_for_it_whoever_made_it(ruleset: str) -> None:
    about, deals = played(ruleset)
    past = deals[0]
    told = [why_made(past, about.seats, number) for number in range(len(past))]
    assert told[0] == "The cards have been dealt: nobody has done anything yet."
    for number in range(1, len(past)):
        action = past.action(number)
        view = past.before(number).view(action.seat)
        name = about.seats[action.seat].name
        assert told[number] == (reason_of(view, action) or f"{name} had nothing to choose.")
        if told[number].endswith("had nothing to choose."):
            assert len(view.legal) == 1 or not view.discard


async def test_while_a_record_is_read_the_screen_is_alive_and_may_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    about, _ = played()
    read, begun = threading.Event(), threading.Event()

    def slowly(replay: object) -> list[object]:
        begun.set()
        read.wait(20)
        return []

    monkeypatch.setattr("kalooki_tui.training.steps.past_deals", slowly)
    async with at_home() as (pilot, app):
        app.go(routes.replay(about))
        await wait_until(pilot, begun.is_set)
        await press(pilot, "m", until=lambda: app.screen.name == "matches")
        read.set()
        await wait_until(pilot, lambda: not any(worker.group == "replay" for worker in app.workers))
        assert app.screen.name == "matches"
        assert "nothing to step through" not in text_of(app)


def played_out() -> None:
    """A match in the store, by AI seats."""
    with open_store() as store:
        live = store.begin(plan("ai:club", "ai:club", "ai:club").open())
        play_match(live.table)
        live.close()


def test_the_states_of_a_record_are_those_that_were_played_and_over() -> None:
    # The states of a record are those that were played.
    played_out()
    with open_store() as store:
        (about,) = store.lists().finished
        deals = past_deals(store.replay(about.id))
        assert [deal.name for deal in deals] == ["Deal 1 of 3", "Deal 2 of 3", "Deal 3 of 3"]
        assert tuple(deals[-1].state(-1).totals) == about.totals
        for deal in deals:
            sizes = [len(state.deal.history) for state in map(deal.state, range(len(deal)))]
            assert sizes == sorted(sizes)
            assert deal.state(-1).deal.points is not None
    # Of a match that goes on only deals that are over can be seen.
    assert [deal.name for deal in played()[1]] == ["Deal 1 of 3"]


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


def test_games_are_grouped_by_family_and_counters_are_told_where_they_count() -> None:
    # Games are grouped by the ruleset they come from.
    families = [block.plain.splitlines() for block in everybody(FOUND)[:3]]
    assert [lines[0] for lines in families] == ["Air Jamaica Kalooki and its variants", "Kalookie 40", "gone"]
    names = [line[:6].strip() for line in families[0][1:]]
    assert names == ["Air", "Ann", "Baby", "Bob", "Ann", "all", "Ann", "Bob"]
    assert [line.split() for line in families[0][-2:]] == [["Ann", "8", "5"], ["Bob", "4", "3"]]
    # Counters and kalookies are told where they count.
    lines = "\n".join(block.plain for block in everybody(FOUND)).splitlines()
    head = next(place for place, line in enumerate(lines) if "kalookies" in line)
    assert lines[head].split()[-2:] == ["kalookies", "counters"]
    assert lines[head + 1].split() == ["Ann", "2", "1", "5.6", "5", "2", "-7"]
    assert sum("counters" in line for line in lines) == 1
    assert max(map(len, lines)) <= 68, "a page has room for it"


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


async def test_each_person_has_a_page_with_the_rating_over_time_and_a_large_one_has_room_for_all() -> None:
    course = (1500.0, 1540.0, 1480.0, 1510.0)
    async with at_home((120, 36)) as (pilot, app):
        app.push_screen(screen := StatisticsScreen())
        await wait_until(pilot, lambda: "No match with a person" in text_of(app))
        screen._show(replace(FOUND, courses={"Ann": course}))
        await wait_until(pilot, lambda: "Statistics · everybody" in text_of(app))
        assert not screen.query_one(ScoreChart).display
        await press(pilot, "right", until=lambda: "Statistics · Ann" in text_of(app) and "● Ann 1510" in text_of(app))
        assert "Bob" not in text_of(app)
        await press(pilot, "left", until=lambda: "Statistics · everybody" in text_of(app))
        await pilot.resize_terminal(200, 50)
        screen._show(replace(FOUND, players=FOUND.players[:2], ratings={"Ann": Rating(), "ai:club/caller": Rating()}))
        await wait_until(pilot, lambda: text_of(app).count("points a deal") == 2)
        assert "AI, club, caller" in text_of(app)


async def test_the_page_can_be_left_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    played()
    async with at_home() as (pilot, app):
        monkeypatch.setattr(store_matches.Store, "unread", 39)
        monkeypatch.setattr(store_matches.Store, "read_on", lambda store, seconds: None)
        await press(pilot, "t", until=lambda: "Reading 1 of 40 matches" in text_of(app))
        await press(pilot, "escape", until=lambda: app.screen.name == "home-screen")
        monkeypatch.setattr(store_matches.Store, "unread", 0)
        await press(pilot, "m", until=lambda: app.screen.name == "matches")
