"""What a seat may do now, as a list of actions. Lay-downs are too many to list: see `may_lay`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kalooki_tui.cards import JOKER, Card, make_card
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
    End,
    Kind,
    Swap,
    Tack,
)
from kalooki_tui.engine.calls import may_answer
from kalooki_tui.engine.melds import HIGH_ACE, Meld, stands_for
from kalooki_tui.engine.play import end_counts
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.state import State
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import refuse_end, tack
from kalooki_tui.engine.turns import only_jokers_left
from kalooki_tui.engine.view import HasLaid, Phase


def legal_actions(state: State, seat: int) -> list[Action]:
    """Every action open to the seat but lays, cuts, challenges, chains of tacks and uses of a freed joker."""
    return _LISTS[state.phase](state, seat)


def _nothing(state: State, seat: int) -> list[Action]:
    return []


def _window(state: State, seat: int) -> list[Action]:
    return [PASS[seat], CALL[seat]] if may_answer(state, seat) else []


def _decision(state: State, seat: int) -> list[Action]:
    if seat != state.turn:
        return []
    may_take = state.laid[seat] is HasLaid.NO or state.rules.ruleset.draw.laid_seat == "either"
    return [ALLOW[seat], REFUSE[seat]] if may_take else [ALLOW[seat]]


def _draw(state: State, seat: int) -> list[Action]:
    if seat != state.turn:
        return []
    actions: list[Action] = [DRAW_STOCK[seat]]
    draw = state.rules.ruleset.draw
    if state.laid[seat] is HasLaid.NO or draw.laid_seat == "either":
        if draw.offer == "flip":
            if state.flip is not None:
                actions.append(DRAW_FLIP[seat])
        elif state.pile and not state.dead:
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
    if state.laid[seat] is not HasLaid.NO:
        actions += additions(state, seat)
    return actions


def _add_on(state: State, seat: int) -> list[Action]:
    return [DONE[seat], *additions(state, seat)] if seat == state.turn else []


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


def may_lay(state: State, seat: int) -> bool:
    """Whether the seat could lay melds now if it holds them (L1, L8, G5)."""
    if seat != state.turn or state.phase not in (Phase.PLAY, Phase.ADD_ON):
        return False
    return state.laid[seat] is HasLaid.NO or state.rules.ruleset.lay.further_melds


def additions(state: State, seat: int) -> list[Action]:
    """Single cards the laid seat may tack, and swaps it may make (L9, G1, F2)."""
    hand = state.hands[seat]
    smallest = 0
    if state.phase is not Phase.ADD_ON:
        if state.bend_forbidden[seat] and state.laid[seat] is not HasLaid.EARLIER:
            smallest = 2
        elif state.rules.ruleset.discard.last_card == "discard":
            smallest = 1
    kinds = set(hand)
    actions: list[Action] = []
    if len(hand) - 1 >= smallest:
        for index, meld in enumerate(state.melds):
            actions += _tacks(state, seat, kinds, index, meld)
    if state.rules.ruleset.swap != "use-at-once":
        for index, meld in enumerate(state.melds):
            if meld.kind is Kind.RUN and JOKER in meld.cards:
                actions += _swaps(state, seat, kinds, index, meld, smallest)
    return actions


def _tacks(state: State, seat: int, kinds: set[Card], index: int, meld: Meld) -> Iterator[Action]:
    rules = state.rules
    if meld.kind is Kind.SET:
        for card in (*(make_card(suit, meld.rank) for suit in range(4)), JOKER):
            if card in kinds:
                try:
                    tack(rules, seat, meld, (card,))
                except Refused:
                    continue
                yield Tack(seat, (card,), index)
        return
    counts = end_counts(state, index)
    candidates = {
        make_card(meld.suit, position) for position in (meld.low - 1, meld.high + 1) if 1 <= position <= HIGH_ACE
    }
    for card in (*candidates, JOKER):
        if card in kinds:
            ends = [end for end in End if refuse_end(rules, seat, meld, card, end, counts.get(end, 0)) is None]
            for end in ends:
                yield Tack(seat, (card,), index, end if len(ends) > 1 else None)


def _swaps(state: State, seat: int, kinds: set[Card], index: int, meld: Meld, smallest: int) -> Iterator[Action]:
    wanted = {stands_for(meld, place) for place, held in enumerate(meld.cards) if held == JOKER}
    for card in kinds & wanted:
        results: list[Meld] = []
        for end in (None, End.HIGH, End.LOW):
            try:
                result = swap(state.rules, seat, meld, card, end)
            except Refused:
                continue
            # An end that changes nothing need not be said.
            if result.meld in results:
                continue
            results.append(result.meld)
            left = len(state.hands[seat]) - (0 if result.freed else 1)
            if left >= smallest:
                yield Swap(seat, card, index, end)
