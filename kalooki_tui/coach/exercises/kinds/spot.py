"""Find one meld among cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final, Self

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.drawing import (
    WITH_JOKER,
    as_meld,
    draw_meld,
    shuffled,
    wanted_kind,
    why_no_meld,
    with_decoys,
)
from kalooki_tui.coach.exercises.model import RIGHT, Answer, How, OneMeld, Say, Verdict
from kalooki_tui.engine.rules import Rules

#: Cards shown.
SHOWN: Final = 7


@dataclass(frozen=True, kw_only=True)
class Spot(OneMeld):
    """Find one meld of the kind among the cards (M1-M9)."""

    kind: ClassVar[str] = "spot"
    how: ClassVar[How] = How.CARDS
    command: ClassVar[str] = "lay"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld, and cards that go with parts of it."""
        wanted = wanted_kind(rules, deal, dice)
        meld = draw_meld(rules, dice, wanted, jokers=int(dice.random() < WITH_JOKER), more=dice.choice((0, 0, 1)))
        hand = with_decoys(rules, dice, meld.cards, SHOWN)
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand), wanted=wanted)

    def judge(self, answer: Answer) -> Verdict:
        """Any meld of the kind is right."""
        if as_meld(self.rules, answer.cards, self.wanted) is not None:
            return RIGHT
        refusal = why_no_meld(self.rules, answer.cards, self.wanted)
        return Verdict(False, refusal, solution=self._change(answer.cards))

    def solutions(self) -> Sequence[Answer]:
        """Every meld of the kind among the cards, the longest first."""
        found = {
            cards
            for cards in _choices(self.hand, self.rules.ruleset.sets.minimum)
            if as_meld(self.rules, cards, self.wanted) is not None
        }
        return [Answer(cards) for cards in sorted(found, key=lambda cards: (-len(cards), cards))]

    @property
    def clues(self) -> dict[str, object]:
        """A card of the shortest."""
        return {"card": self.symbols(min(self.solutions(), key=lambda answer: len(answer.cards)).cards[:1])}

    def _change(self, chosen: Sequence[Card]) -> Say:
        """The smallest change that makes the chosen cards a meld."""
        had = Counter(chosen)

        def changes(answer: Answer) -> int:
            wanted = Counter(answer.cards)
            return (wanted - had).total() + (had - wanted).total()

        nearest = Counter(min(self.solutions(), key=changes).cards)
        more, less = sorted((nearest - had).elements()), sorted((had - nearest).elements())
        slots = {"more": self.symbols(more), "less": self.symbols(less)}
        return Say("change" if more and less else "add" if more else "leave-out", slots)


def _choices(cards: Sequence[Card], least: int) -> Iterator[tuple[Card, ...]]:
    for size in range(least, len(cards) + 1):
        yield from {tuple(sorted(chosen)) for chosen in combinations(cards, size)}
