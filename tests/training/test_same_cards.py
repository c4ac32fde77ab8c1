from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Call, Pass
from kalooki_tui.engine.view import View
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
    easier_day,
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
    spoken,
)
from tests.commands import Golden
from tests.moments import there

DAY = date(2026, 11, 21)
DAYS = [date(2025, 12, 30) + timedelta(days=step) for step in (*range(12), 325, 500)]
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


def test_a_deed_names_the_card_that_lay_open() -> None:
    faces = daily_ruleset(DAY).faces
    assert (deed(Pass(0), faces, 12), deed(Call(0), faces, 12)) == ("let K♣ go", "called K♣")


def test_days_with_their_cards_results_and_forks_in_words(golden: Golden) -> None:
    told = [f"{spoken(day)}, game {daily_number(day)}, easier {easier_day((), day)}" for day in DAYS]
    told += [f"{points}: {margin_words(points)}" for points in (-90.3, -0.5, -0.4, 0.0, 0.4, 0.5, 12.0)]
    club, expert = daily_par(DAY)
    none, most = replace(expert, totals=(0,) * 4), replace(club, totals=(32,) * 4)
    told += [f"{par_range(lines)}: {par_words(lines)}" for lines in ((none, most), (most, none), (none, none))]
    with Store.open() as store:
        for person, level, turns in (
            ("Ann", "novice", 0),
            ("bea", "expert", 1),
            ("Cat", "club", 10),
            ("Dee", "club", 15),
        ):
            live, actions = sit(store, KEY, person), club.past().actions
            place = [place for place, one in enumerate(actions) if one.seat == club.seat][turns]
            for action in actions[:place]:
                live.table.attempt(action)
            if person.istitle():
                live.table.attempt(there(other_than(actions[place], live.table.view(club.seat))))
            play_out(live, level)
        found = same_cards(store.summaries(), KEY)
        for attempt in found.by_points:
            lines = (club, expert) if attempt.name == "Ann" else (none, most)
            told.append(f"{attempt.name} {attempt.points} {margin_words(attempt.margin)} {deal_points(store, attempt)}")
            told.append(f"  {', '.join(f'{plan.name} {plan.player}' for plan in attempt.summary.seats)}")
            told += [f"  {fork_of(store, attempt, line)}" for line in (club, expert)]
            told.append(f"  {share_line(DAY, attempt, lines, 'lost 3 in 9 decisions' * attempt.name.islower())}")
    golden("daily", "\n".join(told))


def other_than(action: Action, view: View) -> Action | None:
    """Another action of the same kind, or else any other."""
    others = sorted((one for one in view.legal if one != action), key=lambda one: type(one) is not type(action))
    return next(iter(others), None)


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
