"""Exercises that ask of cards on the table whether they are a meld."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, Final, Self

from kalooki_tui.cards import ACE, JOKER, RANKS, SUITS, Card, make_card
from kalooki_tui.coach.exercises.drawing import deck, draw_meld, neighbours, why_as_it_lies
from kalooki_tui.coach.exercises.melds import wanted_kind
from kalooki_tui.coach.exercises.model import Say, YesOrNo
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.rules import Rules
from kalooki_tui.values import dataclass

#: How many jokers a meld holds.
JOKERS: Final = (0, 0, 1, 1, 2)


@dataclass(frozen=True, kw_only=True)
class Valid(YesOrNo):
    """Say whether the cards, as they lie, are a meld of the kind (M1-M7, M9)."""

    kind: ClassVar[str] = "valid"
    mend: ClassVar[str] = "valid"
    wanted: Kind
    cards: tuple[Card, ...]

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld, or one that is spoilt in a way in which learners spoil it; either as often."""
        wanted, jokers, more = wanted_kind(rules, deal, dice), dice.choice(JOKERS), dice.choice((0, 0, 1))
        cards = draw_meld(rules, dice, wanted, jokers=_most_jokers(rules, wanted, jokers, more), more=more).cards
        good = dice.random() < 0.5
        if not good:
            cards = dice.choice(_SPOILT[wanted])(cards, dice)
        try:
            deck(rules, cards)
        except ValueError:
            return None  # more copies than there are
        refusal = why_as_it_lies(rules.ruleset, cards, wanted)
        if (refusal is None) != good:
            return None
        return cls(rules=rules, deal=deal, hand=(), wanted=wanted, cards=cards, refusal=refusal)

    @property
    def ask(self) -> Say:
        """The question, by the kind of meld."""
        return Say(f"{self.kind}-{self.wanted}", {"cards": self.rules.faces.symbols(self.cards)})

    @property
    def shown(self) -> tuple[Card, ...]:
        """The cards."""
        return self.cards


def _most_jokers(rules: Rules, wanted: Kind, jokers: int, more: int) -> int:
    """So many jokers, or as many as a meld of that length takes."""
    sets, runs = rules.ruleset.sets, rules.ruleset.runs
    if wanted is Kind.SET:
        most = min(sets.minimum + more, sets.maximum or rules.packs * SUITS) - sets.naturals
    else:
        most = runs.minimum + more - runs.naturals
        if more == 0 and runs.jokers_when_shortest is not None:
            most = min(most, runs.jokers_when_shortest)
        if not runs.kisses:
            most = min(most, (runs.minimum + more + 1) // 2)
    return max(0, min(jokers, most, rules.jokers))


_Cards = tuple[Card, ...]


def _replaced(cards: _Cards, dice: random.Random) -> _Cards:
    """One card is a neighbour of the right one."""
    places = [place for place, card in enumerate(cards) if card != JOKER]
    place = dice.choice(places)
    return (*cards[:place], dice.choice(neighbours(cards[place])), *cards[place + 1 :])


def _shortened(cards: _Cards, dice: random.Random) -> _Cards:
    """The last card is missing."""
    return cards[:-1]


def _jokers_in(cards: _Cards, dice: random.Random) -> _Cards:
    """All but one are jokers in a set; in a run two jokers lie side by side."""
    if len({card % RANKS for card in cards if card != JOKER}) == 1:
        natural = next(card for card in cards if card != JOKER)
        return (natural, *(JOKER,) * (len(cards) - 1))
    place = dice.randrange(len(cards) - 1)
    return (*cards[:place], JOKER, JOKER, *cards[place + 2 :])


def _round_the_corner(cards: _Cards, dice: random.Random) -> _Cards:
    """King, ace, two, and so on."""
    suit = next(card // RANKS for card in cards if card != JOKER)
    ranks = [RANKS, ACE, 2, 3, 4][: max(4, len(cards))]
    return tuple(make_card(suit, rank) for rank in ranks)


_Spoils = Callable[[_Cards, random.Random], _Cards]
_SPOILT: Final[dict[Kind, tuple[_Spoils, ...]]] = {
    Kind.SET: (_replaced, _shortened, _jokers_in, _jokers_in),
    Kind.RUN: (_replaced, _shortened, _jokers_in, _jokers_in, _round_the_corner),
}
