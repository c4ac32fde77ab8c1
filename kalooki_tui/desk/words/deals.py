"""A deal in the game's own words, and its contract as slots to be filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.events import Event, Voided
from kalooki_tui.engine.view import View

#: The settings of a match on the form: what stands before the field or the switch, and what it does, for people who
#: have never read the rules; the clause is where they may.


@dataclass(frozen=True, slots=True)
class Slot:
    """One meld the contract asks for (or, in points, the whole first lay-down): cards needed and cards there."""

    kind: Kind | None
    """None: `needed` and `have` are points."""
    needed: int
    have: int = 0
    held: int = 0
    """Cards for it that are together in the hand, by the nearest plan."""


def deal_words(view: View) -> str:
    """Which deal it is: ``Game 3 of 9``; ``Game 4`` or ``Game 5, 2 of 3`` where the match has only some of them.

    Where the match goes on by elimination it has no total.
    """
    ruleset, number = view.rules.ruleset, view.contract.number
    word, count = ruleset.vocabulary.deal.capitalize(), len(ruleset.deals)
    some = f"{word} {number}" + (f", {view.deal} of {count}" if count > 1 else "")
    total = "" if ruleset.end.after == "elimination" else f" of {count}"
    again = f", try {view.attempt}" if view.attempt > 1 else ""
    return f"{some if number not in (0, view.deal) else f'{word} {view.deal}{total}'}{again}"


def score_sheet(view: View, totals: Sequence[Sequence[int]]) -> list[tuple[str, list[int]]]:
    """Each deal's contract, and its points by seat; `totals`: those after each deal."""
    words = view.rules.ruleset.vocabulary
    rows: list[tuple[str, list[int]]] = []
    before: Sequence[int] = view.rules.settings.handicap or (0,) * len(view.names)
    for number, row in enumerate(totals, 1):
        wanted = view.rules.contract(number)
        # Where every deal asks for points there is no room for more words.
        named = f"{wanted.points} points" if wanted.points else contract_words(wanted, words)
        rows.append((named, [total - last for total, last in zip(row, before, strict=True)]))
        before = row
    return rows


def why_void(events: Sequence[Event]) -> str:
    """Why the last deal among these events is void (S3, D33)."""
    turns = next((event.turns for event in reversed(events) if isinstance(event, Voided)), None)
    return "The stock ran out twice" if turns is None else f"Nobody has laid in {turns} turns of each seat"


def doubling_words(view: View) -> str:
    """When the others' cards count double in this game (G4)."""
    bend = view.rules.ruleset.vocabulary.bend
    return {
        "bend": f"{bend}: go out in the turn you first lay, and others pay double",
        "first-bend": f"{bend}: lay first and go out in that turn, and others pay double",
    }.get(view.rules.ruleset.score.doubling, "going out never doubles in this game")


def empty_slots(view: View) -> tuple[Slot, ...]:
    """The slots of a view's contract with nothing in them."""
    ruleset, contract = view.rules.ruleset, view.contract
    if contract.points:
        return (Slot(None, contract.points),)
    return (Slot(Kind.SET, ruleset.sets.minimum),) * contract.sets + (
        Slot(Kind.RUN, ruleset.runs.minimum),
    ) * contract.runs
