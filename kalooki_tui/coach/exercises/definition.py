"""Exercise: something to look at, a question and a judge of answers, and its words."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Final, Self, cast

from msgspec.structs import asdict

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.vocabulary import sentences
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import Meld, contract_text
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.wording import capital


class AnswerForm(StrEnum):
    CARDS = "cards"
    CARD = "card"
    MELDS = "melds"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class LearnerAnswer:
    cards: tuple[Card, ...] = ()
    groups: tuple[Group, ...] = ()
    option: int | None = None
    """From 0."""


@dataclass(frozen=True, slots=True)
class Say:
    """Sentence of the kind's file: its case, and what fills its slots; a slot may hold sentences itself."""

    case: str
    slots: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on an answer. The first wrong answer is told the reason, the second the solution too."""

    right: bool
    refusal: Refusal | None = None
    reason: Say | None = None
    """What is wrong with the answer, or which doubt was unfounded."""
    solution: Say | None = None
    """Smallest change that makes it right, or the right answer."""


RIGHT: Final = Verdict(True)


@dataclass(frozen=True, kw_only=True)
class Exercise(ABC):
    """Exercise, ready to show. A kind is a class in `kinds/` and a file of sentences in `texts/en/exercises/`."""

    kind: ClassVar[str]
    how: ClassVar[AnswerForm]
    command: ClassVar[str] = ""
    """Command of the table that answers with the chosen cards."""
    keys: ClassVar[str] = "123456789"
    weight: ClassVar[int] = 0
    """Frequency in puzzles; 0: never."""
    rules: Rules
    deal: int
    hand: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    """Cards in question that cannot be chosen."""
    table: tuple[Meld, ...] = ()
    view: View | None = None

    def __init_subclass__(cls, **own: object) -> None:
        for name, value in own.items():
            setattr(cls, name, value)

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        return True

    @classmethod
    @abstractmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Make an exercise by these dice; None: they give none that is clear enough."""

    @classmethod
    def of(cls, view: View, **own: Any) -> Self:
        """Make the exercise of a moment of play; `own`: the fields of its kind."""
        hand = tuple(sorted(view.hand))
        return cls(rules=view.rules, deal=view.deal, hand=hand, table=view.melds, view=view, **own)

    @property
    def moment(self) -> View:
        assert self.view is not None
        return self.view

    @property
    def contract(self) -> Contract:
        return self.rules.contract(self.deal) if self.view is None else self.view.contract

    # What is shown and asked

    @property
    def variant(self) -> str:
        """Suffix of the kind's sentences that are its own."""
        return ""

    @property
    def ask(self) -> Say:
        return Say("ask")

    @property
    def options(self) -> tuple[Say, ...]:
        return ()

    @property
    def jokers(self) -> int:
        return [*self.hand, *self.shown, *(card for meld in self.table for card in meld.cards)].count(JOKER)

    # Answers

    @abstractmethod
    def solutions(self) -> Sequence[LearnerAnswer]: ...

    def is_right(self, answer: LearnerAnswer) -> bool:
        return replace(answer, cards=tuple(sorted(answer.cards))) in self.solutions()

    @abstractmethod
    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        """Say what speaks against a wrong answer, and what mends it."""

    def judge(self, answer: LearnerAnswer) -> Verdict:
        return RIGHT if self.is_right(answer) else self.why_wrong(answer)

    # Help, in three steps: a question, a part of the answer, the answer

    @property
    def clues(self) -> Mapping[str, object]:
        """Slots for the first two steps of help."""
        return {}

    @property
    def help(self) -> tuple[Say, ...]:
        """First two steps of help; a third only if it is not the answer."""
        return Say("nudge", self.clues), Say("point", self.clues)

    def symbols(self, cards: Sequence[Card]) -> str:
        return self.rules.faces.symbols(cards)

    def in_groups(self, groups: Sequence[Group]) -> str:
        return " | ".join(self.symbols(group.cards) for group in groups)


@dataclass(frozen=True, kw_only=True)
class Options(Exercise):
    how: ClassVar[AnswerForm] = AnswerForm.OPTION
    choices: ClassVar[tuple[str, ...]] = ()
    """Cases of the sentences to choose from; empty: the `numbers`."""
    numbers: tuple[int, ...] = ()

    @property
    def options(self) -> tuple[Say, ...]:
        return tuple(map(Say, self.choices)) or tuple(Say("number", {"number": number}) for number in self.numbers)

    @property
    @abstractmethod
    def right(self) -> int:
        """Place of the right option, from 0."""

    def solutions(self) -> Sequence[LearnerAnswer]:
        return [LearnerAnswer(option=self.right)]


@dataclass(frozen=True, kw_only=True)
class YesOrNo(Options):
    """Exercise to which the engine says yes, or no with its refusal."""

    keys: ClassVar[str] = "yn"
    choices: ClassVar[tuple[str, ...]] = ("yes", "no")
    refusal: Refusal | None

    @property
    @abstractmethod
    def doubt(self) -> Say:
        """Rule that might have spoken against a yes, and why it does not."""

    @property
    def right(self) -> int:
        return 0 if self.refusal is None else 1

    def why_wrong(self, answer: LearnerAnswer) -> Verdict:
        return Verdict(False, self.refusal, self.doubt if self.refusal is None else None)


#: The file of the sentences that every kind may use.
ANY: Final = "any"
#: Steps of help.
STEPS: Final = 3


@cache
def texts(kind: type[Exercise]) -> Mapping[str, str]:
    """Return the sentences of a kind: those of all, of the kinds it derives from, its own."""
    names = [ANY, *(vars(one)["kind"] for one in reversed(kind.__mro__) if "kind" in vars(one))]
    found: dict[str, str] = {}
    for name in names:
        found |= cast("Mapping[str, str]", sentences(f"exercises/{name}"))
    return found


def kind_name(kind: type[Exercise]) -> str:
    return texts(kind)["name"]


def question(exercise: Exercise, *, shown: bool = False) -> str:
    """Return the question; `shown`: without the cards that a screen shows beside it."""
    say = exercise.ask
    if shown and _case(exercise, "shown"):
        say = Say("shown", say.slots)
    return fill(exercise, say)


def options(exercise: Exercise) -> list[str]:
    return [fill(exercise, say) for say in exercise.options]


def answer_to(exercise: Exercise, verdict: Verdict, *, solved: bool = True) -> str:
    """Reply to a wrong answer: the broken rule, the reason, and with `solved` what mends it; empty for a right one."""
    refusal = verdict.refusal
    rule = "" if refusal is None else f"{refusal.message} ({refusal.clause})"
    told = [verdict.reason, verdict.solution if solved else None]
    return " ".join(part for part in (rule, *(fill(exercise, say) for say in told if say is not None)) if part)


def help_with(exercise: Exercise) -> tuple[str, str, str]:
    """Return help in three steps: a question that points the way, a part of the answer, the answer."""
    nudge, point, *rest = exercise.help
    case = "show-option" if exercise.options else "show"
    found = exercise.solutions()[0]
    if found.option is not None:
        answer = options(exercise)[found.option]
    else:
        answer = exercise.in_groups(found.groups) if found.groups else exercise.symbols(found.cards)
    shown = fill(exercise, rest[0] if rest else Say(case, {"answer": answer}))
    return fill(exercise, nudge), fill(exercise, point) if _case(exercise, point.case) else shown, shown


def fill(exercise: Exercise, say: Say) -> str:
    return capital(_filled(exercise, say))


def _filled(exercise: Exercise, say: Say) -> str:
    words = exercise.rules.ruleset.vocabulary
    slots: dict[str, Any] = {
        **asdict(words), "contract": contract_text(words, exercise.contract),
        "hand": exercise.symbols(exercise.hand), "shown": exercise.symbols(exercise.shown),
    }  # fmt: skip
    for name, value in say.slots.items():
        # Sentences in a tuple come one after another, those in a list in any order.
        between = ", then " if isinstance(value, tuple) else ", "
        is_told = isinstance(value, tuple | list)
        slots[name] = between.join(_filled(exercise, one) for one in value) if is_told else value
    return texts(type(exercise))[_case(exercise, say.case)].format(**slots)


def _case(exercise: Exercise, case: str) -> str:
    """Return the name of the exercise's sentence for a case; empty where it has none."""
    known = texts(type(exercise))
    return next((name for name in (f"{case}-{exercise.variant}", case) if name in known), "")
