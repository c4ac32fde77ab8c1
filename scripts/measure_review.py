"""What the review makes of players of known strength: python -m scripts.measure_review --deals 300 [--levels club]

Each level plays the same deals in one seat against three club players; printed are the mean loss a deal with its 95%
interval, decisions a deal, the share of them from 3, 6 and 12 points on, and the seconds of a deal's review. `random`
throws by dice and `dearest` the dearest card; both do the rest as the club player (docs/review.md).
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import fmean, stdev

from kalooki_tui.coach.reviewing import BLUNDER, MISTAKE, SLIP, Decision, judge
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset, resolve

LEVELS = ("random", "dearest", "novice", "club", "expert")
SEATS = 4


def play(level: str, ruleset: str, number: int) -> list[Decision]:
    """The decisions of seat 0 in one deal."""
    rules = make_rules(resolve(load_ruleset(ruleset), (), SEATS), SEATS)
    dice = random.Random(f"measure/{number}")
    contract, dealer = number % len(rules.ruleset.deals) + 1, number % SEATS
    deal = Deal.blank(rules, ("You", "Ada", "Bea", "Cy"), contract, dealer, (dealer + 1) % SEATS, f"measure/{number}")
    deal.begin()
    usual = level if level in ("novice", "club", "expert") else "club"
    players = [make_player(usual if seat == 0 else "club", f"{number}/{seat}") for seat in range(SEATS)]
    found, place = [], 0
    while deal.actor is not None:
        seat = deal.actor
        view = deal.view(seat)
        action = players[seat].decide(view).action
        if seat == 0:
            action = _instead(level, view, action, dice)
            found.append(Decision(place, 1, view, action))
        deal.apply(action)
        place += 1
    return found


def _instead(level: str, view: View, action: Action, dice: random.Random) -> Action:
    if not isinstance(action, Discard) or level not in ("random", "dearest"):
        return action
    throws = [one for one in view.legal if isinstance(one, Discard)]
    if level == "random":
        return dice.choice(throws)
    return max(throws, key=lambda one: view.rules.values[one.card])


def main() -> None:
    """Read the command line, play, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--ruleset", default="jamaican")
    chosen = parser.parse_args()
    print("| level | lost a deal | decisions | from 3 | from 6 | from 12 | seconds |")
    for level in chosen.levels.split(","):
        lost, flagged, count, seconds = [], [0, 0, 0], 0, 0.0
        for number in range(chosen.deals):
            decisions = play(level, chosen.ruleset, number)
            started = time.process_time()
            losses = [one.loss for one in map(judge, decisions) if one is not None and one.ranked]
            seconds += time.process_time() - started
            lost.append(sum(loss for loss in losses if loss >= SLIP))
            count += len(losses)
            for index, least in enumerate((SLIP, MISTAKE, BLUNDER)):
                flagged[index] += sum(loss >= least for loss in losses)
        half = 1.96 * stdev(lost) / len(lost) ** 0.5
        shares = " | ".join(f"{one / max(1, count):.1%}" for one in flagged)
        print(f"| {level} | {fmean(lost):.1f} ± {half:.1f} | {count / chosen.deals:.1f} | {shares} | "
              f"{seconds / chosen.deals:.2f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
