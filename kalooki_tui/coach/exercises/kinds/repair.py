"""Say which card of an attempted meld must go."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.exercises.drawing import (
    WITH_JOKER,
    as_meld,
    deck,
    draw_meld,
    neighbours,
    shuffled,
    wanted_kind,
    why_no_meld,
)
from kalooki_tui.coach.exercises.model import RIGHT, Answer, How, OneMeld, Say, Verdict
from kalooki_tui.engine.rules import Rules


@dataclass(frozen=True, kw_only=True)
class Repair(OneMeld):
    """Say which card of an attempted meld must go (M1-M9)."""

    kind: ClassVar[str] = "repair"
    how: ClassVar[How] = How.CARD
    command: ClassVar[str] = "discard"
    weight: ClassVar[int] = 1

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld with a card too many that does not belong to it."""
        wanted = wanted_kind(rules, deal, dice)
        meld = draw_meld(rules, dice, wanted, jokers=int(dice.random() < WITH_JOKER))
        held = [card for card in meld.cards if card != JOKER]
        wrong = [card for card in neighbours(dice.choice(held)) if card in deck(rules, meld.cards)]
        if not wrong:
            return None
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, (*meld.cards, dice.choice(wrong))), wanted=wanted)
        if as_meld(rules, made.hand, wanted) is not None or len(made.solutions()) > 2:
            return None
        return made

    def judge(self, answer: Answer) -> Verdict:
        """Any card without which the rest is a meld is right."""
        rest = list(self.hand)
        for card in answer.cards:
            rest.remove(card)
        if len(answer.cards) == 1 and as_meld(self.rules, rest, self.wanted) is not None:
            return RIGHT
        slots = {
            "gone": self.symbols(answer.cards),
            "good": self.symbols([one.cards[0] for one in self.solutions()]),
        }
        return Verdict(False, why_no_meld(self.rules, rest, self.wanted), Say("stays-wrong", slots), Say("mend", slots))

    def solutions(self) -> Sequence[Answer]:
        """Every card without which the rest is a meld."""
        found = []
        for place in sorted(range(len(self.hand)), key=self.hand.__getitem__):
            rest = (*self.hand[:place], *self.hand[place + 1 :])
            answer = Answer((self.hand[place],))
            if answer not in found and as_meld(self.rules, rest, self.wanted) is not None:
                found.append(answer)
        return found

    @property
    def clues(self) -> dict[str, object]:
        """Two cards that may stay."""
        good = {answer.cards[0] for answer in self.solutions()}
        return {"other": self.symbols([card for card in self.hand if card not in good][:2])}
