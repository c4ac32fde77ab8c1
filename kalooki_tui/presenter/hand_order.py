"""Hand as its person has it: the order of its cards, bundles, those chosen and staged, and the cursor."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from kalooki_tui.cards import FRENCH, JOKER, RANK, SUIT, Card, Faces, rank_first

if TYPE_CHECKING:
    from kalooki_tui.session.client import Client

#: Orders of the open hand that are remembered for taking steps back.
PAST_ORDERS: Final = 400
#: Seconds after which the order of a hand is kept: a card that is dragged passes many places.
KEEP_SECONDS: Final = 0.4
#: Places of the French suits, by number, so that black and red alternate.
_FRENCH_PLACES = (2, 3, 1, 0)


@dataclass(slots=True, eq=False)
class HandCard:
    card: Card
    chosen: bool = False
    staged: bool = False
    """Part of a meld that is not laid yet: out of sight."""
    new: bool = False
    bundle: int = -1
    """Number of the planned meld it is bundled with; -1: none."""


class Arrangement(NamedTuple):
    """Cards of a hand in their order, with the bundle of each (-1: none)."""

    cards: tuple[Card, ...]
    bundles: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    cursor: int = 0


def _taken(rest: list[HandCard], cards: Iterable[Card]) -> list[HandCard]:
    taken = []
    for card in cards:
        found = next((one for one in rest if one.card == card), None)
        if found is not None:
            rest.remove(found)
            taken.append(found)
    return taken


class Hand:
    """Open hand; front ends override the hooks to hear of changes.

    The order outlives draws: `set_hand` keeps the place of each card still held and puts new ones at the end.
    """

    has_cursor = True
    """False: cards are chosen where they are named, and none lies under a cursor."""

    def __init__(self) -> None:
        self.faces: Faces = FRENCH
        self.held: list[HandCard] = []
        """All cards in their order, staged ones too; none while the hand is face down."""
        self.lacks: tuple[tuple[str, ...], ...] = ()
        """Cards that each bundle's planned meld lacks, such as ``9♦``, until the hand changes."""
        self.cursor = 0
        self._named: HandCard | None = None
        """Card to which its rank's key has led, until the cursor leaves it or the hand changes."""
        self.has_missed = False
        """Whether a rank's key has led to no card, until a card is named or chosen, or the cursor moves."""

    # Hooks

    def hand_changed(self) -> None:
        """Hear that the hand looks different."""

    def choice_changed(self) -> None:
        """Hear that other cards are chosen."""

    def order_changed(self) -> None:
        """Hear that the person has put the hand in another order."""

    # What there is

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(one.card for one in self.held)

    @property
    def arrangement(self) -> Arrangement:
        new = tuple(place for place, one in enumerate(self.held) if one.new)
        return Arrangement(self.cards, tuple(one.bundle for one in self.held), new, self.cursor)

    @property
    def in_sight(self) -> list[HandCard]:
        return [one for one in self.held if not one.staged]

    @property
    def shown(self) -> tuple[Card, ...]:
        return tuple(one.card for one in self.in_sight)

    @property
    def selected(self) -> tuple[Card, ...]:
        return tuple(one.card for one in self.in_sight if one.chosen)

    @property
    def cursor_card(self) -> Card | None:
        visible = self.in_sight
        return visible[self.cursor].card if visible and self.has_cursor else None

    @property
    def named_card(self) -> Card | None:
        visible = self.in_sight
        here = visible[self.cursor] if visible else None
        return None if here is None or here is not self._named else here.card

    # What others set

    def set_hand(
        self,
        cards: Iterable[Card],
        *,
        staged: Iterable[Card] = (),
        order: Arrangement | None = None,
        faces: Faces | None = None,
    ) -> None:
        """Hold these cards, a multiset; those that are `staged` are out of sight.

        Cards still held keep their place, choice and bundle; of several copies those staged, chosen or furthest right
        go first. New cards come at the end, marked and with the cursor, unless the hand was empty before. `order`
        restores places, marks and cursor from outside; what has come meanwhile, as by a call, is new.
        """
        self.faces = faces or self.faces
        cards = tuple(cards)
        had_chosen, fresh = self.selected, not self.held
        if Counter(cards) != Counter(self.cards):
            self.lacks = ()
        if order is not None:
            self.lay(order)
            fresh = not order.cards
        if Counter(cards) != Counter(self.cards):
            self._become(cards, mark_new=not fresh)
            self._named = None
            self._stage(staged)
            self.cursor = max((place for place, one in enumerate(self.in_sight) if one.new), default=self.cursor)
        else:
            self._stage(staged)
        self._settle(had_chosen)

    def _become(self, cards: Sequence[Card], *, mark_new: bool) -> None:
        left = Counter(cards)
        keep: set[HandCard] = set()
        for one in sorted(self.held, key=lambda one: (one.staged, one.chosen)):
            if left[one.card] > 0:
                left[one.card] -= 1
                keep.add(one)
        self.held = [one for one in self.held if one in keep]
        for one in self.held:
            one.new = False
        for card in cards:
            if left[card] > 0:
                left[card] -= 1
                self.held.append(HandCard(card, new=mark_new))

    def lay(self, order: Arrangement) -> None:
        pairs = zip_longest(order.cards, order.bundles[: len(order.cards)], fillvalue=-1)
        marked = {*order.new}
        self.held = [HandCard(card, bundle=bundle, new=place in marked) for place, (card, bundle) in enumerate(pairs)]
        self.cursor, self._named = order.cursor, None

    def forget(self) -> None:
        self.held, self.lacks, self.cursor = [], (), 0
        self._named, self.has_missed = None, False

    def set_staged(self, cards: Iterable[Card]) -> None:
        """Hide these cards, of several copies staged or chosen ones first; others come back to their place."""
        had_chosen = self.selected
        self._stage(cards)
        self._settle(had_chosen)

    def _stage(self, cards: Iterable[Card]) -> None:
        left = Counter(cards)
        for one in sorted(self.held, key=lambda one: (not one.staged, not one.chosen)):
            one.staged = left[one.card] > 0
            left[one.card] -= one.staged
            one.chosen = one.chosen and not one.staged
        if any(one.staged for one in self.held):
            self.lacks = ()

    def select_cards(self, cards: Iterable[Card]) -> None:
        """Select exactly these cards; those not in the hand are ignored."""
        left = Counter(cards)
        for one in self.in_sight:
            one.chosen = left[one.card] > 0
            left[one.card] -= one.chosen
        self._choice_has_changed()

    def clear_selection(self) -> None:
        self.select_cards(())

    def focus(self) -> object:
        """Let the keys go to the hand."""

    # Order

    def sort_by_suit(self) -> None:
        """Order by suit, black and red in turn, then from the ace up; jokers last."""
        places = _FRENCH_PLACES if self.faces.name == FRENCH.name else (0, 1, 2, 3)
        ranked = {card: (places[SUIT[card]], RANK[card]) for card in self.cards if card != JOKER}
        self._order(sorted(self.held, key=lambda one: ranked.get(one.card, (4, 0))))

    def sort_by_rank(self) -> None:
        self._order(sorted(self.held, key=lambda one: rank_first(one.card)))

    def gather(self, bundles: Sequence[Sequence[Card]], lacks: Sequence[Sequence[str]] = ()) -> None:
        """Put planned melds first; the other cards follow in their order. `lacks`: cards that each meld still lacks."""
        rest, ordered = list(self.held), list[HandCard]()
        for one in rest:
            one.bundle = -1
        for number, bundle in enumerate(bundles):
            found = _taken(rest, bundle)
            ordered += found
            for one in found:
                one.bundle = number
        self._order(ordered + rest, keep_bundles=True)
        self.lacks = tuple(map(tuple, lacks))
        self.hand_changed()

    def put_in_order(self, cards: Sequence[Card]) -> None:
        """Put the shown cards into this order; whatever is not named comes last."""
        rest = self.in_sight
        self._order([*_taken(rest, cards), *rest, *(one for one in self.held if one.staged)])

    def move(self, source: int, to: int) -> None:
        visible = self.in_sight
        if not 0 <= min(source, to) <= max(source, to) < len(visible):  # the hand may change while a card is dragged
            return
        moved, beside = visible[source], visible[to]
        moved.bundle = -1
        self.lacks = ()
        self.held.remove(moved)
        self.held.insert(self.held.index(beside) + (1 if to > source else 0), moved)
        self.cursor = to
        self.hand_changed()
        self.order_changed()

    def _order(self, ordered: list[HandCard], *, keep_bundles: bool = False) -> None:
        under = self.in_sight[self.cursor] if self.in_sight else None
        self.lacks = ()
        if not keep_bundles:
            for one in ordered:
                one.bundle = -1
        self.held = ordered
        self.cursor = next((index for index, one in enumerate(self.in_sight) if one is under), 0)
        self.hand_changed()
        self.order_changed()

    # Cursor and choice

    def move_cursor(self, index: int) -> None:
        visible = self.in_sight
        if not visible:
            return
        index = max(0, min(len(visible) - 1, index))
        self._named, self.has_missed = None, False
        if index != self.cursor:
            self.cursor = index
            self.hand_changed()

    def name_rank(self, rank: int, after: HandCard | None) -> bool:
        """Go to the leftmost card of a rank, or to the next if the card named before, `after`, is one."""
        visible = self.in_sight
        start = 0
        if after is not None and after in visible and RANK[after.card] == rank:
            start = visible.index(after) + 1
        places = (index % len(visible) for index in range(start, start + len(visible)))
        place = next((index for index in places if RANK[visible[index].card] == rank), None)
        if place is None:
            self._named, self.has_missed = None, True
            return False
        self.move_cursor(place)
        self._named = visible[place]
        return True

    def toggle(self, index: int) -> None:
        visible = self.in_sight
        if 0 <= index < len(visible):
            visible[index].chosen = not visible[index].chosen
            self._choice_has_changed()

    def select_range(self, one: int, other: int) -> None:
        low, high = sorted((one, other))
        for card in self.in_sight[low : high + 1]:
            card.chosen = True
        self._choice_has_changed()

    def _choice_has_changed(self) -> None:
        self.has_missed = False
        self.hand_changed()
        self.choice_changed()

    def _settle(self, had_chosen: tuple[Card, ...]) -> None:
        self.cursor = max(0, min(self.cursor, len(self.in_sight) - 1))
        self.hand_changed()
        if self.selected != had_chosen:
            self.choice_changed()


class HandOrders:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._timer: asyncio.TimerHandle | None = None
        self._to_keep: tuple[int, Arrangement] | None = None
        self._past: list[Arrangement] = []

    def kept(self) -> dict[int, Arrangement]:
        client = self._client
        orders = {seat: Arrangement(*client.kept_order(seat)) for seat in client.here}
        return {seat: order for seat, order in orders.items() if order.cards}

    def keep_soon(self, seat: int | None, order: Arrangement) -> None:
        if seat is None or not order.cards:
            return
        self._to_keep = seat, order
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(KEEP_SECONDS, self.keep)

    def keep(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._to_keep is not None:
            (seat, order), self._to_keep = self._to_keep, None
            if seat in self._client.here:  # an AI may have the seat since
                self._client.keep_order(seat, order.cards, order.bundles)

    def note(self, order: Arrangement) -> None:
        if order.cards:
            self._past = [*self._past[-PAST_ORDERS:], order]

    def begin_deal(self) -> None:
        self.forget()
        self._to_keep = None

    def forget(self) -> None:
        self._past.clear()

    def former(self, seat: int) -> Arrangement | None:
        hand = sorted(self._client.view(seat).hand)
        return next((order for order in reversed(self._past) if sorted(order.cards) == hand), None)
