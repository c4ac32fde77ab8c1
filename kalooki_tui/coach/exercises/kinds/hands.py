"""Hands and contracts: what a deal asks for, what a hand lacks and costs, what brings it nearer, how it is laid."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import ACE, JOKER, RANK, Card
from kalooki_tui.coach.exercises.drawing import (
    WITH_JOKER,
    cards_of,
    deck,
    draw_meld,
    hand_at,
    may_be,
    one_wrong,
    shuffled,
    why_not,
    with_decoys,
)
from kalooki_tui.coach.exercises.model import Answer, Exercise, How, Options, Say, Verdict
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import check_lay, contract_text
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import Laydown, best_lay, distance, useful_cards
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.solver.witness import nearest_plan

#: Contracts to choose from, at most.
MOST: Final = 4
#: Tries to draw melds that may be laid together: runs of four suits seldom are.
MOST_TRIES: Final = 300
#: Cards over that the hand of a contract holds.
OVER: Final = 2
#: Distances that can be answered.
FARTHEST: Final = 5
#: Cards of which some help.
OFFERED: Final = 8
Melds = tuple[Group, ...]


@dataclass(frozen=True, kw_only=True)
class Contracts(Options):
    """Say what a deal asks for, or which of some hands makes it (L1, L2, L3)."""

    kind: ClassVar[str] = "contract"
    named: tuple[int, ...] = ()
    """Deals of different contracts, one of which is asked for; empty: hands are."""
    hands: tuple[Melds, ...] = ()
    """Hands in melds, of which one is the contract."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether deals differ in what they ask for, and all ask for melds."""
        deals = rules.ruleset.deals
        return len({(one.sets, one.runs) for one in deals}) > 1 and not any(one.points for one in deals)

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """One question or the other, each as often; the right answer is drawn evenly among the places."""
        own = rules.contract(deal)
        if dice.random() < 0.5:
            # One deal of each contract; this deal for its own.
            deals = {(one.sets, one.runs): number for number, one in enumerate(rules.ruleset.deals, start=1)}
            del deals[own.sets, own.runs]
            others = dice.sample(sorted(deals.values()), min(MOST - 1, len(deals)))
            return cls(rules=rules, deal=deal, named=tuple(dice.sample([deal, *others], len(others) + 1)))
        hands = _hands(rules, own, dice)
        return None if hands is None else cls(rules=rules, deal=deal, hands=hands)

    @property
    def variant(self) -> str:
        """Sentences about names, and others about hands."""
        return "named" if self.named else "made"

    @property
    def ask(self) -> Say:
        """The question, with the deal."""
        return Say("ask", self.clues)

    @property
    def options(self) -> tuple[Say, ...]:
        words = self.rules.ruleset.vocabulary
        texts = [contract_text(words, self.rules.contract(one)) for one in self.named]
        return tuple(Say("told", {"text": text}) for text in texts or map(self.in_groups, self.hands))

    @property
    def right(self) -> int:
        """The deal itself, or the hand that may be laid."""
        if self.named:
            return self.named.index(self.deal)
        return [why_not_laid(self.rules, self.contract, melds) for melds in self.hands].index(None)

    def why_wrong(self, answer: Answer) -> Verdict:
        """Which deal's contract it is, or why the hand may not be laid."""
        assert answer.option is not None
        solution = Say("asks", self.clues)
        if self.hands:
            refusal = why_not_laid(self.rules, self.contract, self.hands[answer.option])
            return Verdict(False, refusal, solution=solution)
        other = self.named[answer.option]
        return Verdict(False, None, Say("other", {"number": self.rules.contract(other).number or other}), solution)

    @property
    def clues(self) -> dict[str, object]:
        """Which deal of the whole game it is, its cards and the number of its melds."""
        own = self.contract
        return {"number": own.number or self.deal, "cards": own.cards, "melds": own.sets + own.runs}


def why_not_laid(rules: Rules, contract: Contract, melds: Melds) -> Refusal | None:
    """Why melds are no first lay-down; None: they are one."""
    return why_not(check_lay, rules, contract, 0, melds, [], True)


def _hands(rules: Rules, contract: Contract, dice: random.Random) -> tuple[Melds, ...] | None:
    """The contract, melds of which one is of the other kind, and melds of which one has a wrong card, in any order."""
    kinds = [Kind.SET] * contract.sets + [Kind.RUN] * contract.runs
    place = dice.randrange(len(kinds))
    other = Kind.RUN if kinds[place] is Kind.SET else Kind.SET
    good = _drawn(rules, dice, kinds)
    one_meld_off = _drawn(rules, dice, sorted([*kinds[:place], other, *kinds[place + 1 :]], reverse=True))
    one_card_off = _drawn(rules, dice, kinds)
    if good is None or one_meld_off is None or one_card_off is None:
        return None
    spoilt = Group(one_wrong(one_card_off[place].cards, dice), one_card_off[place].kind)
    one_card_off = (*one_card_off[:place], spoilt, *one_card_off[place + 1 :])
    hands = [good, one_meld_off, one_card_off]
    away = [distance(rules, contract, cards_of(melds)) for melds in hands]
    if not may_be(rules, cards_of(one_card_off)) or away[0] or not away[1] or away[2] != 1:
        return None  # there are no such cards, or they make it after all, in other melds
    return tuple(dice.sample(hands, len(hands)))


def _drawn(rules: Rules, dice: random.Random, kinds: Sequence[Kind]) -> Melds | None:
    """Melds of these kinds that one seat may lay; None where the dice gave none."""
    for _ in range(MOST_TRIES):
        groups = _some(rules, dice, kinds)
        if may_be(rules, cards_of(groups)) and why_not_laid(rules, Contract(cards=1), groups) is None:
            return groups
    return None


def _some(rules: Rules, dice: random.Random, kinds: Sequence[Kind]) -> Melds:
    melds = [draw_meld(rules, dice, kind, jokers=int(dice.random() < WITH_JOKER / 2)) for kind in kinds]
    return tuple(Group(meld.cards, meld.kind) for meld in melds)


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
        cards = cards_of(_some(rules, dice, kinds))
        if not may_be(rules, cards):
            return None
        hand = with_decoys(rules, dice, cards, len(cards) + OVER)
        if best_lay(rules, contract, hand) is None:
            return None
        return cls(rules=rules, deal=deal, hand=shuffled(dice, hand))

    def solutions(self) -> Sequence[Answer]:
        return [Answer(groups=self._laid().groups)]

    def _laid(self, *, prefer_out: bool = True) -> Laydown:
        found = best_lay(self.rules, self.contract, self.hand, prefer_out=prefer_out)
        assert found is not None
        return found

    def is_right(self, answer: Answer) -> bool:
        """Any lay-down that the rules take is right."""
        return why_not_laid(self.rules, self.contract, answer.groups) is None

    def why_wrong(self, answer: Answer) -> Verdict:
        """The rule, and a lay-down that it takes."""
        good = self.in_groups(self.solutions()[0].groups)
        refusal = why_not_laid(self.rules, self.contract, answer.groups)
        return Verdict(False, refusal, solution=Say("show", {"answer": good}))

    @property
    def clues(self) -> dict[str, object]:
        return {"meld": self.symbols(self.solutions()[0].groups[0].cards)}


@dataclass(frozen=True, kw_only=True)
class Best(Build):
    """Lay so that as few points as possible stay in the hand (L1, L2, L5, M8)."""

    kind: ClassVar[str] = "best"
    weight: ClassVar[int] = 3

    def solutions(self) -> Sequence[Answer]:
        """The lay-down that leaves least."""
        return [Answer(groups=self._laid(prefer_out=False).groups)]

    def left_by(self, groups: Melds) -> tuple[Card, ...]:
        """What stays in the hand after laying these."""
        return tuple((Counter(self.hand) - Counter(cards_of(groups))).elements())

    def is_right(self, answer: Answer) -> bool:
        """A lay-down that the rules take and that leaves no more than must be, or goes out, is right."""
        if not super().is_right(answer):
            return False
        left = self.left_by(answer.groups)
        return goes_out(self.rules, left) or self.rules.points(left) <= self._laid(prefer_out=False).points_left

    def why_wrong(self, answer: Answer) -> Verdict:
        """The rule, or what stays and need not."""
        if not super().is_right(answer):
            return super().why_wrong(answer)
        best, left = self._laid(prefer_out=False), self.left_by(answer.groups)
        slots = {
            "left": self.symbols(left), "points": self.rules.points(left), "least": best.points_left,
            "good": self.in_groups(best.groups),
        }  # fmt: skip
        return Verdict(False, None, Say("leaves", slots), Say("better", slots))


@dataclass(frozen=True, kw_only=True)
class Away(Options):
    """Say how many cards the hand is from its contract."""

    kind: ClassVar[str] = "away"
    keys: ClassVar[str] = "".join(map(str, range(FARTHEST + 1)))
    numbers: tuple[int, ...] = tuple(range(FARTHEST + 1))

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand within reach, each distance as likely as another."""
        hand = hand_at(rules, deal, dice, dice.randint(1, 4))
        return None if hand is None else cls(rules=rules, deal=deal, hand=hand)

    @property
    def right(self) -> int:
        return distance(self.rules, self.contract, self.hand)

    def why_wrong(self, answer: Answer) -> Verdict:
        """The nearest plan shows why."""
        away, plan = self.right, nearest_plan(self.rules, self.contract, self.hand)
        if plan is None:
            return Verdict(False, solution=Say("far", {"away": away}))
        lacks = [lack.cards[0] for meld in plan.melds for lack in meld.lacks]
        slots = {"said": answer.option, "away": away, **self.clues, "lacks": self.symbols(lacks)}
        reason = "more" if answer.option is not None and answer.option < away else "fewer"
        return Verdict(False, None, Say(reason, slots), Say("lacks" if away else "none", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"held": _held(self, self.hand)}


def _held(exercise: Exercise, hand: Sequence[Card]) -> str:
    """The parts of melds that a hand holds, by its nearest plan."""
    plan = nearest_plan(exercise.rules, exercise.contract, hand)
    return "" if plan is None else " | ".join(exercise.symbols(meld.held) for meld in plan.melds if meld.held)


@dataclass(frozen=True, kw_only=True)
class Helps(Exercise):
    """Mark every card that brings the hand that is shown nearer to its contract."""

    kind: ClassVar[str] = "helps"
    how: ClassVar[How] = How.CARDS
    command: ClassVar[str] = "end"
    weight: ClassVar[int] = 2

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand, and cards of which two to five help."""
        held = hand_at(rules, deal, dice, dice.randint(1, 3))
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
        return cls(rules=rules, deal=deal, hand=shuffled(dice, offered), shown=held)

    def solutions(self) -> Sequence[Answer]:
        """The cards offered that shorten the distance."""
        _, helps = useful_cards(self.rules, self.contract, self.shown)
        return [Answer(tuple(sorted(card for card in self.hand if card in helps)))]

    def why_wrong(self, answer: Answer) -> Verdict:
        """A card that does not help, or how many more do."""
        good = self.solutions()[0].cards
        missed, wrong = len({*good} - {*answer.cards}), sorted({*answer.cards} - {*good})
        slots = {
            "wrong": self.symbols(wrong[:1]), "away": distance(self.rules, self.contract, self.shown), **self.clues,
            "missed": f"{missed} more" if missed > 1 else "one more", "answer": self.symbols(good),
        }  # fmt: skip
        return Verdict(False, None, Say("no-nearer" if wrong else "missed", slots), Say("show", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"held": _held(self, self.shown)}


@dataclass(frozen=True, kw_only=True)
class Cost(Options):
    """Say what a hand costs when somebody else goes out (G2, G3)."""

    kind: ClassVar[str] = "cost"

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A few cards, and sums a learner might come to: aces taken for one another, a joker left out."""
        hand = tuple(sorted(dice.sample(deck(rules), dice.randint(3, 5))))
        right = rules.points(hand)
        wrong = sorted(right + slip for slip in (14, -14, 10, -10, -50, 5, -5) if right + slip > 0)
        numbers = tuple(sorted([right, *dice.sample(wrong, min(3, len(wrong)))]))
        return cls(rules=rules, deal=deal, hand=hand, numbers=numbers)

    @property
    def right(self) -> int:
        return self.numbers.index(self.rules.points(self.hand))

    def why_wrong(self, answer: Answer) -> Verdict:
        """By how much, and the card that may be behind it."""
        values, right = self.rules.values, self.rules.points(self.hand)
        slip = right if answer.option is None else self.numbers[answer.option] - right

        def likely(card: Card) -> tuple[bool, bool, int]:
            """A card of just that worth, an ace, else the dearest."""
            return values[card] == abs(slip), card != JOKER and RANK[card] == ACE, values[card]

        card = max(self.hand, key=likely)
        slots = {"card": self.symbols([card]), "value": values[card], **self.clues, "sum": right, "off": abs(slip)}
        return Verdict(False, None, Say("too-much" if slip > 0 else "too-little", slots), Say("sum", slots))

    @property
    def clues(self) -> dict[str, object]:
        return {"parts": " + ".join(str(self.rules.values[card]) for card in self.hand)}
