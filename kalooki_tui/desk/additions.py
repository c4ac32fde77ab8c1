"""What the cards a person has chosen can be added to, and which jokers one of them can replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Action, Swap, Tack
from kalooki_tui.engine.additions import Addition, reach_of, swaps, tacks_of, uses
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import View

WhyNot = Callable[[Action], Refusal | None]


def additions_of(view: View, cards: Sequence[Card], why_not: WhyNot) -> list[Addition] | Refusal:
    """Every way in which one meld takes all the cards, by what it looks like afterwards (K1-K6, D6).

    A reason instead where no meld takes them: that of the meld which comes nearest to taking them.
    """
    reach = reach_of(view)
    found = tacks_of(reach, cards) if reach is not None else []
    return found or _why_no_tack(view, cards, why_not)


def _why_no_tack(view: View, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    """The most telling refusal: of a meld of the card's own suit or rank before any other."""
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


def swaps_of(view: View, card: Card, why_not: WhyNot) -> list[Addition] | Refusal:
    """Every swap of the card for a joker, with the use of a joker that must be used at once (K7-K10)."""
    reach = reach_of(view)
    found = [*swaps(reach, card), *uses(reach, card)] if reach is not None else []
    return found or _why_no_swap(view, card, why_not)


def _why_no_swap(view: View, card: Card, why_not: WhyNot) -> Refusal:
    joker = view.rules.ruleset.vocabulary.joker
    nothing = Refusal("swap.no-joker", "K7", f"No {joker} on the table stands for {view.rules.faces.symbol(card)}.")
    reasons = (why_not(Swap(view.seat, card, index)) for index, meld in enumerate(view.melds) if JOKER in meld.cards)
    told = (why for why in reasons if why is not None)
    return next((why for why in told if why.code not in ("swap.card", "swap.which-end", "swap.set")), nothing)


def swap_words(view: View, way: Addition) -> str:
    """What becomes of the joker, in words that tell one way to swap from the others."""
    symbols, joker = view.rules.faces.symbols, view.rules.ruleset.vocabulary.joker
    action = way.action
    here = f"m{action.meld + 1}"
    if way.frees:
        return f"{here}: the {joker} comes to your hand"
    if way.laid is not None:
        return f"{here}, and a new meld {symbols(way.laid.cards)}"
    if isinstance(action, Swap) and action.use is not None:
        return f"{here}, and m{action.use + 1} becomes {symbols(way.changed[action.use].cards)}"
    return f"{here} becomes {symbols(way.changed[action.meld].cards)}"
