"""Make puzzles by the thousand and check each: python -m scripts.prove_puzzles --each 2000 [--kinds best,chain]

A line a kind: puzzles a second of processor time, share of the exercises made that were rejected, how many hold by
engine and solver, how many of the first ones (`--share`) were checked without the solver (every order of tacks and
swaps, every choice of cards, a constraint solver), and which of the weak rules is the best that fails them. Exit 1 if
one does not hold.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.judging import Allowing, Calling, Throwing
from kalooki_tui.coach.exercises.laying import Best, Block, Chain
from kalooki_tui.coach.puzzles.making import WEIGHTS, Code, Puzzle, is_sound, make_puzzle
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from scripts.prove_exercises import proved, without_solver
from tests.solver import oracle_cpsat


def holds(puzzle: Puzzle, *, alone: bool) -> bool:
    """Whether what is called right is right, and nothing else is; `alone`: without the solver as well."""
    exercise = puzzle.exercise
    if isinstance(exercise, Throwing | Calling | Allowing):
        # Judged by several players, who have to agree; the margin is the exercise's own.
        return proved(exercise) and is_sound(exercise)
    if not proved(exercise):
        return False
    if not alone:
        return True
    match exercise:
        case Best():
            return oracle_cpsat.fewest_points(exercise.rules, exercise.contract, exercise.hand) == exercise.least
        case Chain():
            best = exercise.rules.points(exercise.solutions()[0].cards)
            return fewest_left(exercise.rules, exercise.table, exercise.hand) >= best
        case Block():
            return len(exercise.solutions()) == 1
    return without_solver(exercise) is not False


def fewest_left(rules: Rules, table: Sequence[Meld], hand: Sequence[Card]) -> int:
    """The fewest points left by trying every tack and swap in every order; new melds are not tried."""
    seen: dict[tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]], int] = {}

    def left(melds: tuple[Meld, ...], cards: tuple[Card, ...]) -> int:
        key = (tuple(meld.cards for meld in melds), cards)
        if key not in seen:
            seen[key] = rules.points(cards)
            seen[key] = min([seen[key], *(left(*after) for after in _steps(rules, melds, cards))])
        return seen[key]

    return left(tuple(table), tuple(sorted(hand)))


def _steps(
    rules: Rules, melds: tuple[Meld, ...], cards: tuple[Card, ...]
) -> list[tuple[tuple[Meld, ...], tuple[Card, ...]]]:
    found = []
    for card in set(cards):
        rest = list(cards)
        rest.remove(card)
        for place, meld in enumerate(melds):
            for end in (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,):
                for grow in (_tacked, _swapped):
                    after = grow(rules, meld, card, end)
                    if after is not None:
                        meld_after, freed = after
                        found.append(
                            ((*melds[:place], meld_after, *melds[place + 1 :]), tuple(sorted([*rest, *freed])))
                        )
    return found


def _tacked(rules: Rules, meld: Meld, card: Card, end: End | None) -> tuple[Meld, tuple[Card, ...]] | None:
    try:
        return tack(rules, 0, meld, (card,), end), ()
    except Refused:
        return None


def _swapped(rules: Rules, meld: Meld, card: Card, end: End | None) -> tuple[Meld, tuple[Card, ...]] | None:
    if rules.ruleset.swap in ("use-at-once", "none"):
        return None
    try:
        done = swap(rules, 0, meld, card, end)
    except Refused:
        return None
    return None if done.freed else (done.meld, ())


def main() -> None:
    """Make and check the kinds asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=2000)
    parser.add_argument("--share", type=int, default=200)
    parser.add_argument("--kinds", default=",".join(WEIGHTS))
    chosen = parser.parse_args()
    print("| kind | made | a second | rejected | hold | without solver | hardest that fails |")
    wrong = 0
    for kind in chosen.kinds.split(","):
        if kind not in WEIGHTS:
            parser.error(f"there is no puzzle {kind!r}")
        failed, tries, good, spent = Counter[str](), 0, 0, 0.0
        for number in range(chosen.each):
            started = time.process_time()
            puzzle = make_puzzle(Code(f"P{number}", kind))
            spent += time.process_time() - started
            tries += puzzle.tries
            failed[puzzle.hardest or "none"] += 1
            if holds(puzzle, alone=number < chosen.share):
                good += 1
            else:
                print(f"does not hold: {puzzle.code}", flush=True)
        wrong += chosen.each - good
        told = ", ".join(f"{name} {count / chosen.each:.0%}" for name, count in failed.most_common())
        rejected = 1 - chosen.each / tries
        print(f"| {kind} | {chosen.each} | {chosen.each / spent:.0f} | {rejected:.0%} | {good} | "
              f"{min(chosen.share, chosen.each)} | {told} |", flush=True)  # fmt: skip
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
