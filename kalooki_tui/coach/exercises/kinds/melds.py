"""Is it a meld? One is found among cards, completed, repaired, or judged as it lies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Final, Self

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, make_card
from kalooki_tui.coach.exercises.drawing import (
    WITH_JOKER,
    deck,
    draw_meld,
    is_meld,
    less,
    may_be,
    neighbours,
    one_wrong,
    shuffled,
    wanted_kind,
    why_as_it_lies,
    why_no_meld,
    with_decoys,
)
from kalooki_tui.coach.exercises.model import Answer, Exercise, How, Say, Verdict, YesOrNo
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, make_meld, stands_for
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import counted

#: Cards shown of which some are a meld, and cards offered to complete one.
SHOWN: Final = 7
OFFERED: Final = 5
#: How many jokers a meld to be judged holds.
JOKERS: Final = (0, 0, 1, 1, 2)


@dataclass(frozen=True, kw_only=True)
class OneMeld(Exercise):
    """An exercise about one meld."""

    wanted: Kind
    """Its kind."""

    @property
    def variant(self) -> str:
        """Sentences for sets, and others for runs."""
        return self.wanted

    def is_made(self, cards: Sequence[Card]) -> bool:
        """Whether cards are such a meld."""
        return is_meld(self.rules, cards, self.wanted)

    def why_not_made(self, cards: Sequence[Card], reason: Say | None, solution: Say) -> Verdict:
        """Why cards are none, and what mends it."""
        return Verdict(False, why_no_meld(self.rules, cards, self.wanted), reason, solution)


def _drawn(rules: Rules, deal: int, dice: random.Random) -> Meld:
    """A meld that the deal may ask for, as short as can be."""
    return draw_meld(rules, dice, wanted_kind(rules, deal, dice), jokers=int(dice.random() < WITH_JOKER))


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

    def solutions(self) -> Sequence[Answer]:
        """Every meld of the kind among the cards, the longest first."""
        sizes = range(len(self.hand), self.rules.ruleset.sets.minimum - 1, -1)
        every = (cards for size in sizes for cards in sorted({*combinations(sorted(self.hand), size)}))
        return [Answer(cards) for cards in every if self.is_made(cards)]

    def is_right(self, answer: Answer) -> bool:
        """Any meld of the kind is right."""
        return self.is_made(answer.cards)

    def why_wrong(self, answer: Answer) -> Verdict:
        """The rule, and the smallest change that makes the cards a meld."""
        had = Counter(answer.cards)
        changes = [(wanted - had, had - wanted) for wanted in (Counter(one.cards) for one in self.solutions())]
        more, less = min(changes, key=lambda change: change[0].total() + change[1].total())
        slots = {"more": self.symbols(sorted(more.elements())), "less": self.symbols(sorted(less.elements()))}
        case = "change" if more and less else "add" if more else "leave-out"
        return self.why_not_made(answer.cards, None, Say(case, slots))

    @property
    def clues(self) -> dict[str, object]:
        """A card of the shortest."""
        return {"card": self.symbols(min(self.solutions(), key=lambda answer: len(answer.cards)).cards[:1])}


@dataclass(frozen=True, kw_only=True)
class Complete(OneMeld):
    """Choose the card that completes a meld (M1-M9)."""

    kind: ClassVar[str] = "complete"
    how: ClassVar[How] = How.CARD
    command: ClassVar[str] = "lay"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld with one card taken out, and cards of which some fit its place."""
        meld = _drawn(rules, deal, dice)
        missing = dice.choice([card for card in meld.cards if card != JOKER])
        part = less(meld.cards, [missing])
        near = [card for card in neighbours(missing) if card in deck(rules, meld.cards)]
        offered = [missing, *dice.sample(near, min(3, len(near)))]
        if rules.jokers > meld.jokers and dice.random() < WITH_JOKER:
            offered.append(JOKER)
        others = {card for card in deck(rules, [*part, *offered]) if card not in offered and card != JOKER}
        offered += dice.sample(sorted(others), max(0, OFFERED - len(offered)))
        made = cls(rules=rules, deal=deal, hand=shuffled(dice, offered), shown=tuple(part), wanted=meld.kind)
        return made if 0 < len(made.solutions()) < len(offered) else None

    def solutions(self) -> Sequence[Answer]:
        """Every card that completes it, naturals first."""
        return [Answer((card,)) for card in sorted(set(self.hand)) if self.is_made((*self.shown, card))]

    def why_wrong(self, answer: Answer) -> Verdict:
        """The rule, and the cards that make a meld of the kind."""
        good = [one.cards[0] for one in self.solutions()]
        solution = Say("completes" if len(good) == 1 else "any-completes", {"good": self.symbols(good)})
        return self.why_not_made((*self.shown, *answer.cards), None, solution)

    @property
    def clues(self) -> dict[str, object]:
        """A card that is there."""
        return {"card": self.symbols(self.shown[:1])}


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
        meld = _drawn(rules, deal, dice)
        held = [card for card in meld.cards if card != JOKER]
        wrong = [card for card in neighbours(dice.choice(held)) if card in deck(rules, meld.cards)]
        if not wrong:
            return None
        hand = shuffled(dice, (*meld.cards, dice.choice(wrong)))
        made = cls(rules=rules, deal=deal, hand=hand, wanted=meld.kind)
        return None if made.is_made(hand) or len(made.solutions()) > 2 else made

    def solutions(self) -> Sequence[Answer]:
        """Every card without which the rest is a meld."""
        return [Answer((card,)) for card in sorted(set(self.hand)) if self.is_made(less(self.hand, [card]))]

    def why_wrong(self, answer: Answer) -> Verdict:
        """The rule that the rest still breaks."""
        good = [one.cards[0] for one in self.solutions()]
        slots = {"gone": self.symbols(answer.cards), "good": self.symbols(good)}
        return self.why_not_made(less(self.hand, answer.cards), Say("stays-wrong", slots), Say("mend", slots))

    @property
    def clues(self) -> dict[str, object]:
        """Two cards that may stay."""
        good = {answer.cards[0] for answer in self.solutions()}
        return {"other": self.symbols([card for card in self.hand if card not in good][:2])}


@dataclass(frozen=True, kw_only=True)
class Valid(YesOrNo, OneMeld):
    """Say whether the cards, as they lie, are a meld of the kind (M1-M7, M9)."""

    kind: ClassVar[str] = "valid"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld, or one that is spoilt in a way in which learners spoil it; either as often."""
        wanted, jokers, more = wanted_kind(rules, deal, dice), dice.choice(JOKERS), dice.choice((0, 0, 1))
        cards = draw_meld(rules, dice, wanted, jokers=_most_jokers(rules, wanted, jokers, more), more=more).cards
        good = dice.random() < 0.5
        if not good:
            cards = dice.choice(_SPOILT if wanted is Kind.RUN else _SPOILT[:-1])(cards, dice)
        refusal = why_as_it_lies(rules.ruleset, cards, wanted)
        if (refusal is None) != good or not may_be(rules, cards):
            return None
        return cls(rules=rules, deal=deal, shown=cards, wanted=wanted, refusal=refusal)

    @property
    def doubt(self) -> Say:
        """The rule that would speak against these cards if it were a little stricter, or if they lay otherwise."""
        ruleset, cards = self.rules.ruleset, self.shown
        naturals = [card for card in cards if card != JOKER]
        slots = {
            "size": len(cards), "naturals": self.symbols(naturals),
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
        ruleset, cards = self.rules.ruleset, self.shown
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
        ruleset, cards = self.rules.ruleset, self.shown
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


def _jokers_in(cards: _Cards, dice: random.Random) -> _Cards:
    """All but one are jokers in a set; in a run two jokers lie side by side."""
    if len({card % RANKS for card in cards if card != JOKER}) == 1:
        natural = next(card for card in cards if card != JOKER)
        return (natural, *(JOKER,) * (len(cards) - 1))
    place = dice.randrange(len(cards) - 1)
    return (*cards[:place], JOKER, JOKER, *cards[place + 2 :])


def _round_the_corner(cards: _Cards, dice: random.Random) -> _Cards:
    suit = next(card // RANKS for card in cards if card != JOKER)
    ranks = [RANKS, ACE, 2, 3, 4][: max(4, len(cards))]
    return tuple(make_card(suit, rank) for rank in ranks)


_SPOILT: Final[tuple[Callable[[_Cards, random.Random], _Cards], ...]] = (
    one_wrong, lambda cards, _: cards[:-1], _jokers_in, _jokers_in, _round_the_corner,
)  # fmt: skip
_Doubt = tuple[str, Mapping[str, object], Ruleset | None]
