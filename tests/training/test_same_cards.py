from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Call, Discard, Pass
from kalooki_tui.match.headless import play_match
from kalooki_tui.match.live_match import Table
from kalooki_tui.players import make_player
from kalooki_tui.presenter.sentences import deed
from kalooki_tui.session.plan import plan_of
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics
from kalooki_tui.storage.summary import daily_key, day_of
from kalooki_tui.training.same_cards import (
    begin_duplicate,
    daily_number,
    daily_par,
    daily_ruleset,
    daily_setup,
    deal_points,
    first_setup,
    fork_of,
    margin,
    margin_words,
    par_range,
    par_words,
    play_line,
    played,
    same_cards,
    share_line,
)

DAY = date(2026, 11, 21)
KEY = daily_key(DAY)


def play_out(live: MatchJournal, level: str = "club") -> None:
    table = live.table
    levels = [level if plan.is_human else plan.level for plan in table.plans]
    play_match(table, None, {seat: make_player(one, table.player_seed(seat)) for seat, one in enumerate(levels)})
    live.close()


def sit(store: Store, known_by: str, person: str) -> MatchJournal:
    return same_cards(store.summaries(), known_by).sit(store, person)


def hands(day: date, person: str) -> list[list[int]]:
    return Table.open(daily_setup(day, person)).match.deal.hands


def test_a_date_gives_everybody_the_same_cards_and_each_contract_comes_once_in_as_many_days() -> None:
    # A date gives everybody the same cards and no other date the same.
    assert hands(DAY, "Ann") == hands(DAY, "Ada")
    assert hands(DAY, "Ann") != hands(DAY + timedelta(days=1), "Ann")
    table = Table.open(daily_setup(DAY, "ada"))
    assert [plan.name for plan in table.plans] == ["ada", "Bea", "Cy", "Dot"]
    faces = table.match.rules.faces
    # These cards are a promise: who changes how a date gives them raises DAILY_VERSION.
    assert faces.texts(sorted(table.match.deal.hands[0])) == "2C 6C 7C 9C 7D 8D JD QD AH 4H QH 2S 4S JS JS"
    # Every contract comes once in as many days.
    first = date.fromordinal(DAY.toordinal() // 9 * 9)
    assert sorted(daily_number(first + timedelta(days=step)) for step in range(9)) == [*range(1, 10)]


@pytest.mark.parametrize(
    ("said", "day"),
    [((KEY,), DAY), (("daily 2026-13-01",), None), (("K7F3Q2", "Ann", "Bob"), None), ((), None)],
)
def test_days_are_read_from_what_a_record_says_and_nothing_else_is(said: tuple[str, ...], day: date | None) -> None:
    assert day_of(said) == day


def test_ai_players_play_a_deal_alike_each_time() -> None:
    club, expert = daily_par(DAY)
    again = play_line(daily_setup(DAY, "Zoe"), "club")
    assert (club.level, expert.level) == ("club", "expert")
    assert (again.past().actions, again.points) == (club.past().actions, club.points)


def test_the_first_time_counts_and_a_daily_deal_is_no_match_of_the_statistics() -> None:
    with Store.open() as store:
        play_out(sit(store, KEY, "Ann"))
        play_out(store.begin(Table.open(daily_setup(DAY, "Ann")), duplicate=(KEY,)), "novice")
        sit(store, KEY, "Bob").close()
        (found,) = played(store.summaries())
        assert (found.day, found.people, found.next) == (DAY, (), "Bob")
        ann, bob = found.by_points
        club, _ = daily_par(DAY)
        assert (ann.name, ann.points, ann.margin) == ("Ann", club.points, margin(club.totals, club.seat))
        assert (bob.name, bob.points) == ("Bob", None)
        assert found.over == [ann]
        assert not statistics(store).players
        assert fork_of(store, ann, club) == (0, "You did what the club player does, from the first card to the last.")
        assert deal_points(store, ann) == [club.points]


def test_a_fork_names_the_throw_at_which_the_person_left_the_line() -> None:
    club, _ = daily_par(DAY)
    actions = club.past().actions
    throws = [place for place, one in enumerate(actions) if isinstance(one, Discard) and one.seat == club.seat]
    with Store.open() as store:
        live = sit(store, KEY, "Ann")
        for action in actions[: throws[2]]:
            live.table.attempt(action)
        mine = next(one for one in live.table.view(club.seat).legal if one != actions[throws[2]])
        assert isinstance(mine, Discard)
        live.table.attempt(mine)
        play_out(live)
        (ann,) = same_cards(store.summaries(), KEY).attempts
        symbols, theirs = live.table.match.rules.faces.symbol, actions[throws[2]]
        assert isinstance(theirs, Discard)
        told = f"you threw {symbols(mine.card)}, it threw {symbols(theirs.card)}."
        assert fork_of(store, ann, club) == (throws[2], f"You left the club's line at your third throw: {told}")


def test_a_deed_names_the_card_that_lay_open() -> None:
    faces = daily_ruleset(DAY).faces
    assert (deed(Pass(0), faces, 12), deed(Call(0), faces, 12)) == ("let K♣ go", "called K♣")


def test_a_result_in_words() -> None:
    assert margin((10, 40, 20, 60), 0) == -30
    assert (margin_words(90.3), margin_words(-12.0)) == ("90 over the others' mean", "12 under the others' mean")
    club, expert = daily_par(DAY)
    low, high = replace(expert, totals=(0,) * 4), replace(club, totals=(32,) * 4)
    assert par_words((low, high)) == "0–32 (expert 0, club 32)"
    assert par_range((low, low)) == "0"
    with Store.open() as store:
        play_out(sit(store, KEY, "Ann"), "novice")
        (ann,) = same_cards(store.summaries(), KEY).attempts
        told = share_line(DAY, ann, (low, high), "lost 3 in 9 decisions")
        assert told == f"Kalooki daily 21 Nov · game 8 · me {ann.points}, par 0–32 · lost 3 in 9 decisions"


def test_everybody_in_a_duplicate_match_gets_the_same_cards_in_the_same_seat() -> None:
    with Store.open() as store:
        first = begin_duplicate(store, plan_of("kalookie-40", ["Ann", "Bob", "ai:novice", "ai:club"], 5, []))
        second = sit(store, first.duplicate[0], "Bob")
        assert second.duplicate == first.duplicate
        for one in (first, second):
            assert sorted(plan.player for plan in one.table.plans) == ["ai:club", "ai:novice", "human"]
        assert first.table.match.deal.hands == second.table.match.deal.hands
        assert first.table.people == second.table.people
        assert [plan.player for plan in first.table.plans] == [plan.player for plan in second.table.plans]


def test_a_duplicate_match_knows_who_is_next() -> None:
    with Store.open() as store:
        live = begin_duplicate(store, plan_of("baby", ["Ann", "Bob"], 5, []))
        known_by = live.duplicate[0]
        going = same_cards(store.summaries(), known_by)
        assert (going.day, going.people, going.next) == (None, ("Ann", "Bob"), "Ann")
        play_out(live)
        assert same_cards(store.summaries(), known_by).next == "Bob"
        play_out(sit(store, known_by, "Bob"))
        over = same_cards(store.summaries(), known_by)
        assert over.next is None
        ann, bob = over.attempts
        assert deal_points(store, ann) == deal_points(store, bob)
        assert sum(deal_points(store, ann)) == ann.points


@pytest.mark.parametrize("seats", [["Ann", "ai:club"], ["Ann", "Bob", "exec:cat"]])
def test_a_duplicate_match_is_for_people_against_ai_seats(seats: list[str]) -> None:
    with pytest.raises(ValueError, match="duplicate match"):
        first_setup(plan_of("baby", seats, 5, []))
