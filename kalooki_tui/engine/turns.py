"""The shape of a turn: dealing, drawing, discarding, passing the turn on (T1-T3, S1-S3, C1, U2, U4, B1)."""

from __future__ import annotations

import random

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import Cut, Discard, Draw, EndTurn, Source
from kalooki_tui.engine.endings import charge, go_out, make_void
from kalooki_tui.engine.events import CutMade, Dealt, Discarded, Drew, Event, Flipped, Reshuffled, TurnEnded
from kalooki_tui.engine.permissions import may_call, may_take, not_now, owes
from kalooki_tui.engine.placing import first_step
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.state import State, note
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.wording import does, says_of

_NO, _THIS_TURN, _EARLIER = HasLaid.NO, HasLaid.THIS_TURN, HasLaid.EARLIER
_STOCK, _DISCARD = Source.STOCK, Source.DISCARD
_DRAW, _PLAY = Phase.DRAW, Phase.PLAY


def cut(state: State, action: Cut) -> list[Event]:
    """Make the dealer's cut; an exact packet earns the bonus (B1). The cards are dealt then."""
    if state.phase is not Phase.CUT or action.seat != state.dealer:
        raise not_now(state, action.seat, "cut")
    size = len(state.stock)
    if not 0 < action.count < size:
        raise refuse("cut.size", "B1", f"A cut packet holds 1 to {size - 1} cards, not {action.count}.")
    exact = action.count == sum(state.in_deal) * state.contract.cards
    events: list[Event] = []
    note(state, events, CutMade(action.seat, action.count, exact))
    if exact:
        bonus = state.rules.ruleset.dealer_cut_bonus or 0
        charge(state, action.seat, bonus, "B1", events, bonus=True)
    return events + deal_cards(state)


def deal_cards(state: State) -> list[Event]:
    """Deal one card at a time from the dealer's left, turn one up, open the first turn (T3, D2, U5)."""
    order = state.clockwise_from((state.dealer + 1) % len(state.hands))
    stock = state.stock
    for _ in range(state.contract.cards):
        for seat in order:
            state.hands[seat].append(stock.pop())
    card = stock.pop()
    state.pile.append(card)
    state.discarded_by = state.dealer if state.rules.ruleset.draw.offer == "flip" else None
    events: list[Event] = []
    note(state, events, Dealt(state.number, state.attempt, state.dealer, state.turn, card))
    begin_turn(state, events)
    return events


def begin_turn(state: State, events: list[Event]) -> None:
    """Open the call window of the turn seat, or go on where nobody may call (C2, D30)."""
    state.drawn, state.callers = None, []
    if state.added:
        state.added = {}
    if not state.dead and state.rules.ruleset.calls.limit and state.top_discard is not None:
        asked = who_may_call(state)
        if asked:
            state.asked = asked
            state.phase = Phase.CALL_WINDOW
            state.actor = asked[0]
            return
    after_window(state, events)


def who_may_call(state: State) -> list[int]:
    """Return seats that may call the top discard, in the order in which they are asked (C2, C5, C9, D30, U1)."""
    ruleset, turn = state.rules.ruleset, state.turn
    if ruleset.draw.offer == "flip":
        return [turn] if may_call(state, turn) else []
    count, thrower = len(state.hands), state.discarded_by
    return [seat for seat in (*range(turn + 1, count), *range(turn)) if seat != thrower and may_call(state, seat)]


def after_window(state: State, events: list[Event]) -> None:
    """Go on to the draw, or to Tuluki's flip: nobody called."""
    state.asked = []
    if state.rules.ruleset.draw.offer == "flip":
        flip_card(state, events)
    else:
        open_draw(state)


def open_draw(state: State) -> None:
    state.phase = _DRAW
    state.actor = state.turn


def flip_card(state: State, events: list[Event]) -> None:
    """Turn up the top of the stock; a joker is the turn seat's draw (U2, D31)."""
    if not ensure_stock(state, events):
        return
    card, turn = state.stock.pop(), state.turn
    other = state.left_of(turn)
    if card == JOKER:
        state.hands[turn].append(card)
        note(state, events, Flipped(card, turn))
        open_play(state)
        return
    state.flip = card
    note(state, events, Flipped(card, None))
    if may_call(state, other):
        state.asked = [other]
        state.phase = Phase.FLIP_WINDOW
        state.actor = other
    else:
        open_draw(state)


def open_play(state: State) -> None:
    state.phase = _PLAY
    state.actor = state.turn


def ensure_stock(state: State, events: list[Event]) -> bool:
    """Ensure that a card can be drawn from the stock: reshuffle once (S2), else void the deal (S3, D7)."""
    if state.stock:
        return True
    # The top discard stays where it is; with none face up, dropped hands are all there is, and all of it is shuffled.
    kept = [] if state.top_discard is None else [state.pile[-1]]
    if state.reshuffles or len(state.pile) == len(kept):
        make_void(state, events)
        return False
    del state.pile[len(state.pile) - len(kept) :]
    if state.next_stock is not None:
        state.stock, state.next_stock = list(state.next_stock), None
    else:
        state.stock = state.pile
        random.Random(f"{state.seed}/reshuffle").shuffle(state.stock)
    state.pile, state.face_down = kept, 0
    state.reshuffles += 1
    note(state, events, Reshuffled(len(state.stock), tuple(reversed(state.stock))))
    return True


def draw(state: State, action: Draw) -> list[Event]:
    """Draw the turn's card (C1, C4, U4)."""
    seat, source = action.seat, action.source
    if state.phase is not _DRAW or seat != state.turn:
        raise not_now(state, seat, "draw")
    events: list[Event] = []
    if source is _STOCK:
        if state.flip is not None:
            # A flip that nobody took lies on the pile, dead, before the stock is touched (U4).
            state.pile.append(state.flip)
            state.flip = None
        if not state.stock and not ensure_stock(state, events):
            return events
        card = state.stock.pop()
        state.hands[seat].append(card)
        note(state, events, Drew(seat, _STOCK, card))
    else:
        refuse_draw(state, seat, source)
        if source is _DISCARD:
            card = state.pile.pop()
            note_drawn(state, seat, card)
        else:
            assert state.flip is not None
            card, state.flip = state.flip, None
        state.hands[seat].append(card)
        note(state, events, Drew(seat, source, card))
    state.phase = _PLAY
    return events


def may_take_open(state: State, seat: int) -> bool:
    """Check that the seat, in its turn, may take the open card: where that has to be used, that it can be (C1, H6)."""
    return may_take(state, seat) and why_no_place(state, seat) is None


def why_no_place(state: State, seat: int) -> Refusal | None:
    """Return why the seat may not have the top discard as its draw: it could not use it in this turn (H6)."""
    card = state.top_discard
    if not state.rules.ruleset.draw.must_use or card is None or first_step(state, seat, card, drawing=True) is not None:
        return None
    has, symbol = does(state.names[seat], "have", inside=True), state.rules.faces.symbol(card)
    told = f"A drawn discard is laid or tacked in the same turn, and {has} no place for {symbol}."
    return Refusal("draw.must-use", "H6", told)


def note_drawn(state: State, seat: int, card: Card) -> None:
    """Note a discard before the seat has it as its draw: it may not throw it (H5), or has to use it (H6).

    Where it may not throw it a seat that holds such a card already may throw one of the two.
    """
    rules = state.rules.ruleset.draw
    if rules.must_use or (not rules.throw_back and card not in state.hands[seat]):
        state.drawn = card


def stays_this_turn(state: State, seat: int) -> bool:
    """Check that the discard drawn in this turn may not be thrown: another card may be (H5)."""
    jokers, hand = state.rules.ruleset.discard.jokers, state.hands[seat]
    if state.drawn is None or hand.count(state.drawn) > 1:
        return False
    return any(card != state.drawn and (jokers or card != JOKER) for card in hand)


def refuse_draw(state: State, seat: int, source: Source) -> None:
    """Refuse a draw of the discard or the flip that the rules forbid (C1, C4, U1, U4, D17)."""
    rules = state.rules.ruleset.draw
    card = "flip" if source is Source.FLIP else "discard"
    if source is Source.FLIP and state.flip is None:
        raise refuse("draw.no-flip", "U4", "No flip lies open.")
    if not may_take(state, seat):
        name = state.names[seat]
        clause = "D17" if source is Source.FLIP else "C1"
        raise refuse(
            "draw.laid",
            clause,
            f"{does(name, 'have')} laid and {says_of(name, 'draw')} from the stock only, not the {card}.",
        )
    if source is Source.FLIP:
        return
    if rules.offer == "flip":
        raise refuse("draw.call-only", "U1", "The discard goes only to a call; draw the stock or the flip.")
    if state.dead or state.top_discard is None:
        clause = "C4" if state.rules.ruleset.calls.limit else "D8"
        raise refuse("draw.dead", clause, "Nobody may take a discard now: draw from the stock.")
    no_place = why_no_place(state, seat)
    if no_place is not None:
        raise Refused(no_place)


def discard(state: State, action: Discard) -> list[Event]:
    """Throw a card; the turn ends, or the deal if it was the last (S1, G1)."""
    seat, card = action.seat, action.card
    if state.phase is not _PLAY or seat != state.turn:
        raise not_now(state, seat, "discard")
    hand = state.hands[seat]
    if card not in hand:
        raise refuse(
            "hand.missing", "S1", f"{does(state.names[seat], 'do')} not hold {state.rules.faces.symbol(card)}."
        )
    _check_used(state)
    if card == JOKER and not state.rules.ruleset.discard.jokers:
        _refuse_joker(state, seat)
    if card == state.drawn and stays_this_turn(state, seat):
        symbol = state.rules.faces.symbol(card)
        raise refuse("discard.drawn", "H5", f"{symbol} was drawn from the discards in this turn: throw another card.")
    if len(hand) == 1 and state.bend_forbidden[seat] and state.laid[seat] is _THIS_TURN:
        raise refuse("finish.bend-forbidden", "F2", f"{state.names[seat]} may not bend the table in this deal.")
    hand.remove(card)
    state.pile.append(card)
    state.discarded_by = seat
    state.dead = False
    events: list[Event] = []
    note(state, events, Discarded(seat, card))
    if not hand:
        go_out(state, events)
    else:
        pass_turn(state, events)
    return events


def _check_used(state: State) -> None:
    """Refuse to end a turn before the discard that was drawn in it lies on the table (H6)."""
    if owes(state):
        assert state.drawn is not None
        symbol = state.rules.faces.symbol(state.drawn)
        raise refuse("turn.must-use", "H6", f"{symbol} was drawn from the discards: lay or tack it in this turn.")


def _refuse_joker(state: State, seat: int) -> None:
    """Refuse the discard of a joker, charged where the referee charges (S1, F4)."""
    word = state.rules.ruleset.vocabulary.joker
    message = f"A {word} may not be discarded."
    points = state.rules.charges.joker_discard
    if points:
        raise charge_attempt(state, seat, points, "F4", Refusal("discard.joker", "S1", message))
    raise refuse("discard.joker", "S1", message)


def charge_attempt(state: State, seat: int, points: int, clause: str, refusal: Refusal) -> Refused:
    """Charge an attempt that is taken back, and say so in its refusal (§11)."""
    charge(state, seat, points, clause, [])
    message = f"{refusal.message} It costs {points} points."
    return Refused(Refusal(refusal.code, refusal.clause, message, charged=points, changed=True))


def end_turn(state: State, action: EndTurn) -> list[Event]:
    """End a turn without a discard, a hand of jokers in hand (D8)."""
    seat = action.seat
    if state.phase is not _PLAY or seat != state.turn:
        raise not_now(state, seat, "end the turn")
    if not only_jokers_left(state, seat):
        raise refuse("end.discard-needed", "D8", "A turn ends with a discard.")
    _check_used(state)
    state.dead = True
    events: list[Event] = []
    note(state, events, TurnEnded(seat))
    pass_turn(state, events)
    return events


def only_jokers_left(state: State, seat: int) -> bool:
    """Check that the seat holds nothing that may be discarded (D8)."""
    hand = state.hands[seat]
    return not state.rules.ruleset.discard.jokers and all(card == JOKER for card in hand)


def pass_turn(state: State, events: list[Event]) -> None:
    """End the turn seat's turn and begin the next seat's, or call the deal void (T1, F1a, D33)."""
    seat = state.turn
    if state.bad_lay_open:
        # A bad lay-down is charged unless a valid one has followed it in the same turn.
        state.bad_lay_open = False
        bad_lay = state.rules.charges.bad_lay
        if state.laid[seat] is _NO and bad_lay is not None:
            charge(state, seat, bad_lay.points, "F1a", events)
    if state.laid[seat] is _THIS_TURN:
        state.laid[seat] = _EARLIER
    state.turn = state.left_of(seat)
    state.idle_turns += 1
    most = state.rules.settings.max_turns
    if most is not None and state.idle_turns >= most * sum(state.in_deal):
        make_void(state, events, most)
    else:
        begin_turn(state, events)
