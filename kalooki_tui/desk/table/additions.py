"""Words about adding to the table: why the chosen cards go nowhere, what becomes of a joker that is swapped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Action, Swap, Tack
from kalooki_tui.engine.additions import Addition
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import View

WhyNot = Callable[[Action], Refusal | None]


def why_no_place(view: View, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    """Why no meld takes all the cards: the reason of a meld of the card's own suit or rank before any other."""
    if not view.melds:
        return Refusal("tack.gap", "K1", "There is no meld on the table to add to.")
    reasons = [why_not(Tack(view.seat, tuple(cards), index)) for index in range(len(view.melds))]
    far = ("tack.suit", "tack.rank")
    near = [reason for reason in reasons if reason is not None and reason.code not in far]
    if near:
        return near[0]
    text = view.rules.faces.symbols(cards)
    together = " together" if len(cards) > 1 else ""
    return Refusal("tack.rank", "K1", f"No meld on the table takes {text}{together}.")


def why_no_joker(view: View, card: Card, why_not: WhyNot) -> Refusal:
    """Why no joker gives its place to the card."""
    joker = view.rules.ruleset.vocabulary.joker
    nothing = Refusal("swap.no-joker", "K7", f"No {joker} on the table stands for {view.rules.faces.symbol(card)}.")
    reasons = (why_not(Swap(view.seat, card, index)) for index, meld in enumerate(view.melds) if JOKER in meld.cards)
    told = (why for why in reasons if why is not None)
    return next((why for why in told if why.code not in ("swap.card", "swap.which-end", "swap.set")), nothing)


def swap_words(view: View, way: Addition, *, known: bool = False) -> str:
    """What becomes of the joker, in words that tell one way to swap from the others.

    `known`: all ways take it out of one meld, which is named elsewhere.
    """
    symbols, joker = view.rules.faces.symbols, view.rules.ruleset.vocabulary.joker
    action = way.action
    here = f"m{action.meld + 1}"
    if way.frees:
        return f"{here}: the {joker} comes to your hand"
    first = "" if known else f"{here}, and "
    if way.laid is not None:
        return f"{first}a new meld {symbols(way.laid.cards)}"
    if isinstance(action, Swap) and action.use is not None:
        return f"{first}m{action.use + 1} becomes {symbols(way.changed[action.use].cards)}"
    return f"{here} becomes {symbols(way.changed[action.meld].cards)}"
