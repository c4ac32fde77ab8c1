"""What an exercise is: something to look at, a question, and a judge of answers."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.values import dataclass

#: The version of the generators: a code made by another version names another exercise.
VERSION: Final = 1


class How(StrEnum):
    """How an exercise is answered."""

    CARDS = "cards"
    """Choose any number of cards of the hand."""
    CARD = "card"
    """Choose one card of the hand."""
    MELDS = "melds"
    """Put melds together from the hand."""
    OPTION = "option"
    """Choose one of the options."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the learner answers; the part that the exercise asks for is filled."""

    cards: tuple[Card, ...] = ()
    groups: tuple[Group, ...] = ()
    option: int | None = None
    """From 0."""


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence of the catalogue: its case, and what fills its slots."""

    case: str
    slots: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth."""

    right: bool
    refusal: Refusal | None = None
    """The rule that speaks against it, in the engine's own words."""
    mend: Say | None = None
    """The smallest change that makes it right, or what was overlooked."""


RIGHT: Final = Verdict(True)


@dataclass(frozen=True, kw_only=True)
class Exercise(ABC):
    """One exercise, ready to be shown. Equal seeds give equal exercises."""

    kind: ClassVar[str]
    how: ClassVar[How]
    rules: Rules
    deal: int
    hand: tuple[Card, ...]
    """The cards to choose from, in the order in which they are shown."""
    table: tuple[Meld, ...] = ()
    view: View | None = None
    """The whole table, where the question is about a moment of play."""

    @classmethod
    @abstractmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """An exercise by these dice, or None where they give none that is clear enough."""

    @property
    def contract(self) -> Contract:
        """The contract of its deal."""
        return self.rules.contract(self.deal)

    @property
    def ask(self) -> Say:
        """The question."""
        return Say(self.kind)

    @property
    def jokers(self) -> int:
        """Jokers among all its cards."""
        return [*self.hand, *self.shown, *(card for meld in self.table for card in meld.cards)].count(JOKER)

    @property
    def shown(self) -> tuple[Card, ...]:
        """Cards that the question is about and that are not to choose from."""
        return ()

    @property
    def options(self) -> tuple[Say, ...]:
        """What can be chosen, where an option is asked for."""
        return ()

    @abstractmethod
    def judge(self, answer: Answer) -> Verdict:
        """Whether an answer is right, and what mends it if not."""

    @abstractmethod
    def solutions(self) -> Sequence[Answer]:
        """Right answers, the one to show first. There is at least one; others may be right as well."""


@dataclass(frozen=True, kw_only=True)
class YesOrNo(Exercise):
    """An exercise to which the engine says yes, or no with its refusal."""

    how: ClassVar[How] = How.OPTION
    mend: ClassVar[str]
    """Whose words mend a wrong answer."""
    refusal: Refusal | None
    """Why the answer is no; None: it is yes."""

    @property
    def options(self) -> tuple[Say, ...]:
        """Yes and no."""
        return (Say("yes"), Say("no"))

    def judge(self, answer: Answer) -> Verdict:
        """What the engine says is right."""
        if answer == self.solutions()[0]:
            return RIGHT
        return Verdict(False, self.refusal, Say(f"mend-{self.mend}-{'yes' if self.refusal is None else 'no'}"))

    def solutions(self) -> Sequence[Answer]:
        """Yes or no."""
        return [Answer(option=0 if self.refusal is None else 1)]


def symbols(rules: Rules, cards: Sequence[Card]) -> str:
    """Cards as the screen shows them."""
    return rules.faces.symbols(cards)
