"""Logic of the form for a new match, without drawing: the meaning of its fields, and which choices fit together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan, default_seat, usual_seats
from kalooki_tui.desk.setup.seating import nearest_count, people_of, with_count
from kalooki_tui.engine.rules import Referee
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import Listed, make_settings, resolve
from kalooki_tui.rulesets.model import OptionRule, Ruleset
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.wording import FIRST_NAME

#: When a person is asked about calls, in a column of the form.
ASK_SHORT: Final = {
    AskCalls.ALWAYS: "asks: every card",
    AskCalls.HELPS: "asks: useful cards",
    AskCalls.TURN: "asks: on my turn only",
}


def counts_words(counts: Sequence[int]) -> str:
    """How many can sit at a game: ``3 to 8``."""
    return str(counts[0]) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def most_people(listed: Sequence[Listed]) -> int:
    """How many people the largest table holds."""
    return max(max(entry.ruleset.seat_counts) for entry in listed if entry.ruleset is not None)


def game_for(people: int, listed: Sequence[Listed]) -> str:
    """The first listed game for that many people; there must be one."""
    rulesets = ((entry.id, entry.ruleset) for entry in listed)
    return next(id_ for id_, ruleset in rulesets if ruleset is not None and max(ruleset.seat_counts) >= people)


def usual_asking(plan: MatchPlan, usual: AskCalls) -> AskCalls:
    """When a person is asked about calls who has chosen nothing; `usual` for one alone with AI seats."""
    return plan.ask_several if people_of(plan.seats) > 1 else plan.ask_calls or usual


def unnamed(seats: Sequence[SeatPlan]) -> int | None:
    """The seat of one of several people who is still called You."""
    people = [place for place, seat in enumerate(seats) if seat.is_human]
    found = (place for place in people if seats[place].name == FIRST_NAME and len(people) > 1)
    return next(found, None)


def is_recommended(option: OptionRule, seats: int) -> bool:
    """Whether an option is advised with that many seats (D15)."""
    return fits(option, seats) and option.recommended_from is not None and seats >= option.recommended_from


def fits(option: OptionRule, seats: int) -> bool:
    """Whether an option can be had with that many seats."""
    return option.seats is None or seats in option.seats


def option_name(name: str) -> str:
    """An option as the form calls it."""
    return name.replace("-", " ").capitalize()


def option_words(option: OptionRule, seats: int) -> str:
    """An option's effect, and whether it is recommended or not available."""
    if is_recommended(option, seats):
        return f"{option.summary} Recommended with this many seats, so that the stock lasts."
    if not fits(option, seats) and option.seats is not None:
        return f"{option.summary} Only for {', '.join(map(str, option.seats))} seats."
    return option.summary


def advice(ruleset: Ruleset, plan: MatchPlan) -> str:
    """Recommended options for this many seats that are not chosen, in words; empty if all are."""
    seats = len(plan.seats)
    advised = (name for name, option in ruleset.options.items() if is_recommended(option, seats))
    names = [option_name(name) for name in advised if name not in plan.options]
    if not names:
        return ""
    return f"With {seats} seats the option {', '.join(names)} is recommended: two packs run out often."


def for_game(plan: MatchPlan, ruleset_id: str) -> MatchPlan:
    """The plan for another game: who plays and how the table runs stays, what belongs to the rules is as usual."""
    return replace(plan, ruleset=ruleset_id, options=(), referee=Referee.STRICT, settings={}, first_turn=0)


def fitted(plan: MatchPlan, ruleset: Ruleset, known: Sequence[str] = ()) -> tuple[MatchPlan, tuple[str, ...]]:
    """The plan adapted to its ruleset, and the changes in words.

    Settings outlive the rulesets they were made for, and can be edited. Seats are added or dropped to reach the
    nearest number allowed; anything else that does not fit gets its default. `known`: names of people, for a plan
    without seats.
    """
    changed: list[str] = []
    counts = ruleset.seat_counts
    first = SeatPlan(known[0]) if known else default_seat(0)
    seats = plan.seats or with_count([first], len(usual_seats(ruleset)))
    count = nearest_count(counts, len(seats))
    if count != len(seats):
        seats = with_count(seats, count)
        changed.append("seats")
    resolved = resolve(ruleset, (), count)
    options: list[str] = []
    for name in plan.options:
        with suppress(InputError):
            resolved = resolve(ruleset, (*options, name), count)
            options.append(name)
    if len(options) < len(plan.options):
        changed.append("options")
    settings = {name: value for name, value in plan.settings.items() if _is_setting(resolved, name, value)}
    if len(seats) != len(plan.seats):
        settings.pop("handicap", None)
    if len(settings) < len(plan.settings):
        changed.append("settings")
    referee = plan.referee if ruleset.infractions is not None else Referee.STRICT
    if referee is not plan.referee:
        changed.append("referee")
    first_turn = plan.first_turn if plan.first_turn < count else 0
    if first_turn != plan.first_turn and ruleset.seating.first_turn == "named-then-winner":
        changed.append("who begins")
    fitting = replace(
        plan, seats=seats, options=tuple(options), settings=settings, referee=referee, first_turn=first_turn
    )
    return fitting, tuple(changed)


def _is_setting(ruleset: Ruleset, name: str, value: object) -> bool:
    try:
        make_settings(ruleset, {name: value})
    except InputError:
        return False
    return True
