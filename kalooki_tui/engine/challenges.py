"""Challenges of over-calling under the penalties referee (F2, F3, D13, D23)."""

from __future__ import annotations

from kalooki_tui.engine.actions import Challenge
from kalooki_tui.engine.calls import leave_window
from kalooki_tui.engine.endings import charge, score
from kalooki_tui.engine.events import Challenged, DroppedOut, Event
from kalooki_tui.engine.permissions import WINDOWS, has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.refusals import refuse
from kalooki_tui.engine.state import State, note
from kalooki_tui.engine.turns import begin_turn
from kalooki_tui.engine.view import Phase
from kalooki_tui.wording import does, whom

_OWN_TURN = (Phase.DRAW, Phase.PLAY)


def may_challenge(state: State, seat: int) -> bool:
    """Check that the seat may challenge somebody at this moment (D13)."""
    if state.rules.charges.over_call is None or not state.in_deal[seat]:
        return False
    return state.phase in WINDOWS or (state.phase in _OWN_TURN and seat == state.turn)


def may_be_challenged(state: State, seat: int, target: int) -> bool:
    """Check that `seat` may challenge `target` if it may challenge at all (D13)."""
    rule = state.rules.charges.over_call
    if rule is None or target == seat or not state.in_deal[target]:
        return False
    return rule.laid_seat or not has_laid(state, target)


def challenge(state: State, action: Challenge) -> list[Event]:
    """Claim that a seat has called too often; the side that is wrong pays (F2, F3)."""
    seat, target = action.seat, action.target
    rule = state.rules.charges.over_call
    if rule is None:
        raise refuse(
            "challenge.closed",
            "D13",
            "There are no challenges in this match: nobody can make more calls than are allowed.",
        )
    if not may_challenge(state, seat):
        raise refuse(
            "challenge.closed",
            "D13",
            "A challenge is possible in a call window, or in your own turn before the discard.",
        )
    if target == seat:
        raise refuse("challenge.closed", "D13", "Nobody can challenge their own seat.")
    if not state.in_deal[target]:
        raise refuse("challenge.closed", "D13", f"{state.names[seat]} cannot challenge {whom(state.names[target])}.")
    if not may_be_challenged(state, seat, target):
        raise refuse(
            "challenge.laid", "D13", f"{does(state.names[target], 'have')} laid and can no longer be challenged."
        )
    over = max(0, state.calls[target] - state.rules.ruleset.calls.limit)
    found = over - state.found[target]
    events: list[Event] = []
    note(state, events, Challenged(seat, target, found, already=over > 0 and not found))
    state.found[target] = over
    if rule.loser == "drops-out":
        _drop_out(state, target if over else seat, rule.points, events)
    elif found:
        charge(state, target, found * rule.points, "F2", events)
        state.bend_forbidden[target] = state.bend_forbidden[target] or rule.forbids_bend
    elif not over and rule.wrong_challenge:
        charge(state, seat, rule.wrong_challenge, "F2", events)
    return events


def _drop_out(state: State, loser: int, points: int, events: list[Event]) -> None:
    """Score the loser's hand and more, and take the seat out of the deal (F3, D23)."""
    hand = state.hands[loser]
    charge(state, loser, state.rules.points(hand) + points, "F3", events)
    note(state, events, DroppedOut(loser, tuple(hand)))
    state.pile[:0] = hand
    state.face_down += len(hand)
    state.hands[loser] = []
    state.in_deal[loser] = False
    if sum(state.in_deal) == 1:
        score(state, events)
    elif loser == state.turn:
        # The card left on top is live again, and nobody calls what it threw itself (D23, C2).
        state.dead = False
        public = public_of(state)
        if public.throwers:
            state.discarded_by = public.throwers[-1]
        elif public.was_taken:
            state.discarded_by = None
        state.asked = []
        state.turn = state.left_of(loser)
        begin_turn(state, events)
    elif loser in state.asked:
        leave_window(state, loser, events)
