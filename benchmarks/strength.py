"""How strong each level is against the one below, played by the native core: python -m benchmarks.strength

One hero against a field of equal players, on the same deals in each seat in turn, so that the luck of the cards cancels
out: the deals of the field alone would come to nothing. Points are a deal's, against the average of the others; below
zero is good. With --matches they are added up over whole matches (rulesets of fixed deals) for the share that was won.
What a novice overlooks comes from the core's own chance; all else is what the levels in Python do.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import NamedTuple

from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.players.club import Club
from kalooki_tui.playouts import NOVICE, CoreSeat, mean_of, play_deal
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from lab.deals import dealt, interval, rules_of

PAIRS = (("club", "novice"), ("expert", "club"))


class Task(NamedTuple):
    """A match to play, from each seat of the hero: its number names its shuffles."""

    hero: str
    field: str
    ruleset: str
    seats: int
    match: str


@dataclass
class Result:
    """What the hero came to in a match, by deal and on average over its seats."""

    margins: list[float] = field(default_factory=list)
    wins: float = 0.0


def weights_of(level: str, ruleset: str) -> CoreSeat:
    if level == "novice":
        return NOVICE
    player = make_player(level, "")
    assert isinstance(player, Club)
    return player.weights(ruleset)


def play_match(task: Task) -> Result:
    """Play the ruleset's contracts in turn, once with the hero in each of its seats."""
    rules = rules_of(task.ruleset, task.seats)
    ruleset = rules.ruleset
    hero, others = weights_of(task.hero, ruleset.id), weights_of(task.field, ruleset.id)
    result, totals = Result(), [[0] * task.seats for _ in range(task.seats)]
    for number in range(1, len(ruleset.deals) + 1):
        deal = dealt(rules, number, (number - 1) % task.seats, f"strength {task.match}/{number}")
        if deal.actor is None or deal.phase is Phase.CUT:
            continue
        margin = 0.0
        for seat in range(task.seats):
            styles = [hero if other == seat else others for other in range(task.seats)]
            ending = play_deal(deal, styles=styles, seed=f"{task.match}/{number}/{seat}").ending
            margin += ending.margin(seat) / task.seats
            totals[seat] = [total + more for total, more in zip(totals[seat], ending.points, strict=True)]
        result.margins.append(margin)
    for seat in range(task.seats):
        sums = totals[seat]
        if sums[seat] == min(sums):
            result.wins += 1 / sums.count(min(sums)) / task.seats
    return result


def report(hero: str, others: str, ruleset: str, seats: int, results: list[Result]) -> str:
    margins = [margin for result in results for margin in result.margins]
    wins = mean_of([result.wins for result in results])
    return (
        f"{hero:15} {others:8} {ruleset:14} {seats} {len(margins):7,} {interval(margins):>14}"
        f" {wins.points:7.1%} ± {1.96 * wins.error:.1%}"
    )


def main() -> None:
    """Play, and print a line for each pair and ruleset."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hero", help="default: each level against the one below")
    parser.add_argument("--field", default="club")
    parser.add_argument("--ruleset", action="append", help="default: all")
    parser.add_argument("--seats", type=int, default=4, help="the ruleset's number nearest to it is played")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    pairs = [(arguments.hero, arguments.field)] if arguments.hero else PAIRS
    rulesets = arguments.ruleset or [entry.id for entry in available() if entry.builtin]
    started = time.monotonic()
    print(f"{'hero':15} {'field':8} {'ruleset':14} S {'deals':>7} {'points a deal':>14} {'matches':>15}")
    with Pool(arguments.jobs) as pool:
        for ruleset in rulesets:
            counts = load_ruleset(ruleset).seat_counts
            seats = min(counts, key=lambda count: abs(count - arguments.seats))
            for hero, others in pairs:
                tasks = [
                    Task(hero, others, ruleset, seats, f"{arguments.seed}.{match}")
                    for match in range(arguments.matches)
                ]
                results = pool.map(play_match, tasks, chunksize=4)
                print(report(hero, others, ruleset, seats, results), flush=True)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
