"""Count the dealer's packet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Packet(Exercise):
    """Say how many cards the dealer's packet must hold for the bonus (B1)."""

    kind: ClassVar[str] = "packet"
    how: ClassVar[How] = How.OPTION
    players: int
    numbers: tuple[int, ...]
    """The answers offered, ascending."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether there is a bonus."""
        return rules.ruleset.dealer_cut_bonus is not None

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Any number of players, and numbers a learner might come to: the upcard counted, a player forgotten."""
        players, cards = dice.choice(rules.ruleset.seat_counts), rules.contract(deal).cards
        right = players * cards
        slips = {right + 1, right - 1, right - cards, right + cards, right + players, right - players}
        wrong = sorted(slip for slip in slips if slip > 0)
        numbers = tuple(sorted([right, *dice.sample(wrong, 3)]))
        return cls(rules=rules, deal=deal, hand=(), players=players, numbers=numbers)

    @property
    def ask(self) -> Say:
        """The question, with players and cards."""
        return Say("ask", self.clues)

    @property
    def options(self) -> tuple[Say, ...]:
        """The numbers."""
        return tuple(Say("number", {"number": number}) for number in self.numbers)

    @property
    def number(self) -> int:
        """The cards that are dealt."""
        return self.players * self.contract.cards

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that are dealt are right."""
        said = 0 if answer.option is None else self.numbers[answer.option]
        if said == self.number:
            return RIGHT
        slots = {**self.clues, "number": self.number, "said": said, "slip": abs(said - self.number)}
        return Verdict(False, None, Say("too-many" if said > self.number else "too-few", slots), Say("product", slots))

    def solutions(self) -> Sequence[Answer]:
        """The one number."""
        return [Answer(option=self.numbers.index(self.number))]

    @property
    def clues(self) -> dict[str, object]:
        """Players and the cards of each."""
        return {"players": self.players, "cards": self.contract.cards}
