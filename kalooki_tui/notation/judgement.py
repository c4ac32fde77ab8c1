"""Judgement on sets and runs, with the clause, for ``kalooki meld``."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kalooki_tui.cards import JOKER, Card, Faces
from kalooki_tui.engine.candidates import possible_runs
from kalooki_tui.engine.melds import judge_run, judge_set
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.notation.event_text import refusal_data
from kalooki_tui.rulesets.model import Ruleset


class Judgement(Struct, frozen=True):
    """Verdict on a group of cards; `no_set` and `no_run` say why it is not one."""

    cards: tuple[Card, ...]
    no_set: Refusal | None
    no_run: Refusal | None

    @property
    def refusals(self) -> list[Refusal]:
        return [refusal for refusal in (self.no_set, self.no_run) if refusal is not None]


def judge(ruleset: Ruleset, cards: Sequence[Card], any_order: bool = False) -> Judgement:
    """Judge cards as a set and as a run (M1-M7, M9), in this order or, for the run, in any."""
    if any_order:
        cards = arrange_run(ruleset, cards) or cards
    return Judgement(tuple(cards), judge_set(ruleset, cards), judge_run(ruleset, cards))


def arrange_run(ruleset: Ruleset, cards: Sequence[Card]) -> tuple[Card, ...] | None:
    """Arrange cards to a run, in their own order if possible; None: they are none."""
    if judge_run(ruleset, cards) is None:
        return tuple(cards)
    runs = possible_runs(ruleset, cards, longest=len(cards))
    found = [run for run in runs if sorted(run.cards) == sorted(cards)]
    # With the jokers at the high end: where runs go round the corner (H15) low positions follow on high ones.
    corner = ruleset.runs.corner
    best = max(found, key=lambda run: (not corner or run.cards[0] != JOKER, run.low), default=None)
    return None if best is None else best.cards


def judgement_data(judgement: Judgement, faces: Faces) -> dict[str, object]:
    return {
        "cards": faces.texts(judgement.cards),
        "set": judgement.no_set is None,
        "run": judgement.no_run is None,
        "refusals": [refusal_data(refusal) for refusal in judgement.refusals],
    }


def print_judgement(judgement: Judgement, ruleset: Ruleset) -> str:
    words, text = ruleset.vocabulary, ruleset.faces.texts(judgement.cards)
    a_set, a_run = _named("set", words.set), _named("run", words.run)
    found = [name for name, why in ((a_set, judgement.no_set), (a_run, judgement.no_run)) if why is None]
    if found:
        return f"{text}: a {' and a '.join(found)}"
    reasons = " ".join(f"{why.message} ({why.code}, {why.clause})" for why in judgement.refusals)
    return f"{text}: neither a {a_set} nor a {a_run}. {reasons}"


def _named(kind: str, word: str) -> str:
    return kind if word == kind else f"{kind} ({word})"
