"""An AI seat's reason as somebody who plays against it may read it: without the cards that nobody else sees (V2)."""

from __future__ import annotations

import re
from functools import cache

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card, Faces
from kalooki_tui.engine.actions import Action, Call, Discard, Draw, Lay, Refuse, Source, Swap, Tack
from kalooki_tui.engine.view import View
from kalooki_tui.players.seat import open_card

HIDDEN = "another card"


def open_reason(text: str, action: Action, view: View) -> str:
    """The reason for an action, told before it is taken; `view` is anybody's of that moment.

    Comparisons with a card in the hand are left out, and what is left names only cards that the action itself shows.
    """
    faces = view.rules.faces
    shown = {faces.symbol(card) for card in _shown(action, view)}
    first, *others = text.split(", ")
    kept = [part for part in others if set(_cards(faces).findall(part)) <= shown]
    first = _cards(faces).sub(lambda found: found[0] if found[0] in shown else HIDDEN, first)
    return ", ".join([first, *kept])


def _shown(action: Action, view: View) -> tuple[Card, ...]:
    """Cards that everybody sees, or will once the action is taken."""
    match action:
        case Discard(card=card) | Swap(card=card):
            return (card,)
        case Lay(groups=groups):
            return tuple(card for group in groups for card in group.cards)
        case Tack(cards=cards):
            return cards
        case Draw(source=Source.STOCK):
            return ()
        case Call() | Refuse() | Draw():
            lies_open = open_card(view)
            return () if lies_open is None else (lies_open,)
    return ()


@cache
def _cards(faces: Faces) -> re.Pattern[str]:
    """Any card's symbol."""
    symbols = sorted((faces.symbol(card) for card in range(KINDS_OF_CARD) if card != JOKER), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, [*symbols, faces.symbol(JOKER)])))
