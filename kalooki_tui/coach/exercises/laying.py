"""Exercises of whole lay-downs: the best one, what stays after every tack and swap, which one bars a later meld."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import deck, draw_meld, neighbours
from kalooki_tui.coach.exercises.melds import Build
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict, symbols
from kalooki_tui.coach.exercises.table import draw_table
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_lay, stands_for
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import best_lay
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.values import dataclass

#: Cards in the hand of a seat that has laid.
HELD: Final = (4, 5)
#: Points between a right answer and the next.
MARGIN: Final = 5


@dataclass(frozen=True, kw_only=True)
class Best(Build):
    """Lay so that as few points as possible stay in the hand (L1, L2, L5, M8)."""

    kind: ClassVar[str] = "best"

    @property
    def least(self) -> int:
        """The fewest points that a lay-down leaves."""
        found = best_lay(self.rules, self.contract, self.hand, prefer_out=False)
        assert found is not None
        return found.points_left

    def left_by(self, groups: Sequence[Group]) -> tuple[Card, ...]:
        """What stays in the hand after laying these."""
        held = Counter(self.hand)
        held.subtract(card for group in groups for card in group.cards)
        return tuple(held.elements())

    def judge(self, answer: Answer) -> Verdict:
        """A lay-down that the rules take and that leaves no more than must be, or goes out, is right."""
        verdict = super().judge(answer)
        if not verdict.right:
            return verdict
        left = self.left_by(answer.groups)
        if goes_out(self.rules, left) or self.rules.points(left) <= self.least:
            return RIGHT
        good = " | ".join(symbols(self.rules, group.cards) for group in self.solutions()[0].groups)
        slots = {"good": good, "points": self.rules.points(left), "least": self.least}
        return Verdict(False, None, Say("mend-best", slots))

    def solutions(self) -> Sequence[Answer]:
        """The best lay-down."""
        found = best_lay(self.rules, self.contract, self.hand, prefer_out=False)
        assert found is not None
        return [Answer(groups=found.groups)]


@dataclass(frozen=True, kw_only=True)
class TackChain(Exercise):
    """Mark the cards that stay when a seat that has laid gets rid of all it can (K1-K10, L8)."""

    kind: ClassVar[str] = "chain"
    how: ClassVar[How] = How.CARDS

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

    def _best(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """What stays of these cards at best, before a discard."""
        own = [meld for meld in self.table if meld.owner == 0]
        found = best_lay(
            self.rules, self.contract, hand, own_melds=own, table=self.table, laid=True, seat=0, prefer_out=False
        )
        return tuple(hand) if found is None else found.left

    @property
    def is_clear(self) -> bool:
        """Whether leaving any other card alone instead costs enough more."""
        return all(self.rules.values[card] >= MARGIN or card == JOKER for card in self._best(self.hand))

    def judge(self, answer: Answer) -> Verdict:
        """Cards are right that need not be more, and beside which all the others can go."""
        stays = self._best(self.hand)
        going = list((Counter(self.hand) - Counter(answer.cards)).elements())
        slots = {"stays": symbols(self.rules, stays)}
        if self.rules.points(answer.cards) > self.rules.points(stays):
            return Verdict(False, None, Say("mend-chain-more", slots))
        if self._best(going):
            return Verdict(False, None, Say("mend-chain-less", slots))
        return RIGHT

    def solutions(self) -> Sequence[Answer]:
        """The cards that stay."""
        return [Answer(tuple(sorted(self._best(self.hand))))]


@dataclass(frozen=True, kw_only=True)
class Block(Exercise):
    """Say which lay-down leaves the way open for a meld to come (M8)."""

    kind: ClassVar[str] = "block"
    how: ClassVar[How] = How.OPTION
    choices: tuple[tuple[Group, ...], ...]
    """The lay-downs offered."""
    later: Group

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Two lay-downs of the contract and a further meld, which one of them bars."""
        contract = rules.contract(deal)
        kinds = [Kind.SET] * contract.sets + [Kind.RUN] * contract.runs
        if not kinds or rules.ruleset.lay.repeats == "free" or not rules.ruleset.lay.further_melds:
            return None
        later = draw_meld(rules, dice, dice.choice(kinds))
        same = [draw_meld(rules, dice, kind) for kind in kinds]
        place = dice.choice([place for place, meld in enumerate(same) if meld.kind is later.kind])
        other = draw_meld(rules, dice, later.kind)
        lays = [
            tuple(Group(m.cards, m.kind) for m in (*same[:place], one, *same[place + 1 :]))
            for one in (same[place], other)
        ]
        dice.shuffle(lays)
        cards = Counter([*later.cards, *(card for meld in same for card in meld.cards), *other.cards])
        whole = Counter(deck(rules))
        if any(count > whole[card] for card, count in cards.items()):
            return None
        made = cls(
            rules=rules, deal=deal, hand=tuple(sorted(cards.elements())), choices=tuple(lays),
            later=Group(later.cards, later.kind),
        )  # fmt: skip
        if any(made.why_not(lay, first=True) for lay in lays):
            return None
        return made if len({made.refusal(index) is None for index in range(len(lays))}) == len(lays) else None

    def why_not(self, groups: Sequence[Group], *, first: bool, own: Sequence[Meld] = ()) -> Refusal | None:
        """Why these may not be laid."""
        try:
            check_lay(self.rules, self.contract, 0, groups, own, first)
        except Refused as refused:
            return refused.refusal
        return None

    def refusal(self, index: int) -> Refusal | None:
        """Why the later meld may not follow that lay-down; None: it may."""
        own = check_lay(self.rules, self.contract, 0, self.choices[index], [], True)
        return self.why_not([self.later], first=False, own=own)

    @property
    def ask(self) -> Say:
        """The question, with the meld to come."""
        return Say(self.kind, {"later": symbols(self.rules, self.later.cards)})

    @property
    def options(self) -> tuple[Say, ...]:
        """The lay-downs."""
        texts = (" | ".join(symbols(self.rules, group.cards) for group in lay) for lay in self.choices)
        return tuple(Say("lay-down", {"melds": text}) for text in texts)

    def judge(self, answer: Answer) -> Verdict:
        """The one after which the rules take the later meld is right."""
        refusal = None if answer.option is None else self.refusal(answer.option)
        return RIGHT if refusal is None else Verdict(False, refusal, Say("mend-block"))

    def solutions(self) -> Sequence[Answer]:
        """The one lay-down."""
        return [Answer(option=index) for index in range(len(self.choices)) if self.refusal(index) is None]
