"""What the pointer does at the table: clicks on melds and piles, and a card dragged out of the hand.

A dragged card goes with the pointer, the melds that would take it are lit, and where it is dropped says what is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kalooki_tui.cards import Card
from kalooki_tui.desk.commands import BY_NAME, choose
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.holding import no_card_words
from kalooki_tui.ui.widgets.melds import MeldsView
from kalooki_tui.ui.widgets.piles import PilesView
from kalooki_tui.ui.widgets.spread import Item

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Pointing:
    """Mixed into the table. A drop on a meld tacks, one on the discards throws; any other returns the card."""

    _carried: Card | None = None
    """The card that the pointer has carried out of the hand."""

    @property
    def _table(self) -> TableScreen:
        return cast("TableScreen", self)

    # Clicks

    def on_melds_view_meld_chosen(self, event: MeldsView.MeldChosen) -> None:
        """Tack onto that meld, if it is one that takes the chosen cards."""
        self._table.moves.choose_meld(event.meld)

    def on_melds_view_staged_chosen(self, event: MeldsView.StagedChosen) -> None:
        """Take that meld back."""
        if self._table.desk.unstage_at(event.index) is not None:
            self._table.refresh_table()

    def on_piles_view_pile_clicked(self, event: PilesView.PileClicked) -> None:
        """Draw; call or take what lies open; with a card chosen in one's turn, throw it on the discards."""
        table = self._table
        throws = table.desk.seat is not None and bool(table.hand.selected)
        if event.pile == "stock":
            table.run_command("draw-stock")
        elif event.pile == "discard" and throws and BY_NAME["discard"].is_open(table):
            table.run_command("discard")
        else:
            table.run_command("call" if BY_NAME["call"].is_open(table) else f"take-{event.pile}")

    def on_note_strip_closed(self) -> None:
        """The note has been read."""
        self._table.run_command("note-away")

    def on_hand_view_no_card(self, event: HandView.NoCard) -> None:
        """Say why a key led to no card, unless it is the key of a command."""
        table = self._table
        if event.key not in table._bindings.key_to_bindings and not table.desk.choosing:
            try:
                table.desk.why_no_hand()
                table.tell(choose("", no_card_words(event.key, table.desk.view.rules.ruleset.vocabulary.joker)))
            except Refused as refused:
                table.tell(refused.refusal)

    # Drags

    def on_hand_view_carried(self, event: HandView.Carried) -> None:
        """Show the card under the pointer, what it would be dropped on, and the melds that take it."""
        table = self._table
        table.motion.carry(event.card, table.hand.faces, event.at)
        for part in (table.melds, table.piles):
            part.hover(part.target_on(event.at))
        if event.card != self._carried:
            self._carried = event.card
            self._light_takers(event.card)

    def _light_takers(self, card: Card) -> None:
        """Light the melds that take the card, with the chosen ones if it is one of them."""
        table = self._table
        if table.desk.view.may_add and not table.desk.choosing:
            cards = table.hand.selected if card in table.hand.selected else (card,)
            table.melds.lit = frozenset(way.action.meld for way in table.desk.tacks(cards))

    def on_hand_view_put_back(self) -> None:
        """The pointer is back over the hand: there the card itself moves."""
        self._end()

    def on_hand_view_dropped(self, event: HandView.Dropped) -> None:
        """Do what the drop says, or say why that is not open, as the key would."""
        table = self._table
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
        elif pile is not None:
            table.tell(choose("T1", "No card goes back there: a turn ends with a card on the discards."))

    def _end(self) -> None:
        table = self._table
        table.motion.end()
        self._carried = None
        if not table.desk.choosing:
            table.melds.lit = frozenset()
        for part in (table.melds, table.piles):
            part.hover(None)
