"""Make puzzles by the thousand and check each: python -m lab.prove_puzzles --each 2000 [--kinds best,chain]

A line a kind: puzzles a second of processor time, share of the exercises made that were rejected, how many hold by
engine and solver, how many of the first ones (`--share`) were checked without the solver (every order of tacks and
swaps, every choice of cards, a constraint solver), and which of the weak rules is the best that fails them. Exit 1 if
one does not hold. With `--notes FILE` a run can be ended and gone on with at any time.

Of the kinds that ask for judgement it is every shipped moment of every ruleset. One holds if no wrong answer comes out
better than a right one by two standard errors in up to 2,000 worlds that had no part in finding it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.judging import Judging
from kalooki_tui.coach.exercises.kinds.best import Best
from kalooki_tui.coach.exercises.kinds.block import Block
from kalooki_tui.coach.exercises.kinds.chain import TackChain
from kalooki_tui.coach.puzzles.checking import Trial
from kalooki_tui.coach.puzzles.making import WEIGHTS, Code, Puzzle, make_puzzle
from kalooki_tui.coach.puzzles.pool import FOLDER, JUDGED, moments
from kalooki_tui.engine.actions import End, Kind
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from kalooki_tui.rulesets import DEFAULT_RULESET
from lab.prove_exercises import proved, without_solver
from tests.solver import oracle_cpsat

Line = dict[str, Any]
#: Worlds after which an answer may be certain to hold, and those after which it is judged; points and standard errors
#: of a lead that makes it certain.
LOOKS: Final = (200, 500, 1000, 2000)
SURE: Final = (0.0, 3.0)


def holds(puzzle: Puzzle, *, alone: bool) -> bool:
    """Whether what is called right is right, and nothing else is; `alone`: without the solver as well."""
    exercise = puzzle.exercise
    if isinstance(exercise, Judging):
        return not is_contradicted(exercise, f"proof/{puzzle.code}")
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


def is_contradicted(exercise: Judging, seed: str) -> bool:
    """Whether a wrong answer is better than a right one by two standard errors."""
    trial = Trial(exercise, seed)
    for worlds in LOOKS:
        trial.play(worlds)
        # With a lead of three standard errors none of them can fall behind by two in the worlds that are left.
        if trial.settle(SURE, SURE):
            return False
    return any(lead.points < -2 * lead.error for lead in trial.leads())


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


def codes(kind: str, each: int) -> Iterator[Code]:
    """The puzzles of a kind to prove: so many of a series, or one for every shipped moment."""
    counts = {DEFAULT_RULESET: each}
    if kind in JUDGED:
        counts = {path.stem: len(moments(path.stem, kind)) for path in sorted(FOLDER.glob("*.json"))}
    for ruleset, count in counts.items():
        code = Code("0000", kind, ruleset)
        for _ in range(count):
            yield code
            code = code.next


def proved_puzzle(code: Code, *, alone: bool) -> Line:
    """One puzzle made and checked."""
    started = time.process_time()
    puzzle = make_puzzle(code)
    spent = time.process_time() - started
    hardest = puzzle.hardest or "none"
    found: Line = {"kind": code.kind, "code": puzzle.code, "spent": spent, "tries": puzzle.tries, "hardest": hardest}
    return {**found, "holds": holds(puzzle, alone=alone)}


def read_notes(path: Path | None) -> dict[str, Line]:
    """What was proved before, by code."""
    if path is None or not path.exists():
        return {}
    return {line["code"]: line for line in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


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
            for number, code in enumerate(islice(codes(kind, chosen.each), chosen.each)):
                line = noted.get(str(code))
                if line is None:
                    line = proved_puzzle(code, alone=number < chosen.share)
                    if stream is not None:
                        stream.write(json.dumps(line) + "\n")
                        stream.flush()
                found.append(line)
            wrong += tell(kind, found, chosen.share)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
