"""The same cards for several people: what a date gives, what AI players make of it, where a person leaves it."""

from dataclasses import replace
from datetime import date, timedelta

from kalooki_tui.engine.actions import Discard
from kalooki_tui.table.dates import daily_id, day_of
from kalooki_tui.table.duplicate import daily_number, daily_par, daily_setup, fork, margin, play_line
from kalooki_tui.table.table import Table

DAY = date(2026, 11, 21)


def hands(day: date, person: str) -> list[list[int]]:
    return Table.open(daily_setup(day, person)).match.deal.hands


def test_a_date_gives_everybody_the_same_cards_and_no_other_date_the_same() -> None:
    assert hands(DAY, "Ann") == hands(DAY, "Ada")
    assert hands(DAY, "Ann") != hands(DAY + timedelta(days=1), "Ann")
    table = Table.open(daily_setup(DAY, "ada"))
    assert [plan.name for plan in table.plans] == ["ada", "Bea", "Cy", "Dot"]
    faces = table.match.rules.faces
    # These cards are a promise: who changes how a date gives them raises DAILY_VERSION.
    assert faces.texts(sorted(table.match.deal.hands[0])) == "2C 6C 7C 9C 7D 8D JD QD AH 4H QH 2S 4S JS JS"


def test_every_contract_comes_once_in_as_many_days() -> None:
    first = date.fromordinal(DAY.toordinal() // 9 * 9)
    assert sorted(daily_number(first + timedelta(days=step)) for step in range(9)) == [*range(1, 10)]


def test_ai_players_play_a_deal_alike_each_time_and_leave_no_line_of_their_own() -> None:
    club, expert = daily_par(DAY)
    again = play_line(daily_setup(DAY, "Zoe"), "club")
    assert (club.level, expert.level) == ("club", "expert")
    assert (again.actions, again.points) == (club.actions, club.points)
    assert fork(again.actions, club.actions, club.seat) is None


def test_a_fork_names_the_throw_at_which_the_person_left_the_line() -> None:
    line = play_line(daily_setup(DAY, "Zoe"), "club")
    throws = [place for place, one in enumerate(line.actions) if isinstance(one, Discard) and one.seat == line.seat]
    third = line.actions[throws[2]]
    assert isinstance(third, Discard)
    other = replace(third, card=third.card + 1)
    found = fork((*line.actions[: throws[2]], other), line.actions, line.seat)
    assert found is not None
    assert (found.place, found.throw, found.mine, found.theirs) == (throws[2], 3, other, third)


def test_a_margin_is_points_less_the_mean_of_the_others() -> None:
    assert margin((10, 40, 20, 60), 0) == -30


def test_days_are_read_from_what_a_record_says_and_nothing_else_is() -> None:
    assert day_of((daily_id(DAY),)) == DAY
    assert day_of(("daily 2026-13-01",)) is None
    assert day_of(("K7F3Q2", "Ann", "Bob")) is None
    assert day_of(()) is None
