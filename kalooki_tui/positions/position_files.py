"""Positions: one table at one moment, steps to play from it, and what must come of them; read from YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Group
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.permissions import AFTER_DEAL, DECISIONS, FLIPS, WINDOWS
from kalooki_tui.engine.refusals import CODES, Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.turns import who_may_call
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.action_text import parse_action, parse_meld_number
from kalooki_tui.notation.card_text import NotationError, cards_of, parse_group
from kalooki_tui.notation.seat_text import seat_of, wrong_name
from kalooki_tui.problems import InputError, SourceLocation, located, nearest, problem, shown
from kalooki_tui.rulesets.house import is_house
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve, resolve_setup
from kalooki_tui.rulesets.model import MOST_POINTS, Part, Read, Within, applying, to_data
from kalooki_tui.rulesets.possible import Impossible
from kalooki_tui.rulesets.trees import find, without_empty
from kalooki_tui.rulesets.yaml_source import Node, Plain, read_text, read_yaml, write_yaml
from kalooki_tui.wording import counted, does, quote, says_of, whose

_BESIDE: Final = re.compile(r"(\./)?[^/\\]+\.ya?ml")


def load_position(path: str | Path) -> Position:
    return read_position(read_text(Path(path), "position"), str(path))


def read_position(content: str, file: str = "") -> Position:
    """Read a position; `file` is named in errors, and is where relative paths of rulesets begin."""
    return position_of(read_yaml(content, file, "position"))


def position_of(read: Node, rules: Rules | None = None) -> Position:
    """Read a position out of its keys; `rules`: those of its match, which it need not name."""
    from kalooki_tui.rulesets.validation import checked

    # Without a value a key says nothing, but that nobody has thrown the top discard is to be said.
    root = without_empty(read, KEYS - {"discarded_by"})
    given, places = checked(PositionKeys, root), Places(root)
    names = tuple(seat.name for seat in given.seats)
    if wrong := wrong_name(names):
        raise problem(f"seats: {wrong.why}", places.within("seats", wrong.seat, "name"))
    known = ReadingContext(names, _rules(given, places) if rules is None else rules)
    keys: dict[str, Any] = asdict(checked(PositionKeys, root, context=known))
    dealer, turn = keys["dealer"], keys["turn"]
    if turn is None:
        if keys["phase"] is not Phase.OVER:
            raise problem("turn is missing: name the turn seat", root.place)
        turn = 0 if dealer is None else (dealer + 1) % len(names)
    before = [(turn - step) % len(names) for step in range(1, len(names) + 1)]
    if "discarded_by" not in places.keys:
        keys["discarded_by"] = next((seat for seat in before[:-1] if keys["seats"][seat].in_deal), None)
    keys |= {"dealer": before[0] if dealer is None else dealer, "turn": turn}
    position = Position(**keys, places=places, names=names, rules=known.rules)
    refuse_contradictions(position)
    return position


def _rules(given: PositionKeys, places: Places) -> Rules:
    if "ruleset" not in places.keys:
        raise problem("ruleset is missing: name the game", places.root.place)
    node = places.keys["ruleset"]
    _refuse_paths(node)
    with located(node.place):
        ruleset, chosen = resolve_setup(node, seats=len(given.seats))
    try:
        return make_rules(ruleset, len(given.seats), given.referee, make_settings(ruleset, chosen))
    except ValueError as error:
        raise problem(str(error), places.key("referee")) from None


def _refuse_paths(ruleset: Node) -> None:
    """Allow no files but those beside the position: positions are passed on from hand to hand."""
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
    """Write the position as YAML, every card in its place; raise ValueError if no deal is being played."""
    about: dict[str, Plain] = {"title": title, "reason": reason, "ruleset": _ruleset_named(match.rules, options)}
    referee: dict[str, Plain] = {"referee": str(match.rules.referee)} if match.rules.penalties else {}
    return write_yaml({key: told for key, told in about.items() if told} | referee | position_data(match))


def _ruleset_named(rules: Rules, options: tuple[str, ...]) -> Plain:
    """Name the ruleset with what was chosen, or write all of it where no name and options lead to it."""
    ruleset, chosen = rules.ruleset, applying(rules.ruleset, rules.settings)
    named = [option for option in options if not is_house(option)]
    with suppress(InputError):
        if resolve(load_ruleset(ruleset.id), named, rules.seats) == replace(ruleset, options={}):
            usual = applying(ruleset, ruleset.usual_settings())
            settings = {name: value for name, value in chosen.items() if usual.get(name) != value}
            keys = {"options": named, "settings": settings}
            found = {"extends": ruleset.id, **{key: told for key, told in keys.items() if told}}
            return cast("Plain", found if len(found) > 1 else ruleset.id)
    return cast("Plain", {**to_data(ruleset), "options": {}, "settings": chosen})


def position_data(match: Match) -> dict[str, Plain]:
    """Return the keys of the position of a match, without ruleset and referee; errors as in `position_text`."""
    deal, names, faces = match.deal, match.names, match.rules.faces
    if match.actor is None:
        raise ValueError("no deal is being played: there is no position to write")
    window = deal.phase is Phase.CALL_WINDOW
    answered = [seat for seat in who_may_call(deal) if window and seat not in (*deal.asked, *deal.callers)]
    return {
        "deal": deal.number,
        "dealer": names[deal.dealer],
        "turn": names[match.actor if match.phase is Phase.BUY_IN else deal.turn],
        "phase": str(match.phase),
        "discarded_by": None if deal.discarded_by is None else names[deal.discarded_by],
        **_told(
            dead=deal.dead,
            caller=None if deal.caller is None else names[deal.caller],
            called=[names[seat] for seat in deal.callers],
            passed=[names[seat] for seat in answered],
            flip=None if deal.flip is None else faces.text(deal.flip),
            drawn=None if deal.drawn is None or match.phase is not Phase.PLAY else faces.text(deal.drawn),
            out=None if match.phase is not Phase.ADD_ON or deal.out is None else names[deal.out],
            reshuffles=deal.reshuffles,
            pool=deal.standing.pool,
        ),
        "seats": [{"name": name, **_seat_data(match, seat)} for seat, name in enumerate(names)],
        **_told(table=[{"owner": names[meld.owner], "cards": f"{meld.kind}: {faces.texts(meld.cards)}"}
                       for meld in deal.melds]),
        "stock": faces.texts(reversed(deal.stock)),
        "stock_only": True,
        "discard": faces.texts(reversed(deal.pile)),
    }  # fmt: skip


def _seat_data(match: Match, seat: int) -> dict[str, Plain]:
    deal = match.deal
    standing, over = deal.standing, max(0, deal.calls[seat] - deal.rules.ruleset.calls.limit)
    hand = deal.hands[seat] if deal.in_deal[seat] else ()
    return {"hand": match.rules.faces.texts(sorted(hand))} | _told(
        laid=_LAID[deal.laid[seat]],
        calls=deal.calls[seat],
        score=standing.totals[seat],
        penalties=deal.penalties[seat] + deal.bonus[seat],
        found_out=over > 0 and deal.found[seat] == over,
        dropped=not deal.in_deal[seat] and not standing.eliminated[seat],
        bend_forbidden=deal.bend_forbidden[seat],
        money=standing.money[seat],
        buy_ins=standing.buy_ins[seat],
        eliminated=standing.eliminated[seat],
    )


def _told(**keys: Plain) -> dict[str, Plain]:
    return {key: value for key, value in keys.items() if value}


_FLIPS: Final = (Phase.FLIP_WINDOW, Phase.FLIP_DECISION, Phase.DRAW)
_TOP_DISCARD_NEEDED: Final = (Phase.CALL_WINDOW, Phase.DECISION)
_EMPTY_HANDS: Final = (Phase.CUT, Phase.ADD_ON, Phase.BUY_IN, Phase.OVER)
"""Phases in which a seat of the deal may hold no cards."""


def refuse_contradictions(position: Position) -> None:
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
    for key in ("called", "passed"):
        if getattr(position, key) and phase not in WINDOWS:
            raise _wrong(position, key, f"nobody is asked about a card in phase {phase}")
    if position.drawn is not None and (phase is not Phase.PLAY or position.drawn not in _hand_of_turn(position)):
        raise _wrong(position, "drawn", "the turn seat, in play, does not hold it")
    if phase is Phase.CUT and not position.rules.settings.dealer_cut:
        raise _wrong(position, "phase", "there is no cut: the setting dealer_cut is off")
    if phase is Phase.CUT and (any(seat.hand for seat in position.seats) or position.table or position.discard):
        raise _wrong(position, "phase", "before the cut nothing has been dealt, and the deck is whole")


def _hand_of_turn(position: Position) -> tuple[Card, ...]:
    hand = position.seats[position.turn].hand
    return () if isinstance(hand, int) else hand


def _check_caller(position: Position) -> None:
    phase, caller = position.phase, position.caller
    if phase not in DECISIONS:
        if caller is not None:
            raise _wrong(position, "caller", f"nobody has called in phase {phase}")
        return
    if caller is None:
        raise _wrong(position, "caller", f"the phase {phase} needs the seat that called")
    seat, calls = position.seats[caller], position.rules.in_deal(position.deal).ruleset.calls
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
    limit = rules.in_deal(position.deal).ruleset.calls.limit

    def wrong(key: str, why: str) -> InputError:
        return problem(f"{key}: {why}", position.places.within("seats", number, key))

    if seat.calls > limit and not rules.penalties:
        raise wrong("calls", f"{seat.name} cannot have made more than {counted(limit, 'call')}")
    if seat.found_out and not rules.penalties:
        raise wrong("found_out", "over-calls are found out only under the penalties referee")
    if seat.laid is HasLaid.THIS_TURN and number not in (position.turn, position.out):
        raise wrong("laid", f"{seat.name} cannot have laid this turn: it is not {whose(seat.name)} turn")
    if seat.laid is not HasLaid.NO and seat.hand and rules.contract(position.deal).whole:
        raise wrong("laid", f"{seat.name} cannot have laid and hold cards: every card is laid in this deal (H9)")
    if seat.hand and not seat.in_deal:
        raise wrong("hand", f"{does(seat.name, 'be')} out of the deal and {says_of(seat.name, 'hold')} no cards")
    if not seat.hand and seat.in_deal and position.phase not in _EMPTY_HANDS:
        raise wrong(
            "hand", f"{does(seat.name, 'be')} in the deal and {says_of(seat.name, 'hold')} no cards: name the hand"
        )


def _check_deck(position: Position) -> None:
    rules = position.rules
    left = rules.copies
    for cards, place in named_cards(position):
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                most, text = rules.copies[card], rules.faces.text(card)
                raise problem(f"{text} is here more often than the deck has it, {counted(most, 'time')}", place)
    rest = sum(left)
    for number, seat in enumerate(position.seats):
        if isinstance(seat.hand, int):
            if seat.hand > rest:
                only = f"hand: only {counted(rest, 'card')} {'is' if rest == 1 else 'are'} left for it"
                raise problem(only, position.places.within("seats", number, "hand"))
            rest -= seat.hand


def named_cards(position: Position) -> Iterator[tuple[tuple[Card, ...], SourceLocation]]:
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


OUTCOMES: Final = ("refused", "charged")


class ReadingContext(NamedTuple):
    names: Sequence[str]
    rules: Rules


def _by(read: Callable[[Any, ReadingContext], object], what: Any = object) -> Read:
    return Read(lambda value, known: value if known is None else read(value, known), what)


def _card(value: object, known: ReadingContext) -> Card:
    found = cards_of(value, known.rules.faces)
    if len(found) != 1:
        raise ValueError(f"must be one card, not {len(found)}")
    return found[0]


def _hand(value: object, known: ReadingContext) -> tuple[Card, ...] | int:
    if value is None or isinstance(value, str):
        return cards_of(value, known.rules.faces)
    if type(value) is not int or value < 0:
        raise ValueError(f"must be cards separated by spaces, or how many they are, not {shown(value)}")
    return value


def _laid(value: object, known: object) -> HasLaid:
    if isinstance(value, bool):
        return HasLaid.EARLIER if value else HasLaid.NO
    if value == HasLaid.THIS_TURN:
        return HasLaid.THIS_TURN
    raise ValueError("must be true, false or this-turn")


def _deal(number: int, known: ReadingContext) -> int:
    ruleset = known.rules.ruleset
    most = 100_000 if ruleset.end.after == "elimination" else len(ruleset.deals)
    if not 1 <= number <= most:
        raise ValueError(f"must be from 1 to {most}, not {number}")
    return number


def _sorted_cards(value: object, known: ReadingContext) -> tuple[Card, ...]:
    return tuple(sorted(cards_of(value, known.rules.faces)))


def _group(cards: str, known: ReadingContext) -> Group:
    return parse_group(cards, known.rules.faces)


class _MeldAt(Part, frozen=True):
    owner: Seat
    cards: str


def _meld(at: _MeldAt, known: ReadingContext) -> Meld:
    try:
        return make_meld(known.rules.ruleset, at.owner, _group(at.cards, known))
    except NotationError as error:
        raise Impossible(str(error), ("cards",)) from None
    except Refused as refused:
        why = refused.refusal
        raise Impossible(f"{why.message} ({why.code}, {why.clause})", ("cards",)) from None


def _step(value: object, known: ReadingContext) -> PositionStep:
    given = value if isinstance(value, dict) else {}
    outcomes = {key: said for key, said in given.items() if key in OUTCOMES}
    seats = [key for key in given if key not in OUTCOMES]
    if isinstance(value, str):
        line = value
    elif len(seats) != 1:
        raise ValueError("must be one line 'name: action', and beside it refused: or charged: if that must come of it")
    elif not isinstance(action := given[seats[0]], str):
        raise Impossible(f"must be the text of an action, not {shown(action)}", (seats[0],))
    else:
        line = f"{seats[0]}: {action}"
    if len(outcomes) > 1:
        raise ValueError("must be refused or charged, not both")
    action = parse_action(line, known.names, known.rules.faces)
    for key, code in outcomes.items():
        return PositionStep(action, line, _code(code, key), charged=key == "charged")
    return PositionStep(action, line)


def _code(code: object, key: str) -> str:
    if code is True:
        return ""
    if not isinstance(code, str):
        raise Impossible(f"must be true or a code such as run.kiss, not {shown(code)}", (key,))
    if code not in CODES:
        raise Impossible(f"unknown code {quote(code)}{nearest(code[:40], CODES)}", (key,))
    return code


Seat: TypeAlias = Annotated[int, _by(lambda value, known: seat_of(value, known.names))]
Cards: TypeAlias = Annotated[tuple[Card, ...], _by(lambda value, known: cards_of(value, known.rules.faces))]
Named: TypeAlias = Annotated[tuple[str, int], _by(lambda value, known: (value, seat_of(value, known.names)))]
MeldNamed: TypeAlias = Annotated[tuple[str, int], _by(lambda value, _: (value, parse_meld_number(value)))]
Number: TypeAlias = Annotated[int, Within(ge=-MOST_POINTS, le=MOST_POINTS)]
Count: TypeAlias = Annotated[int, Within(ge=0, le=MOST_POINTS)]


class SeatAt(Part, frozen=True):
    name: str
    hand: Annotated[tuple[Card, ...] | int, _by(_hand)] = ()
    """Number of cards, out of those named nowhere, or the cards."""
    laid: Annotated[HasLaid, Read(_laid)] = HasLaid.NO
    calls: Count = 0
    score: Number = 0
    penalties: Number = 0
    found_out: bool = False
    dropped: bool = False
    bend_forbidden: bool = False
    money: Number = 0
    buy_ins: Count = 0
    eliminated: bool = False

    @property
    def in_deal(self) -> bool:
        return not (self.dropped or self.eliminated)


class PositionStep(Struct, frozen=True):
    action: Action
    text: str
    refused: str | None = None
    """Code of the expected refusal; empty: any; None: it must be accepted."""
    charged: bool = False
    """True if the refusal must be charged at once."""


class Places(Struct, frozen=True):
    root: Node

    @property
    def keys(self) -> dict[str, Node]:
        return self.root.value if isinstance(self.root.value, dict) else {}

    def key(self, key: str) -> SourceLocation:
        """Return the place of a key's value; if it is missing, of the phase or the file's beginning."""
        return find(self.root, (key if key in self.keys else "phase",))

    def within(self, *path: str | int) -> SourceLocation:
        """Return the place of a value; if it is missing, of what is around it."""
        return find(self.root, path)


class Expectations(Part, frozen=True, kw_only=True):
    """Keys of `expect:`; only those in the file are compared."""

    hands: dict[Named, Annotated[tuple[Card, ...], _by(_sorted_cards)]] | None = None
    table: dict[MeldNamed, Annotated[Group, _by(_group, str)]] | None = None
    scores: dict[Named, Number] | None = None
    totals: dict[Named, Number] | None = None
    turn: Seat | None = None
    phase: Phase = Phase.DRAW
    calls: dict[Named, Number] | None = None
    out: Seat | None = None
    void: bool = False
    dealer: Seat | None = None
    winners: Annotated[tuple[int, ...], Read(lambda seats, _: tuple(sorted(seats)), tuple[Seat, ...])] = ()
    discard: Cards = ()
    stock_size: Number = 0
    penalties: dict[Named, Number] | None = None
    pool: Number = 0
    money: dict[Named, Number] | None = None


class PositionKeys(Part, frozen=True, kw_only=True):
    """Keys of a position's file; cards lie with the top first."""

    title: str = ""
    reason: str = ""
    ruleset: object = None
    referee: Referee = Referee.STRICT
    deal: Annotated[int, _by(_deal, int)] = 1
    dealer: Seat | None = None
    turn: Seat | None = None
    phase: Phase = Phase.DRAW
    dead: bool = False
    flip: Annotated[Card, _by(_card)] | None = None
    out: Seat | None = None
    discarded_by: Seat | None = None
    caller: Seat | None = None
    called: tuple[Seat, ...] = ()
    """Seats that have called the card, while others are asked yet (H3)."""
    passed: tuple[Seat, ...] = ()
    """Seats that have let it go."""
    drawn: Annotated[Card, _by(_card)] | None = None
    """Discard that the turn seat has drawn and may not throw in this turn (H5)."""
    reshuffles: Annotated[int, Within(ge=0, le=1000)] = 0
    pool: Number = 0
    seats: tuple[SeatAt, ...]
    table: tuple[Annotated[Meld, _by(_meld, _MeldAt)], ...] = ()
    stock: Cards = ()
    stock_only: bool = False
    discard: Cards = ()
    seed: Annotated[int, Within(ge=-(10**18), le=10**18)] = 1
    steps: tuple[Annotated[PositionStep, _by(_step)], ...] = ()
    expect: Expectations = Expectations()


KEYS: Final = frozenset(PositionKeys.__struct_fields__)


class Position(PositionKeys, frozen=True, kw_only=True):
    places: Places
    rules: Rules
    names: tuple[str, ...]
    dealer: int
    turn: int
