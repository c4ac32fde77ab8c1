"""What following the coach is worth: one seat does what the first suggestion says, against three club players.

`python scripts/follow_coach.py [DEALS] [RULESET]` prints what the seat scores a deal against the mean of the others,
and what a club player scores in the same seat with the same shuffles, each with a 95% interval.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from math import sqrt

from kalooki_tui.coach.assessing import assess
from kalooki_tui.coach.facts import Situation
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

SEATS = 4
Decides = Callable[[View], Action]


def follow(view: View) -> Action:
    """The coach's suggestion; the cut is the club player's."""
    if view.phase is Phase.CUT:
        return make_player("club", "0").decide(view).action
    return assess(Situation(view)).best.action


def margin(rules: Rules, number: int, seat: int, seed: str, decides: Decides) -> float | None:
    """Points of the seat less the mean of the others; None where the deal was void."""
    names = tuple(f"Seat{index}" for index in range(SEATS))
    deal = Deal.blank(rules, names, number, 0, 1, seed)
    deal.begin()
    clubs = [make_player("club", f"{seed}/{index}") for index in range(SEATS)]
    while deal.actor is not None:
        view = deal.view(deal.actor)
        deal.apply(decides(view) if view.seat == seat else clubs[view.seat].decide(view).action)
    scored = next((event for event in reversed(deal.history) if isinstance(event, Scored)), None)
    if scored is None:
        return None
    return scored.points[seat] - (sum(scored.points) - scored.points[seat]) / (SEATS - 1)


def interval(values: list[float]) -> str:
    """The mean and its 95% interval."""
    mean, error = statistics.fmean(values), 1.96 * statistics.stdev(values) / sqrt(len(values))
    return f"{mean:+.1f} ± {error:.1f}"


def main(deals: int = 400, name: str = "jamaican") -> None:
    """Play, and print."""
    ruleset = resolve(load_ruleset(name), (), SEATS)
    rules = make_rules(ruleset, SEATS, settings=make_settings(ruleset, {}))
    coached: list[float] = []
    clubs: list[float] = []
    club = make_player("club", "seat")
    for index in range(deals):
        number, seat = 1 + index % len(ruleset.deals), index // len(ruleset.deals) % SEATS
        with_coach = margin(rules, number, seat, f"coach {index}", follow)
        without = margin(rules, number, seat, f"coach {index}", lambda view: club.decide(view).action)
        if with_coach is not None and without is not None:
            coached.append(with_coach)
            clubs.append(without)
    print(f"{name}, {len(coached)} deals, points a deal against the mean of three club players (less is better)")
    print(f"following the coach {interval(coached)}, a club player {interval(clubs)}")
    print(f"the one less the other {interval([one - other for one, other in zip(coached, clubs, strict=True)])}")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["400"])[0]), *sys.argv[2:3])
