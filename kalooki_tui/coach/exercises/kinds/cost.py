"""Say what a hand costs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from kalooki_tui.cards import ACE, JOKER, RANK, Card
from kalooki_tui.coach.exercises.drawing import deck
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Cost(Exercise):
    """Say what a hand costs when somebody else goes out (G2, G3)."""

    kind: ClassVar[str] = "cost"
    how: ClassVar[How] = How.OPTION
    sums: tuple[int, ...]
    """The answers offered, ascending."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A few cards, and sums a learner might come to: aces taken for one another, a joker left out."""
        hand = tuple(sorted(dice.sample(deck(rules), dice.randint(3, 5))))
        right = rules.points(hand)
        slips = {right + 14, right - 14, right + 10, right - 10, right - 50, right + 5, right - 5}
        wrong = sorted(slip for slip in slips if slip > 0)
        sums = tuple(sorted([right, *dice.sample(wrong, min(3, len(wrong)))]))
        return cls(rules=rules, deal=deal, hand=hand, sums=sums)

    @property
    def options(self) -> tuple[Say, ...]:
        """The sums."""
        return tuple(Say("number", {"number": number}) for number in self.sums)

    def judge(self, answer: Answer) -> Verdict:
        """The exact sum is right."""
        right = self.rules.points(self.hand)
        said = None if answer.option is None else self.sums[answer.option]
        if said == right:
            return RIGHT
        slip = right if said is None else said - right
        card = self._card_behind(abs(slip))
        slots = {"card": self.symbols([card]), "value": self.rules.values[card], **self.clues, "sum": right}
        slots["off"] = abs(slip)
        return Verdict(False, None, Say("too-much" if slip > 0 else "too-little", slots), Say("sum", slots))

    def _card_behind(self, slip: int) -> Card:
        """The card whose cost is most likely behind a slip: of that worth, an ace, else the dearest."""
        values = self.rules.values

        def likely(card: Card) -> tuple[bool, bool, int]:
            return values[card] == slip, card != JOKER and RANK[card] == ACE, values[card]

        return max(self.hand, key=likely)

    def solutions(self) -> Sequence[Answer]:
        """The one sum."""
        return [Answer(option=self.sums.index(self.rules.points(self.hand)))]

    @property
    def clues(self) -> dict[str, object]:
        """What each card costs."""
        return {"parts": " + ".join(str(self.rules.values[card]) for card in self.hand)}
