"""A seat's knowledge of hidden cards: where they may lie, and where they are unlikely to (V1, V2)."""

from __future__ import annotations

from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANK, SUIT, Card
from kalooki_tui.engine.public import Public, public_of
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.arithmetic import power_of_e
from kalooki_tui.players.shedding import fits
from kalooki_tui.values import dataclass

#: How much likelier than by chance a hand holds a card that goes with one the seat took, threw or let pass, as counted
#: in matches of club players (Jamaican: 1.4 to 2.1, 0.3 to 0.65, 0.7 to 0.9; Trinidad much the same).
TAKEN: Final = 1.6
THROWN: Final = 0.5
PASSED: Final = 0.85
#: The same card as one it took, where it is of no use twice: only runs are asked for.
TWICE: Final = 0.1
#: A joker: whoever has one lays sooner, so the more turns a seat has had without laying, the less likely it has one.
KEPT: Final = 0.95
LESS_KEPT: Final = 0.06
LEAST_KEPT: Final = 0.6
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
    unknown_below: int
    """Cards that lie face down under the discard pile and that nobody has seen."""


def what_is_hidden(view: View) -> Hidden:
    """Read the view and its events."""
    public, seats = public_of(view), len(view.names)
    known = [[] if seat == view.seat else taken for seat, taken in enumerate(public.taken)]
    rooms = [0 if seat == view.seat else view.hand_sizes[seat] - len(known[seat]) for seat in range(seats)]
    pool = [view.rules.packs] * (KINDS_OF_CARD - 1) + [view.rules.jokers]
    seen = [*view.hand, *public.known_pile, *([] if view.flip is None else [view.flip])]
    for cards in (seen, *known, *(meld.cards for meld in view.melds)):
        for card in cards:
            pool[card] -= 1
    return Hidden(public, known, rooms, pool, view.pile - len(public.pile) - len(public.below))


def leanings(view: View, hidden: Hidden, seat: int) -> list[float]:
    """By card: how many times as likely as by chance the seat holds it, from what it took, threw and let pass."""
    if view.laid[seat] is not HasLaid.NO:
        return _leanings_once_laid(view, seat)
    contract = view.contract
    for_sets, for_runs = bool(contract.sets or contract.points), bool(contract.runs or contract.points)
    found = [1.0] * KINDS_OF_CARD
    public = hidden.public
    found[JOKER] = max(LEAST_KEPT, KEPT - LESS_KEPT * public.turns[seat])
    for cards, times in (
        (public.taken[seat], TAKEN),
        (public.thrown[seat][-RECENT:], THROWN),
        (public.passed[seat][-RECENT:], PASSED),
    ):
        kinds = set(cards)
        for card in range(JOKER):
            if any(_goes_with(card, other, for_sets, for_runs) for other in kinds):
                found[card] *= times
    if not for_sets:
        for card in public.taken[seat]:
            found[card] *= TWICE
    return found


def _leanings_once_laid(view: View, seat: int) -> list[float]:
    """Leanings of a seat that has laid: the rest of its hand is cheap and fits nowhere on the table."""
    rules = view.rules
    found = [power_of_e(-CHEAPER * min(value, DEAR)) for value in rules.values]
    for card in range(KINDS_OF_CARD):
        if any(fits(rules, seat, meld, card) for meld in view.melds):
            found[card] *= FITTING
    return found


def _goes_with(card: Card, other: Card, for_sets: bool, for_runs: bool) -> bool:
    """Whether the two cards could belong to one meld of a kind that is wanted."""
    if other == JOKER:
        return False
    if RANK[card] == RANK[other]:
        return for_sets
    return for_runs and SUIT[card] == SUIT[other] and abs(card - other) <= 2
