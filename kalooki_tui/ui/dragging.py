"""A card dragged out of the hand: it goes with the pointer, and where it is dropped says what is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.spread import Item

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Dragging:
    """Mixed into the table: a drop on a meld tacks, one on the discards throws; any other returns the card."""

    def on_hand_view_carried(self, event: HandView.Carried) -> None:
        """Show the card under the pointer, and what lies there as what it would be dropped on."""
        table = cast("TableScreen", self)
        table.motion.carry(event.card, table.hand.faces, event.at)
        for part in (table.melds, table.piles):
            part.hover(part.target_on(event.at))

    def on_hand_view_put_back(self) -> None:
        """The pointer is back over the hand: there the card itself moves."""
        self._end()

    def on_hand_view_dropped(self, event: HandView.Dropped) -> None:
        """Do what the drop says, or say why that is not open, as the key would."""
        table = cast("TableScreen", self)
        meld, pile = table.melds.target_on(event.at), table.piles.target_on(event.at)
        self._end()
        if not table.is_live or table.desk.seat is None:
            return
        if isinstance(meld, Item) and not meld.staged:
            if event.card not in table.hand.selected:
                table.hand.select_cards((event.card,))
            table.moves.choose_meld(meld.index)
        elif pile == "discard":
            table.hand.select_cards((event.card,))
            table.run_command("discard")

    def _end(self) -> None:
        table = cast("TableScreen", self)
        table.motion.end()
        for part in (table.melds, table.piles):
            part.hover(None)
