"""Put a whole contract together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.coach.exercises.drawing import WITH_JOKER, deck, draw_meld, shuffled, with_decoys
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import best_lay

#: Cards over that the hand of a contract holds.
OVER: Final = 2


@dataclass(frozen=True, kw_only=True)
class Build(Exercise):
    """Put the whole contract together from a hand (L1, L2, L5, M8)."""

    kind: ClassVar[str] = "build"
    how: ClassVar[How] = How.MELDS

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand that holds the contract, and cards over that go with parts of it."""
        contract = rules.contract(deal)
        kinds = [Kind.SET] * contract.sets + [Kind.RUN] * contract.runs or [Kind.SET, Kind.RUN, Kind.RUN]
        melds = [draw_meld(rules, dice, kind, jokers=int(dice.random() < WITH_JOKER / 2)) for kind in kinds]
        cards = [card for meld in melds for card in meld.cards]
        whole = Counter(deck(rules))
        if any(count > whole[card] for card, count in Counter(cards).items()):
            return None
        hand = with_decoys(rules, dice, cards, len(cards) + OVER)
        if best_lay(rules, contract, hand) is None:
            return None
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand))

    def judge(self, answer: Answer) -> Verdict:
        """Any lay-down that the rules take is right."""
        try:
            check_lay(self.rules, self.contract, 0, answer.groups, [], True)
        except Refused as refused:
            good = self.in_groups(self.solutions()[0].groups)
            return Verdict(False, refused.refusal, solution=Say("show", {"answer": good}))
        return RIGHT

    def solutions(self) -> Sequence[Answer]:
        """The best lay-down."""
        found = best_lay(self.rules, self.contract, self.hand)
        assert found is not None
        return [Answer(groups=found.groups)]

    @property
    def clues(self) -> dict[str, object]:
        """One of the melds."""
        return {"meld": self.symbols(self.solutions()[0].groups[0].cards)}
