"""Messages to outside players as JSON-ready mappings (notation reference, Outside players): a view and no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from kalooki_tui.cards import Faces
from kalooki_tui.engine.actions import Challenge
from kalooki_tui.engine.events import Drew, Event, PenaltyCard, public
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import print_answer, print_meld_number
from kalooki_tui.notation.event_text import print_event, refusal_data
from kalooki_tui.notation.seat_text import by_name
from kalooki_tui.rulesets.model import applying, to_data

Message: TypeAlias = dict[str, Any]

FORMAT: Final = 1
"""Value of `hello`."""

ASKS: Final[dict[Phase, str]] = {
    Phase.CUT: "cut",
    Phase.CALL_WINDOW: "call",
    Phase.FLIP_WINDOW: "call",
    Phase.DECISION: "decide",
    Phase.FLIP_DECISION: "decide",
    Phase.DRAW: "draw",
    Phase.PLAY: "play",
    Phase.ADD_ON: "add-on",
    Phase.BUY_IN: "buy-in",
}
"""Question in each phase."""


def hello_message(view: View) -> Message:
    rules = view.rules
    return {
        "hello": FORMAT,
        "seat": view.names[view.seat],
        "ruleset": rules.ruleset.id,
        "referee": str(rules.referee),
        "settings": applying(rules.ruleset, rules.settings),
        "rules": to_data(rules.ruleset),
        "seats": list(view.names),
    }


def ask_message(view: View, events: Iterable[Event]) -> Message:
    """Return a question to the view's seat; `events` happened since the last one."""
    told = own_events(view.seat, events, view.names, view)
    return {"ask": ASKS[view.phase], **table_message(view), "options": options(view), "events": told}


def table_message(view: View) -> Message:
    names, faces, contract = view.names, view.rules.faces, view.contract
    asked: Message = {"points": contract.points} if contract.points else {"sets": contract.sets, "runs": contract.runs}
    if contract.by_length:
        sets, runs = view.rules.ruleset.sets.minimum, view.rules.ruleset.runs.minimum
        asked["lengths"] = {"sets": contract.set_lengths(sets), "runs": contract.run_lengths(runs)}
    if contract.whole:
        asked["whole"] = True
    message: Message = {
        "deal": view.deal,
        "contract": asked,
        "hand": faces.texts(view.hand),
        "discard": None if view.discard is None else faces.text(view.discard),
        "stock": view.stock,
        "table": [meld_data(index, meld, names, faces) for index, meld in enumerate(view.melds)],
        "seats": [_seat(seat, view) for seat in range(len(names))],
        "turn": names[view.turn],
        "dealer": names[view.dealer],
        "phase": str(view.phase),
    }
    if view.flip is not None:
        message["flip"] = faces.text(view.flip)
    if view.caller is not None:
        message["caller"] = names[view.caller]
    if view.dead:
        message["dead"] = True
    if view.bend_forbidden:
        message["bend_forbidden"] = True
    if view.rules.ruleset.end.after == "elimination":
        message["pool"] = view.pool
    return message


def options(view: View) -> list[str]:
    """Return the answers open now; lay-downs, cuts, chains of tacks and uses of a freed joker are too many to list."""
    names, faces = view.names, view.rules.faces
    challenges = [Challenge(view.seat, target) for target in view.may_challenge]
    return [print_answer(action, names, faces) for action in (*view.legal, *challenges)]


def own_events(seat: int, events: Iterable[Event], names: Sequence[str], view: View) -> list[str]:
    """Write events as `seat` may know them: the cards it drew itself are named (V1)."""
    return [print_event(seen_by(seat, event), names, view.rules.faces) for event in events]


def seen_by(seat: int, event: Event) -> Event:
    """Return an event as `seat` may know it: its own draws whole, all else as in public (V1, V2)."""
    own = isinstance(event, Drew | PenaltyCard) and event.seat == seat
    return event if own else public(event)


def refused_message(refusal: Refusal) -> Message:
    return {"refused": refusal_data(refusal)}


def result_message(names: Sequence[str], winners: Sequence[int], totals: Sequence[int]) -> Message:
    return {"result": {"winners": [names[seat] for seat in winners], "totals": by_name(names, totals)}}


def meld_data(index: int, meld: Meld, names: Sequence[str], faces: Faces) -> Message:
    cards = faces.texts(meld.cards)
    return {"meld": print_meld_number(index), "owner": names[meld.owner], "kind": str(meld.kind), "cards": cards}


def _seat(seat: int, view: View) -> Message:
    about: Message = {"name": view.names[seat], "cards": view.hand_sizes[seat]}
    if view.calls is not None:
        about["calls"] = view.calls[seat]
    about["laid"] = has_laid(view, seat)
    about["total"] = view.totals[seat]
    if not view.in_deal[seat]:
        about["in_deal"] = False
    if view.penalties[seat]:
        about["penalties"] = view.penalties[seat]
    if view.rules.ruleset.end.after == "elimination":
        about["money"] = view.money[seat]
        about["buy_ins"] = view.buy_ins[seat]
        about["eliminated"] = view.eliminated[seat]
    return about
