"""The open hand as a front end without a cursor has it: the order of the cards, those chosen, those staged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from kalooki_tui.cards import Card, Faces
from kalooki_tui.desk.table.front import Arrangement
from kalooki_tui.ui.widgets.holding import Held, by_rank, by_suit, gathered, merged, stage


class HeldHand:
    """What the desk asks of a hand. Cards are chosen where they are named, since none lies under a cursor."""

    cursor_card: Card | None = None
    named_card: Card | None = None
    has_missed = False

    def __init__(self, faces: Faces, arrangement: Arrangement) -> None:
        """`arrangement`: how the hand lay when it was last seen."""
        self._faces = faces
        pairs = zip_longest(arrangement.cards, arrangement.bundles[: len(arrangement.cards)], fillvalue=-1)
        self._held = [Held(card, bundle=bundle) for card, bundle in pairs]
        self.lacks: tuple[tuple[str, ...], ...] = ()
        """What each bundle of the nearest plan still lacks."""

    @property
    def shown(self) -> list[Held]:
        """The cards to be seen, in their order."""
        return [one for one in self._held if not one.staged]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order."""
        return tuple(one.card for one in self._held)

    @property
    def arrangement(self) -> Arrangement:
        """All cards in their order, and their bundles."""
        return Arrangement(self.cards, tuple(one.bundle for one in self._held))

    @property
    def selected(self) -> tuple[Card, ...]:
        """The chosen cards."""
        return tuple(one.card for one in self.shown if one.chosen)

    def set_hand(self, cards: Iterable[Card], staged: Iterable[Card], *, mark_new: bool) -> None:
        """Hold these cards: those that stay keep their places."""
        cards = tuple(cards)
        if sorted(cards) != sorted(self.cards):
            self.lacks = ()
        self._held = merged(self._held, cards, mark_new=mark_new)
        stage(self._held, staged)

    def forget(self) -> None:
        """Hold nothing."""
        self._held, self.lacks = [], ()

    def put_in_order(self, cards: Sequence[Card]) -> None:
        """Let the cards that are shown lie in this order; whatever is not named comes last."""
        rest = self.shown
        ordered = []
        for card in cards:
            found = next((one for one in rest if one.card == card), None)
            if found is not None:
                rest.remove(found)
                ordered.append(found)
        self._order([*ordered, *rest, *(one for one in self._held if one.staged)])

    def focus(self) -> None:
        """There are no keys to come here."""

    def select_cards(self, cards: Sequence[Card]) -> None:
        """Choose these cards and no others."""
        left = list(cards)
        for one in self.shown:
            one.chosen = one.card in left
            if one.chosen:
                left.remove(one.card)

    def clear_selection(self) -> None:
        """Choose no card."""
        self.select_cards(())

    def sort_by_suit(self) -> None:
        """Order by suit."""
        self._order(by_suit(self._held, self._faces))

    def sort_by_rank(self) -> None:
        """Order by rank."""
        self._order(by_rank(self._held))

    def gather(self, bundles: Sequence[Sequence[Card]], lacks: Sequence[Sequence[str]] = ()) -> None:
        """Put planned melds first, with what each lacks."""
        self._held = gathered(self._held, bundles)
        self.lacks = tuple(map(tuple, lacks))

    def _order(self, ordered: list[Held]) -> None:
        for one in ordered:
            one.bundle = -1
        self._held, self.lacks = ordered, ()
