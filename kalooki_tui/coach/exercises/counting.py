"""Exercises about counting: how far is the contract, which cards bring it nearer, what does a hand cost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, shuffled
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict, symbols
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import distance, useful_cards
from kalooki_tui.solver.witness import nearest_plan
from kalooki_tui.values import dataclass

#: Distances that can be answered.
FARTHEST: Final = 5
#: Cards offered where those that help are to be marked.
OFFERED: Final = 8


@dataclass(frozen=True, kw_only=True)
class Away(Exercise):
    """Say how many cards the hand is from its contract."""

    kind: ClassVar[str] = "away"
    how: ClassVar[How] = How.OPTION

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand within reach, each distance as likely as another."""
        hand = _hand_at(rules, deal, dice, dice.randint(1, 4))
        return None if hand is None else cls(rules=rules, deal=deal, hand=hand)

    @property
    def options(self) -> tuple[Say, ...]:
        """The numbers from none on."""
        return tuple(Say("number", {"number": number}) for number in range(FARTHEST + 1))

    @property
    def away(self) -> int:
        """The distance."""
        return distance(self.rules, self.contract, self.hand)

    def judge(self, answer: Answer) -> Verdict:
        """The exact number is right; the plan shows why."""
        if answer.option == self.away:
            return RIGHT
        plan = nearest_plan(self.rules, self.contract, self.hand)
        if plan is None:
            return Verdict(False, None, Say("mend-away", {"away": self.away}))
        slots = {
            "away": self.away,
            "held": " | ".join(symbols(self.rules, meld.held) for meld in plan.melds if meld.held),
            "lacks": symbols(self.rules, [lack.cards[0] for meld in plan.melds for lack in meld.lacks]),
        }
        return Verdict(False, None, Say("mend-away-plan" if self.away else "mend-away-none", slots))

    def solutions(self) -> Sequence[Answer]:
        """The one number."""
        return [Answer(option=self.away)]


@dataclass(frozen=True, kw_only=True)
class Helps(Exercise):
    """Mark every card that brings a hand nearer to its contract."""

    kind: ClassVar[str] = "helps"
    how: ClassVar[How] = How.CARDS
    held: tuple[Card, ...]
    """The hand that is to come nearer; `hand` are the cards offered."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand, and cards of which two to five help."""
        held = _hand_at(rules, deal, dice, dice.randint(1, 3))
        if held is None:
            return None
        _, helps = useful_cards(rules, rules.contract(deal), held)
        left = sorted(set(deck(rules, held)))
        good = [card for card in left if card in helps and card != JOKER]
        poor = [card for card in left if card not in helps]
        count = dice.randint(2, 5)
        if len(good) < count or len(poor) < OFFERED - count:
            return None
        offered = [*dice.sample(good, count), *dice.sample(poor, OFFERED - count)]
        return cls(rules=rules, deal=deal, hand=shuffled(dice, offered), held=held)

    @property
    def ask(self) -> Say:
        """The question, with the hand."""
        return Say(self.kind, {"held": symbols(self.rules, self.held)})

    @property
    def shown(self) -> tuple[Card, ...]:
        """The hand."""
        return self.held

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that help are right."""
        good = set(self.solutions()[0].cards)
        missed, wrong = sorted(good - set(answer.cards)), sorted(set(answer.cards) - good)
        if not missed and not wrong:
            return RIGHT
        slots = {"missed": symbols(self.rules, missed), "wrong": symbols(self.rules, wrong)}
        return Verdict(False, None, Say("mend-helps-missed" if missed else "mend-helps-wrong", slots))

    def solutions(self) -> Sequence[Answer]:
        """The cards offered that shorten the distance."""
        _, helps = useful_cards(self.rules, self.contract, self.held)
        return [Answer(tuple(sorted(card for card in self.hand if card in helps)))]


@dataclass(frozen=True, kw_only=True)
class Cost(Exercise):
    """Say what a hand costs when somebody else goes out (G2, G3)."""

    kind: ClassVar[str] = "cost"
    how: ClassVar[How] = How.OPTION
    sums: tuple[int, ...]
    """The answers offered, ascending."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A few cards, and sums a learner might come to: aces taken for one another, a joker left out."""
        hand = tuple(sorted(dice.sample(deck(rules), dice.randint(3, 5))))
        right = rules.points(hand)
        slips = {right + 14, right - 14, right + 10, right - 10, right - 50, right + 5, right - 5}
        wrong = sorted(slip for slip in slips if slip > 0)
        sums = tuple(sorted([right, *dice.sample(wrong, min(3, len(wrong)))]))
        return cls(rules=rules, deal=deal, hand=hand, sums=sums)

    @property
    def options(self) -> tuple[Say, ...]:
        """The sums."""
        return tuple(Say("number", {"number": number}) for number in self.sums)

    def judge(self, answer: Answer) -> Verdict:
        """The exact sum is right."""
        if answer == self.solutions()[0]:
            return RIGHT
        parts = " + ".join(str(self.rules.values[card]) for card in self.hand)
        return Verdict(False, None, Say("mend-cost", {"parts": parts, "sum": self.rules.points(self.hand)}))

    def solutions(self) -> Sequence[Answer]:
        """The one sum."""
        return [Answer(option=self.sums.index(self.rules.points(self.hand)))]


@dataclass(frozen=True, kw_only=True)
class Packet(Exercise):
    """Say how many cards the dealer's packet must hold for the bonus (B1)."""

    kind: ClassVar[str] = "packet"
    how: ClassVar[How] = How.OPTION
    players: int
    numbers: tuple[int, ...]
    """The answers offered, ascending."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Any number of players, and numbers a learner might come to: the upcard counted, a player forgotten."""
        players, cards = dice.choice(rules.ruleset.seat_counts), rules.contract(deal).cards
        right = players * cards
        slips = {right + 1, right - 1, right - cards, right + cards, right + players, right - players}
        wrong = sorted(slip for slip in slips if slip > 0)
        numbers = tuple(sorted([right, *dice.sample(wrong, 3)]))
        return cls(rules=rules, deal=deal, hand=(), players=players, numbers=numbers)

    @property
    def ask(self) -> Say:
        """The question, with players and cards."""
        return Say(self.kind, {"players": self.players, "cards": self.contract.cards})

    @property
    def options(self) -> tuple[Say, ...]:
        """The numbers."""
        return tuple(Say("number", {"number": number}) for number in self.numbers)

    def judge(self, answer: Answer) -> Verdict:
        """Exactly the cards that are dealt are right."""
        if answer == self.solutions()[0]:
            return RIGHT
        cards = self.contract.cards
        slots = {"players": self.players, "cards": cards, "number": self.players * cards}
        return Verdict(False, None, Say("mend-packet", slots))

    def solutions(self) -> Sequence[Answer]:
        """The one number."""
        return [Answer(option=self.numbers.index(self.players * self.contract.cards))]


def _hand_at(rules: Rules, deal: int, dice: random.Random, away: int) -> tuple[Card, ...] | None:
    """A hand of the deal's size at that distance: cards by dice, changed for such as help or do not."""
    contract = rules.contract(deal)
    hand = dice.sample(deck(rules), contract.cards)
    for _ in range(30):
        now, helps = useful_cards(rules, contract, hand)
        if now == away:
            return tuple(sorted(hand))
        left = deck(rules, hand)
        better = [card for card in left if card in helps and card != JOKER]
        hand.remove(dice.choice(hand))
        hand.append(dice.choice(better if now > away and better else left))
    return None
