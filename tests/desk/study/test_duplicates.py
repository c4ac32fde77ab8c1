"""Who has played the same cards, the next one's table, results side by side."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from kalooki_tui.desk.setup.plan import plan_of
from kalooki_tui.desk.study.duplicates import (
    attempts,
    begin,
    begin_daily,
    days,
    deal_points,
    duplicates,
    first_setup,
    fork_of,
    fork_words,
    margin_words,
    par_words,
    setup_for,
    share_line,
)
from kalooki_tui.engine.actions import Call, Pass
from kalooki_tui.players import make_player
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store
from kalooki_tui.store.statistics import statistics
from kalooki_tui.table.dates import daily_id
from kalooki_tui.table.duplicate import daily_par, play_line
from kalooki_tui.table.headless import play_match

DAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))


def play_out(live: LiveMatch, level: str = "club") -> None:
    """Let AI players play every seat, the person's with that level."""
    table = live.table
    levels = [level if plan.is_human else plan.level for plan in table.plans]
    play_match(table, None, {seat: make_player(one, table.player_seed(seat)) for seat, one in enumerate(levels)})
    live.close()


def test_the_first_time_counts_and_a_daily_deal_is_no_match_of_the_statistics() -> None:
    with Store.open() as store:
        play_out(begin_daily(store, DAY, "Ann"))
        play_out(begin_daily(store, DAY, "Ann"), "novice")
        begin_daily(store, DAY, "Bob").close()
        found = store.summaries()
        ann, bob = sorted(attempts(found, daily_id(DAY)), key=lambda one: one.name)
        club, _ = daily_par(DAY)
        assert (ann.name, ann.points, ann.margin) == ("Ann", club.points, club.margin)
        assert (bob.name, bob.points, bob.margin) == ("Bob", None, None)
        assert list(days(found)) == [DAY]
        assert len(days(found)[DAY]) == 3
        assert not statistics(store).players
        assert fork_of(store, ann, club) is None
        assert deal_points(store, ann) == [club.points]


def test_a_fork_and_a_result_in_words() -> None:
    with Store.open() as store:
        play_out(begin_daily(store, DAY, "Ann"), "novice")
        (ann,) = attempts(store.summaries(), daily_id(DAY))
        lines = daily_par(DAY)
        found = fork_of(store, ann, lines[0])
        assert found is not None
        faces = begin_daily(store, DAY, "Bob").table.match.rules.faces
        assert fork_words(found, faces).startswith("You left the club's line ")
        assert fork_words(None, faces).startswith("You did what the club player does")
        assert found.card is not None
        let_go = replace(found, throw=3, mine=Pass(0), theirs=Call(0))
        symbol = faces.symbol(found.card)
        assert fork_words(let_go, faces) == (
            f"You left the club's line before your third throw: you let {symbol} go, it called {symbol}."
        )
        assert (margin_words(90.3), margin_words(-12.0)) == ("90 over the others' mean", "12 under the others' mean")
        told = share_line(DAY, 4, "game", ann, lines)
        assert told == f"Kalooki daily 21 Nov · game 4 · me {ann.points}, par {par_words(lines)}"


@pytest.mark.parametrize("ruleset", ["baby", "kalookie-40"])
def test_everybody_in_a_duplicate_match_gets_the_same_cards_in_the_same_seat(ruleset: str) -> None:
    plan = plan_of(ruleset, ["Ann", "Bob", "ai:novice", "ai:club"], 5, [])
    with Store.open() as store:
        first = begin(store, first_setup(plan, ["Ann", "Bob"]), ("K7F3Q2", "Ann", "Bob"))
        like = store.summary(first.id)
        second = begin(store, setup_for(store, like, "Bob"), like.duplicate)
        for one in (first, second):
            assert sorted(plan.player for plan in one.table.plans) == ["ai:club", "ai:novice", "human"]
        assert first.table.match.deal.hands == second.table.match.deal.hands
        assert first.table.people == second.table.people
        assert [plan.player for plan in first.table.plans] == [plan.player for plan in second.table.plans]


def test_a_duplicate_match_knows_who_is_next() -> None:
    plan = plan_of("baby", ["Ann", "Bob"], 5, [])
    with Store.open() as store:
        live = begin(store, first_setup(plan, ["Ann", "Bob"]), ("K7F3Q2", "Ann", "Bob"))
        (going,) = duplicates(store.summaries())
        assert (going.known_by, going.people, going.next) == ("K7F3Q2", ("Ann", "Bob"), "Ann")
        play_out(live)
        (half,) = duplicates(store.summaries())
        assert half.next == "Bob"
        play_out(begin(store, setup_for(store, half.attempts[0].summary, "Bob"), ("K7F3Q2", "Ann", "Bob")))
        (over,) = duplicates(store.summaries())
        assert over.next is None
        ann, bob = over.attempts
        assert deal_points(store, ann) == deal_points(store, bob)
        assert sum(deal_points(store, ann)) == ann.points


@pytest.mark.parametrize("seats", [["Ann", "ai:club"], ["Ann", "Bob", "exec:cat"]])
def test_a_duplicate_match_is_for_people_against_ai_seats(seats: list[str]) -> None:
    plan = plan_of("baby", seats, 5, [])
    with pytest.raises(ValueError, match="duplicate match"):
        first_setup(plan, [one.name for one in plan.seats if one.is_human])


def test_a_line_is_played_whatever_ai_seats_are_at_the_table() -> None:
    setup = replace(first_setup(plan_of("baby", ["Ann", "Bob"], 5, []), ["Ann", "Bob"]))
    assert play_line(setup, "novice").points >= 0
