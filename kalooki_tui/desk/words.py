"""A deal and its contract in the game's own words, and as slots to be filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.model import Contract, Vocabulary

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Slot:
    """One meld the contract asks for (or, in points, the whole first lay-down): cards needed and cards there."""

    kind: Kind | None
    """None: `needed` and `have` are points."""
    needed: int
    have: int = 0


def contract_words(contract: Contract, vocabulary: Vocabulary) -> str:
    """A contract in the game's own words: ``one three, two fours``."""
    if contract.points:
        return f"{vocabulary.sets} and {vocabulary.runs} worth {contract.points} points"
    parts = [
        f"{NUMBERS[count]} {one if count == 1 else many}"
        for count, one, many in (
            (contract.sets, vocabulary.set, vocabulary.sets),
            (contract.runs, vocabulary.run, vocabulary.runs),
        )
        if count
    ]
    return ", ".join(parts)


def deal_words(view: View) -> str:
    """Which deal it is: ``Game 3 of 9``; without the total where the match goes on by elimination."""
    ruleset = view.rules.ruleset
    word = ruleset.vocabulary.deal.capitalize()
    total = "" if ruleset.end.after == "elimination" else f" of {len(ruleset.deals)}"
    again = f", try {view.attempt}" if view.attempt > 1 else ""
    return f"{word} {view.deal}{total}{again}"


def empty_slots(view: View) -> tuple[Slot, ...]:
    """The slots of a view's contract with nothing in them."""
    ruleset, contract = view.rules.ruleset, view.contract
    if contract.points:
        return (Slot(None, contract.points),)
    return (Slot(Kind.SET, ruleset.sets.minimum),) * contract.sets + (
        Slot(Kind.RUN, ruleset.runs.minimum),
    ) * contract.runs
