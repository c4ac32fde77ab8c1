"""An exercise in words: the catalogue's sentences with their slots filled."""

from __future__ import annotations

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.exercises.model import Exercise, Say, Verdict
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.wording import capital


def question(exercise: Exercise, *, shown: bool = False) -> str:
    """What is asked; `shown`: without the cards that a screen shows beside it."""
    say = exercise.ask
    if shown and f"{say.case}-shown" in sentences("exercises")["ask"]:
        say = Say(f"{say.case}-shown", say.slots)
    return fill(exercise, "ask", say)


def options(exercise: Exercise) -> list[str]:
    """What can be chosen."""
    return [fill(exercise, "option", say) for say in exercise.options]


def answer_to(exercise: Exercise, verdict: Verdict) -> str:
    """What is said of a wrong answer: the rule that it breaks, then the smallest mend; empty for a right one."""
    refusal = verdict.refusal
    rule = "" if refusal is None else f"{refusal.message} ({refusal.clause})"
    mend = "" if verdict.mend is None else fill(exercise, "mend", verdict.mend)
    return " ".join(part for part in (rule, mend) if part)


def fill(exercise: Exercise, kind: str, say: Say) -> str:
    """The sentence of a kind, its slots filled."""
    words = exercise.rules.ruleset.vocabulary
    contract = contract_text(words, exercise.contract)
    own = vars(words)
    sentence = sentences("exercises")[kind][say.case].format(**{**own, "contract": contract, **say.slots})
    return capital(sentence)
