"""A plan that was made before made to fit the ruleset as it is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from kalooki_tui.desk.setup.plan import MatchPlan, default_seat, usual_seats
from kalooki_tui.desk.setup.seating import nearest_count, with_count
from kalooki_tui.engine.rules import Referee
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import make_settings, resolve
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.table.seats import SeatPlan


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
