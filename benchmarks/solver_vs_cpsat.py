"""Compare the solver with a constraint solver on seeded hands: the same answers, and how much faster.

    python -m benchmarks.solver_vs_cpsat [--hands 5000] [--seed 1]

Needs ortools (`pip install ortools`). Prints every mismatch, and the median and 99th percentile of the ratio of times; exits 1
on a mismatch.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable

from kalooki_tui.cards import full_deck
from kalooki_tui.solver import best_lay, distance
from tests.solver import oracle_cpsat
from tests.solver.hands import RULESETS, rules_of


def timed(task: Callable[[], int | None]) -> tuple[int | None, float]:
    """The task's answer and its seconds."""
    start = time.perf_counter()
    answer = task()
    return answer, time.perf_counter() - start


def main() -> int:
    """Run the comparison; the number of mismatches, at most 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    games = [rules_of(ruleset, options) for ruleset, options in RULESETS]
    ratios: dict[str, list[float]] = {"lay": [], "distance": []}
    own: dict[str, list[float]] = {"lay": [], "distance": []}
    mismatches = 0
    for number in range(arguments.hands):
        rules = dice.choice(games)
        contract = dice.choice(rules.ruleset.deals)
        size = min(24, contract.cards + 1 + dice.choice([0, 0, 0, 2, 4, 6, 8]))
        hand = dice.sample(full_deck(rules.packs, rules.jokers), size)

        def lay() -> int | None:
            found = best_lay(rules, contract, hand, prefer_out=False)
            return None if found is None else found.points_left

        questions: dict[str, tuple[Callable[[], int | None], Callable[[], int | None]]] = {
            "lay": (lay, lambda: oracle_cpsat.fewest_points(rules, contract, hand)),
            "distance": (lambda: distance(rules, contract, hand), lambda: oracle_cpsat.distance(rules, contract, hand)),
        }
        for name, (ours, theirs) in questions.items():
            answer, seconds = timed(ours)
            expected, slow_seconds = timed(theirs)
            own[name].append(seconds)
            ratios[name].append(slow_seconds / seconds)
            if answer != expected:
                mismatches += 1
                text = rules.faces.texts(hand)
                print(f"hand {number}: {name} {answer}, expected {expected}: {rules.ruleset.id} {contract!r} {text}")
    for name, values in ratios.items():
        values.sort()
        times = sorted(own[name])
        middle, late = len(values) // 2, len(values) // 100
        print(
            f"{name}: {len(values)} hands, faster {values[middle]:.0f} times in the median, {values[late]:.0f} times at the "
            f"99th percentile; own time {times[middle] * 1e3:.2f} ms, {times[-1 - late] * 1e3:.2f} ms"
        )
    print(f"{mismatches} mismatches")
    return min(mismatches, 1)


if __name__ == "__main__":
    sys.exit(main())
