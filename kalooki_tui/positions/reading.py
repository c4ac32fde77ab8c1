"""Positions: one table at one moment, steps to play from it, and what must come of them; read from YAML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, Card
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import CODES, Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation import nodes
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.notation.cards import parse_group
from kalooki_tui.notation.seats import check_names
from kalooki_tui.positions.expectations import Expectation, read_expectations
from kalooki_tui.problems import Place, nearest, problem
from kalooki_tui.rulesets.lines import Node, read_text, read_yaml
from kalooki_tui.rulesets.loader import make_settings, resolve_setup
from kalooki_tui.wording import quote

DEFAULT_SEED: Final = 1

KEYS: Final = (
    "title",
    "ruleset",
    "referee",
    "deal",
    "dealer",
    "turn",
    "phase",
    "dead",
    "flip",
    "out",
    "discarded_by",
    "caller",
    "reshuffles",
    "pool",
    "seats",
    "table",
    "stock",
    "stock_only",
    "discard",
    "seed",
    "steps",
    "expect",
)
SEAT_KEYS: Final = (
    "name",
    "hand",
    "laid",
    "calls",
    "score",
    "penalties",
    "found_out",
    "dropped",
    "bend_forbidden",
    "money",
    "buy_ins",
    "eliminated",
)
OUTCOMES: Final = ("refused", "charged")

_DECISIONS: Final = (Phase.DECISION, Phase.FLIP_DECISION)
_FLIPS: Final = (Phase.FLIP_WINDOW, Phase.FLIP_DECISION, Phase.DRAW)


@dataclass(frozen=True, slots=True)
class SeatAt:
    """One seat at that moment, as the file has it."""

    name: str
    hand: tuple[Card, ...] = ()
    laid: HasLaid = HasLaid.NO
    calls: int = 0
    score: int = 0
    penalties: int = 0
    found_out: bool = False
    dropped: bool = False
    bend_forbidden: bool = False
    money: int = 0
    buy_ins: int = 0
    eliminated: bool = False

    @property
    def in_deal(self) -> bool:
        """Whether the seat takes part in the deal."""
        return not (self.dropped or self.eliminated)


@dataclass(frozen=True, slots=True)
class Step:
    """One action, and what must become of it."""

    action: Action
    text: str
    place: Place
    refused: str | None = None
    """The code it must be refused with; an empty text: any code; None: it must be accepted."""
    charged: bool = False
    """Whether the refusal must be charged at once."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position read and found possible; cards lie with the top first, as the file has them."""

    place: Place
    title: str
    rules: Rules
    names: tuple[str, ...]
    deal: int
    dealer: int
    turn: int
    phase: Phase
    dead: bool
    flip: Card | None
    out: int | None
    discarded_by: int | None
    caller: int | None
    reshuffles: int
    pool: int
    seats: tuple[SeatAt, ...]
    table: tuple[Meld, ...]
    stock: tuple[Card, ...]
    stock_only: bool
    discard: tuple[Card, ...]
    seed: int
    steps: tuple[Step, ...]
    expect: tuple[Expectation, ...]


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
    return _Reader(read_yaml(content, file, "position")).position()


_Keys: TypeAlias = dict[str, Node]


class _Reader:
    """Reads one position, each part once the parts it is judged by are known."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.keys: _Keys = nodes.mapping(root, "a position", KEYS)
        self.names: tuple[str, ...] = ()

    def position(self) -> Position:
        seat_nodes = self._seat_nodes()
        rules = self._rules(len(seat_nodes))
        phase = Phase(self._choice("phase", tuple(Phase), Phase.DRAW))
        dealer = self._optional_seat("dealer")
        turn = self._turn(phase, dealer)
        if dealer is None:
            dealer = (turn - 1) % len(self.names)
        seats = tuple(self._seat(node, rules) for node in seat_nodes)
        faces = rules.faces
        flip = self._one_card("flip", rules)
        position = Position(
            place=self.root.place,
            title=nodes.text(self.keys["title"], "title") if self._has("title") else "",
            rules=rules,
            names=self.names,
            deal=self._deal_number(rules),
            dealer=dealer,
            turn=turn,
            phase=phase,
            dead=self._boolean("dead"),
            flip=flip,
            out=self._optional_seat("out"),
            discarded_by=self._discarded_by(turn, seats),
            caller=self._optional_seat("caller"),
            reshuffles=self._integer("reshuffles", 0, 0, 1000),
            pool=self._integer("pool", 0),
            seats=seats,
            table=tuple(self._meld(node, rules) for node in nodes.sequence(self.keys.get("table"), "table")),
            stock=nodes.cards(self.keys["stock"], "stock", faces) if self._has("stock") else (),
            stock_only=self._boolean("stock_only"),
            discard=nodes.cards(self.keys["discard"], "discard", faces) if self._has("discard") else (),
            seed=self._integer("seed", DEFAULT_SEED, -(10**18), 10**18),
            steps=tuple(self._step(node, rules) for node in nodes.sequence(self.keys.get("steps"), "steps")),
            expect=read_expectations(self.keys["expect"], self.names, rules) if self._has("expect") else (),
        )
        self._check_phase(position)
        self._check_seats(position, seat_nodes)
        self._check_deck(position, seat_nodes)
        return position

    def _has(self, key: str) -> bool:
        return key in self.keys and self.keys[key].value is not None

    def _place(self, key: str) -> Place:
        """Where a key's value stands; for one that is missing the phase, or the file's beginning."""
        return next((self.keys[found].place for found in (key, "phase") if found in self.keys), self.root.place)

    def _choice(self, key: str, known: tuple[str, ...], default: str) -> str:
        return nodes.choice(self.keys[key], key, known) if self._has(key) else default

    def _boolean(self, key: str) -> bool:
        return nodes.boolean(self.keys[key], key) if self._has(key) else False

    def _integer(self, key: str, default: int, low: int = -nodes.MOST_POINTS, high: int = nodes.MOST_POINTS) -> int:
        return nodes.integer(self.keys[key], key, low, high) if self._has(key) else default

    def _optional_seat(self, key: str) -> int | None:
        return nodes.seat(self.keys[key], key, self.names) if self._has(key) else None

    def _needed(self, key: str, why: str) -> Node:
        if not self._has(key):
            place = self.keys[key].place if key in self.keys else self.root.place
            raise problem(f"the key {quote(key)} is missing: {why}", place)
        return self.keys[key]

    def _seat_nodes(self) -> list[Node]:
        seats = nodes.sequence(self._needed("seats", "name the seats in clockwise order"), "seats")
        names = []
        for node in seats:
            keys = nodes.mapping(node, "a seat", SEAT_KEYS)
            if "name" not in keys:
                raise problem("a seat has no name", node.place)
            names.append(nodes.text(keys["name"], "a seat's name"))
            nodes.said(lambda: check_names(names), "seats", keys["name"].place)
        self.names = tuple(names)
        return seats

    def _rules(self, seats: int) -> Rules:
        node = self._needed("ruleset", "name a ruleset, such as jamaican")
        with nodes.located(node.place):
            ruleset, chosen = resolve_setup(node, seats=seats)
        referee = Referee(self._choice("referee", tuple(Referee), Referee.STRICT))
        settings = make_settings(ruleset, chosen)
        try:
            return make_rules(ruleset, seats, referee, settings)
        except ValueError as error:
            raise problem(str(error), self._place("referee")) from None

    def _deal_number(self, rules: Rules) -> int:
        endless = rules.ruleset.end.after == "elimination"
        return self._integer("deal", 1, 1, 100_000 if endless else len(rules.ruleset.deals))

    def _turn(self, phase: Phase, dealer: int | None) -> int:
        if not self._has("turn") and phase is Phase.OVER:
            return 0 if dealer is None else (dealer + 1) % len(self.names)
        return nodes.seat(self._needed("turn", "name the turn seat"), "turn", self.names)

    def _discarded_by(self, turn: int, seats: tuple[SeatAt, ...]) -> int | None:
        if "discarded_by" in self.keys:
            return self._optional_seat("discarded_by")
        count = len(seats)
        before = ((turn - step) % count for step in range(1, count))
        return next((seat for seat in before if seats[seat].in_deal), None)

    def _one_card(self, key: str, rules: Rules) -> Card | None:
        if not self._has(key):
            return None
        found = nodes.cards(self.keys[key], key, rules.faces)
        if len(found) != 1:
            raise problem(f"{key} is one card, not {len(found)}", self._place(key))
        return found[0]

    def _seat(self, node: Node, rules: Rules) -> SeatAt:
        keys = nodes.mapping(node, "a seat", SEAT_KEYS)

        def number(key: str, low: int = -nodes.MOST_POINTS) -> int:
            return nodes.integer(keys[key], key, low) if key in keys else 0

        def flag(key: str) -> bool:
            return nodes.boolean(keys[key], key) if key in keys else False

        return SeatAt(
            name=nodes.text(keys["name"], "a seat's name"),
            hand=nodes.cards(keys["hand"], "hand", rules.faces) if "hand" in keys else (),
            laid=_laid(keys["laid"]) if "laid" in keys else HasLaid.NO,
            calls=number("calls", 0),
            score=number("score"),
            penalties=number("penalties"),
            found_out=flag("found_out"),
            dropped=flag("dropped"),
            bend_forbidden=flag("bend_forbidden"),
            money=number("money"),
            buy_ins=number("buy_ins", 0),
            eliminated=flag("eliminated"),
        )

    def _meld(self, node: Node, rules: Rules) -> Meld:
        keys = nodes.mapping(node, "a meld of the table", ("owner", "cards"))
        for key in ("owner", "cards"):
            if key not in keys:
                raise problem(f"a meld of the table has no {key}", node.place)
        owner = nodes.seat(keys["owner"], "owner", self.names)
        content, place = nodes.text(keys["cards"], "cards"), keys["cards"].place
        group = nodes.said(lambda: parse_group(content, rules.faces), "table", place)
        try:
            return make_meld(rules.ruleset, owner, group)
        except Refused as refused:
            why = refused.refusal
            raise problem(f"table: {why.message} ({why.code}, {why.clause})", place) from None

    def _step(self, node: Node, rules: Rules) -> Step:
        outcomes: _Keys = {}
        if isinstance(node.value, str):
            line = node.value
        else:
            keys = nodes.mapping(node, "a step")
            outcomes = {key: value for key, value in keys.items() if key in OUTCOMES}
            seats = [key for key in keys if key not in OUTCOMES]
            if len(seats) != 1:
                raise problem(
                    "a step is one line 'name: action', and refused: or charged: where it must be", node.place
                )
            line = f"{seats[0]}: {nodes.text(keys[seats[0]], 'an action')}"
        action = nodes.said(lambda: parse_action(line, self.names, rules.faces), "steps", node.place)
        if len(outcomes) > 1:
            raise problem("a step is refused or charged, not both", node.place)
        for key, value in outcomes.items():
            return Step(action, line, node.place, _code(value, key), charged=key == "charged")
        return Step(action, line, node.place)

    def _check_phase(self, position: Position) -> None:
        """Refuse what does not go with the phase."""
        phase = position.phase
        if (position.caller is None) == (phase in _DECISIONS):
            why = "a decision needs a caller" if phase in _DECISIONS else f"nobody calls in phase {phase}"
            raise problem(f"caller: {why}", self._place("caller"))
        if position.flip is not None and phase not in _FLIPS:
            raise problem(f"flip: no flip lies open in phase {phase}", self._place("flip"))
        if position.flip is None and phase in (Phase.FLIP_WINDOW, Phase.FLIP_DECISION):
            raise problem(f"flip: the phase {phase} needs the flip", self._place("flip"))
        flips = position.rules.ruleset.draw.offer == "flip"
        if not flips and (position.flip is not None or phase in (Phase.FLIP_WINDOW, Phase.FLIP_DECISION)):
            raise problem(
                f"{position.rules.ruleset.name} has no flip",
                self._place("phase" if position.flip is None else "flip"),
            )
        if phase is Phase.ADD_ON and position.out is None:
            raise problem("out: the phase add-on needs the seat that went out", self._place("out"))
        if position.out is not None and phase not in (Phase.ADD_ON, Phase.OVER):
            raise problem(f"out: nobody has gone out in phase {phase}", self._place("out"))
        if phase in (Phase.CALL_WINDOW, Phase.DECISION) and not position.discard:
            raise problem(f"discard: the phase {phase} needs a top discard", self._place("discard"))
        if phase is Phase.CUT:
            self._check_cut(position)

    def _check_cut(self, position: Position) -> None:
        if not position.rules.settings.dealer_cut:
            raise problem("phase: there is no cut, the setting dealer_cut is off", self._place("phase"))
        if any(seat.hand for seat in position.seats) or position.table or position.discard:
            raise problem("phase: before the cut nothing is dealt, and the deck is whole", self._place("phase"))

    def _check_seats(self, position: Position, seat_nodes: list[Node]) -> None:
        """Refuse what a seat cannot be."""
        limit = position.rules.ruleset.calls.limit
        for number, (seat, node) in enumerate(zip(position.seats, seat_nodes, strict=True)):
            if seat.calls > limit and not position.rules.penalties:
                raise problem(f"calls: {seat.name} cannot have made more than {limit} calls", node.place)
            if seat.laid is HasLaid.THIS_TURN and number not in (position.turn, position.out):
                raise problem(f"laid: {seat.name} cannot have laid this turn: it is not its turn", node.place)
            if seat.hand and not seat.in_deal:
                raise problem(f"hand: {seat.name} is out of the deal and holds no cards", node.place)
        if position.phase not in (Phase.BUY_IN, Phase.OVER) and not position.seats[position.turn].in_deal:
            raise problem(f"turn: {self.names[position.turn]} is out of the deal", self._place("turn"))

    def _check_deck(self, position: Position, seat_nodes: list[Node]) -> None:
        """Refuse a card that is held more often than the deck has it."""
        rules = position.rules
        left = [rules.packs] * (KINDS_OF_CARD - 1) + [rules.jokers]
        named: list[tuple[tuple[Card, ...], Place]] = []
        for seat, node in zip(position.seats, seat_nodes, strict=True):
            keys = nodes.mapping(node, "a seat")
            named.append((seat.hand, keys["hand"].place if "hand" in keys else node.place))
        table = nodes.sequence(self.keys.get("table"), "table")
        for meld, node in zip(position.table, table, strict=True):
            named.append((meld.cards, nodes.mapping(node, "a meld")["cards"].place))
        named.append((position.stock, self._place("stock")))
        named.append((position.discard, self._place("discard")))
        named.append((() if position.flip is None else (position.flip,), self._place("flip")))
        for held, place in named:
            for card in held:
                left[card] -= 1
                if left[card] < 0:
                    most = rules.jokers if card == JOKER else rules.packs
                    text = rules.faces.text(card)
                    raise problem(f"{text} is here more often than the deck has it, {most} times", place)


def _laid(node: Node) -> HasLaid:
    if isinstance(node.value, bool):
        return HasLaid.EARLIER if node.value else HasLaid.NO
    if node.value == HasLaid.THIS_TURN:
        return HasLaid.THIS_TURN
    raise problem("laid must be true, false or this-turn", node.place)


def _code(node: Node, key: str) -> str:
    """The code a step must be refused with; an empty text: any."""
    if node.value is True:
        return ""
    if not isinstance(node.value, str):
        raise problem(f"{key} must be true or a code such as run.kiss", node.place)
    if node.value not in CODES:
        raise problem(f"{key}: unknown code {quote(node.value)}{nearest(node.value[:40], CODES)}", node.place)
    return node.value
