"""Countable facts of a seat's view: cards away, cards that help, points in the hand, others on the table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of, unseen_copies
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import goes_with
from kalooki_tui.players.seat import without
from kalooki_tui.solver import distance, useful_cards
from kalooki_tui.solver.witness import NearestPlan, nearest_plan


class HandFacts(Struct, frozen=True):
    """Hand that has not laid, as it would be after a choice."""

    away: int
    helps: int
    """Unseen copies of the cards that would bring it nearer."""
    unseen: int
    points: int
    """Cost of the hand if somebody goes out (G3)."""

    cards: frozenset[Card] = frozenset()
    """Cards that would bring it nearer, those without an unseen copy too."""

    @property
    def share(self) -> float:
        return self.helps / self.unseen if self.unseen else 0.0


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
    def chances(self) -> Chances:
        return chances_for(self.rules.ruleset.id, len(self.view.names))

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
            found = tuple(one for one in taken[seat] if one != JOKER and goes_with(card, one, for_sets, for_runs))
            if found and not has_laid(self.view, seat):
                return seat, found
        return None

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
            found = HandFacts(away, copies, self.unseen_total, self.rules.points(key), frozenset(helps))
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

    def mates(self, card: Card) -> tuple[Card, ...]:
        """Return the other naturals that could share a meld of the contract, or once laid a further one (L8)."""
        contract = self.view.contract
        any_kind = bool(contract.points) or (self.has_laid and self.rules.ruleset.lay.further_melds)
        for_sets = any_kind or bool(contract.sets and not self.has_laid)
        for_runs = any_kind or bool(contract.runs and not self.has_laid)
        others = without(self.view.hand, (card,))
        return tuple(sorted(one for one in others if one != JOKER and goes_with(card, one, for_sets, for_runs)))

    def plan(self, hand: Sequence[Card]) -> NearestPlan | None:
        """Return the nearest plan of a hand that this seat could have; None where it is counted in points (L5)."""
        if self.view.contract.points:
            return None
        return nearest_plan(self.rules, self.view.contract, hand, self.unseen)


#: Turns ahead that are told apart.
TURNS: Final = 3
FOLDER: Final = "tables"
#: Whose tables judge a ruleset that has none.
DEFAULT_RULESET: Final = "jamaican"


class Chances(Struct, frozen=True):
    """Tables of one ruleset and number of seats."""

    ends: tuple[float, ...]
    """Somebody else goes out before my next turn, by how many others have laid."""
    lays: tuple[tuple[float, ...], ...]
    """I lay within 1, 2, 3 turns (second index), by cards away from 1 (first index)."""
    shares: tuple[float, ...]
    """Mean share of the unseen cards that bring a hand nearer, by cards away from 1."""

    def end_before_turn(self, others_laid: int) -> float:
        return self.ends[min(others_laid, len(self.ends) - 1)]

    def lay_within(self, away: int, turns: int, share: float | None = None) -> float:
        """Return the chance to lay within 1 to 3 turns; `share`: of unseen cards that help, None for the mean."""
        if away == 0:
            return 1.0
        here = self._lays(away, turns)
        if share is None:
            return here
        usual = self.shares[min(away, len(self.shares)) - 1] or share or 1.0
        better = share / (share + usual) - 0.5
        beyond = self._lays(away - 1 if better > 0 else away + 1, turns)
        return here + (beyond - here) * abs(better)

    def _lays(self, away: int, turns: int) -> float:
        if away <= 0:
            return 1.0
        if away > len(self.lays):
            return 0.0
        # A hand further away is never likelier to lay, however little was counted of it.
        return min(row[min(turns, TURNS) - 1] for row in self.lays[:away])


def shares_of(counts: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """Return how often something happened in situations (count, happened); few pull a share a little to a half."""
    return tuple((happened + 1) / (count + 2) for count, happened in counts)


def chances_for(ruleset: str, seats: int) -> Chances:
    """Return the tables of a ruleset at so many seats, or the nearest number of seats there is."""
    tables = _tables(ruleset) or _tables(DEFAULT_RULESET)
    return tables[min(tables, key=lambda count: (abs(count - seats), count))]


@cache
def _tables(ruleset: str) -> dict[int, Chances]:
    path = resources.files("kalooki_tui.evaluation") / FOLDER / f"{ruleset}.json"
    if not path.is_file():
        return {}
    data = json.loads(path.read_text(encoding="utf-8"))

    return {
        int(seats): Chances(shares_of(table["ends"]), tuple(map(shares_of, table["lays"])), tuple(table["shares"]))
        for seats, table in data["seats"].items()
    }
