"""Positions: one table at one moment, steps to play from it, and what must come of them; read from YAML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, TypeAlias

from kalooki_tui.cards import Card
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import CODES, Refused
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation import nodes
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.notation.cards import parse_group
from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.positions.contradictions import refuse_contradictions
from kalooki_tui.positions.expectations import read_expectations
from kalooki_tui.positions.position import Places, Position, PositionStep, SeatAt
from kalooki_tui.problems import Place, nearest, problem
from kalooki_tui.rulesets.loader import make_settings, resolve_setup
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml
from kalooki_tui.wording import quote

DEFAULT_SEED: Final = 1

KEYS: Final = (
    "title",
    "reason",
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
            places=self._places(seat_nodes),
            title=nodes.text(self.keys["title"], "title") if self._has("title") else "",
            reason=nodes.text(self.keys["reason"], "reason") if self._has("reason") else "",
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
        refuse_contradictions(position)
        return position

    def _places(self, seat_nodes: list[Node]) -> Places:
        seats = tuple(
            {"": node.place} | {key: value.place for key, value in nodes.mapping(node, "a seat").items()}
            for node in seat_nodes
        )
        melds = tuple(
            nodes.mapping(node, "a meld of the table").get("cards", node).place
            for node in nodes.sequence(self.keys.get("table"), "table")
        )
        return Places(self.root.place, {key: node.place for key, node in self.keys.items()}, seats, melds)

    def _has(self, key: str) -> bool:
        return key in self.keys and self.keys[key].value is not None

    def _place(self, key: str) -> Place:
        return self.keys[key].place if key in self.keys else self.root.place

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
        names, places = [], []
        for node in seats:
            keys = nodes.mapping(node, "a seat", SEAT_KEYS)
            if "name" not in keys:
                raise problem("a seat has no name", node.place)
            names.append(nodes.text(keys["name"], "a seat's name"))
            places.append(keys["name"].place)
        wrong = wrong_name(names)
        if wrong is not None:
            raise problem(f"seats: {wrong.why}", places[wrong.seat])
        self.names = tuple(names)
        return seats

    def _rules(self, seats: int) -> Rules:
        node = self._needed("ruleset", "name a ruleset, such as jamaican")
        _refuse_paths(node)
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

    def _step(self, node: Node, rules: Rules) -> PositionStep:
        outcomes: _Keys = {}
        if isinstance(node.value, str):
            line = node.value
        else:
            keys = nodes.mapping(node, "a step")
            outcomes = {key: value for key, value in keys.items() if key in OUTCOMES}
            seats = [key for key in keys if key not in OUTCOMES]
            if len(seats) != 1:
                raise problem(
                    "a step is one line 'name: action', and beside it refused: or charged: if that must come of it",
                    node.place,
                )
            line = f"{seats[0]}: {nodes.text(keys[seats[0]], 'an action')}"
        action = nodes.said(lambda: parse_action(line, self.names, rules.faces), "steps", node.place)
        if len(outcomes) > 1:
            raise problem("a step is refused or charged, not both", node.place)
        for key, value in outcomes.items():
            return PositionStep(action, line, node.place, _code(value, key), charged=key == "charged")
        return PositionStep(action, line, node.place)


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
