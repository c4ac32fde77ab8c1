"""Who sits at a table that is being set up: people first, AI seats beside them, as many as the game has room for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from itertools import count as numbers
from typing import Final

from kalooki_tui.desk.setup.plan import USUAL_PLAYER, default_seat
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

_MADE: Final = "Player"
Seats = tuple[SeatPlan, ...]


def people_of(seats: Iterable[SeatPlan]) -> int:
    """How many people sit there."""
    return sum(seat.is_human for seat in seats)


def with_count(seats: Sequence[SeatPlan], count: int) -> Seats:
    """That many seats: AI seats are added by names that nobody has, or the last seats go, AI seats before people."""
    kept = list(seats)
    while len(kept) > count:
        machines = [place for place, seat in enumerate(kept) if not seat.is_human]
        del kept[machines[-1] if machines else -1]
    taken = {seat.name.casefold() for seat in kept}
    spare = (default_seat(place, humans=0) for place in range(len(AI_NAMES)))
    free = (seat for seat in spare if seat.name.casefold() not in taken)
    return (*kept, *islice(free, count - len(kept)))


def nearest_count(counts: Sequence[int], count: int) -> int:
    """The number of seats there is that is nearest. Of two equally near, the larger: nobody has to get up."""
    return min(counts, key=lambda number: (abs(number - count), -number))


def with_people(seats: Sequence[SeatPlan], people: int, counts: Sequence[int], known: Sequence[str] = ()) -> Seats:
    """The table with that many people, with known names as far as they go.

    AI seats become people's and people's AI seats, the table staying as large as it is; where it is too small, or
    `counts` (the numbers of seats there may be) has another, it grows. `people` is at most the largest of them.
    """
    found = list(seats)
    places = [place for place, seat in enumerate(found) if seat.is_human]
    for place in reversed(places[people:]):
        found[place] = SeatPlan(_ai_name(found), USUAL_PLAYER)
    if people > 1:
        found = _without_you(found, known)
    for place, seat in enumerate(found):
        if people_of(found) < people and not seat.is_human:
            found[place] = SeatPlan(_new_name(found, known), "human")
    while len(found) < people:
        found.append(SeatPlan(_new_name(found, known), "human"))
    return with_count(found, min([count for count in counts if count >= len(found)] or [max(counts)]))


def named(seats: Sequence[SeatPlan], known: Sequence[str] = ()) -> Seats:
    """The seats named; among several people nobody is just You."""
    return tuple(_without_you(seats, known) if people_of(seats) > 1 else seats)


def with_own_names(seats: Sequence[SeatPlan]) -> Seats:
    """Give AI seats other names of the program's own where a person has taken theirs."""
    found = list(seats)
    people = {seat.name.casefold() for seat in found if seat.is_human}
    for place, seat in enumerate(found):
        if not seat.is_human and seat.name in AI_NAMES and seat.name.casefold() in people:
            found[place] = SeatPlan(_ai_name(found), seat.player)
    return tuple(found)


def _without_you(seats: Sequence[SeatPlan], known: Sequence[str]) -> list[SeatPlan]:
    found = list(seats)
    for place, seat in enumerate(found):
        if seat == SeatPlan(FIRST_NAME):
            others = [*found[:place], *found[place + 1 :]]
            found[place] = SeatPlan(_new_name(others, known, people_of(found[:place]) + 1))
    return found


def _ai_name(seats: Sequence[SeatPlan]) -> str:
    taken = {seat.name.casefold() for seat in seats}
    return next(name for name in AI_NAMES if name.casefold() not in taken)


def _new_name(seats: Sequence[SeatPlan], known: Sequence[str], number: int | None = None) -> str:
    """A known name that nobody uses, or a numbered one, by default the next person's number."""
    taken = {seat.name.casefold() for seat in seats}
    made = (f"{_MADE} {number}" for number in numbers(number or people_of(seats) + 1))
    return next(name for name in chain(free_names(seats, known), made) if name.casefold() not in taken)


def is_chosen(name: str) -> bool:
    """Whether a name is somebody's, and not one that was made for them or is an AI seat's."""
    word, _, number = name.partition(" ")
    return name not in (FIRST_NAME, *AI_NAMES) and not (word == _MADE and number.isdigit())


def free_names(seats: Sequence[SeatPlan], known: Sequence[str]) -> list[str]:
    """Known people who do not sit at the table yet."""
    taken = {seat.name.casefold() for seat in seats}
    return [name for name in known if name.casefold() not in taken]


def exchanged(seats: Sequence[SeatPlan], one: int, other: int) -> Seats:
    """Two seats have changed places."""
    found = list(seats)
    found[one], found[other] = found[other], found[one]
    return tuple(found)
