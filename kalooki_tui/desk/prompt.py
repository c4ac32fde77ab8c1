"""What the table waits for, in the words of its prompt line."""

from __future__ import annotations

from kalooki_tui.desk.desk import Desk
from kalooki_tui.desk.telling import addressed
from kalooki_tui.engine.actions import Draw, Source
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.table.table import Table
from kalooki_tui.wording import counted


def prompt_for(desk: Desk, table: Table) -> tuple[str, bool]:
    """What the table waits for, and whether it waits for the person whose hand lies open."""
    view = desk.view
    faces = view.rules.faces
    if view.actor is None:
        return "The deal is over.", False
    if desk.seat is None or not view.legal:
        return addressed(_others(view, table)), False
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            card, origin = card_in_question(view)
            symbol = "" if card is None else faces.symbol(card)
            return f"{symbol} {origin}: c calls it, with a penalty card · p passes", True
        case Phase.DRAW:
            return _draw_words(view), True
        case Phase.ADD_ON:
            out = "" if view.out is None else f"{view.names[view.out]} is out. "
            return f"{out}Add on what you can, then e.", True
        case Phase.PLAY:
            return _play_words(desk), True
    return "", True


def _others(view: View, table: Table) -> str:
    actor = view.names[view.actor] if view.actor is not None else ""
    match view.phase:
        case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
            return f"{actor} is asked whether to call."
        case Phase.DECISION | Phase.FLIP_DECISION:
            return f"{actor} allows or refuses the call."
        case Phase.CUT:
            return f"{actor} cuts."
        case Phase.BUY_IN:
            return f"{actor} is asked whether to buy in."
    return f"{actor} is to play." if view.turn == view.actor else ""


def _draw_words(view: View) -> str:
    ways = []
    for action in view.legal:
        if not isinstance(action, Draw):
            continue
        if action.source is Source.STOCK:
            ways.append("d draws from the stock")
        elif action.source is Source.DISCARD and view.discard is not None:
            ways.append(f"t takes {view.rules.faces.symbol(view.discard)}")
        elif action.source is Source.FLIP and view.flip is not None:
            ways.append(f"f takes the flip {view.rules.faces.symbol(view.flip)}")
    return "Your turn: " + " · ".join(ways)


def _play_words(desk: Desk) -> str:
    if desk.staged:
        return f"{counted(len(desk.staged), 'meld')} staged: enter lays them · esc takes back"
    if desk.has_laid:
        return "Tack, swap or lay more if you like; x throws the chosen card."
    if desk.distance() == 0:
        return "You can lay: L stages it. Or throw a card: x."
    return "Throw a card: choose it and press x."


def card_in_question(view: View) -> tuple[int | None, str]:
    """The card in question and where it comes from."""
    if view.phase in (Phase.FLIP_WINDOW, Phase.FLIP_DECISION):
        return view.flip, "the flip"
    thrower = view.discarded_by
    return view.discard, "turned up" if thrower is None else f"thrown by {view.names[thrower]}"
