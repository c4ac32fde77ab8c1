"""Compare the solver with a constraint solver on seeded hands: the same answers, and how much faster.

    python -m benchmarks.solver_vs_cpsat [--hands 5000] [--seed 1] [--ask lay|away]

The hands are of 16 to 22 cards which hold the contract of their deal, of all rulesets in turn, a third of them heavy
with jokers; cards away are asked of the same hands without three to eight of their cards. Prints every mismatch and the
ratios of processor times (the constraint solver's: making the model and solving it); exits 1 on a mismatch.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from kalooki_tui.cards import Card
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance
from tests.solver import oracle_cpsat
from tests.solver.hands import RULESETS, deal_with_contract, rules_of

Question: TypeAlias = Callable[[Rules, Contract, list[Card]], int | None]


def points_left(rules: Rules, contract: Contract, hand: list[Card]) -> int | None:
    """Points the solver's best lay-down leaves, or None."""
    found = best_lay(rules, contract, hand, prefer_out=False)
    return None if found is None else found.points_left


#: The solver's answer and the constraint solver's, by what is asked.
QUESTIONS: Final[dict[str, tuple[Question, Question]]] = {
    "lay": (points_left, oracle_cpsat.fewest_points),
    "away": (distance, oracle_cpsat.distance),
}

#: The solvers take turns of this many hands, so that neither runs on what the other left in the processor's caches.
TURN: Final = 100


def timed(question: Question, rules: Rules, contract: Contract, hand: list[Card]) -> tuple[int | None, float]:
    """The answer, and the seconds of processor time it took."""
    start = time.process_time()
    answer = question(rules, contract, hand)
    return answer, time.process_time() - start


def report(name: str, own: list[float], other: list[float]) -> None:
    """Print what the seconds of the solver and of the constraint solver, hand by hand, come to."""
    ratios = sorted(slow / fast for fast, slow in zip(own, other, strict=True))
    middle, late = len(ratios) // 2, len(ratios) // 100
    print(
        f"{name}: {len(ratios)} hands; times faster on the same hand: {ratios[middle]:.0f} in the median, "
        f"{ratios[late]:.1f} or more on 99 in 100"
    )
    own, other = sorted(own), sorted(other)
    for which, rank in (("median", middle), ("99th percentile", -1 - late)):
        print(
            f"    {which} of the times: {own[rank] * 1e3:.2f} ms against {other[rank] * 1e3:.1f} ms, "
            f"{other[rank] / own[rank]:.0f} times"
        )


def main() -> int:
    """Run the comparison; 1 if there was a mismatch."""
    parser = argparse.ArgumentParser(description="Compare the solver with a constraint solver.")
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ask", choices=list(QUESTIONS), help="ask this alone")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    games = [rules_of(ruleset, options) for ruleset, options in RULESETS]
    asked = [arguments.ask] if arguments.ask else list(QUESTIONS)
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in asked}
    mismatches = 0
    # What is loaded so far is not what the garbage of either solver should be charged for.
    gc.collect()
    gc.freeze()
    for first in range(0, arguments.hands, TURN):
        deals = []
        for number in range(first, min(first + TURN, arguments.hands)):
            rules = games[number % len(games)]
            contract, hand = deal_with_contract(dice, rules)
            # Nothing is missing from the whole hand, so some of it is asked about.
            deals.append((rules, contract, {"lay": hand, "away": hand[dice.randint(3, 8) :]}))
        for name in asked:
            answers = []
            for question, seconds in zip(QUESTIONS[name], times[name], strict=True):
                results = [timed(question, rules, contract, hands[name]) for rules, contract, hands in deals]
                answers.append([answer for answer, _ in results])
                seconds += [second for _, second in results]
            for (rules, contract, hands), answer, expected in zip(deals, *answers, strict=True):
                if answer != expected:
                    mismatches += 1
                    text = rules.faces.texts(hands[name])
                    print(f"{name}: {answer}, expected {expected}: {rules.ruleset.id} {contract!r} {text}")
    for name, (own, other) in times.items():
        report(name, own, other)
    print(f"{mismatches} mismatches")
    return min(mismatches, 1)


if __name__ == "__main__":
    sys.exit(main())
