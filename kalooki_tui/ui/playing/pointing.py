"""What the pointer does at the table: clicks on melds and piles, and a card dragged out of the hand.

A dragged card goes with the pointer, the melds that would take it are lit, and where it is dropped says what is meant.
"""

from __future__ import annotations

from kalooki_tui.cards import Card
from kalooki_tui.desk.commands import BY_NAME, choose
from kalooki_tui.desk.table.hand import no_card_words
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.ui.screens.place import PlaceScreen
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.melds import MeldsView
from kalooki_tui.ui.widgets.piles import PilesView
from kalooki_tui.ui.widgets.spread import Item


class Pointing(PlaceScreen):
    """A table for the pointer. A drop on a meld tacks, one on the discards throws; any other returns the card."""

    _carried: Card | None = None
    """The card that the pointer has carried out of the hand."""

    # Clicks

    def on_melds_view_meld_chosen(self, event: MeldsView.MeldChosen) -> None:
        """Tack onto that meld, if it is one that takes the chosen cards."""
        self.moves.choose_meld(event.meld)

    def on_melds_view_staged_chosen(self, event: MeldsView.StagedChosen) -> None:
        """Take that meld back."""
        if self.desk.unstage_at(event.index) is not None:
            self.refresh_table()

    def on_piles_view_pile_clicked(self, event: PilesView.PileClicked) -> None:
        """Draw; call or take what lies open; with a card chosen in one's turn, throw it on the discards."""
        throws = self.desk.seat is not None and bool(self.hand.selected)
        if event.pile == "stock":
            self.run_command("draw-stock")
        elif event.pile == "discard" and throws and BY_NAME["discard"].is_open(self):
            self.run_command("discard")
        else:
            self.run_command("call" if BY_NAME["call"].is_open(self) else f"take-{event.pile}")

    def on_note_strip_closed(self) -> None:
        """The note has been read."""
        self.run_command("note-away")

    def on_hand_view_no_card(self, event: HandView.NoCard) -> None:
        """Say why a key led to no card, unless it is the key of a command."""
        if event.key not in self._bindings.key_to_bindings and not self.desk.choosing:
            try:
                self.desk.why_no_hand()
                rules = self.desk.view.rules
                self.tell(choose("", no_card_words(event.key, rules.ruleset.vocabulary.joker, rules.faces)))
            except Refused as refused:
                self.tell(refused.refusal)

    # Drags

    def on_hand_view_carried(self, event: HandView.Carried) -> None:
        """Show the card under the pointer, what it would be dropped on, and the melds that take it."""
        self.motion.carry(event.card, self.hand.faces, event.at)
        for part in (self.melds, self.piles):
            part.hover(part.target_on(event.at))
        if event.card != self._carried:
            self._carried = event.card
            self._light_takers(event.card)

    def _light_takers(self, card: Card) -> None:
        """Light the melds that take the card, with the chosen ones if it is one of them."""
        if self.desk.view.may_add and not self.desk.choosing:
            cards = self.hand.selected if card in self.hand.selected else (card,)
            self.melds.lit = frozenset(way.action.meld for way in self.desk.tacks(cards))

    def on_hand_view_put_back(self) -> None:
        """The pointer is back over the hand: there the card itself moves."""
        self._end()

    def on_hand_view_dropped(self, event: HandView.Dropped) -> None:
        """Do what the drop says, or say why that is not open, as the key would."""
        meld, pile = self.melds.target_on(event.at), self.piles.target_on(event.at)
        self._end()
        if not self.is_live or self.desk.seat is None:
            return
        if isinstance(meld, Item) and not meld.staged:
            if event.card not in self.hand.selected:
                self.hand.select_cards((event.card,))
            self.moves.choose_meld(meld.index)
        elif pile == "discard":
            self.hand.select_cards((event.card,))
            self.run_command("discard")
        elif pile is not None:
            self.tell(choose("T1", "No card goes back there: a turn ends with a card on the discards."))

    def _end(self) -> None:
        self.motion.end()
        self._carried = None
        if not self.desk.choosing:
            self.melds.lit = frozenset()
        for part in (self.melds, self.piles):
            part.hover(None)
