"""Know the contracts: what a deal asks for, and which melds are it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.exercises.drawing import WITH_JOKER, deck, draw_meld, neighbours
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import check_lay, contract_text
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import distance

#: Contracts to choose from, at most.
MOST: Final = 4
#: Tries to draw melds that may be laid together: runs of four suits seldom are.
MOST_TRIES: Final = 300
Melds = tuple[Group, ...]


@dataclass(frozen=True, kw_only=True)
class Contracts(Exercise):
    """Say what a deal asks for, or which of some hands makes it (L1, L2, L3)."""

    kind: ClassVar[str] = "contract"
    how: ClassVar[How] = How.OPTION
    named: tuple[int, ...] = ()
    """Deals of different contracts, one of which is asked for; empty: hands are."""
    hands: tuple[Melds, ...] = ()
    """Hands in melds, of which one is the contract."""

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether deals differ in what they ask for, and all ask for melds."""
        deals = rules.ruleset.deals
        return len({_melds_of(one) for one in deals}) > 1 and not any(one.points for one in deals)

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """One question or the other, each as often; the right answer is drawn evenly among the places."""
        if dice.random() < 0.5:
            # One deal of each contract; this deal for its own.
            deals = {_melds_of(rules.contract(one)): one for one in range(1, len(rules.ruleset.deals) + 1)}
            del deals[_melds_of(rules.contract(deal))]
            others = dice.sample(sorted(deals.values()), min(MOST - 1, len(deals)))
            return cls(rules=rules, deal=deal, hand=(), named=tuple(dice.sample([deal, *others], len(others) + 1)))
        hands = _hands(rules, rules.contract(deal), dice)
        return None if hands is None else cls(rules=rules, deal=deal, hand=(), hands=hands)

    @property
    def variant(self) -> str:
        """Sentences about names, and others about hands."""
        return "named" if self.named else "made"

    @property
    def ask(self) -> Say:
        """The question."""
        return Say("ask", self.clues)

    @property
    def options(self) -> tuple[Say, ...]:
        """Contracts, or hands."""
        words = self.rules.ruleset.vocabulary
        texts = [contract_text(words, self.rules.contract(one)) for one in self.named]
        return tuple(Say("told", {"text": text}) for text in texts or map(self.in_groups, self.hands))

    def judge(self, answer: Answer) -> Verdict:
        """The deal's own contract is right; of hands the one that may be laid."""
        if answer in self.solutions():
            return RIGHT
        assert answer.option is not None
        solution = Say("asks", self.clues)
        if self.hands:
            return Verdict(False, self._refusal(self.hands[answer.option]), solution=solution)
        other = self.rules.contract(self.named[answer.option])
        return Verdict(False, None, Say("other", {"number": _number(other, self.named[answer.option])}), solution)

    def solutions(self) -> Sequence[Answer]:
        """The only one."""
        if self.named:
            return [Answer(option=self.named.index(self.deal))]
        return [Answer(option=place) for place, melds in enumerate(self.hands) if self._refusal(melds) is None]

    def _refusal(self, melds: Melds) -> Refusal | None:
        return _why_not(self.rules, self.contract, melds)

    @property
    def clues(self) -> dict[str, object]:
        """Which deal it is, its cards and the number of its melds."""
        contract = self.contract
        number = _number(contract, self.deal)
        return {"number": number, "cards": contract.cards, "melds": contract.sets + contract.runs}


def _melds_of(contract: Contract) -> tuple[int, int]:
    return contract.sets, contract.runs


def _number(contract: Contract, deal: int) -> int:
    """Its number in the whole game."""
    return contract.number or deal


def _why_not(rules: Rules, contract: Contract, melds: Melds) -> Refusal | None:
    """Why the melds are no first lay-down; None: they are one."""
    try:
        check_lay(rules, contract, 0, melds, [], True)
    except Refused as refused:
        return refused.refusal
    return None


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
    spoilt = one_card_off[place]
    cards = [*spoilt.cards]
    wrong = dice.choice([number for number, card in enumerate(cards) if card != JOKER])
    cards[wrong] = dice.choice(neighbours(cards[wrong]))
    one_card_off = (*one_card_off[:place], Group(tuple(cards), spoilt.kind), *one_card_off[place + 1 :])
    hands = [good, one_meld_off, one_card_off]
    away = [distance(rules, contract, _cards(melds)) for melds in hands]
    if not Counter(_cards(one_card_off)) <= Counter(deck(rules)) or away[0] or not away[1] or away[2] != 1:
        return None  # there are no such cards, or they make it after all, in other melds
    return tuple(dice.sample(hands, len(hands)))


def _cards(melds: Melds) -> list[Card]:
    return [card for group in melds for card in group.cards]


def _drawn(rules: Rules, dice: random.Random, kinds: Sequence[Kind]) -> Melds | None:
    """Melds of these kinds that one seat may lay; None where the dice gave none."""
    whole, any_contract = Counter(deck(rules)), Contract(cards=1)
    for _ in range(MOST_TRIES):
        melds = [draw_meld(rules, dice, kind, jokers=int(dice.random() < WITH_JOKER / 2)) for kind in kinds]
        groups = tuple(Group(meld.cards, meld.kind) for meld in melds)
        if Counter(_cards(groups)) <= whole and _why_not(rules, any_contract, groups) is None:
            return groups
    return None
