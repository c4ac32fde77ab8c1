"""Countable facts of a seat's view: cards away, cards that help, points in the hand, others on the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from kalooki_tui.cards import ACE, HIGH_ACE, JOKER, RANK, SUIT, Card
from kalooki_tui.engine.permissions import has_laid, may_take, next_seat
from kalooki_tui.engine.public import public_of, unseen_copies
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import NEAR, goes_with
from kalooki_tui.players.endgame import fits
from kalooki_tui.players.seat import without
from kalooki_tui.solver import distance, useful_cards
from kalooki_tui.solver.witness import NearestPlan, nearest_plan


class HandFacts(Struct, frozen=True):
    """Hand that has not laid, as it would be after a choice."""

    away: int
    helps: int
    """Unseen copies of the cards that would bring it nearer."""
    unseen: int
    cards: frozenset[Card]
    """Cards that would bring it nearer, those without an unseen copy too."""


class Situation:
    """View, and facts counted from it once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules = view.rules
        self._hands: dict[tuple[Card, ...], HandFacts] = {}

    @cached_property
    def unseen(self) -> list[int]:
        """Unseen copies by card: in the stock or in another hand."""
        return unseen_copies(self.view)

    @cached_property
    def unseen_total(self) -> int:
        return sum(self.unseen)

    @cached_property
    def others(self) -> tuple[int, ...]:
        return tuple(seat for seat, there in enumerate(self.view.in_deal) if there and seat != self.view.seat)

    @cached_property
    def others_laid(self) -> int:
        return sum(has_laid(self.view, seat) for seat in self.others)

    @property
    def has_laid(self) -> bool:
        return has_laid(self.view, self.view.seat)

    @cached_property
    def calls_left(self) -> int:
        """Calls that this seat may still make (C5), counted from what everybody saw."""
        return max(0, self.rules.ruleset.calls.limit - public_of(self.view).calls[self.view.seat])

    @cached_property
    def nearest_out(self) -> int:
        """Other seat with the fewest cards among those that have laid, or among all where none has."""
        laid = [seat for seat in self.others if has_laid(self.view, seat)]
        return min(laid or self.others, key=lambda seat: self.view.hand_sizes[seat])

    def collector(self, card: Card) -> tuple[int, tuple[Card, ...]] | None:
        """Return a seat that has not laid and openly took cards that go with this one, and those cards."""
        contract, taken = self.view.contract, public_of(self.view).taken
        for_sets, for_runs = bool(contract.sets or contract.points), bool(contract.runs or contract.points)
        for seat in self.others:
            naturals = [one for one in taken[seat] if one != JOKER]
            found = tuple(one for one in naturals if _could_share(self.rules, card, one, for_sets, for_runs))
            if found and not has_laid(self.view, seat):
                return seat, found
        return None

    def taker(self, card: Card) -> tuple[int, int] | None:
        """Return the seat that draws next, and the meld onto which it could tack the card if it takes it (C1, L9)."""
        view, seat = self.view, next_seat(self.view.in_deal, self.view.seat)
        if not has_laid(view, seat) or not may_take(view, seat) or self.rules.ruleset.draw.offer == "flip":
            return None
        places = (place for place, meld in enumerate(view.melds) if fits(self.rules, seat, meld, card))
        return next(((seat, place) for place in places), None)

    @cached_property
    def average_points(self) -> float:
        values = self.rules.values
        return sum(values[card] * copies for card, copies in enumerate(self.unseen)) / max(1, self.unseen_total)

    @cached_property
    def now(self) -> HandFacts | None:
        return None if self.has_laid else self.hand(self.view.hand)

    def hand(self, cards: Sequence[Card]) -> HandFacts:
        """Count the facts of a hand that this seat could have, once."""
        key = tuple(sorted(cards))
        found = self._hands.get(key)
        if found is None:
            away, helps = useful_cards(self.rules, self.view.contract, key)
            copies = sum(self.unseen[card] for card in helps)
            found = HandFacts(away, copies, self.unseen_total, frozenset(helps))
            self._hands[key] = found
        return found

    def without(self, card: Card) -> HandFacts:
        return self.hand(without(self.view.hand, (card,)))

    def with_card(self, card: Card) -> HandFacts:
        """Return the facts with this card after the best throw: only hands of equal size compare."""
        held = (*self.view.hand, card)
        hands = [without(held, (one,)) for one in dict.fromkeys(held)]
        away = [distance(self.rules, self.view.contract, hand) for hand in hands]
        nearest = [hand for hand, far in zip(hands, away, strict=True) if far == min(away)]
        return max(map(self.hand, nearest), key=lambda one: one.helps)

    def away_after_call(self, card: Card) -> int:
        """Return how far the hand is with a called card: nothing is thrown for it, which counts in long contracts."""
        return distance(self.rules, self.view.contract, (*self.view.hand, card))

    def mates(self, card: Card) -> tuple[Card, ...]:
        """Return the other naturals that could share a meld of the contract, or once laid a further one (L8)."""
        contract = self.view.contract
        any_kind = bool(contract.points) or (self.has_laid and self.rules.ruleset.lay.further_melds)
        for_sets = any_kind or bool(contract.sets and not self.has_laid)
        for_runs = any_kind or bool(contract.runs and not self.has_laid)
        others = [one for one in without(self.view.hand, (card,)) if one != JOKER]
        return tuple(sorted(one for one in others if _could_share(self.rules, card, one, for_sets, for_runs)))

    def plan(self, hand: Sequence[Card]) -> NearestPlan | None:
        """Return the nearest plan of a hand that this seat could have; None where it is counted in points (L5)."""
        if self.view.contract.points:
            return None
        return nearest_plan(self.rules, self.view.contract, hand, self.unseen)


def _could_share(rules: Rules, card: Card, other: Card, for_sets: bool, for_runs: bool) -> bool:
    """Check that two cards go together, as the rules have it: the seats' weights know it only nearly.

    An ace goes with a king, too (M3), and where suits may not repeat no card goes with its like (M1).
    """
    if card == other and rules.ruleset.sets.suits == "distinct":
        return False
    ranks = sorted((RANK[card], RANK[other]))
    over_the_king = ranks[0] == ACE and 0 < HIGH_ACE - ranks[1] <= NEAR and SUIT[card] == SUIT[other]
    return goes_with(rules, card, other, for_sets, for_runs) or (for_runs and over_the_king)
