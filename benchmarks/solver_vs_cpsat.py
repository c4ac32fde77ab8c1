"""Compare the solver with a constraint solver on seeded hands: the same answers, and how much faster.

    python -m benchmarks.solver_vs_cpsat [--hands 5000] [--seed 1]

Needs ortools (`pip install ortools`). Prints every mismatch, and the median and the 99th percentile of the ratio of
processor times; exits 1 on a mismatch.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from kalooki_tui.cards import Card, full_deck
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance
from tests.solver import oracle_cpsat
from tests.solver.hands import RULESETS, rules_of

Question: TypeAlias = Callable[[Rules, Contract, list[Card]], int | None]


def points_left(rules: Rules, contract: Contract, hand: list[Card]) -> int | None:
    """Points the solver's best lay-down leaves, or None."""
    found = best_lay(rules, contract, hand, prefer_out=False)
    return None if found is None else found.points_left


#: The solver's answer and the constraint solver's, by what is asked.
QUESTIONS: Final[dict[str, tuple[Question, Question]]] = {
    "lay": (points_left, oracle_cpsat.fewest_points),
    "distance": (distance, oracle_cpsat.distance),
}


def timed(question: Question, rules: Rules, contract: Contract, hand: list[Card]) -> tuple[int | None, float]:
    """The answer, and the seconds of processor time it took."""
    start = time.process_time()
    answer = question(rules, contract, hand)
    return answer, time.process_time() - start


def random_deal(dice: random.Random, rules: Rules) -> tuple[Contract, list[Card]]:
    """A contract of the ruleset and a hand as after a draw, or after some calls."""
    contract = dice.choice(rules.ruleset.deals)
    size = min(24, contract.cards + 1 + dice.choice([0, 0, 0, 2, 4, 6, 8]))
    return contract, dice.sample(full_deck(rules.packs, rules.jokers), size)


def main() -> int:
    """Run the comparison; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description="Compare the solver with a constraint solver.")
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    games = [rules_of(ruleset, options) for ruleset, options in RULESETS]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in QUESTIONS}
    mismatches = 0
    for number in range(arguments.hands):
        rules = dice.choice(games)
        contract, hand = random_deal(dice, rules)
        for name, (ours, theirs) in QUESTIONS.items():
            answer, seconds = timed(ours, rules, contract, hand)
            expected, slow_seconds = timed(theirs, rules, contract, hand)
            times[name].append((seconds, slow_seconds))
            if answer != expected:
                mismatches += 1
                text = rules.faces.texts(hand)
                print(f"hand {number}: {name} {answer}, expected {expected}: {rules.ruleset.id} {contract!r} {text}")
    for name, pairs in times.items():
        ratios = sorted(slow / fast for fast, slow in pairs)
        own = sorted(fast * 1e3 for fast, _ in pairs)
        middle, late = len(pairs) // 2, len(pairs) // 100
        print(
            f"{name}: {len(pairs)} hands, faster {ratios[middle]:.0f} times in the median, {ratios[late]:.0f} times at "
            f"the 99th percentile; own time {own[middle]:.2f} ms, {own[-1 - late]:.2f} ms"
        )
    print(f"{mismatches} mismatches")
    return min(mismatches, 1)


if __name__ == "__main__":
    sys.exit(main())
