"""Say whether cards on the table are a meld."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, make_card
from kalooki_tui.coach.exercises.drawing import deck, draw_meld, neighbours, wanted_kind, why_as_it_lies
from kalooki_tui.coach.exercises.model import OneMeld, Say, YesOrNo
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import make_meld, stands_for
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import counted

#: How many jokers a meld holds.
JOKERS: Final = (0, 0, 1, 1, 2)


@dataclass(frozen=True, kw_only=True)
class Valid(YesOrNo, OneMeld):
    """Say whether the cards, as they lie, are a meld of the kind (M1-M7, M9)."""

    kind: ClassVar[str] = "valid"
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
        """The question, with the cards."""
        return Say("ask", {"cards": self.symbols(self.cards)})

    @property
    def shown(self) -> tuple[Card, ...]:
        """The cards."""
        return self.cards

    @property
    def doubt(self) -> Say:
        """The rule that would speak against these cards if it were a little stricter, or if they lay otherwise."""
        ruleset, cards = self.rules.ruleset, self.cards
        naturals = [card for card in cards if card != JOKER]
        slots = {
            "cards": self.symbols(cards), "size": len(cards), "naturals": self.symbols(naturals),
            "natural": counted(len(naturals), "natural card"), "count": counted(len(cards) - len(naturals), "joker"),
            "least": self.clues["least"], "needed": self.clues["naturals"],
        }  # fmt: skip
        doubts = self._set_doubts() if self.wanted is Kind.SET else self._run_doubts()
        for case, more, stricter in doubts:
            refusal = None if stricter is None else why_as_it_lies(stricter, cards, self.wanted)
            if stricter is None or refusal is not None:
                return Say(f"doubt-{case}", {**slots, **more, "clause": "" if refusal is None else refusal.clause})
        raise AssertionError(f"nothing to doubt about {cards} in {ruleset.id}")

    def _set_doubts(self) -> Iterator[_Doubt]:
        """What may be doubted of a set, the likeliest first; with a stricter ruleset that must then refuse it."""
        ruleset, cards = self.rules.ruleset, self.cards
        jokers = cards.count(JOKER)
        sets, naturals = ruleset.sets, len(cards) - jokers
        if jokers > 1 and not ruleset.runs.kisses:
            yield "kiss-in-set", {}, None
        if jokers:
            yield "naturals", {}, replace(ruleset, sets=replace(sets, naturals=naturals + 1))
        twice = [card for card in cards if card != JOKER and cards.count(card) > 1]
        yield "same-suit", {"twice": self.symbols(twice[:1])}, replace(ruleset, sets=replace(sets, suits="distinct"))
        yield "long", {}, replace(ruleset, sets=replace(sets, maximum=sets.minimum))
        yield "short", {}, replace(ruleset, sets=replace(sets, minimum=len(cards) + 1))

    def _run_doubts(self) -> Iterator[_Doubt]:
        """The same of a run."""
        ruleset, cards = self.rules.ruleset, self.cards
        runs, jokers = ruleset.runs, cards.count(JOKER)
        meld = make_meld(ruleset, 0, Group(cards, Kind.RUN))
        yield "kiss-allowed", {}, replace(ruleset, runs=replace(runs, kisses=False))
        if jokers > 1 and not runs.kisses:
            last = len(cards) - 1 - cards[::-1].index(JOKER)
            apart = [card for card in cards[cards.index(JOKER) : last] if card != JOKER]
            yield "no-kiss", {"between": self.symbols(apart)}, None
        for place in (0, len(cards) - 1):
            if cards[place] != JOKER and RANK[cards[place]] == ACE:
                ace = {"ace": self.symbols([cards[place]]), "beside": self.symbols([cards[1 if place == 0 else -2]])}
                yield "low-ace" if place == 0 else "high-ace", ace, None
        if jokers:
            place = cards.index(JOKER)
            card = stands_for(meld, place)
            assert card is not None
            if runs.jokers_when_shortest is not None and len(cards) == runs.minimum:
                fewer = replace(runs, jokers_when_shortest=jokers - 1)
                yield "shortest", {"card": self.symbols([card])}, replace(ruleset, runs=fewer)
            yield "stands-for", {"card": self.symbols([card])}, None
        yield "long", {}, replace(ruleset, runs=replace(runs, longest=runs.minimum))  # type: ignore[arg-type]
        yield "short", {}, replace(ruleset, runs=replace(runs, minimum=len(cards) + 1))

    @property
    def clues(self) -> dict[str, object]:
        """How many cards, and how many natural ones, there must be."""
        sets, runs = self.rules.ruleset.sets, self.rules.ruleset.runs
        own = sets if self.wanted is Kind.SET else runs
        return {"least": own.minimum, "naturals": own.naturals}


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
_Doubt = tuple[str, Mapping[str, object], Ruleset | None]
