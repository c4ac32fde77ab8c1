"""Which cards thrown one person, alone with AI seats, is asked about."""

from __future__ import annotations

from typing import Final

from kalooki_tui.desk.plan import AskCalls
from kalooki_tui.desk.prompt import card_in_question
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.solver import distance

ASK_WORDS: Final = {
    AskCalls.ALWAYS: "about every call you could make",
    AskCalls.HELPS: "about calls that bring the contract nearer",
    AskCalls.TURN: "about no calls before your turn",
}


def wants_asking(view: View, ask: AskCalls) -> bool:
    """Whether the view's seat, in a call window, is asked; on its own turn it always is."""
    if ask is AskCalls.ALWAYS or view.turn == view.seat:
        return True
    return ask is AskCalls.HELPS and brings_nearer(view)


def brings_nearer(view: View) -> bool:
    """Whether the card in question shortens the way from the hand to its contract."""
    card, _ = card_in_question(view)
    if card is None or view.laid[view.seat] is not HasLaid.NO:
        return False
    now = distance(view.rules, view.contract, view.hand)
    return now > 0 and distance(view.rules, view.contract, (*view.hand, card)) < now
