"""A seat's knowledge of hidden cards: where they may lie, and where they are unlikely to (V1, V2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card
from kalooki_tui.engine.public import Public, public_of
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.arithmetic import power_of_e
from kalooki_tui.players.shedding import fits
from kalooki_tui.rulesets.model import Contract

#: How a card goes with one that its seat took, threw or let pass, the closest first: the same face, the same rank, or
#: one, two or three places away in the suit.
RELATIONS: Final = 5
#: How many times as likely as by chance a hand holds a card so related to one that its seat took, threw or let pass, in
#: contracts of runs alone and of sets alone; contracts of both lie between. Chosen so that worlds hold as many such
#: cards as the hands of Jamaican club players do.
TAKEN: Final = ((0.1, 2.2), (1.05, 2.3), (2.6, 1.0), (1.95, 1.2), (1.1, 0.85))
THROWN: Final = ((2.0, 0.75), (1.0, 0.95), (0.5, 1.0), (0.7, 1.0), (0.65, 1.0))
PASSED: Final = ((1.0, 0.65), (0.92, 0.65), (0.6, 1.03), (0.8, 1.05), (1.0, 1.0))
#: A joker: whoever has one lays sooner, so the more turns a seat has had without laying, the less likely it has one.
KEPT: Final = 1.25
LESS_KEPT: Final = 0.06
LEAST_KEPT: Final = 0.8
#: In a hand that has laid each point of a card makes it so much less likely, up to the points of a dear card (in
#: Jamaican matches twos are there six times as often as tens), and a card that fits on the table is hardly ever there.
CHEAPER: Final = 0.3
DEAR: Final = 10
FITTING: Final = 0.1
#: How many of a seat's throws and passes count, the last ones.
RECENT: Final = 8


@dataclass(slots=True)
class Hidden:
    """Where hidden cards may lie, from one view. Lists have an entry a seat unless said otherwise."""

    public: Public
    known: list[list[Card]]
    """Cards that are known to be in other seats' hands; of the view's own seat and of seats out of the deal none."""
    rooms: list[int]
    """How many hidden cards each hand holds."""
    pool: list[int]
    """By card: copies that are hidden."""
    pile: list[Card]
    """Cards of the discard pile that lie face up, the top last; a position's events tell of none."""
    unknown_below: int
    """Cards that lie face down under the discard pile and that nobody has seen."""


def what_is_hidden(view: View) -> Hidden:
    """Read the view and its events."""
    public, seats = public_of(view), len(view.names)
    known = [[] if seat == view.seat else taken for seat, taken in enumerate(public.taken)]
    rooms = [0 if seat == view.seat else view.hand_sizes[seat] - len(known[seat]) for seat in range(seats)]
    pool = [view.rules.packs] * (KINDS_OF_CARD - 1) + [view.rules.jokers]
    pile = public.pile or ([] if view.discard is None else [view.discard])
    seen = [*view.hand, *public.below, *pile, *([] if view.flip is None else [view.flip])]
    for cards in (seen, *known, *(meld.cards for meld in view.melds)):
        for card in cards:
            pool[card] -= 1
    return Hidden(public, known, rooms, pool, pile, view.pile - len(pile) - len(public.below))


def leanings(view: View, hidden: Hidden, seat: int) -> list[float]:
    """By card: how many times as likely as by chance the seat holds it, from what it took, threw and let pass."""
    if view.laid[seat] is not HasLaid.NO:
        return _leanings_once_laid(view, seat)
    public, share = hidden.public, _share_of_sets(view.contract)
    found = [1.0] * KINDS_OF_CARD
    found[JOKER] = max(LEAST_KEPT, KEPT - LESS_KEPT * public.turns[seat])
    for cards, ends in (
        (public.taken[seat], TAKEN),
        (public.thrown[seat][-RECENT:], THROWN),
        (public.passed[seat][-RECENT:], PASSED),
    ):
        times = [runs + (sets - runs) * share for runs, sets in ends]
        for card, relation in _closest(cards).items():
            found[card] *= times[relation]
    return found


def _leanings_once_laid(view: View, seat: int) -> list[float]:
    """Leanings of a seat that has laid: the rest of its hand is cheap and fits nowhere on the table."""
    rules = view.rules
    found = [power_of_e(-CHEAPER * min(value, DEAR)) for value in rules.values]
    for card in range(KINDS_OF_CARD):
        if any(fits(rules, seat, meld, card) for meld in view.melds):
            found[card] *= FITTING
    return found


def _share_of_sets(contract: Contract) -> float:
    """How much of the contract is sets; a half where it is counted in points (L5)."""
    melds = contract.sets + contract.runs
    return contract.sets / melds if melds else 0.5


def _closest(cards: Sequence[Card]) -> dict[Card, int]:
    found: dict[Card, int] = {}
    for card in set(cards) - {JOKER}:
        for other, relation in _relatives(card):
            found[other] = min(relation, found.get(other, RELATIONS))
    return found


@cache
def _relatives(card: Card) -> tuple[tuple[Card, int], ...]:
    of_rank = [(other, int(other != card)) for other in range(JOKER) if RANK[other] == RANK[card]]
    near = [other for other in range(JOKER) if SUIT[other] == SUIT[card] and 0 < abs(other - card) < RELATIONS - 1]
    return (*of_rank, *((other, abs(other - card) + 1) for other in near))
