"""How many copies of each card a seat has not seen (V1)."""

from __future__ import annotations

from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import View


def unseen_copies(view: View) -> list[int]:
    """Count the copies of each card that may be in the stock or, unseen, in another hand (V1)."""
    rules, public = view.rules, public_of(view)
    left = rules.copies
    gone = [*view.hand, *public.known_pile]
    for meld in view.melds:
        gone += meld.cards
    for seat, taken in enumerate(public.taken):
        if seat != view.seat:
            gone += taken
    if public.flip is not None:
        gone.append(public.flip)
    for card in gone:
        if left[card]:
            left[card] -= 1
    return left
