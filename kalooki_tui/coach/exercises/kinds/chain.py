"""Mark the cards that stay after every tack and swap."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, draw_table, neighbours
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.coach.exercises.moves import in_order
from kalooki_tui.engine.melds import stands_for
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import Laydown, best_lay

#: Cards in the hand of a seat that has laid.
HELD: Final = (4, 5)
#: Points between a right answer and the next.
MARGIN: Final = 5


@dataclass(frozen=True, kw_only=True)
class TackChain(Exercise):
    """Mark the cards that stay when a seat that has laid gets rid of all it can (K1-K10, L8)."""

    kind: ClassVar[str] = "chain"
    how: ClassVar[How] = How.CARDS
    command: ClassVar[str] = "end"
    weight: ClassVar[int] = 3

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Where the last card must be thrown, what stays depends on what is thrown."""
        return rules.ruleset.discard.last_card == "any"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A table with a joker in it, the card for its place, cards that fit only after one another, one that stays."""
        table = draw_table(rules, dice, jokers=0.8)
        if table is None:
            return None
        left = deck(rules, [card for meld in table for card in meld.cards])
        real = [stands_for(meld, place) for meld in table for place, card in enumerate(meld.cards) if card == JOKER]
        hand = [card for card in real if card is not None and card in left][:1]
        near = sorted({card for meld in table for own in meld.cards if own != JOKER for card in neighbours(own)})
        while len(hand) < dice.choice(HELD):
            close = [card for own in hand if own != JOKER for card in neighbours(own)]
            card = dice.choice([*near, *close, *close])
            if Counter(left)[card] > hand.count(card):
                hand.append(card)
        made = cls(rules=rules, deal=deal, hand=tuple(sorted(hand)), table=table)
        stays = made.solutions()[0].cards
        if not stays or len(stays) > len(hand) - 2 or Counter(stays) - Counter(hand):
            return None
        return made if made.is_clear else None

    def _plan(self, hand: Sequence[Card]) -> Laydown | None:
        own = [meld for meld in self.table if meld.owner == 0]
        return best_lay(
            self.rules, self.contract, hand, own_melds=own, table=self.table, laid=True, seat=0, prefer_out=False
        )

    def _best(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """What stays of these cards at best, before a discard."""
        plan = self._plan(hand)
        return tuple(hand) if plan is None else plan.left

    @property
    def is_clear(self) -> bool:
        """Whether leaving any other card alone instead costs enough more."""
        return all(self.rules.values[card] >= MARGIN or card == JOKER for card in self._best(self.hand))

    def judge(self, answer: Answer) -> Verdict:
        """Cards are right that need not be more, and beside which all the others can go."""
        plan = self._plan(self.hand)
        stays = self.hand if plan is None else plan.left
        going = list((Counter(self.hand) - Counter(answer.cards)).elements())
        slots = {
            "points": self.rules.points(answer.cards), "least": self.rules.points(stays),
            "kept": self.symbols(sorted((Counter(answer.cards) - Counter(stays)).elements())),
        }  # fmt: skip
        order = in_order("order", self, plan, stays)
        if self.rules.points(answer.cards) > self.rules.points(stays):
            return Verdict(False, None, Say("more", slots), order)
        stuck = self._best(going)
        if stuck:
            return Verdict(False, None, Say("less", {"stuck": self.symbols(stuck)}), order)
        return RIGHT

    def solutions(self) -> Sequence[Answer]:
        """The cards that stay."""
        return [Answer(tuple(sorted(self._best(self.hand))))]
