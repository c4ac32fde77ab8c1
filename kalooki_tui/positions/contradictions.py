"""Contradictions in a position: facts that cannot hold at one table at one moment.

Facts that need the table itself, such as who is asked in a call window, are checked when the position is set up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.moments import AFTER_DEAL, DECISIONS, FLIPS
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.positions.position import Position
from kalooki_tui.problems import InputError, Place, problem
from kalooki_tui.wording import counted, does, says_of, whose

_FLIPS: Final = (Phase.FLIP_WINDOW, Phase.FLIP_DECISION, Phase.DRAW)
_TOP_DISCARD_NEEDED: Final = (Phase.CALL_WINDOW, Phase.DECISION)
_EMPTY_HANDS: Final = (Phase.CUT, Phase.ADD_ON, Phase.BUY_IN, Phase.OVER)
"""Phases in which a seat of the deal may hold no cards."""


def refuse_contradictions(position: Position) -> None:
    """See that a position is one that a deal can come to.

    Raises:
        InputError: what contradicts what, with file and line.
    """
    _check_phase(position)
    _check_caller(position)
    _check_flip(position)
    for number in range(len(position.seats)):
        _check_seat(position, number)
    if position.phase not in AFTER_DEAL and not position.seats[position.turn].in_deal:
        raise _wrong(position, "turn", f"{does(position.names[position.turn], 'be')} out of the deal")
    _check_deck(position)


def _wrong(position: Position, key: str, why: str) -> InputError:
    return problem(f"{key}: {why}", position.places.key(key))


def _check_phase(position: Position) -> None:
    phase = position.phase
    if phase is Phase.ADD_ON and position.out is None:
        raise _wrong(position, "out", "the phase add-on needs the seat that went out")
    if position.out is not None and phase not in (Phase.ADD_ON, Phase.OVER):
        raise _wrong(position, "out", f"nobody has gone out in phase {phase}")
    if phase in _TOP_DISCARD_NEEDED and not position.discard:
        raise _wrong(position, "discard", f"the phase {phase} needs a top discard")
    if phase in _TOP_DISCARD_NEEDED and position.dead:
        raise _wrong(position, "dead", f"in phase {phase} the top discard can still be called, so it is not dead")
    if phase is Phase.CUT:
        _check_cut(position)


def _check_cut(position: Position) -> None:
    if not position.rules.settings.dealer_cut:
        raise _wrong(position, "phase", "there is no cut: the setting dealer_cut is off")
    if any(seat.hand for seat in position.seats) or position.table or position.discard:
        raise _wrong(position, "phase", "before the cut nothing has been dealt, and the deck is whole")


def _check_caller(position: Position) -> None:
    phase, caller = position.phase, position.caller
    if phase not in DECISIONS:
        if caller is not None:
            raise _wrong(position, "caller", f"nobody has called in phase {phase}")
        return
    if caller is None:
        raise _wrong(position, "caller", f"the phase {phase} needs the seat that called")
    seat, calls = position.seats[caller], position.rules.ruleset.calls
    if not seat.in_deal:
        raise _wrong(position, "caller", f"{does(seat.name, 'be')} out of the deal")
    if caller == position.turn:
        raise _wrong(position, "caller", f"{does(seat.name, 'be')} the turn seat, which does not call (C2)")
    # A flip is nobody's discard: who threw the card below it may call it (U3).
    if caller == position.discarded_by and phase is Phase.DECISION:
        raise _wrong(position, "caller", f"{seat.name} threw the card and may not call it (C2)")
    if seat.laid is not HasLaid.NO and not calls.laid_seat:
        raise _wrong(position, "caller", f"{does(seat.name, 'have')} laid and can no longer call (C9)")
    if seat.calls >= calls.limit and not position.rules.penalties:
        why = f"{does(seat.name, 'have')} made all {counted(calls.limit, 'call')} of this deal (C5)"
        raise _wrong(position, "caller", why if calls.limit else "there are no calls in this game (C10)")


def _check_flip(position: Position) -> None:
    phase = position.phase
    if position.flip is not None and phase not in _FLIPS:
        raise _wrong(position, "flip", f"no flip lies open in phase {phase}")
    if position.flip is None and phase in FLIPS:
        raise _wrong(position, "flip", f"the phase {phase} needs the flip")
    flips = position.rules.ruleset.draw.offer == "flip"
    if position.flip is not None and not flips:
        raise _wrong(position, "flip", f"{position.rules.ruleset.name} has no flip")


def _check_seat(position: Position, number: int) -> None:
    seat, rules = position.seats[number], position.rules
    limit = rules.ruleset.calls.limit

    def wrong(key: str, why: str) -> InputError:
        return problem(f"{key}: {why}", position.places.within("seats", number, key))

    if seat.calls > limit and not rules.penalties:
        raise wrong("calls", f"{seat.name} cannot have made more than {counted(limit, 'call')}")
    if seat.found_out and not rules.penalties:
        raise wrong("found_out", "over-calls are found out only under the penalties referee")
    if seat.laid is HasLaid.THIS_TURN and number not in (position.turn, position.out):
        raise wrong("laid", f"{seat.name} cannot have laid this turn: it is not {whose(seat.name)} turn")
    if seat.hand and not seat.in_deal:
        raise wrong("hand", f"{does(seat.name, 'be')} out of the deal and {says_of(seat.name, 'hold')} no cards")
    if not seat.hand and seat.in_deal and position.phase not in _EMPTY_HANDS:
        raise wrong(
            "hand", f"{does(seat.name, 'be')} in the deal and {says_of(seat.name, 'hold')} no cards: name the hand"
        )


def _check_deck(position: Position) -> None:
    """Refuse a card that is here more often than the deck has it, and more cards than it has."""
    rules = position.rules
    left = [rules.packs] * (KINDS_OF_CARD - 1) + [rules.jokers]
    for cards, place in _cards(position):
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                most = rules.jokers if card == JOKER else rules.packs
                text = rules.faces.text(card)
                raise problem(f"{text} is here more often than the deck has it, {counted(most, 'time')}", place)
    rest = sum(left)
    for number, seat in enumerate(position.seats):
        if isinstance(seat.hand, int):
            if seat.hand > rest:
                only = f"hand: only {counted(rest, 'card')} {'is' if rest == 1 else 'are'} left for it"
                raise problem(only, position.places.within("seats", number, "hand"))
            rest -= seat.hand


def _cards(position: Position) -> Iterator[tuple[tuple[Card, ...], Place]]:
    places = position.places
    for number, seat in enumerate(position.seats):
        if not isinstance(seat.hand, int):
            yield seat.hand, places.within("seats", number, "hand")
    for number, meld in enumerate(position.table):
        yield meld.cards, places.within("table", number, "cards")
    yield position.stock, places.key("stock")
    yield position.discard, places.key("discard")
    if position.flip is not None:
        yield (position.flip,), places.key("flip")
