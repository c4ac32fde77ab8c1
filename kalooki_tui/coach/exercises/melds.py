"""Exercises about melds: find one, complete one, repair one, put a contract together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import as_meld, deck, draw_meld, neighbours, shuffled, why_no_meld
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict, symbols
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import best_lay
from kalooki_tui.values import dataclass

#: Cards shown where one meld is to be found among them.
SHOWN: Final = 7
#: Cards offered where one completes a meld.
OFFERED: Final = 5
#: How often a meld holds a joker.
WITH_JOKER: Final = 0.4
#: Cards over that the hand of a contract holds.
OVER: Final = 2


@dataclass(frozen=True, kw_only=True)
class _OneMeld(Exercise):
    wanted: Kind
    """The kind of meld it is about."""

    @property
    def ask(self) -> Say:
        """The question, by the kind of meld."""
        return Say(f"{self.kind}-{self.wanted}")


@dataclass(frozen=True, kw_only=True)
class Spot(_OneMeld):
    """Find one meld of the kind among the cards (M1-M9)."""

    kind: ClassVar[str] = "spot"
    how: ClassVar[How] = How.CARDS

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A meld, and cards that go with parts of it."""
        wanted = wanted_kind(rules, deal, dice)
        meld = draw_meld(rules, dice, wanted, jokers=int(dice.random() < WITH_JOKER), more=dice.choice((0, 0, 1)))
        hand = _with_decoys(rules, dice, meld.cards, SHOWN)
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand), wanted=wanted)

    def judge(self, answer: Answer) -> Verdict:
        """Any meld of the kind is right."""
        if as_meld(self.rules, answer.cards, self.wanted) is not None:
            return RIGHT
        return Verdict(False, why_no_meld(self.rules, answer.cards, self.wanted), _mend(self, answer.cards))

    def solutions(self) -> Sequence[Answer]:
        """Every meld of the kind among the cards, the longest first."""
        found = {cards for cards in _choices(self.hand, self.rules.ruleset.sets.minimum) if self._is_good(cards)}
        return [Answer(cards) for cards in sorted(found, key=lambda cards: (-len(cards), cards))]

    def _is_good(self, cards: tuple[Card, ...]) -> bool:
        return as_meld(self.rules, cards, self.wanted) is not None


@dataclass(frozen=True, kw_only=True)
class Complete(_OneMeld):
    """Choose the card that completes a meld (M1-M9)."""

    kind: ClassVar[str] = "complete"
    how: ClassVar[How] = How.CARD
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
        return Say(f"{self.kind}-{self.wanted}", {"part": symbols(self.rules, self.part)})

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
        mend = Say("mend-complete-one" if len(good) == 1 else "mend-complete", {"good": symbols(self.rules, good)})
        return Verdict(False, why_no_meld(self.rules, cards, self.wanted), mend)

    def solutions(self) -> Sequence[Answer]:
        """Every card that completes it, naturals first."""
        fitting = {card for card in self.hand if as_meld(self.rules, (*self.part, card), self.wanted) is not None}
        return [Answer((card,)) for card in sorted(fitting)]


@dataclass(frozen=True, kw_only=True)
class Repair(_OneMeld):
    """Say which card of an attempted meld must go (M1-M9)."""

    kind: ClassVar[str] = "repair"
    how: ClassVar[How] = How.CARD

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
        good = symbols(self.rules, [one.cards[0] for one in self.solutions()])
        return Verdict(False, why_no_meld(self.rules, rest, self.wanted), Say("mend-repair", {"good": good}))

    def solutions(self) -> Sequence[Answer]:
        """Every card without which the rest is a meld."""
        found = []
        for card in sorted(set(self.hand)):
            rest = list(self.hand)
            rest.remove(card)
            if as_meld(self.rules, rest, self.wanted) is not None:
                found.append(Answer((card,)))
        return found


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
        hand = _with_decoys(rules, dice, cards, len(cards) + OVER)
        if best_lay(rules, contract, hand) is None:
            return None
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand))

    def judge(self, answer: Answer) -> Verdict:
        """Any lay-down that the rules take is right."""
        try:
            check_lay(self.rules, self.contract, 0, answer.groups, [], True)
        except Refused as refused:
            good = " | ".join(symbols(self.rules, group.cards) for group in self.solutions()[0].groups)
            return Verdict(False, refused.refusal, Say("mend-build", {"good": good}))
        return RIGHT

    def solutions(self) -> Sequence[Answer]:
        """The best lay-down."""
        found = best_lay(self.rules, self.contract, self.hand)
        assert found is not None
        return [Answer(groups=found.groups)]


def wanted_kind(rules: Rules, deal: int, dice: random.Random) -> Kind:
    """The kind of meld, one that the deal's contract asks for."""
    contract = rules.contract(deal)
    kinds = [Kind.SET] * bool(contract.sets or contract.points) + [Kind.RUN] * bool(contract.runs or contract.points)
    return dice.choice(kinds)


def _with_decoys(rules: Rules, dice: random.Random, cards: Sequence[Card], size: int) -> list[Card]:
    """The cards, and others up to `size`, half of which go with one of them."""
    hand = list(cards)
    while len(hand) < size:
        left = deck(rules, hand)
        naturals = [card for card in hand if card != JOKER]
        near = [card for card in neighbours(dice.choice(naturals)) if card in left]
        plain = [card for card in left if card != JOKER]
        hand.append(dice.choice(near if near and dice.random() < 0.5 else plain))
    return hand


def _choices(cards: Sequence[Card], least: int) -> Iterator[tuple[Card, ...]]:
    for size in range(least, len(cards) + 1):
        yield from {tuple(sorted(chosen)) for chosen in combinations(cards, size)}


def _mend(exercise: Spot, chosen: Sequence[Card]) -> Say:
    """The smallest change that makes the chosen cards a meld."""
    had = Counter(chosen)

    def changes(answer: Answer) -> int:
        wanted = Counter(answer.cards)
        return (wanted - had).total() + (had - wanted).total()

    nearest = Counter(min(exercise.solutions(), key=changes).cards)
    more, less = sorted((nearest - had).elements()), sorted((had - nearest).elements())
    slots = {"more": symbols(exercise.rules, more), "less": symbols(exercise.rules, less)}
    if more and less:
        return Say("mend-swap", slots)
    return Say("mend-more" if more else "mend-less", slots)
