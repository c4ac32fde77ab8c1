"""Expectations of a position: read from YAML with their lines, and compared with the match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import add
from typing import Final, TypeVar

from msgspec import Struct

from kalooki_tui.cards import Faces
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation import nodes
from kalooki_tui.notation.action_text import parse_meld_number
from kalooki_tui.notation.card_text import parse_group, print_group
from kalooki_tui.problems import SourceLocation, problem, shown
from kalooki_tui.rulesets.yaml_source import Node

Value = TypeVar("Value")

NONE: Final = "null"


class Expectation(Struct, frozen=True):
    """Condition at the end: `compare` says in which way it fails, or returns None."""

    what: str
    expected: str
    place: SourceLocation
    compare: Callable[[Match], str | None]


def read_expectations(node: Node, names: Sequence[str], rules: Rules) -> tuple[Expectation, ...]:
    """Read a position's `expect:` in the order of the file; raise InputError."""
    found: list[Expectation] = []
    for key, value in nodes.mapping(node, "expect", KEYS).items():
        if key in (HANDS, *_BY_SEAT):
            found += _seats(key, value, names, rules.faces)
        elif key == TABLE:
            found += _table(value, rules.faces)
        elif key in _SEATS:
            found.append(_seat(key, value, names))
        else:
            found.append(_one(key, value, names, rules.faces))
    return tuple(found)


def _expected(
    what: str,
    place: SourceLocation,
    expected: Value,
    actual: Callable[[Match], Value],
    text: Callable[[Value], str] = str,
) -> Expectation:
    def compare(match: Match) -> str | None:
        now = actual(match)
        return None if now == expected else f"{what} is {text(now) or 'empty'}, not {text(expected) or 'empty'}"

    return Expectation(what, text(expected), place, compare)


def _seats(key: str, node: Node, names: Sequence[str], faces: Faces) -> Iterator[Expectation]:
    for name, value in nodes.mapping(node, key).items():
        what, seat = f"{key}.{name}", nodes.seat(Node(name, node.keys[name]), key, names)

        def actual(match: Match, seat: int = seat) -> str:
            if key == HANDS:
                return faces.texts(sorted(match.deal.hands[seat]))
            if key == SCORES and (match.deal.phase is not Phase.OVER or match.deal.void):
                return "not scored yet"
            return str(_BY_SEAT[key](match)[seat])

        cards = key == HANDS
        expected = faces.texts(sorted(nodes.cards(value, what, faces))) if cards else str(nodes.integer(value, what))
        yield _expected(what, value.place, expected, actual)


def _table(node: Node, faces: Faces) -> Iterator[Expectation]:
    for name, value in nodes.mapping(node, TABLE).items():
        what = f"{TABLE}.{name}"
        index = nodes.said(partial(parse_meld_number, name), TABLE, node.keys[name])
        group = nodes.said(partial(parse_group, nodes.text(value, what), faces), what, value.place)
        yield Expectation(what, print_group(group, faces), value.place, _compare_meld(what, index, group, faces))


def _compare_meld(what: str, index: int, group: Group, faces: Faces) -> Callable[[Match], str | None]:
    """Compare a meld of the table: runs in order, sets as multisets."""

    def compare(match: Match) -> str | None:
        melds = match.deal.melds
        if index >= len(melds):
            return f"{what}: there are only {len(melds)} melds on the table"
        meld = melds[index]
        if group.kind in (None, meld.kind):
            if meld.kind is Kind.RUN and meld.cards == group.cards:
                return None
            if meld.kind is Kind.SET and sorted(meld.cards) == sorted(group.cards):
                return None
        return f"{what} is the {meld.kind} {faces.texts(meld.cards)}, not {print_group(group, faces)}"

    return compare


def _seat(key: str, node: Node, names: Sequence[str]) -> Expectation:
    expected = None if node.value is None else nodes.seat(node, key, names)

    def actual(match: Match) -> int | None:
        # Once the deal is over it is nobody's turn; the seat whose turn it was last may be named all the same.
        if key == TURN and expected is None and match.phase is Phase.OVER:
            return None
        return _SEATS[key](match)

    return _expected(key, node.place, expected, actual, lambda seat: NONE if seat is None else names[seat])


def _one(key: str, node: Node, names: Sequence[str], faces: Faces) -> Expectation:
    match key:
        case "winners":
            seats = sorted(nodes.seat(item, key, names) for item in nodes.sequence(node, key))

            def text(winners: Sequence[int]) -> str:
                return ", ".join(names[seat] for seat in winners) or "nobody"

            return _expected(key, node.place, seats, lambda match: sorted(match.winners), text)
        case "phase":
            return _expected(key, node.place, nodes.choice(node, key, tuple(Phase)), lambda match: str(match.phase))
        case "void":
            if not isinstance(node.value, bool):
                raise problem(f"{key} must be true or false, not {shown(node.value)}", node.place)
            return _expected(key, node.place, node.value, lambda match: match.deal.void, lambda one: str(one).lower())
        case "discard":

            def top(match: Match) -> str:
                card = match.deal.top_discard
                return NONE if card is None else faces.text(card)

            return _expected(key, node.place, faces.texts(nodes.cards(node, key, faces)) or NONE, top)

    def count(match: Match) -> int:
        return len(match.deal.stock) if key == STOCK else match.standing.pool

    return _expected(key, node.place, nodes.integer(node, key), count)


HANDS, TABLE, SCORES, TURN, STOCK = "hands", "table", "scores", "turn", "stock_size"
_BY_SEAT: Final[dict[str, Callable[[Match], Sequence[int]]]] = {
    SCORES: lambda match: match.deal.points,
    "totals": lambda match: match.totals,
    "calls": lambda match: match.deal.calls,
    "penalties": lambda match: list(map(add, match.deal.penalties, match.deal.bonus)),
    "money": lambda match: match.standing.money,
}
_SEATS: Final[dict[str, Callable[[Match], int | None]]] = {
    TURN: lambda match: match.actor if match.phase is Phase.BUY_IN else match.deal.turn,
    "out": lambda match: match.deal.out,
    "dealer": lambda match: match.dealer,
}
KEYS: Final = (
    HANDS, TABLE, SCORES, "totals", TURN, "phase", "calls", "out", "void", "dealer", "winners", "discard", STOCK,
    "penalties", "pool", "money",
)  # fmt: skip
