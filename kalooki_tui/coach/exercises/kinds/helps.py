"""Mark the cards that bring a hand nearer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, hand_at, shuffled
from kalooki_tui.coach.exercises.kinds.away import held_of
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import useful_cards

#: Cards offered.
OFFERED: Final = 8


@dataclass(frozen=True, kw_only=True)
class Helps(Exercise):
    """Mark every card that brings a hand nearer to its contract."""

    kind: ClassVar[str] = "helps"
    how: ClassVar[How] = How.CARDS
    command: ClassVar[str] = "end"
    weight: ClassVar[int] = 2
    held: tuple[Card, ...]
    """The hand that is to come nearer; `hand` are the cards offered."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand, and cards of which two to five help."""
        held = hand_at(rules, deal, dice, dice.randint(1, 3))
        if held is None:
            return None
        _, helps = useful_cards(rules, rules.contract(deal), held)
        left = sorted(set(deck(rules, held)))
        good = [card for card in left if card in helps and card != JOKER]
        poor = [card for card in left if card not in helps]
        count = dice.randint(2, 5)
        if len(good) < count or len(poor) < OFFERED - count:
            return None
        offered = [*dice.sample(good, count), *dice.sample(poor, OFFERED - count)]
        return cls(rules=rules, deal=deal, hand=shuffled(dice, offered), held=held)

    @property
    def ask(self) -> Say:
        """The question, with the hand."""
        return Say("ask", {"held": self.symbols(self.held)})

    @property
    def shown(self) -> tuple[Card, ...]:
        """The hand."""
        return self.held

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that help are right."""
        away, helps = useful_cards(self.rules, self.contract, self.held)
        good = {card for card in self.hand if card in helps}
        missed, wrong = sorted(good - set(answer.cards)), sorted(set(answer.cards) - good)
        if not missed and not wrong:
            return RIGHT
        slots = {
            "wrong": self.symbols(wrong[:1]), "away": away, "held": held_of(self, self.held),
            "missed": f"{len(missed)} more" if len(missed) > 1 else "one more",
            "answer": self.symbols(sorted(good)),
        }  # fmt: skip
        return Verdict(False, None, Say("no-nearer" if wrong else "missed", slots), Say("show", slots))

    def solutions(self) -> Sequence[Answer]:
        """The cards offered that shorten the distance."""
        _, helps = useful_cards(self.rules, self.contract, self.held)
        return [Answer(tuple(sorted(card for card in self.hand if card in helps)))]

    @property
    def clues(self) -> dict[str, object]:
        """What goes together already."""
        return {"held": held_of(self, self.held)}
