"""What a seat can work out from the public events of a deal: cards gone, cards taken, calls made (V1)."""

from __future__ import annotations

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.engine.events import CallAllowed
from kalooki_tui.engine.memory import Memory, remember_events
from kalooki_tui.engine.view import View

__all__ = ["Memory", "calls_made", "remember", "unseen_copies"]


def remember(view: View) -> Memory:
    """Read the deal's public events."""
    return remember_events(len(view.names), view.history)


def calls_made(view: View, seat: int) -> int:
    """Successful calls of a seat in this deal, counted as they were made."""
    return sum(isinstance(event, CallAllowed) and event.caller == seat for event in view.history)


def unseen_copies(view: View, memory: Memory) -> list[int]:
    """Copies of each card that may be in the stock or, unseen, in another hand."""
    rules = view.rules
    left = [rules.packs] * (KINDS_OF_CARD - 1) + [rules.jokers]
    gone = [*view.hand, *memory.pile]
    for meld in view.melds:
        gone += meld.cards
    for seat, taken in enumerate(memory.taken):
        if seat != view.seat:
            gone += taken
    if memory.flip is not None:
        gone.append(memory.flip)
    for card in gone:
        if left[card]:
            left[card] -= 1
    return left
