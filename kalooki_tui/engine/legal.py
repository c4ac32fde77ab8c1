"""The list of what a seat may do now."""

from __future__ import annotations

from kalooki_tui.cards import JOKER
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.additions import reach_in, single_tacks, swaps
from kalooki_tui.engine.calls import may_answer
from kalooki_tui.engine.laying import why_no_place_behind
from kalooki_tui.engine.permissions import DECISIONS, WINDOWS, has_laid, owes
from kalooki_tui.engine.placing import first_step
from kalooki_tui.engine.state import State
from kalooki_tui.engine.turns import may_take_open, only_jokers_left, stays_this_turn
from kalooki_tui.engine.view import HasLaid, Phase


def legal_actions(state: State, seat: int) -> list[do.Action]:
    """List the actions open to the seat but lays, cuts, challenges, chains of tacks and uses of a freed joker.

    One of these is listed all the same where a drawn discard has to be used and no other action does (H6).
    """
    phase = state.phase
    if phase in WINDOWS:
        return [do.PASS[seat], do.CALL[seat]] if may_answer(state, seat) else []
    if seat != state.turn:
        return []
    if phase is Phase.PLAY:
        return _plays(state, seat)
    if phase is Phase.DRAW:
        actions: list[do.Action] = [do.DRAW_STOCK[seat]]
        if may_take_open(state, seat):
            if state.rules.ruleset.draw.offer == "flip":
                if state.flip is not None:
                    actions.append(do.DRAW_FLIP[seat])
            elif not state.dead and state.top_discard is not None:
                actions.append(do.DRAW_DISCARD[seat])
        return actions
    if phase in DECISIONS:
        return [do.ALLOW[seat], do.REFUSE[seat]] if may_take_open(state, seat) else [do.ALLOW[seat]]
    return [do.DONE[seat], *quick_additions(state, seat)] if phase is Phase.ADD_ON else []


def _plays(state: State, seat: int) -> list[do.Action]:
    if owes(state):
        return _uses(state, seat)
    hand, discards = state.hands[seat], do.DISCARD[seat]
    kinds = set(hand)
    if JOKER in kinds and not state.rules.ruleset.discard.jokers:
        kinds.discard(JOKER)
    if stays_this_turn(state, seat):
        kinds.discard(state.drawn)
    actions: list[do.Action] = [discards[card] for card in kinds]
    if len(hand) == 1 and state.bend_forbidden[seat] and state.laid[seat] is HasLaid.THIS_TURN:
        actions.clear()
    if not kinds and only_jokers_left(state, seat):
        actions.append(do.END_TURN[seat])
    if has_laid(state, seat):
        actions += quick_additions(state, seat)
    return actions


def _uses(state: State, seat: int) -> list[do.Action]:
    """List what puts the drawn discard on the table, or leaves it a place there; a lay-down where that is all (H6)."""
    assert state.drawn is not None
    additions = quick_additions(state, seat) if has_laid(state, seat) else []
    open_now = [action for action in additions if why_no_place_behind(state, action) is None]
    step = first_step(state, seat, state.drawn)
    return open_now or ([] if step is None else [step])


def quick_additions(state: State, seat: int) -> list[do.Action]:
    """List single cards the laid seat may tack, and swaps; the rest of `additions` is too long for a list."""
    reach = reach_in(state, seat)
    if reach is None:
        return []
    return [*(action for action, _ in single_tacks(reach)), *(way.action for way in swaps(reach))]
