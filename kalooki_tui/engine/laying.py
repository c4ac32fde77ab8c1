"""Laying, tacking and swapping (§4, §6), and what they leave in the hand (G1, F2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Action, Done, End, Group, Kind, Lay, Swap, Tack
from kalooki_tui.engine.endings import go_out, next_add_on
from kalooki_tui.engine.events import AddedOn, Event, Laid, Swapped, Tacked
from kalooki_tui.engine.melds import Meld, check_groups, check_lay, why_left
from kalooki_tui.engine.permissions import cards_to_keep, has_laid, not_now, owes, why_no_addition, why_no_lay
from kalooki_tui.engine.placing import first_step
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.state import State, note
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import end_counts, has_grown, tack, used_now
from kalooki_tui.engine.turns import charge_attempt
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.wording import does


def _check(why: Refusal | None) -> None:
    if why is not None:
        raise Refused(why)


def _without(state: State, seat: int, cards: Iterable[Card]) -> list[Card]:
    """Return the seat's hand without the cards; refuse what it does not hold."""
    hand = state.hands[seat][:]
    for card in cards:
        if card not in hand:
            symbol = state.rules.faces.symbol(card)
            raise refuse(
                "hand.missing", "T1", f"{does(state.names[seat], 'do')} not hold {symbol}, or not that many times."
            )
        hand.remove(card)
    return hand


def _check_left(state: State, seat: int, left: list[Card]) -> None:
    """Refuse a play that leaves too few cards for the discard the rules ask for (G1, F2)."""
    if len(left) >= cards_to_keep(state, seat, state.bend_forbidden[seat]):
        return
    if not left and state.rules.ruleset.discard.last_card == "discard":
        raise refuse("finish.discard-needed", "G1", "The last card must be a discard: keep one back.")
    raise refuse(
        "finish.bend-forbidden",
        "F2",
        f"{state.names[seat]} may not bend the table in this deal: keep a card besides the discard.",
    )


def _commit(state: State, seat: int, left: list[Card], events: list[Event]) -> list[Event]:
    """Put the hand down as it is left; an empty one ends the deal, or the seat's add-on (G1, G5)."""
    if state.drawn is not None and left.count(state.drawn) < state.hands[seat].count(state.drawn):
        state.drawn = None
    state.hands[seat] = left
    if not left:
        if state.phase is Phase.ADD_ON:
            state.asked.remove(seat)
            next_add_on(state, events)
        else:
            go_out(state, events)
    return events


def lay(state: State, action: Lay) -> list[Event]:
    """Lay the contract, or further melds (L1-L8)."""
    seat = action.seat
    _check(why_no_lay(state, seat))
    check_groups(action.groups)
    left = _without(state, seat, (card for group in action.groups for card in group.cards))
    first = not has_laid(state, seat)
    melds = _checked_melds(state, seat, action.groups, first)
    why = why_left(state.rules.ruleset, state.contract, left) if first else None
    if why is not None:
        raise _bad_lay(state, seat, why)
    _check_left(state, seat, left)
    events: list[Event] = []
    for meld in melds:
        note(state, events, Laid(seat, len(state.melds), meld.kind, meld.cards, first))
        state.melds.append(meld)
    state.idle_turns = 0
    if first:
        state.laid[seat] = HasLaid.THIS_TURN
        state.bad_lay_open = False
    return _commit(state, seat, left, events)


def _checked_melds(state: State, seat: int, groups: tuple[Group, ...], first: bool) -> list[Meld]:
    own = [meld for meld in state.melds if meld.owner == seat]
    try:
        return check_lay(state.rules, state.contract, seat, groups, own, first)
    except Refused as refused:
        if first:
            raise _bad_lay(state, seat, refused.refusal) from None
        raise


def _bad_lay(state: State, seat: int, refusal: Refusal) -> Refused:
    """Treat a first lay-down that is not the contract as the penalties referee does (F1, F1a)."""
    rule = state.rules.charges.bad_lay
    if rule is None:
        return Refused(refusal)
    if rule.when == "end-of-turn":
        state.bad_lay_open = True
        return Refused(Refusal(refusal.code, refusal.clause, refusal.message, changed=True))
    if rule.forbids_bend:
        state.bend_forbidden[seat] = True
        if state.drawn is not None and owes(state) and first_step(state, seat, state.drawn) is None:
            # Two cards more have to stay, and the card has no place any more: it is free.
            state.drawn = None
    return charge_attempt(state, seat, rule.points, "F1", refusal)


def tack_cards(state: State, action: Tack) -> list[Event]:
    """Add cards to a meld on the table (K1-K6)."""
    seat = action.seat
    _check(why_no_addition(state, seat, "tack"))
    left = _without(state, seat, action.cards)
    meld = meld_at(state, action.meld)
    grown = tack(state.rules, seat, meld, action.cards, action.end, end_counts(state.added, action.meld))
    _check_left(state, seat, left)
    events: list[Event] = []
    note(state, events, Tacked(seat, action.meld, action.cards, grown.cards))
    _put_tacked(state, action.meld, grown)
    return _commit(state, seat, left, events)


def meld_at(state: State, index: int) -> Meld:
    """Return meld number `index` (from 0) on the table; refuse an unknown one."""
    if not 0 <= index < len(state.melds):
        raise refuse("meld.unknown", "L7", f"There is no meld m{index + 1} on the table.")
    return state.melds[index]


def _put_tacked(state: State, index: int, grown: Meld) -> None:
    """Put the grown meld in its place, and count what each end of a run has taken (K6)."""
    base, state.melds[index] = state.melds[index], grown
    if grown.kind is Kind.RUN:
        counts = end_counts(state.added, index)
        for end in End:
            if has_grown(base, grown, end):
                state.added[index, end] = used_now(base, grown, end, counts)


def swap_joker(state: State, action: Swap) -> list[Event]:
    """Put the real card in a joker's place; in Kalookie 40 use the joker as part of the move (K7-K10, D5)."""
    seat = action.seat
    _check(why_no_addition(state, seat, "swap"))
    left = _without(state, seat, action.cards)
    meld = meld_at(state, action.meld)
    at_once = state.rules.ruleset.uses_freed_jokers
    result = swap(state.rules, seat, meld, action.card, action.end, action.also)
    uses = action.use is not None or bool(action.lay)
    if action.use is not None and action.lay:
        raise refuse("swap.unused", "K10", "The joker goes to one place: onto a meld, or into a new one.")
    if at_once and not uses:
        raise refuse(
            "swap.unused", "K10", "The joker must be used in the same move: name a meld to build on, or lay a new one."
        )
    if not at_once and uses:
        raise refuse("swap.stays", "K11", "A swapped joker goes to no other meld in the same move in this game.")
    swapped = result.meld.cards if action.also is None else result.meld.cards[:-1]
    event = Swapped(seat, action.meld, action.card, swapped, result.freed)
    if at_once:
        return _swap_and_use(state, action, left, result.meld, event)
    if result.freed is not None:
        left.append(result.freed)
    _check_left(state, seat, left)
    events: list[Event] = []
    note(state, events, event)
    state.melds[action.meld] = result.meld
    return _commit(state, seat, left, events)


def _swap_and_use(state: State, action: Swap, left: list[Card], swapped: Meld, event: Swapped) -> list[Event]:
    """Use the freed joker in a new meld or a build within the move, or change nothing (K10, D5)."""
    seat = action.seat
    events: list[Event] = []
    if action.use is not None:
        target = swapped if action.use == action.meld else meld_at(state, action.use)
        counts = end_counts(state.added, action.use)
        grown = tack(state.rules, seat, target, (JOKER,), action.use_end, counts)
        _check_left(state, seat, left)
        _put_swapped(state, action, swapped, event, events)
        note(state, events, Tacked(seat, action.use, (JOKER,), grown.cards))
        _put_tacked(state, action.use, grown)
        return _commit(state, seat, left, events)
    _check(why_no_lay(state, seat))
    check_groups(action.lay)
    if not any(JOKER in group.cards for group in action.lay):
        raise refuse("swap.unused", "K10", "The joker must be part of the new meld.")
    left.append(JOKER)
    kept = state.hands[seat]
    state.hands[seat] = left
    try:
        left = _without(state, seat, (card for group in action.lay for card in group.cards))
        own = [meld for meld in state.melds if meld.owner == seat]
        melds = check_lay(state.rules, state.contract, seat, action.lay, own, first=False)
        if left.count(JOKER) > kept.count(JOKER):
            raise refuse("swap.unused", "K10", "The joker never goes into a hand.")
        _check_left(state, seat, left)
    finally:
        state.hands[seat] = kept
    _put_swapped(state, action, swapped, event, events)
    for meld in melds:
        note(state, events, Laid(seat, len(state.melds), meld.kind, meld.cards, False))
        state.melds.append(meld)
    state.idle_turns = 0
    return _commit(state, seat, left, events)


def _put_swapped(state: State, action: Swap, swapped: Meld, event: Swapped, events: list[Event]) -> None:
    """Put the real card in the joker's place, and the second card of the set beside it (H1)."""
    note(state, events, event)
    if action.also is not None:
        note(state, events, Tacked(action.seat, action.meld, (action.also,), swapped.cards))
    state.melds[action.meld] = swapped


_PLAYS: Final[dict[type, Callable[[State, Any], list[Event]]]] = {Lay: lay, Tack: tack_cards, Swap: swap_joker}


def why_no_place_behind(state: State, action: Action) -> Refusal | None:
    """Return why the action may not be taken before the drawn discard is used: it would have no place then (H6)."""
    play = _PLAYS.get(type(action))
    if play is None:
        return None
    after = state.clone()
    try:
        play(after, action)
    except Refused:
        # That it is refused anyway says more.
        return None
    card = after.drawn
    if card is None or first_step(after, action.seat, card) is not None:
        return None
    symbol = state.rules.faces.symbol(card)
    return Refusal(
        "turn.must-use", "H6", f"{symbol} was drawn from the discards, and there would be no place for it in this turn."
    )


def done(state: State, action: Done) -> list[Event]:
    """End a seat's part in the final add-on (G5)."""
    seat = action.seat
    if state.phase is not Phase.ADD_ON:
        raise refuse("turn.wrong-phase", "G5", "There is no final add-on now.")
    if seat != state.turn:
        raise not_now(state, seat, "add on")
    state.asked.remove(seat)
    events: list[Event] = []
    note(state, events, AddedOn(seat))
    next_add_on(state, events)
    return events
