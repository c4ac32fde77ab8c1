"""The actions open to a seat, as a list. Lay-downs are too many to list: see `View.may_lay`."""

from __future__ import annotations

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import (
    ALLOW,
    CALL,
    DISCARD,
    DONE,
    DRAW_DISCARD,
    DRAW_FLIP,
    DRAW_STOCK,
    END_TURN,
    PASS,
    REFUSE,
    Action,
)
from kalooki_tui.engine.additions import reach_in, single_tacks, swaps
from kalooki_tui.engine.calls import may_answer
from kalooki_tui.engine.moments import DECISIONS, WINDOWS, has_laid, may_take
from kalooki_tui.engine.state import State
from kalooki_tui.engine.turns import only_jokers_left
from kalooki_tui.engine.view import HasLaid, Phase


def legal_actions(state: State, seat: int) -> list[Action]:
    """List the actions open to the seat but lays, cuts, challenges, chains of tacks and uses of a freed joker."""
    phase = state.phase
    if phase in WINDOWS:
        return [PASS[seat], CALL[seat]] if may_answer(state, seat) else []
    if seat != state.turn:
        return []
    if phase is Phase.PLAY:
        return _plays(state, seat)
    if phase is Phase.DRAW:
        actions: list[Action] = [DRAW_STOCK[seat]]
        if may_take(state, seat):
            if state.rules.ruleset.draw.offer == "flip":
                if state.flip is not None:
                    actions.append(DRAW_FLIP[seat])
            elif not state.dead and state.top_discard is not None:
                actions.append(DRAW_DISCARD[seat])
        return actions
    if phase in DECISIONS:
        return [ALLOW[seat], REFUSE[seat]] if may_take(state, seat) else [ALLOW[seat]]
    return [DONE[seat], *quick_additions(state, seat)] if phase is Phase.ADD_ON else []


def _plays(state: State, seat: int) -> list[Action]:
    hand, discards = state.hands[seat], DISCARD[seat]
    kinds = set(hand)
    if JOKER in kinds and not state.rules.ruleset.discard.jokers:
        kinds.discard(JOKER)
    actions: list[Action] = [discards[card] for card in kinds]
    if len(hand) == 1 and state.bend_forbidden[seat] and state.laid[seat] is HasLaid.THIS_TURN:
        actions.clear()
    if not kinds and only_jokers_left(state, seat):
        actions.append(END_TURN[seat])
    if has_laid(state, seat):
        actions += quick_additions(state, seat)
    return actions


def quick_additions(state: State, seat: int) -> list[Action]:
    """List single cards the laid seat may tack, and swaps; the rest of `additions` is too long for a list."""
    reach = reach_in(state, seat)
    if reach is None:
        return []
    return [*(action for action, _ in single_tacks(reach)), *(way.action for way in swaps(reach))]
