"""Every way to add to the table: tacks, chains of tacks, swaps, uses of a freed joker (K1-K11).

Of several actions that lead to the same table and the same hand only one is listed. An end is named only where the
rules leave it open (D6). Legal lists, seats, screens and the solver all ask here, of a `Reach`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, RANK, RANKS, Card, make_card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.candidates import possible_melds
from kalooki_tui.engine.melds import Meld, find_repeated, jokers_in, stands_for
from kalooki_tui.engine.permissions import cards_to_keep, may_lay, may_tack_or_swap
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import State
from kalooki_tui.engine.swaps import Swapping, swap
from kalooki_tui.engine.tacks import (
    EndCounts,
    end_counts,
    end_fault,
    ends_taking,
    has_grown,
    joined,
    narrowed,
    put,
    set_fault,
    tack,
)
from kalooki_tui.engine.view import View

Added = Mapping[tuple[int, do.End], int]
"""Cards added in this turn, by meld and end (K6)."""

_ENDS: Final = (do.End.HIGH, do.End.LOW)
_SAID: Final = (None, do.End.HIGH, do.End.LOW)


class Reach(Struct, frozen=True):
    """Hand and melds of a seat that may add to the table, and its limits."""

    rules: Rules
    seat: int
    hand: Sequence[Card]
    melds: Sequence[Meld]
    keeps: int = 0
    """Fewest cards that must stay in the hand (G1, F2)."""
    added: Added = field(default_factory=dict)
    new_melds: bool = True


class Addition(Struct, frozen=True):
    """Way to add, and its result."""

    action: do.Tack | do.Swap
    changed: Mapping[int, Meld]
    laid: Meld | None = None
    frees: Card | None = None
    """What comes to the hand: a joker or a wild card (K9, H7)."""


def reach_of(table: View) -> Reach | None:
    """Return the reach of the view's seat; None: it may not tack and swap now, or has not laid (L9)."""
    if not may_tack_or_swap(table, table.seat):
        return None
    keeps = cards_to_keep(table, table.seat, table.bend_forbidden)
    new = may_lay(table, table.seat)
    return Reach(table.rules, table.seat, table.hand, table.melds, keeps, dict(table.added), new)


def reach_in(state: State, seat: int) -> Reach | None:
    """Return the reach of any seat of a deal, as `reach_of` does."""
    if not may_tack_or_swap(state, seat):
        return None
    keeps = cards_to_keep(state, seat, state.bend_forbidden[seat])
    return Reach(state.rules, seat, state.hands[seat], state.melds, keeps, state.added, may_lay(state, seat))


# Tacks


def single_tacks(reach: Reach, *, onto_sets: bool = True) -> Iterator[tuple[do.Tack, do.End | None]]:
    """Yield tacks of one card, each with the end of the run to which it goes."""
    if len(reach.hand) - 1 < reach.keeps:
        return
    rules, seat = reach.rules, reach.seat
    kinds = set(reach.hand)
    for index, meld in enumerate(reach.melds):
        if meld.kind is do.Kind.SET:
            for card in () if not onto_sets else (*range(meld.rank - 1, JOKER, RANKS), *_strangers(rules, meld), JOKER):
                if card in kinds and set_fault(rules, seat, meld, card) is None:
                    yield do.Tack(seat, (card,), index), None
            continue
        counts = end_counts(reach.added, index)
        for card in next_cards(rules, meld, kinds):
            ends = [end for end in _ENDS if end_fault(rules, seat, meld, card, end, counts.get(end, 0)) is None]
            for end in ends:
                yield do.Tack(seat, (card,), index, end if len(ends) > 1 else None), end


def _strangers(rules: Rules, meld: Meld) -> list[Card]:
    """Return the wild cards that are not of a set's own rank (H7)."""
    return sorted([card for card in rules.wild if RANK[card] != meld.rank]) if rules.wild else []


def next_cards(rules: Rules, meld: Meld, kinds: Container[Card]) -> list[Card]:
    """Return the kinds of card that could go to an end of a run: its neighbours, past the ace too (H15), and jokers."""
    below, above = make_card(meld.suit, meld.low - 1), make_card(meld.suit, meld.low + len(meld.cards))
    near = []
    if below in kinds:
        near.append(below)
    if above in kinds and above not in near:
        near.append(above)
    if rules.wild:
        near += [card for card in sorted(rules.wild) if card in kinds and card not in near]
    if JOKER in kinds:
        near.append(JOKER)
    return near


def tacks_of(reach: Reach, cards: Sequence[Card]) -> list[Addition]:
    """Return every way to tack exactly these cards onto one meld, in any order that works."""
    return [*_tacks(reach, Counter(cards), len(cards), len(cards))]


def chains(reach: Reach) -> Iterator[Addition]:
    """Yield every tack of several cards at once onto one meld."""
    return _tacks(reach, Counter(reach.hand), 2, len(reach.hand))


def _tacks(reach: Reach, counts: Counter[Card], fewest: int, most: int) -> Iterator[Addition]:
    most = min(most, len(reach.hand) - reach.keeps)
    for index, meld in enumerate(reach.melds) if fewest <= most else ():
        onto = _tacks_onto_set if meld.kind is do.Kind.SET else _tacks_onto_run
        for way in onto(reach, index, counts):
            if isinstance(way.action, do.Tack) and fewest <= len(way.action.cards) <= most:
                yield way


def _tacks_onto_set(reach: Reach, index: int, counts: Counter[Card]) -> Iterator[Addition]:
    """Yield every choice of cards that the set takes; their order does not matter."""
    kinds = sorted(counts)

    def choose(meld: Meld, chosen: tuple[Card, ...], start: int) -> Iterator[Addition]:
        if chosen:
            yield Addition(do.Tack(reach.seat, chosen, index), {index: meld})
        for number in range(start, len(kinds)):
            card = kinds[number]
            if chosen.count(card) < counts[card] and set_fault(reach.rules, reach.seat, meld, card) is None:
                yield from choose(joined(meld, card), (*chosen, card), number)

    yield from choose(reach.melds[index], (), 0)


def _tacks_onto_run(reach: Reach, index: int, counts: Counter[Card]) -> Iterator[Addition]:
    """Yield every way in which the run can look afterwards, as far as one tack can say it.

    The engine takes cards one after another, each at every end that takes it; an order is a tack if all its cards
    find a place and the run comes out in one way only, or in one way at the end that is named. Orders that have led to
    the same runs go on alike, so that one of them is followed.
    """
    base, used = reach.melds[index], end_counts(reach.added, index)
    found: set[Meld] = set()
    for said in _SAID:
        orders: dict[frozenset[Meld], tuple[Card, ...]] = {frozenset((base,)): ()}
        while orders:
            for grown, order in orders.items():
                outcomes = [run for run in grown if said is None or has_grown(base, run, said)]
                if order and len(outcomes) == 1 and outcomes[0] not in found:
                    found.add(outcomes[0])
                    yield Addition(do.Tack(reach.seat, order, index, said), {index: outcomes[0]})
            orders = _one_card_more(reach, base, used, said, counts, orders)


def _one_card_more(
    reach: Reach,
    base: Meld,
    used: EndCounts,
    said: do.End | None,
    counts: Counter[Card],
    orders: Mapping[frozenset[Meld], tuple[Card, ...]],
) -> dict[frozenset[Meld], tuple[Card, ...]]:
    """Return the runs that come of each order with one card more, and the order."""
    longer: dict[frozenset[Meld], tuple[Card, ...]] = {}
    for grown, order in orders.items():
        for card in dict.fromkeys(card for run in grown for card in next_cards(reach.rules, run, counts)):
            if order.count(card) == counts[card]:
                continue
            further = frozenset(
                put(run, card, end)
                for run in grown
                for end in narrowed(ends_taking(reach.rules, reach.seat, run, card, base, used), said)
            )
            if further:
                longer.setdefault(further, (*order, card))
    return longer


# Swaps


def swaps(reach: Reach, chosen: Sequence[Card] = ()) -> Iterator[Addition]:
    """Yield every swap that is an action by itself, of the `chosen` card alone if there is one (K7-K9)."""
    if reach.rules.ruleset.uses_freed_jokers:
        return
    for action, result in freeings(reach, chosen):
        left = len(reach.hand) - (result.freed is None)
        if left >= reach.keeps:
            yield Addition(action, {action.meld: result.meld}, frees=result.freed)


def freeings(reach: Reach, chosen: Sequence[Card] = ()) -> Iterator[tuple[do.Swap, Swapping]]:
    """Yield every card of the hand put in a joker's place, and the meld; where the joker goes is not checked."""
    takers = {*reach.hand} if not chosen else {*chosen} & {*reach.hand}
    for index, meld in enumerate(reach.melds if reach.rules.ruleset.has_swaps else ()):
        if not jokers_in(reach.rules, meld):
            continue
        held = sorted(wanted(reach.rules, meld) & takers)
        both = meld.kind is do.Kind.SET and reach.rules.ruleset.swap == "both-suits"
        sets: list[tuple[Card, ...]] = [*combinations(held, 2)] if both else [(card,) for card in held]
        for real, *more in sets if not chosen else [one for one in sets if len(one) == len(chosen)]:
            also = more[0] if more else None
            results: list[Meld] = []
            for end in _SAID:
                try:
                    result = swap(reach.rules, reach.seat, meld, real, end, also)
                except Refused as refused:
                    if refused.refusal.code == "swap.which-end" or end is not None:
                        continue
                    break
                # An end that changes nothing need not be said.
                if result.meld not in results:
                    results.append(result.meld)
                    yield do.Swap(reach.seat, real, index, end, also=also), result
                if end is None and result.freed is None:
                    # The joker went to the only end there is for it.
                    break


def wanted(rules: Rules, meld: Meld) -> set[Card]:
    """Return the cards that may take the place of the meld's jokers, if it has any (K7, K10, K11)."""
    if meld.kind is do.Kind.RUN:
        places = (stands_for(meld, place) for place, held in enumerate(meld.roles) if held == JOKER)
        return {card for card in places if card is not None}
    if not rules.ruleset.uses_freed_jokers or JOKER not in meld.cards:
        return set()
    return set(range(meld.rank - 1, JOKER, RANKS)) - set(meld.cards)


def uses(reach: Reach, chosen: Sequence[Card] = ()) -> Iterator[Addition]:
    """Yield every swap with a use of the freed joker (K10); a new meld is laid alone, others come later.

    `chosen`: of these cards, which take the joker's place, alone.
    """
    if not reach.rules.ruleset.uses_freed_jokers:
        return
    for action, result in freeings(reach, chosen):
        if len(reach.hand) - len(action.cards) >= reach.keeps:
            yield from _builds(reach, action, result.meld)
        if reach.new_melds:
            yield from _new_melds(reach, action, result.meld)


def _builds(reach: Reach, action: do.Swap, swapped: Meld) -> Iterator[Addition]:
    """Yield the freed joker onto a meld of the table, the one it came from included."""
    for target, before in enumerate(reach.melds):
        meld = swapped if target == action.meld else before
        results: list[Meld] = []
        for end in _SAID if meld.kind is do.Kind.RUN else (None,):
            try:
                grown = tack(reach.rules, reach.seat, meld, (JOKER,), end, end_counts(reach.added, target))
            except Refused:
                continue
            if grown not in results:
                results.append(grown)
                way = replace(action, use=target, use_end=end)
                yield Addition(way, {action.meld: swapped, target: grown})


def _new_melds(reach: Reach, action: do.Swap, swapped: Meld) -> Iterator[Addition]:
    """Yield the freed joker in a new meld with cards of the hand (L8, M8)."""
    ruleset = reach.rules.ruleset
    hand = list(reach.hand)
    for card in action.cards:
        hand.remove(card)
    own = [meld for meld in reach.melds if meld.owner == reach.seat]
    most = len(hand) + 1 - reach.keeps
    for meld in possible_melds(ruleset, [*hand, JOKER], reach.seat, fewest_jokers=1):
        if len(meld.cards) > most or find_repeated(ruleset, [*own, meld]) is not None:
            continue
        way = replace(action, lay=(do.Group(meld.cards, meld.kind),))
        yield Addition(way, {action.meld: swapped}, laid=meld)
