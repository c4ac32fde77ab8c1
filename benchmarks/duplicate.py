"""How strong one AI level is against another, with as little luck as can be: python -m benchmarks.duplicate

Every deal is played once by the field alone. Then, for each seat, it is played again from the first decision in which
the hero in that seat would have chosen otherwise. Players look at no totals, so the contracts played in turn, with the
dealer moving on, make a match; with the hero absent the seats would win exactly par. A void deal counts nothing in the
match. Decisions must depend on the view alone, without chance: those of club and expert do.
"""

from __future__ import annotations

import argparse
import math
from multiprocessing import Pool
from typing import NamedTuple

from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.players import LEVELS, make_player
from kalooki_tui.players.protocol import Player
from kalooki_tui.rulesets.loader import make_settings, resolve


class Task(NamedTuple):
    """A match to play: its number names its shuffles."""

    hero: str
    field: str
    ruleset: str
    seats: int
    match: int


class Result(NamedTuple):
    """What the hero came to in the match, on average over the seats."""

    wins: float
    margin: float
    """Points a deal against the average of the others; below zero is good."""
    by_deal: tuple[float, ...]
    changed: float
    """Share of deals in which the hero chose otherwise at all."""


def play_match(task: Task) -> Result:
    """Play one match, with the hero in each seat in turn."""
    ruleset = resolve(task.ruleset, (), task.seats)
    rules = make_rules(ruleset, task.seats, Referee.STRICT, make_settings(ruleset, {}))
    names = tuple(f"Seat{seat + 1}" for seat in range(task.seats))
    totals = [[0] * task.seats for _ in range(task.seats)]
    by_deal, changed = [], 0
    for number in range(1, len(ruleset.deals) + 1):
        dealer = (number - 1) % task.seats
        deal = Deal.blank(rules, names, number, dealer, (dealer + 1) % task.seats, f"{task.match}/{number}")
        ends, others = play_deal(deal, make_player(task.hero, "0"), make_player(task.field, "0"))
        changed += others
        margin = 0.0
        for hero, end in enumerate(ends):
            points = [0] * task.seats if end.void else end.points
            margin += over_others(points, hero) / task.seats
            totals[hero] = [total + more for total, more in zip(totals[hero], points, strict=True)]
        by_deal.append(margin)
    wins = 0.0
    for hero, sums in enumerate(totals):
        if sums[hero] == min(sums):
            wins += 1 / sums.count(min(sums)) / task.seats
    deals = len(by_deal)
    return Result(wins, sum(by_deal) / deals, tuple(by_deal), changed / deals / task.seats)


def play_deal(deal: Deal, hero: Player, field: Player) -> tuple[list[Deal], int]:
    """The deal's end by seat of the hero, and in how many of them the hero chose otherwise than the field."""
    deal.begin()
    seats = len(deal.hands)
    branches: dict[int, Deal] = {}
    while deal.actor is not None:
        seat = deal.actor
        view = deal.view(seat)
        action = field.decide(view).action
        if seat not in branches:
            choice = hero.decide(view).action
            if choice != action:
                branch = deal.clone()
                assert isinstance(branch, Deal)
                branch.apply(choice)
                branches[seat] = branch
        deal.apply(action)
    for seat, branch in branches.items():
        while branch.actor is not None:
            player = hero if branch.actor == seat else field
            branch.apply(player.decide(branch.view(branch.actor)).action)
    return [branches.get(seat, deal) for seat in range(seats)], len(branches)


def over_others(points: list[int], seat: int) -> float:
    """A seat's points less the average of the others."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def interval(values: list[float]) -> tuple[float, float]:
    """Mean and half of its 95% interval."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return mean, 1.96 * math.sqrt(variance / count)


def main() -> None:
    """Play the matches and print what the hero came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hero", default="expert", choices=LEVELS)
    parser.add_argument("--field", default="club", choices=LEVELS)
    parser.add_argument("--ruleset", default="jamaican", help="one whose totals add up over fixed deals")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--first", type=int, default=1, help="number of the first match")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.matches)
    tasks = [Task(arguments.hero, arguments.field, arguments.ruleset, arguments.seats, number) for number in numbers]
    with Pool(arguments.jobs) as pool:
        results = pool.map(play_match, tasks, chunksize=1)
    mean, half = interval([result.wins for result in results])
    print(f"{len(results)} matches of {arguments.ruleset}, each with {arguments.hero} once in every seat")
    print(f"{arguments.hero} wins {mean:.1%} ± {half:.1%} (par {1 / arguments.seats:.1%})")
    mean, half = interval([result.margin for result in results])
    print(f"points a deal against the average of the others: {mean:+.1f} ± {half:.1f}")
    by_deal = zip(*(result.by_deal for result in results), strict=True)
    print("by deal:", " ".join(f"{number}:{sum(deal) / len(deal):+.1f}" for number, deal in enumerate(by_deal, 1)))
    mean, _ = interval([result.changed for result in results])
    print(f"chose otherwise than {arguments.field} in {mean:.0%} of deals")


if __name__ == "__main__":
    main()
