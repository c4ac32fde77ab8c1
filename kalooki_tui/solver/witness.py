"""Nearest plan of a hand: melds it can make with the fewest further cards, and those cards; it proves `distance`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.melds import cards_for, make_meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import completing_cards
from kalooki_tui.solver.laydowns import lay_choices

#: Lay-downs compared for each way to fill the lacks.
_WAYS = 12


class Lacking(Struct, frozen=True):
    """Card that a planned meld lacks."""

    place: int
    cards: tuple[Card, ...]
    """Any one of these will do in this place, the joker last where it may stand there."""


class PlannedMeld(Struct, frozen=True):
    """Meld of the plan, complete as it will be laid."""

    kind: Kind
    cards: tuple[Card, ...]
    """In order; in a lacking place, the first card that will do."""
    lacks: tuple[Lacking, ...]

    @property
    def held(self) -> tuple[Card, ...]:
        places = {lack.place for lack in self.lacks}
        return tuple(card for place, card in enumerate(self.cards) if place not in places)


class NearestPlan(Struct, frozen=True):
    """Melds that meet the contract, and the cards of the hand that are in none of them."""

    melds: tuple[PlannedMeld, ...]
    over: tuple[Card, ...]

    @property
    def missing(self) -> int:
        """Cards the plan lacks: the distance to the contract."""
        return sum(len(meld.lacks) for meld in self.melds)


def nearest_plan(
    rules: Rules, contract: Contract, hand: Sequence[Card], unseen: Sequence[int] | None = None
) -> NearestPlan | None:
    """Return the nearest plan for the contract (L1, L5, L6), the one whose lacking cards are likeliest to come.

    `unseen`: by card, the copies that may still come; every card alike if not given. None where the hand and the
    cards that would complete it cannot be laid together, since the last card must be a discard (G1).
    """
    # A natural before a joker: that a joker would do as well is said by `Lacking.cards`.
    wanted = sorted(range(KINDS_OF_CARD), key=lambda card: (-unseen[card] if unseen else 0, card))
    wanted.sort(key=rules.stand_ins.__contains__)
    added = completing_cards(rules, contract, count_cards(hand), wanted)
    full = [*hand, *added]
    # A plan that takes every card is found only with one more beside it, to be discarded (G1).
    ways = lay_choices(rules, contract, full, _WAYS, len(hand))
    ways = ways or lay_choices(rules, contract, [*full, JOKER], _WAYS, len(hand))
    plans = [plan for plan in (_plan(rules, hand, way.groups) for way in ways) if plan.missing == len(added)]

    def ease(plan: NearestPlan) -> tuple[int, int, int]:
        """Compare the copies for the hardest lack, then for all together, then points over."""
        lacks = [lack for meld in plan.melds for lack in meld.lacks]
        copies = [sum(unseen[card] for card in lack.cards) for lack in lacks] if unseen is not None else []
        return min(copies, default=0), sum(copies), -rules.points(plan.over)

    return max(plans, key=ease, default=None)


def _plan(rules: Rules, hand: Sequence[Card], groups: Sequence[Group]) -> NearestPlan:
    """Plan the groups as melds: cards that the hand does not hold are lacks."""
    left = list(hand)
    planned = []
    for group in groups:
        meld = make_meld(rules.ruleset, 0, group)
        lacks = []
        for place, card in enumerate(meld.cards):
            if card in left:
                left.remove(card)
            else:
                lacks.append(Lacking(place, cards_for(rules.ruleset, meld, place)))
        planned.append(PlannedMeld(meld.kind, meld.cards, tuple(lacks)))
    return NearestPlan(tuple(planned), tuple(sorted(left)))
