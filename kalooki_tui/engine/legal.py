"""The actions open to a seat, as a list. Lay-downs are too many to list: see `View.may_lay`."""

from __future__ import annotations

from collections.abc import Callable

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
from kalooki_tui.engine.moments import has_laid, may_take
from kalooki_tui.engine.state import State
from kalooki_tui.engine.turns import only_jokers_left
from kalooki_tui.engine.view import HasLaid, Phase


def legal_actions(state: State, seat: int) -> list[Action]:
    """List the actions open to the seat but lays, cuts, challenges, chains of tacks and uses of a freed joker."""
    return _LISTS[state.phase](state, seat)


def _nothing(state: State, seat: int) -> list[Action]:
    return []


def _window(state: State, seat: int) -> list[Action]:
    return [PASS[seat], CALL[seat]] if may_answer(state, seat) else []


def _decision(state: State, seat: int) -> list[Action]:
    if seat != state.turn:
        return []
    return [ALLOW[seat], REFUSE[seat]] if may_take(state, seat) else [ALLOW[seat]]


def _draw(state: State, seat: int) -> list[Action]:
    if seat != state.turn:
        return []
    actions: list[Action] = [DRAW_STOCK[seat]]
    if may_take(state, seat):
        if state.rules.ruleset.draw.offer == "flip":
            if state.flip is not None:
                actions.append(DRAW_FLIP[seat])
        elif not state.dead and state.top_discard is not None:
            actions.append(DRAW_DISCARD[seat])
    return actions


def _play(state: State, seat: int) -> list[Action]:
    if seat != state.turn:
        return []
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


def _add_on(state: State, seat: int) -> list[Action]:
    return [DONE[seat], *quick_additions(state, seat)] if seat == state.turn else []


_LISTS: dict[Phase, Callable[[State, int], list[Action]]] = {
    Phase.CUT: _nothing,
    Phase.CALL_WINDOW: _window,
    Phase.FLIP_WINDOW: _window,
    Phase.DECISION: _decision,
    Phase.FLIP_DECISION: _decision,
    Phase.DRAW: _draw,
    Phase.PLAY: _play,
    Phase.ADD_ON: _add_on,
    Phase.BUY_IN: _nothing,
    Phase.OVER: _nothing,
}


def quick_additions(state: State, seat: int) -> list[Action]:
    """List single cards the laid seat may tack, and swaps; the rest of `additions` is too long for a list."""
    reach = reach_in(state, seat)
    if reach is None:
        return []
    actions: list[Action] = [action for action, _ in single_tacks(reach)]
    actions += [way.action for way in swaps(reach)]
    return actions
