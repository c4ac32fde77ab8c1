"""How people at a place have their hands in order: kept with the match, and as before where a step is taken back."""

from __future__ import annotations

import asyncio
from typing import Final

from kalooki_tui.desk.table.hand import Arrangement
from kalooki_tui.desk.table.place import Place

#: Orders of the open hand that are remembered for taking steps back.
PAST_ORDERS: Final = 400
#: Seconds after which the order of a hand is kept: a card that is dragged passes many places.
KEEP_SECONDS: Final = 0.4


class HandOrders:
    """The orders of the hands at one place."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._timer: asyncio.TimerHandle | None = None
        self._to_keep: tuple[int, Arrangement] | None = None
        self._past: list[Arrangement] = []
        """How the open hand lay before each of the last steps; none is left where the hand is covered."""

    def kept(self) -> dict[int, Arrangement]:
        """The orders in which people had their hands when the match was left."""
        place = self._place
        orders = {seat: Arrangement(*place.kept_order(seat)) for seat in place.here}
        return {seat: order for seat, order in orders.items() if order.cards}

    def keep_soon(self, seat: int | None, order: Arrangement) -> None:
        """Keep how the open hand lies, once it has lain so for a moment."""
        if seat is None or not order.cards:
            return
        self._to_keep = seat, order
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(KEEP_SECONDS, self.keep)

    def keep(self) -> None:
        """Keep how the open hand lies, or lay until now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._to_keep is not None:
            (seat, order), self._to_keep = self._to_keep, None
            if seat in self._place.here:  # an AI may have the seat since
                self._place.keep_order(seat, order.cards, order.bundles)

    def note(self, order: Arrangement) -> None:
        """Remember how the open hand lies, before a step changes it."""
        if order.cards:
            self._past = [*self._past[-PAST_ORDERS:], order]

    def begin_deal(self) -> None:
        """Nothing is left of the last deal's hands."""
        self.forget()
        self._to_keep = None

    def forget(self) -> None:
        """Leave nothing of a hand behind."""
        self._past.clear()

    def former(self, seat: int) -> Arrangement | None:
        """How the open hand, this seat's, lay when it last held the cards that it holds now."""
        hand = sorted(self._place.view(seat).hand)
        return next((order for order in reversed(self._past) if sorted(order.cards) == hand), None)
