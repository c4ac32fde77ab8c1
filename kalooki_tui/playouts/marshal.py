"""Rules, styles, deals and actions as lists of numbers, in the order in which the native core reads them.

`core/playouts.c` reads a deal, `core/kalooki.h` says what a ruleset's policies are there.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kalooki_tui.cards import RANKS, Card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.permissions import owes
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import State
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.shape import shape_of

NOTHING_TO_PLAY: Final = "there is nothing to play out: the deal is over, or the dealer has to cut first"
#: As in `core/kalooki.h`.
MOST_RUNS: Final = 4
MOST_SETS: Final = 10
MOST_LONG_SETS: Final = 6
REMEMBERED_THROWS: Final = 6
_NO_LIMIT: Final = 1000
_PHASES: Final = (
    Phase.CALL_WINDOW,
    Phase.DECISION,
    Phase.FLIP_WINDOW,
    Phase.FLIP_DECISION,
    Phase.DRAW,
    Phase.PLAY,
    Phase.ADD_ON,
)
_LAID: Final = (HasLaid.NO, HasLaid.THIS_TURN, HasLaid.EARLIER)
_SWAPS: Final = (
    "none", "high-then-low", "up-only", "either-end", "free-own", "free-runs", "use-at-once", "both-suits",
)  # fmt: skip
_JOKERS: Final = ("any", "half", "fewer")
_DOUBLINGS: Final = ("none", "bend", "first-bend")
_KINDS: Final = (do.Kind.SET, do.Kind.RUN)
_ENDS: Final = (do.End.LOW, do.End.HIGH, None)
_SOURCES: Final = (do.Source.STOCK, do.Source.DISCARD, do.Source.FLIP)
_DRAW_STOCK, _DRAW_FLIP, _CALL, _PASS, _ALLOW, _REFUSE, _LAY, _TACK, _SWAP, _DISCARD, _END_TURN, _CHALLENGE, _DONE = (
    0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
)  # fmt: skip
_RESHUFFLED: Final = 14
_PLAIN: Final[dict[int, type[do.Call | do.Pass | do.Allow | do.Refuse | do.EndTurn | do.Done]]] = {
    _CALL: do.Call,
    _PASS: do.Pass,
    _ALLOW: do.Allow,
    _REFUSE: do.Refuse,
    _END_TURN: do.EndTurn,
    _DONE: do.Done,
}
_CODES: Final = {kind: code for code, kind in _PLAIN.items()}


def why_not_playable(rules: Rules, contract: Contract) -> str:
    """Say in one sentence why the core cannot play this contract; empty: it can play every built-in one."""
    ruleset = rules.ruleset
    if contract.runs > MOST_RUNS or contract.sets > MOST_SETS:
        return f"The native core plays no contract of more than {MOST_SETS} sets or {MOST_RUNS} runs."
    if contract.whole and contract.sets > MOST_LONG_SETS:
        return f"The native core plays no contract of the whole hand with more than {MOST_LONG_SETS} sets."
    shape = shape_of(rules)
    if max(contract.set_lengths(shape.set_minimum), default=0) > shape.set_minimum:
        return "The native core plays no contract of sets longer than the shortest."
    if contract.points and ruleset.sets.suits != "distinct":
        return "The native core plays for points only where the suits of a set must be different."
    return ""


def _late_bad_lay(rules: Rules) -> int:
    bad = rules.charges.bad_lay
    return bad.points if bad is not None and bad.when == "end-of-turn" else 0


#: The policies of a ruleset that the core knows, in its order; the points of the cards follow them.
_POLICIES: Final[dict[str, Callable[[Rules], int]]] = {
    "seats": lambda rules: rules.seats,
    "packs": lambda rules: rules.packs,
    "jokers": lambda rules: rules.jokers,
    "wild": lambda rules: sum(1 << card for card in rules.wild if card < RANKS),
    "set_minimum": lambda rules: rules.ruleset.sets.minimum,
    "set_maximum": lambda rules: _or(rules.ruleset.sets.maximum, _NO_LIMIT),
    "set_naturals": lambda rules: rules.ruleset.sets.naturals,
    "distinct_suits": lambda rules: rules.ruleset.sets.suits == "distinct",
    "run_minimum": lambda rules: rules.ruleset.runs.minimum,
    "run_longest": lambda rules: rules.ruleset.runs.longest,
    "run_naturals": lambda rules: rules.ruleset.runs.naturals,
    "kisses": lambda rules: rules.ruleset.runs.kisses,
    "jokers_when_shortest": lambda rules: _or(rules.ruleset.runs.jokers_when_shortest),
    "corner": lambda rules: rules.ruleset.runs.corner,
    "joker_share": lambda rules: _JOKERS.index(rules.ruleset.lay.jokers),
    "repeats": lambda rules: rules.ruleset.lay.repeats == "free",
    "full_suit": lambda rules: rules.ruleset.lay.full_suit_for_three_runs,
    "exact": lambda rules: rules.ruleset.lay.exact,
    "further_melds": lambda rules: rules.ruleset.lay.further_melds,
    "same_turn_tack": lambda rules: rules.ruleset.lay.same_turn_tack,
    "laid_takes": lambda rules: rules.ruleset.draw.laid_seat == "either",
    "flips": lambda rules: rules.ruleset.draw.offer == "flip",
    "throw_back": lambda rules: rules.ruleset.draw.throw_back,
    "must_use": lambda rules: rules.ruleset.draw.must_use,
    "call_limit": lambda rules: rules.ruleset.calls.limit,
    "laid_calls": lambda rules: rules.ruleset.calls.laid_seat,
    "call_penalty": lambda rules: rules.ruleset.calls.penalty,
    "nearest": lambda rules: rules.ruleset.calls.order == "nearest",
    "both_ends": lambda rules: rules.ruleset.tack.run_growth == "both",
    "own_jokers": lambda rules: rules.ruleset.tack.jokers == "own-melds",
    "end_limit": lambda rules: _or(rules.ruleset.tack.end_limit),
    "swap": lambda rules: _SWAPS.index(rules.ruleset.swap),
    "throws_jokers": lambda rules: rules.ruleset.discard.jokers,
    "keeps_last": lambda rules: rules.ruleset.discard.last_card == "discard",
    "doubling": lambda rules: _DOUBLINGS.index(rules.ruleset.score.doubling),
    "bend_bonus": lambda rules: rules.ruleset.score.bend_bonus,
    "add_on": lambda rules: rules.ruleset.score.add_on,
    "penalties": lambda rules: rules.penalties,
    # The cost of attempts (F1a, F2, F3, D13).
    "over_call": lambda rules: rules.charges.over_call is not None,
    "over_call_points": lambda rules: 0 if (over := rules.charges.over_call) is None else over.points,
    "wrong_challenge": lambda rules: 0 if (over := rules.charges.over_call) is None else over.wrong_challenge,
    "drops_out": lambda rules: (over := rules.charges.over_call) is not None and over.loser == "drops-out",
    "laid_challenged": lambda rules: (over := rules.charges.over_call) is not None and over.laid_seat,
    "over_call_forbids": lambda rules: (over := rules.charges.over_call) is not None and over.forbids_bend,
    "late_bad_lay": _late_bad_lay,
    "max_turns": lambda rules: rules.settings.max_turns or 0,
}
RULES: Final = tuple(_POLICIES)


def rules_numbers(rules: Rules) -> array[int]:
    """Return a ruleset's policies at a table, and the points of the cards."""
    return array("i", [*(policy(rules) for policy in _POLICIES.values()), *rules.values])


def deal_numbers(state: State) -> array[int]:
    """Return a deal with all its cards; raise ValueError if no seat is to act, or the dealer has to cut first."""
    if state.phase not in _PHASES or state.actor is None:
        raise ValueError(NOTHING_TO_PLAY)
    seats, contract = len(state.hands), state.contract
    public = public_of(state)
    out: list[int] = [contract.cards, contract.sets, contract.runs, contract.points, contract.whole]
    out += contract.run_lengths(shape_of(state.rules).run_minimum)
    out += [_PHASES.index(state.phase), state.turn, state.actor]
    _extend(out, state.asked)
    for seat in range(seats):
        out += [_LAID.index(state.laid[seat]), state.calls[seat], state.found[seat]]
        out += [state.bend_forbidden[seat], state.in_deal[seat], state.penalties[seat] + state.bonus[seat]]
        _extend(out, state.hands[seat])
        _extend(out, public.taken[seat])
        _extend(out, public.thrown[seat][-REMEMBERED_THROWS:])
    out += [state.bad_lay_open, state.dead, _or(state.flip), _or(state.discarded_by)]
    callers = [seat for seat in state.clockwise_from(state.turn) if seat in state.callers]
    out.append(_or(callers[0] if callers else state.caller))
    out.append(_or(state.out))
    out.append(_or(public.drawn_in_the_open(state.turn) if state.drawn is None else state.drawn))
    out.append(_or(state.drawn if owes(state) else None))
    out += [state.bent, state.reshuffles, state.idle_turns, public.circling]
    out += [public.was_taken, state.face_down]
    _extend(out, state.stock)
    _extend(out, state.pile)
    known = public.known_pile
    # Of the cards that lie face down everybody knows those that were taken in the open before.
    _extend(out, known[: max(0, len(known) - (len(state.pile) - state.face_down))])
    throwers = public.throwers[-len(state.pile) :] if state.pile else []
    _extend(out, [_or(thrower) for thrower in throwers])
    out.append(len(state.melds))
    for index, meld in enumerate(state.melds):
        is_set = meld.kind is do.Kind.SET
        out += [not is_set, meld.owner, meld.rank - 1 if is_set else -1, meld.suit, meld.low]
        _extend(out, meld.cards)
        out += [state.added.get((index, end), 0) for end in (do.End.LOW, do.End.HIGH)]
    return array("i", out)


def world_numbers(hands: Sequence[Sequence[Card]], stock: Sequence[Card], below: Sequence[Card]) -> list[int]:
    """Return other cards for a deal: the hands by seat, the stock, its top last, and what lies under the pile."""
    out: list[int] = []
    for cards in (*hands, stock, below):
        _extend(out, cards)
    return out


def way_numbers(actions: Sequence[do.Action]) -> list[int]:
    """Return the first actions of a playout; raise ValueError for what changes the table: that is the engine's."""
    out = [len(actions)]
    for action in actions:
        match action:
            case do.Draw(seat, source):
                out += [_DRAW_STOCK + _SOURCES.index(source), seat, 0]
            case do.Discard(seat, card):
                out += [_DISCARD, seat, card]
            case do.Challenge(seat, target):
                out += [_CHALLENGE, seat, target]
            case do.Call() | do.Pass() | do.Allow() | do.Refuse() | do.EndTurn() | do.Done():
                out += [_CODES[type(action)], action.seat, 0]
            case _:
                raise ValueError(f"{type(action).__name__} cannot be a first action of the native core")
    return out


def read_trace(numbers: Sequence[int]) -> Iterator[tuple[do.Action, tuple[Card, ...] | None]]:
    """Yield the actions of a deal that the core has played, each with the stock if it was shuffled anew by it."""
    read = iter(numbers)
    code = next(read, None)
    while code is not None:
        action = _read_action(code, read)
        code = next(read, None)
        stock: tuple[Card, ...] | None = None
        if code == _RESHUFFLED:
            stock = _read_cards(read)
            code = next(read, None)
        yield action, stock


def _read_action(code: int, read: Iterator[int]) -> do.Action:
    seat = next(read)
    if _DRAW_STOCK <= code <= _DRAW_FLIP:
        return do.Draw(seat, _SOURCES[code])
    if code in _PLAIN:
        return _PLAIN[code](seat)
    if code == _DISCARD:
        return do.Discard(seat, next(read))
    if code == _CHALLENGE:
        return do.Challenge(seat, next(read))
    if code == _LAY:
        return do.Lay(seat, _read_groups(read))
    if code == _TACK:
        return do.Tack(seat, (next(read),), next(read), _ENDS[next(read)])
    if code != _SWAP:
        raise ValueError(f"there is no action {code}")
    card, also, meld, end, use, use_end = (next(read) for _ in range(6))
    groups, second = _read_groups(read), None if also < 0 else also
    return do.Swap(seat, card, meld, _ENDS[end], use if use >= 0 else None, _ENDS[use_end], groups, second)


def _read_groups(read: Iterator[int]) -> tuple[do.Group, ...]:
    groups = []
    for _ in range(next(read)):
        kind = _KINDS[next(read)]
        groups.append(do.Group(_read_cards(read), kind))
    return tuple(groups)


def _read_cards(read: Iterator[int]) -> tuple[Card, ...]:
    return tuple([next(read) for _ in range(next(read))])


def _extend(out: list[int], cards: Sequence[int]) -> None:
    out.append(len(cards))
    out += cards


def _or(value: int | None, other: int = -1) -> int:
    return other if value is None else value
