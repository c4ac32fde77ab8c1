"""Who sits at a table that is being set up."""

from __future__ import annotations

import pytest

from kalooki_tui.desk.setup.form import (
    exchanged,
    free_names,
    nearest_count,
    people_of,
    with_count,
    with_people,
)
from kalooki_tui.desk.setup.plan import usual_seats
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.table.seats import SeatPlan, check_seats, parse_seats

USUAL = usual_seats(load_ruleset("jamaican"))


def names(seats: tuple[SeatPlan, ...]) -> list[str]:
    return [seat.name for seat in seats]


def test_people_take_the_places_of_ai_seats() -> None:
    seats = with_people(USUAL, 3, range(3, 9), ["Zoe"])
    assert [seat.text for seat in seats] == ["Zoe", "Player 2", "Player 3", "Cy=ai:club"]


def test_a_table_too_small_grows_to_a_size_there_is() -> None:
    seats = with_people(USUAL, 5, (2, 4, 6))
    assert (people_of(seats), len(seats)) == (5, 6)


def test_people_who_leave_are_replaced_from_the_last_on() -> None:
    seats = with_people(parse_seats(["Ann", "ai:club", "Bob", "Cat"]), 1, range(3, 9))
    assert [seat.is_human for seat in seats] == [True, False, False, False]
    assert seats[0].name == "Ann"
    check_seats(seats)


@pytest.mark.parametrize("people", range(12))
@pytest.mark.parametrize("known", [(), ("Ada", "bea", "You", "Zoe")])
def test_any_number_of_people_makes_a_table_that_can_be_played(people: int, known: tuple[str, ...]) -> None:
    counts = range(3, 12)
    seats = with_people(USUAL, people, counts, known)
    check_seats(seats)
    assert people_of(seats) == people
    assert len(seats) in counts
    if people > 1:
        assert "You" not in names(seats) or "You" in known


def test_ai_seats_go_before_people() -> None:
    seats = parse_seats(["Ann", "ai:club", "Bob", "ai:novice", "Cat"])
    assert names(with_count(seats, 3)) == ["Ann", "Bob", "Cat"]
    assert names(with_count(seats, 2)) == ["Ann", "Bob"]


def test_of_two_sizes_equally_near_the_larger() -> None:
    assert nearest_count((2, 4), 3) == 4
    assert nearest_count((2,), 6) == 2


def test_known_people_who_sit_there_are_not_offered() -> None:
    assert free_names(parse_seats(["Ann", "ai:club"]), ["ann", "ADA", "Zoe"]) == ["Zoe"]


def test_seats_change_places() -> None:
    assert names(exchanged(USUAL, 0, 3)) == ["Cy", "Ada", "Bea", "You"]
