"""Choose the card that a meld lacks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
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

#: Cards offered.
OFFERED: Final = 5


@dataclass(frozen=True, kw_only=True)
class Complete(OneMeld):
    """Choose the card that completes a meld (M1-M9)."""

    kind: ClassVar[str] = "complete"
    how: ClassVar[How] = How.CARD
    command: ClassVar[str] = "lay"
    part: tuple[Card, ...]
    """The cards of the meld that are there, in order."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld with one card taken out, and cards of which some fit its place."""
        wanted = wanted_kind(rules, deal, dice)
        meld = draw_meld(rules, dice, wanted, jokers=int(dice.random() < WITH_JOKER))
        places = [place for place, card in enumerate(meld.cards) if card != JOKER]
        missing = meld.cards[dice.choice(places)]
        part = list(meld.cards)
        part.remove(missing)
        near = [card for card in neighbours(missing) if card in deck(rules, meld.cards)]
        offered = [missing, *dice.sample(near, min(3, len(near)))]
        if rules.jokers > meld.jokers and dice.random() < WITH_JOKER:
            offered.append(JOKER)
        others = [card for card in deck(rules, [*part, *offered]) if card not in offered and card != JOKER]
        offered += dice.sample(sorted(set(others)), OFFERED - len(offered)) if len(offered) < OFFERED else []
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, offered), wanted=wanted, part=tuple(part))
        return made if 0 < len(made.solutions()) < len(offered) else None

    @property
    def ask(self) -> Say:
        """The question, with the cards that are there."""
        return Say("ask", {"part": self.symbols(self.part)})

    @property
    def shown(self) -> tuple[Card, ...]:
        """The cards that are there."""
        return self.part

    def judge(self, answer: Answer) -> Verdict:
        """Any card that makes a meld of the kind is right."""
        cards = (*self.part, *answer.cards)
        if len(answer.cards) == 1 and as_meld(self.rules, cards, self.wanted) is not None:
            return RIGHT
        good = [one.cards[0] for one in self.solutions()]
        solution = Say("completes" if len(good) == 1 else "any-completes", {"good": self.symbols(good)})
        return Verdict(False, why_no_meld(self.rules, cards, self.wanted), solution=solution)

    def solutions(self) -> Sequence[Answer]:
        """Every card that completes it, naturals first."""
        fitting = {card for card in self.hand if as_meld(self.rules, (*self.part, card), self.wanted) is not None}
        return [Answer((card,)) for card in sorted(fitting)]

    @property
    def clues(self) -> dict[str, object]:
        """A card that is there."""
        return {"card": self.symbols(self.part[:1])}
