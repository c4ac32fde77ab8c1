"""Prove exercises by the thousand: each answer that is called right is right, a share of them without the solver.

`python -m lab.prove_exercises --each 10000 --share 500` prints a line a kind: exercises made, proved by engine and
solver, and of the first ones how many were checked without the solver: by trying every choice of cards, every order and
every tack, distances by a constraint solver (a development dependency). Exit 1 if one of them does not hold. `--kinds
spot,build` proves some kinds, `--ruleset ID` one ruleset.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from kalooki_tui.cards import JOKER, RANKS, Card
from kalooki_tui.coach.exercises.kinds import KINDS
from kalooki_tui.coach.exercises.kinds.away import Away
from kalooki_tui.coach.exercises.kinds.build import Build
from kalooki_tui.coach.exercises.kinds.complete import Complete
from kalooki_tui.coach.exercises.kinds.cost import Cost
from kalooki_tui.coach.exercises.kinds.helps import Helps
from kalooki_tui.coach.exercises.kinds.out import Out
from kalooki_tui.coach.exercises.kinds.packet import Packet
from kalooki_tui.coach.exercises.kinds.repair import Repair
from kalooki_tui.coach.exercises.kinds.spot import Spot
from kalooki_tui.coach.exercises.kinds.swap import SwapTo
from kalooki_tui.coach.exercises.kinds.tack import Fit
from kalooki_tui.coach.exercises.kinds.valid import Valid
from kalooki_tui.coach.exercises.making import code_of, kinds_for, make_exercise, rules_for
from kalooki_tui.coach.exercises.model import Answer, Exercise, How
from kalooki_tui.engine.actions import End, Group, Kind
from kalooki_tui.engine.melds import Meld, check_lay, judge_run, judge_set
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import tack
from tests.solver import oracle_cpsat

#: Kinds whose answers are exact; the others are judged, and only asked where the judgement is clear.
EXACT: Final = ("spot", "complete", "repair", "build", "away", "helps", "cost", "tack", "swap", "out", "may", "valid",
         "packet", "contract")  # fmt: skip
RULESETS: Final = (
    "jamaican", "baby", "trinidad", "air-jamaica", "kalookie-40", "kooky", "tuluki", "classic", "kalooki-short",
    "super-kalooki",
)  # fmt: skip


@dataclass
class Tally:
    """What has come of a kind."""

    made: int = 0
    proved: int = 0
    alone: int = 0
    wrong: int = 0
    seconds: float = 0.0


def proved(exercise: Exercise) -> bool:
    """Whether every solution is right and every single answer besides is not, by the exercise's own judge."""
    solutions = exercise.solutions()
    if not solutions or not all(exercise.judge(answer).right for answer in solutions):
        return False
    if exercise.how is How.OPTION:
        every = [Answer(option=number) for number in range(len(exercise.options))]
    elif exercise.how is How.CARD:
        every = [Answer((card,)) for card in set(exercise.hand)]
    else:
        return True
    right = {answer for answer in every if exercise.judge(answer).right}
    return right == set(solutions) and len(right) < len(every)


def without_solver(exercise: Exercise) -> bool | None:
    """Whether the answer is right by other means than the solver; None where there are none."""
    match exercise:
        case Spot():
            found = {answer.cards for answer in exercise.solutions()}
            return found == set(_melds_among(exercise.rules, exercise.hand, exercise.wanted))
        case Complete():
            good = {card for card in exercise.hand if _is_meld(exercise.rules, (*exercise.part, card), exercise.wanted)}
            return good == {answer.cards[0] for answer in exercise.solutions()}
        case Repair():
            good = set()
            for place, card in enumerate(exercise.hand):
                rest = exercise.hand[:place] + exercise.hand[place + 1 :]
                if _is_meld(exercise.rules, rest, exercise.wanted):
                    good.add(card)
            return good == {answer.cards[0] for answer in exercise.solutions()}
        case Build():
            return all(_lays(exercise, answer.groups) for answer in exercise.solutions())
        case Away():
            return oracle_cpsat.distance(exercise.rules, exercise.contract, exercise.hand) == exercise.away
        case Helps():
            return _helping(exercise) == set(exercise.solutions()[0].cards)
        case Cost():
            right = exercise.sums[exercise.solutions()[0].option or 0]
            return right == sum(exercise.rules.values[card] for card in exercise.hand)
        case Packet():
            right = exercise.numbers[exercise.solutions()[0].option or 0]
            return right == sum(exercise.contract.cards for _ in range(exercise.players))
        case Fit():
            return {card for card in exercise.hand if _fits_somewhere(exercise, card)} == set(
                exercise.solutions()[0].cards
            )
        case Out():
            by_tacks = _goes_out(exercise.rules, exercise.table, exercise.hand)
            # Swaps and new melds are not tried: that a hand goes out by them is left to the solver.
            return by_tacks == exercise.goes_out if by_tacks or not exercise.goes_out else None
        case SwapTo() | Valid():
            return proved(exercise)
    return None


def _is_meld(rules: Rules, cards: Sequence[Card], kind: Kind) -> bool:
    """By trying every order in which the cards could lie."""
    if kind is Kind.SET:
        return judge_set(rules.ruleset, cards) is None
    if len({card // RANKS for card in cards if card != JOKER}) != 1:
        return False
    naturals = sorted(card for card in cards if card != JOKER)
    jokers = len(cards) - len(naturals)
    orders = [naturals, *([naturals[1:] + naturals[:1]] if naturals[0] % RANKS == 0 else [])]
    for order in orders:
        for places in combinations(range(len(cards)), jokers):
            left = iter(order)
            lying = [JOKER if place in places else next(left) for place in range(len(cards))]
            if judge_run(rules.ruleset, lying) is None:
                return True
    return False


def _melds_among(rules: Rules, cards: Sequence[Card], kind: Kind) -> Iterator[tuple[Card, ...]]:
    for size in range(2, len(cards) + 1):
        for chosen in {tuple(sorted(one)) for one in combinations(cards, size)}:
            if _is_meld(rules, chosen, kind):
                yield chosen


def _lays(exercise: Build, groups: Sequence[Group]) -> bool:
    used = Counter(card for group in groups for card in group.cards)
    if used - Counter(exercise.hand):
        return False
    try:
        check_lay(exercise.rules, exercise.contract, 0, groups, [], True)
    except Refused:
        return False
    return True


def _helping(exercise: Helps) -> set[Card]:
    """The cards offered with which the hand is nearer."""
    rules, contract, held = exercise.rules, exercise.contract, exercise.held
    before = oracle_cpsat.distance(rules, contract, held)
    return {card for card in exercise.hand if oracle_cpsat.distance(rules, contract, (*held, card)) < before}


def _fits_somewhere(exercise: Fit, card: Card) -> bool:
    return any(_tacked(exercise.rules, meld, card) is not None for meld in exercise.table)


def _tacked(rules: Rules, meld: Meld, card: Card) -> Meld | None:
    for end in (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,):
        try:
            return tack(rules, 0, meld, (card,), end)
        except Refused:
            continue
    return None


def _goes_out(rules: Rules, table: Sequence[Meld], hand: Sequence[Card]) -> bool:
    """By trying every order of single tacks at every end."""
    last = rules.ruleset.discard.last_card == "discard"
    if not hand:
        return not last
    if len(hand) == 1 and (hand[0] != JOKER or rules.ruleset.discard.jokers):
        return True
    if len(hand) == 1 and last:
        return False
    for card in set(hand):
        rest = list(hand)
        rest.remove(card)
        for number, meld in enumerate(table):
            for end in (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,):
                try:
                    grown = tack(rules, 0, meld, (card,), end)
                except Refused:
                    continue
                if _goes_out(rules, [*table[:number], grown, *table[number + 1 :]], rest):
                    return True
    return False


def prove(kind: str, rulesets: Sequence[str], each: int, share: int) -> Tally:
    """Make exercises of a kind, of all rulesets and deals in turn, and prove them."""
    tally, dice = Tally(), random.Random(f"prove/{kind}")
    started = time.process_time()
    for number in range(each):
        rules = rules_for(rulesets[number % len(rulesets)])
        deal = dice.randint(1, len(rules.ruleset.deals))
        if kind not in kinds_for(rules, deal):
            continue
        seed = f"P{number}"
        exercise = make_exercise(rules, kind, deal, seed)
        tally.made += 1
        good = proved(exercise)
        if good and tally.alone < share:
            by_hand = without_solver(exercise)
            tally.alone += by_hand is not None
            good = by_hand is not False
        tally.proved += good
        tally.wrong += not good
        if not good:
            print(f"does not hold: {code_of(exercise, seed)}", flush=True)
    tally.seconds = time.process_time() - started
    return tally


def main() -> None:
    """Prove the kinds asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--share", type=int, default=100)
    parser.add_argument("--kinds", default=",".join(EXACT))
    parser.add_argument("--ruleset", default="")
    chosen = parser.parse_args()
    rulesets = [chosen.ruleset] if chosen.ruleset else RULESETS
    print(f"{'kind':10} {'made':>7} {'proved':>7} {'without':>8} {'seconds':>8}")
    wrong = 0
    for kind in chosen.kinds.split(","):
        if kind not in KINDS:
            parser.error(f"there is no exercise {kind!r}")
        tally = prove(kind, rulesets, chosen.each, chosen.share)
        print(f"{kind:10} {tally.made:7} {tally.proved:7} {tally.alone:8} {tally.seconds:8.1f}", flush=True)
        wrong += tally.wrong
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
