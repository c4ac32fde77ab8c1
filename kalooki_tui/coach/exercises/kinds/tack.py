"""Mark the cards that fit on the table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, draw_table, fitting, neighbours, shuffled, why_not_tacked
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules

#: Cards shown.
HAND: Final = 6


@dataclass(frozen=True, kw_only=True)
class Fit(Exercise):
    """Mark every card that can be tacked by itself onto a meld on the table (K1-K5, M4)."""

    kind: ClassVar[str] = "tack"
    how: ClassVar[How] = How.CARDS
    command: ClassVar[str] = "tack"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Three melds, and cards of which one to four fit."""
        table = draw_table(rules, dice)
        if table is None:
            return None
        left = deck(rules, [card for meld in table for card in meld.cards])
        near = sorted({card for meld in table for own in meld.cards if own != JOKER for card in neighbours(own)})
        near = [card for card in near if card in left]
        if len(near) < HAND:
            return None
        hand = dice.sample(near, HAND - 1)
        hand.append(JOKER if JOKER in left and dice.random() < 0.3 else dice.choice(left))
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, set(hand)), table=table)
        return made if 0 < len(made.solutions()[0].cards) < len(made.hand) - 1 else None

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that fit are right."""
        good = self.solutions()[0].cards
        missed, wrong = sorted(set(good) - set(answer.cards)), sorted(set(answer.cards) - set(good))
        if not missed and not wrong:
            return RIGHT
        solution = Say("these-fit", {"moves": [self._placed(card) for card in good]})
        if wrong:
            return Verdict(False, self._why(wrong[0]), Say("wrong", {"wrong": self.symbols(wrong)}), solution)
        return Verdict(False, None, Say("missed", {"count": len(missed), "said": self.symbols(answer.cards)}), solution)

    def _placed(self, card: Card) -> Say:
        meld = next(place for place, meld in enumerate(self.table) if why_not_tacked(self.rules, meld, card) is None)
        return Say("move-tack", {"cards": self.symbols([card]), "meld": f"m{meld + 1}"})

    def _why(self, card: Card) -> Refusal | None:
        """What the rules say of the meld that the card seems nearest to."""
        refusals = [why_not_tacked(self.rules, meld, card) for meld in self.table]
        close = [one for one in refusals if one is not None and one.code not in ("tack.rank", "tack.suit")]
        return close[0] if close else refusals[0]

    def solutions(self) -> Sequence[Answer]:
        """The cards that fit."""
        return [Answer(tuple(sorted(fitting(self.rules, self.table, self.hand))))]

    @property
    def clues(self) -> dict[str, object]:
        """One of them."""
        return {"card": self.symbols(self.solutions()[0].cards[:1])}
