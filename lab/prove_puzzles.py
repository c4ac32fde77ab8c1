"""Make puzzles by the thousand and check each: python -m lab.prove_puzzles --each 2000 [--kinds best,chain]

A line a kind: puzzles a second of processor time, share of the exercises made that were rejected, how many hold by
engine and solver, how many of the first ones (`--share`) were checked without the solver (every order of tacks and
swaps, every choice of cards, a constraint solver), and which of the weak rules is the best that fails them. Exit 1 if
one does not hold. With `--notes FILE` a run can be ended and gone on with at any time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.judging import Allowing, Calling, Throwing
from kalooki_tui.coach.exercises.laying import Best, Block, TackChain
from kalooki_tui.coach.puzzles.making import WEIGHTS, Code, Puzzle, is_sound, make_puzzle
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from lab.prove_exercises import proved, without_solver
from tests.solver import oracle_cpsat

Line = dict[str, Any]


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
        case TackChain():
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


def proved_puzzle(kind: str, number: int, *, alone: bool) -> Line:
    """One puzzle made and checked."""
    started = time.process_time()
    puzzle = make_puzzle(Code(f"P{number}", kind))
    spent = time.process_time() - started
    return {"kind": kind, "number": number, "spent": spent, "tries": puzzle.tries, "hardest": puzzle.hardest or "none",
            "code": str(puzzle.code), "holds": holds(puzzle, alone=alone)}  # fmt: skip


def read_notes(path: Path | None) -> dict[tuple[str, int], Line]:
    """What was proved before, by kind and number."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(line["kind"], line["number"]): line for line in lines}


def tell(kind: str, found: Sequence[Line], share: int) -> int:
    """The kind's line; how many of its puzzles do not hold."""
    wrong = [line["code"] for line in found if not line["holds"]]
    for code in wrong:
        print(f"does not hold: {code}")
    count, tries = len(found), sum(line["tries"] for line in found)
    failed = Counter(line["hardest"] for line in found)
    told = ", ".join(f"{name} {number / count:.0%}" for name, number in failed.most_common())
    rate = count / max(1e-9, sum(line["spent"] for line in found))
    print(f"| {kind} | {count} | {rate:.0f} | {1 - count / tries:.0%} | {count - len(wrong)} | "
          f"{min(share, count)} | {told} |", flush=True)  # fmt: skip
    return len(wrong)


def main() -> None:
    """Make and check the kinds asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=2000)
    parser.add_argument("--share", type=int, default=200)
    parser.add_argument("--kinds", default=",".join(WEIGHTS))
    parser.add_argument("--notes", type=Path, help="each puzzle is written down there, and not made again")
    chosen = parser.parse_args()
    kinds = chosen.kinds.split(",")
    for kind in kinds:
        if kind not in WEIGHTS:
            parser.error(f"there is no puzzle {kind!r}")
    print("| kind | made | a second | rejected | hold | without solver | hardest that fails |")
    noted, wrong = read_notes(chosen.notes), 0
    with chosen.notes.open("a", encoding="utf-8") if chosen.notes else nullcontext() as stream:
        for kind in kinds:
            found = []
            for number in range(chosen.each):
                line = noted.get((kind, number))
                if line is None:
                    line = proved_puzzle(kind, number, alone=number < chosen.share)
                    if stream is not None:
                        stream.write(json.dumps(line) + "\n")
                        stream.flush()
                found.append(line)
            wrong += tell(kind, found, chosen.share)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
