"""An exercise in words: the sentences of its kind with their slots filled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, cast

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.exercises.model import Exercise, Say, Verdict
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.wording import capital

#: The file of the sentences that every kind may use.
ANY: Final = "any"
#: Steps of help.
STEPS: Final = 3


@cache
def texts(kind: type[Exercise]) -> Mapping[str, str]:
    """The sentences of a kind: its own, then those of kinds that it derives from, then those of all."""
    names = [ANY, *(vars(one)["kind"] for one in reversed(kind.__mro__) if "kind" in vars(one))]
    found: dict[str, str] = {}
    for name in names:
        found |= cast("Mapping[str, str]", sentences(f"exercises/{name}"))
    return found


def kind_name(kind: type[Exercise]) -> str:
    """What the kind is called."""
    return texts(kind)["name"]


def question(exercise: Exercise, *, shown: bool = False) -> str:
    """What is asked; `shown`: without the cards that a screen shows beside it."""
    say = exercise.ask
    if shown and _case(exercise, "shown"):
        say = Say("shown", say.slots)
    return fill(exercise, say)


def options(exercise: Exercise) -> list[str]:
    return [fill(exercise, say) for say in exercise.options]


def answer_to(exercise: Exercise, verdict: Verdict, *, solved: bool = True) -> str:
    """What is said of a wrong answer: the rule that it breaks, the reason, and with `solved` what mends it.

    Empty for a right one.
    """
    refusal = verdict.refusal
    rule = "" if refusal is None else f"{refusal.message} ({refusal.clause})"
    told = [verdict.reason, verdict.solution if solved else None]
    return " ".join(part for part in (rule, *(fill(exercise, say) for say in told if say is not None)) if part)


def help_with(exercise: Exercise) -> tuple[str, str, str]:
    """Help in three steps: a question that points the way, a part of the answer, the answer."""
    nudge, point, *rest = exercise.help
    case = "show-option" if exercise.options else "show"
    shown = fill(exercise, rest[0] if rest else Say(case, {"answer": solution_words(exercise)}))
    return fill(exercise, nudge), fill(exercise, point) if _case(exercise, point.case) else shown, shown


def solution_words(exercise: Exercise) -> str:
    """A right answer, as the screen writes it."""
    found = exercise.solutions()[0]
    if found.option is not None:
        return options(exercise)[found.option]
    return exercise.in_groups(found.groups) if found.groups else exercise.symbols(found.cards)


def fill(exercise: Exercise, say: Say) -> str:
    """A sentence of the kind, its slots filled."""
    return capital(_filled(exercise, say))


def _filled(exercise: Exercise, say: Say) -> str:
    words = exercise.rules.ruleset.vocabulary
    slots: dict[str, Any] = {
        **vars(words), "contract": contract_text(words, exercise.contract),
        "hand": exercise.symbols(exercise.hand), "shown": exercise.symbols(exercise.shown),
    }  # fmt: skip
    for name, value in say.slots.items():
        # Sentences in a tuple come one after another, those in a list in any order.
        between = ", then " if isinstance(value, tuple) else ", "
        is_told = isinstance(value, tuple | list)
        slots[name] = between.join(_filled(exercise, one) for one in value) if is_told else value
    return texts(type(exercise))[_case(exercise, say.case)].format(**slots)


def _case(exercise: Exercise, case: str) -> str:
    """The name of the sentence that the exercise has for a case; empty where it has none."""
    known = texts(type(exercise))
    return next((name for name in (f"{case}-{exercise.variant}", case) if name in known), "")
