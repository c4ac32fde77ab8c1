"""Calls out of turn and the answers to them (C2-C10, D24, D30, U1, U3)."""

from __future__ import annotations

from kalooki_tui.engine.actions import MOST_SEATS, Allow, Call, Pass, Refuse, Source
from kalooki_tui.engine.events import CallAllowed, Called, CallRefused, Event, Passed, PenaltyCard
from kalooki_tui.engine.permissions import DECISIONS, FLIPS, WINDOWS, has_laid, may_take, not_now
from kalooki_tui.engine.refusals import Refused, refuse
from kalooki_tui.engine.state import State, note
from kalooki_tui.engine.turns import (
    after_window,
    ensure_stock,
    flip_card,
    may_take_open,
    note_drawn,
    open_draw,
    open_play,
    why_no_place,
)
from kalooki_tui.engine.view import Phase
from kalooki_tui.wording import does, whom, whose

_PASSED = tuple(Passed(seat) for seat in range(MOST_SEATS))


def may_answer(state: State, seat: int) -> bool:
    """Check that the seat may call or pass now: the one asked, or any not yet heard (D30; D4, H3)."""
    asked, rules = state.asked, state.rules
    at_once = rules.settings.race or rules.ruleset.calls.order == "nearest"
    return bool(asked) and (asked[0] == seat or (at_once and seat in asked))


def pass_call(state: State, action: Pass) -> list[Event]:
    """Pass; the next seat is asked, or the draw begins (D30)."""
    seat = action.seat
    if state.phase not in WINDOWS:
        raise refuse("turn.wrong-phase", "D30", "There is no card to call now.")
    if not may_answer(state, seat):
        raise _not_asked(state, seat)
    events: list[Event] = []
    note(state, events, _PASSED[seat])
    leave_window(state, seat, events)
    return events


def _not_asked(state: State, seat: int) -> Refused:
    if seat in state.asked:
        first, name = state.names[state.asked[0]], state.names[seat]
        return refuse(
            "turn.not-yours", "D30", f"{does(first, 'be')} asked first; {does(name, 'come', inside=True)} after."
        )
    return refuse("turn.not-yours", "D30", f"{does(state.names[seat], 'be')} not asked about this card.")


def call(state: State, action: Call) -> list[Event]:
    """Call the top discard, or the flip; the turn seat decides if it may (C2-C7, U1, U3)."""
    seat = action.seat
    _check_call(state, seat)
    flips = state.phase is Phase.FLIP_WINDOW
    card = state.flip if flips else state.pile[-1]
    assert card is not None
    events: list[Event] = []
    note(state, events, Called(seat, card))
    state.callers.append(seat)
    if state.rules.settings.race or state.rules.ruleset.calls.order == "asked":
        state.asked = [seat]
    leave_window(state, seat, events)
    return events


def leave_window(state: State, seat: int, events: list[Event]) -> None:
    """Take a seat that has answered or dropped out from those asked; go on where nobody is left to ask (D30, H3)."""
    state.asked.remove(seat)
    callers = [caller for caller in state.clockwise_from(state.turn) if caller in state.callers]
    if state.asked:
        state.actor = state.asked[0]
    elif callers:
        state.caller, state.callers = callers[0], []
        _answer(state, events)
    elif state.phase is Phase.FLIP_WINDOW:
        open_draw(state)
    else:
        after_window(state, events)


def _answer(state: State, events: list[Event]) -> None:
    """Let the turn seat decide about the call, if it may take the card itself (C6, C7, H6)."""
    flips, turn = state.phase is Phase.FLIP_WINDOW, state.turn
    if (flips or state.rules.ruleset.draw.offer == "take") and may_take_open(state, turn):
        state.phase = Phase.FLIP_DECISION if flips else Phase.DECISION
        state.actor = turn
    else:
        _grant(state, events, asked=False)


def _check_call(state: State, seat: int) -> None:
    """Refuse a call: first for the state of the seat, then for the moment (C2-C10)."""
    calls, name = state.rules.ruleset.calls, state.names[seat]
    flips = state.rules.ruleset.draw.offer == "flip"
    if calls.limit == 0:
        own = state.contract.calls == 0
        raise refuse("call.none", "H13" if own else "C10", f"There are no calls in this {'deal' if own else 'game'}.")
    if state.actor is None:
        raise refuse("call.closed", "C8", "The deal is over.")
    if not state.in_deal[seat]:
        raise refuse("turn.not-yours", "F3", f"{does(name, 'be')} out of this deal.")
    if has_laid(state, seat) and not calls.laid_seat:
        raise refuse("call.laid", "C9", f"{does(name, 'have')} laid and can no longer call in this deal.")
    if seat == state.turn and (not flips or state.phase is Phase.FLIP_WINDOW):
        raise refuse("call.turn-seat", "C2", f"It is {whose(name)} turn: {whom(name)} may simply take the card.")
    if state.calls[seat] >= calls.limit and not state.rules.penalties:
        made = "the one call" if calls.limit == 1 else f"all {calls.limit} calls"
        raise refuse("call.limit", "C5", f"{does(name, 'have')} made {made} of this deal.")
    if seat == state.discarded_by and state.phase is not Phase.FLIP_WINDOW:
        raise refuse("call.own-discard", "C2", f"{name} threw that card and may not call it.")
    if state.phase in DECISIONS:
        caller = "Another seat" if state.caller is None else state.names[state.caller]
        raise refuse("call.taken", "C3", f"{caller} called first: there is one call a turn.")
    if state.phase not in WINDOWS:
        raise refuse("call.closed", "C8", "It is too late to call this card.")
    if not may_answer(state, seat):
        if seat in state.asked:
            raise _not_asked(state, seat)
        if seat in state.callers:
            raise refuse("call.closed", "H3", f"{does(name, 'have')} called this card already.")
        raise refuse("call.closed", "D30", f"{name} did not call this card when asked.")


def allow(state: State, action: Allow) -> list[Event]:
    """Let the caller have the card and its penalty cards (C4, H2)."""
    _check_decision(state, action.seat, "allow a call")
    events: list[Event] = []
    _grant(state, events, asked=True)
    return events


def _check_decision(state: State, seat: int, verb: str) -> None:
    if seat != state.turn or state.phase not in DECISIONS:
        raise not_now(state, seat, verb)


def refuse_call(state: State, action: Refuse) -> list[Event]:
    """Take the called card as the turn's draw (C6, U3)."""
    seat = action.seat
    _check_decision(state, seat, "refuse a call")
    if not may_take(state, seat):
        raise refuse(
            "refuse.laid",
            "C6",
            f"{does(state.names[seat], 'have')} laid, may not take the card, and so must allow the call.",
        )
    no_place = why_no_place(state, seat)
    if no_place is not None:
        raise Refused(no_place)
    if state.phase is Phase.FLIP_DECISION:
        assert state.flip is not None
        card, state.flip, source = state.flip, None, Source.FLIP
    else:
        card, source = state.pile.pop(), Source.DISCARD
        note_drawn(state, seat, card)
    caller, state.caller = state.caller, None
    assert caller is not None
    state.hands[seat].append(card)
    events: list[Event] = []
    note(state, events, CallRefused(seat, caller, card, source))
    open_play(state)
    return events


def _grant(state: State, events: list[Event], *, asked: bool) -> None:
    """Give the caller the card and its penalty cards; the turn goes on (C4, H2, D24, U1-U3)."""
    caller, state.caller = state.caller, None
    assert caller is not None
    flips = state.phase in FLIPS
    if flips:
        assert state.flip is not None
        card, state.flip = state.flip, None
    else:
        card = state.pile.pop()
    state.hands[caller].append(card)
    state.calls[caller] += 1
    state.dead = True
    note(state, events, CallAllowed(state.turn, caller, card, asked))
    for _ in range(state.rules.ruleset.calls.penalty):
        if not ensure_stock(state, events):
            return
        penalty = state.stock.pop()
        state.hands[caller].append(penalty)
        note(state, events, PenaltyCard(caller, penalty))
    if state.rules.ruleset.draw.offer == "flip" and not flips:
        flip_card(state, events)
    else:
        open_draw(state)
