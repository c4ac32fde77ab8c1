"""The club player's advice to a person, in one sentence. It comes from the seat's view alone."""

from __future__ import annotations

import re

from kalooki_tui.desk.commands import key_of
from kalooki_tui.engine.actions import (
    Action,
    Allow,
    BuyIn,
    Call,
    Challenge,
    Cut,
    Discard,
    Done,
    Draw,
    EndTurn,
    Lay,
    Leave,
    Pass,
    Refuse,
    Source,
    Swap,
    Tack,
)
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players.protocol import Decision
from kalooki_tui.solver import distance


def hint_words(decision: Decision, view: View) -> str:
    """What to do and why, for the person whose view it is: cards of the own hand are named."""
    reason = decision.reason or _own_reason(decision.action, view)
    if isinstance(decision.action, Discard):
        # The card has been named already.
        reason = re.sub(f"^{re.escape(view.rules.faces.symbol(decision.action.card))} ", "it ", reason)
    return f"Hint: {action_words(decision.action, view)}{': ' + reason if reason else ''}."


def action_words(action: Action, view: View) -> str:
    """What to do, as a person is told to."""
    symbol, symbols, words = view.rules.faces.symbol, view.rules.faces.symbols, view.rules.ruleset.vocabulary
    match action:
        case Draw(source=Source.STOCK):
            return "draw from the stock"
        case Draw(source=source):
            card = view.flip if source is Source.FLIP else view.discard
            return f"take {'the card' if card is None else symbol(card)}"
        case Call():
            return f"{words.call} it"
        case Pass():
            return "pass"
        case Allow():
            return "allow it"
        case Refuse():
            return "refuse, and take the card"
        case Lay(groups=groups):
            return f"{words.lay} {' | '.join(symbols(group.cards) for group in groups)}"
        case Tack(cards=cards, meld=meld):
            return f"{words.tack} {symbols(cards)} on m{meld + 1}"
        case Swap(card=card, meld=meld):
            return f"swap {symbol(card)} for the {words.joker} of m{meld + 1}"
        case Discard(card=card):
            return f"discard {symbol(card)}"
        case EndTurn() | Done():
            return f"end, with {key_of('end')}"
        case Challenge(target=target):
            return f"challenge {view.names[target]}"
        case Cut(count=count):
            return f"cut about {count} cards"
        case BuyIn():
            return "buy in"
        case Leave():
            return "leave"


def _own_reason(action: Action, view: View) -> str:
    """Why, where the player gives no reason: what was not worth taking, calling or refusing."""
    if isinstance(action, Draw) and len([one for one in view.legal if isinstance(one, Draw)]) == 1:
        return "there is no other card to draw"
    if not isinstance(action, Pass | Allow) and not (isinstance(action, Draw) and action.source is Source.STOCK):
        return ""
    card = view.flip if view.phase in (Phase.FLIP_WINDOW, Phase.FLIP_DECISION) else view.discard
    if card is None or (isinstance(action, Draw) and view.dead):
        return ""
    symbol = view.rules.faces.symbol(card)
    if view.laid[view.seat] is not HasLaid.NO:
        return f"{symbol} fits nowhere"
    before = distance(view.rules, view.contract, view.hand)
    if before == 0:
        return "your hand holds what it needs"
    if distance(view.rules, view.contract, (*view.hand, card)) >= before:
        return f"{symbol} does not bring you nearer"
    return ""
