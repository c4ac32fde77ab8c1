"""Positions: one table at one moment, steps to play from it, and what must come of them; read from YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.moments import AFTER_DEAL, DECISIONS, FLIPS
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.nodes import located
from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.positions.expectations import read_expectations
from kalooki_tui.positions.position import Known, Places, Position, PositionKeys
from kalooki_tui.problems import InputError, Place, problem
from kalooki_tui.rulesets.loader import make_settings, resolve_setup
from kalooki_tui.rulesets.trees import without_empty
from kalooki_tui.rulesets.yaml_source import Node, Plain, read_text, read_yaml, write_yaml
from kalooki_tui.wording import counted, does, quote, says_of, whose

KEYS: Final = frozenset(one.name for one in fields(PositionKeys))

_BESIDE: Final = re.compile(r"(\./)?[^/\\]+\.ya?ml")
"""The path of a file in the position's own folder."""


def load_position(path: str | Path) -> Position:
    """The position in a file.

    Raises:
        InputError: anything wrong, with file and line.
    """
    return read_position(read_text(Path(path), "position"), str(path))


def read_position(content: str, file: str = "") -> Position:
    """The position in a YAML text; `file` is named in errors and is where relative paths of rulesets begin.

    Raises:
        InputError: anything wrong, with file and line.
    """
    from kalooki_tui.rulesets.checking import checked

    read = read_yaml(content, file, "position")
    # Without a value a key says nothing, but that nobody has thrown the top discard is to be said.
    root = without_empty(read, KEYS - {"discarded_by"})
    given, places = checked(PositionKeys, root), Places(root)
    names = tuple(seat.name for seat in given.seats)
    if wrong := wrong_name(names):
        raise problem(f"seats: {wrong.why}", places.within("seats", wrong.seat, "name"))
    known = Known(names, _rules(given, places))
    keys: dict[str, Any] = vars(checked(PositionKeys, root, context=known))
    dealer, turn = keys["dealer"], keys["turn"]
    if turn is None:
        if keys["phase"] is not Phase.OVER:
            raise problem("turn is missing: name the turn seat", root.place)
        turn = 0 if dealer is None else (dealer + 1) % len(names)
    before = [(turn - step) % len(names) for step in range(1, len(names) + 1)]
    if "discarded_by" not in places.keys:
        keys["discarded_by"] = next((seat for seat in before[:-1] if keys["seats"][seat].in_deal), None)
    keys |= {"dealer": before[0] if dealer is None else dealer, "turn": turn}
    keys["expect"] = read_expectations(places.keys["expect"], *known) if "expect" in places.keys else ()
    position = Position(**keys, places=places, names=names, rules=known.rules)
    refuse_contradictions(position)
    return position


def _rules(given: PositionKeys, places: Places) -> Rules:
    node = places.keys["ruleset"]
    _refuse_paths(node)
    with located(node.place):
        ruleset, chosen = resolve_setup(node, seats=len(given.seats))
    try:
        return make_rules(ruleset, len(given.seats), given.referee, make_settings(ruleset, chosen))
    except ValueError as error:
        raise problem(str(error), places.key("referee")) from None


def _refuse_paths(ruleset: Node) -> None:
    """See that a position opens no file but one beside it: positions are passed on from hand to hand."""
    keys = ruleset.value if isinstance(ruleset.value, dict) else {"extends": ruleset}
    named = keys.get("extends", ruleset)
    if not isinstance(named.value, str) or not re.search(r"[/\\]", named.value) or _BESIDE.fullmatch(named.value):
        return
    raise problem(
        f"ruleset: {quote(named.value)} is neither an id, such as jamaican, nor a file in the same folder, "
        "such as ./mine.yaml",
        named.place,
    )


_LAID: Final[dict[HasLaid, Plain]] = {HasLaid.NO: False, HasLaid.THIS_TURN: "this-turn", HasLaid.EARLIER: True}


def position_text(match: Match, title: str, reason: str = "", options: tuple[str, ...] = ()) -> str:
    """The position as YAML, every card of the deck in its place.

    Raises:
        ValueError: no deal is being played, so that there is nothing to write.
    """
    deal, names, faces = match.deal, match.names, match.rules.faces
    if match.actor is None:
        raise ValueError("no deal is being played: there is no position to write")
    seats: list[Plain] = []
    for seat, name in enumerate(names):
        one: dict[str, Plain] = {"name": name, "hand": faces.texts(sorted(deal.hands[seat]))}
        one |= {"laid": _LAID[deal.laid[seat]]} if deal.laid[seat] is not HasLaid.NO else {}
        one |= {"calls": deal.calls[seat]} if deal.calls[seat] else {}
        one |= {"score": deal.standing.totals[seat]} if deal.standing.totals[seat] else {}
        seats.append(one)
    ruleset: Plain = match.rules.ruleset.id
    if options:
        ruleset = {"extends": match.rules.ruleset.id, "options": list(options)}
    data: dict[str, Plain] = {
        "title": title,
        **({"reason": reason} if reason else {}),
        "ruleset": ruleset,
        "deal": deal.number,
        "dealer": names[deal.dealer],
        "turn": names[deal.turn],
        "phase": str(match.phase),
        "discarded_by": None if deal.discarded_by is None else names[deal.discarded_by],
    }
    data |= {"dead": True} if deal.dead else {}
    data |= {"caller": names[deal.caller]} if deal.caller is not None else {}
    data |= {"flip": faces.text(deal.flip)} if deal.flip is not None else {}
    data |= {"reshuffles": deal.reshuffles} if deal.reshuffles else {}
    data["seats"] = seats
    if deal.melds:
        data["table"] = [{"owner": names[meld.owner], "cards": faces.texts(meld.cards)} for meld in deal.melds]
    data["stock"] = faces.texts(reversed(deal.stock))
    data["stock_only"] = True
    data["discard"] = faces.texts(reversed(deal.pile))
    return write_yaml(data)


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
