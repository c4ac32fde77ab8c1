"""Expectations of a position: read from YAML with their lines, and compared with the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from kalooki_tui.cards import Card, Faces
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation import nodes
from kalooki_tui.notation.actions import parse_meld_number
from kalooki_tui.notation.cards import parse_group, print_group
from kalooki_tui.problems import Place, problem, shown
from kalooki_tui.rulesets.yaml_source import Node

Value = TypeVar("Value")

NONE: Final = "null"


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that must hold at the end: `compare` says in which way it does not, or None."""

    what: str
    expected: str
    """What it must be, as a message says it."""
    place: Place
    compare: Callable[[Match], str | None]


def read_expectations(node: Node, names: Sequence[str], rules: Rules) -> tuple[Expectation, ...]:
    """The expectations of a position's `expect:`, in the order of the file.

    Raises:
        InputError: an unknown key or a value of the wrong kind.
    """
    found: list[Expectation] = []
    for key, value in nodes.mapping(node, "expect", KEYS).items():
        found += _READERS[key](key, value, names, rules)
    return tuple(found)


def is_scored(match: Match) -> bool:
    """Whether the deal has ended with a score."""
    return match.deal.phase is Phase.OVER and not match.deal.void


def _expected(
    what: str, place: Place, expected: Value, actual: Callable[[Match], Value], text: Callable[[Value], str] = str
) -> Expectation:
    """An expectation that two values are equal; `text` says one."""

    def compare(match: Match) -> str | None:
        now = actual(match)
        return None if now == expected else f"{what} is {text(now) or 'empty'}, not {text(expected) or 'empty'}"

    return Expectation(what, text(expected), place, compare)


def _sorted(cards: Sequence[Card], faces: Faces) -> str:
    return faces.texts(sorted(cards))


def _hands(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    found = []
    for name, value in nodes.mapping(node, key).items():
        what, seat = f"{key}.{name}", nodes.seat(Node(name, node.keys[name]), key, names)
        expected = _sorted(nodes.cards(value, what, rules.faces), rules.faces)

        def actual(match: Match, seat: int = seat) -> str:
            return _sorted(match.deal.hands[seat], rules.faces)

        found.append(_expected(what, value.place, expected, actual))
    return found


def _table(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    found = []
    for name, value in nodes.mapping(node, key).items():
        what, place = f"{key}.{name}", node.keys[name]
        index = nodes.said(lambda name=name: parse_meld_number(name), key, place)  # type: ignore[misc]
        content = nodes.text(value, what)
        group = nodes.said(lambda content=content: parse_group(content, rules.faces), what, value.place)  # type: ignore[misc]
        expected = print_group(group, rules.faces)
        found.append(Expectation(what, expected, value.place, _compare_meld(what, index, group, rules.faces)))
    return found


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


def _numbers(
    key: str,
    node: Node,
    names: Sequence[str],
    actual: Callable[[Match], Sequence[int]],
    scored_only: bool = False,
) -> list[Expectation]:
    found = []
    for name, value in nodes.mapping(node, key).items():
        what, seat = f"{key}.{name}", nodes.seat(Node(name, node.keys[name]), key, names)

        def now(match: Match, seat: int = seat) -> str:
            if scored_only and not is_scored(match):
                return "not scored yet"
            return str(actual(match)[seat])

        found.append(_expected(what, value.place, str(nodes.integer(value, what)), now))
    return found


def _penalties(match: Match) -> list[int]:
    deal = match.deal
    return [charged + bonus for charged, bonus in zip(deal.penalties, deal.bonus, strict=True)]


def _seat_or_none(
    key: str, node: Node, names: Sequence[str], actual: Callable[[Match], int | None]
) -> list[Expectation]:
    expected = None if node.value is None else nodes.seat(node, key, names)

    def text(seat: int | None) -> str:
        return NONE if seat is None else names[seat]

    return [_expected(key, node.place, expected, actual, text)]


def _turn(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    nobody_asked = node.value is None

    def actual(match: Match) -> int | None:
        if match.phase is Phase.BUY_IN:
            return match.actor
        # Once the deal is over it is nobody's turn; the seat whose turn it was last may be named all the same.
        return None if nobody_asked and match.phase is Phase.OVER else match.deal.turn

    return _seat_or_none(key, node, names, actual)


def _winners(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    seats = [nodes.seat(item, key, names) for item in nodes.sequence(node, key)]

    def text(winners: Sequence[int]) -> str:
        return ", ".join(names[seat] for seat in winners) or "nobody"

    return [_expected(key, node.place, sorted(seats), lambda match: sorted(match.winners), text)]


def _phase(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    return [_expected(key, node.place, nodes.choice(node, key, tuple(Phase)), lambda match: match.phase)]


def _void(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    if not isinstance(node.value, bool):
        raise problem(f"{key} must be true or false, not {shown(node.value)}", node.place)
    expected = str(node.value).lower()
    return [_expected(key, node.place, expected, lambda match: str(match.deal.void).lower())]


def _discard(key: str, node: Node, names: Sequence[str], rules: Rules) -> list[Expectation]:
    def actual(match: Match) -> str:
        top = match.deal.top_discard
        return NONE if top is None else rules.faces.text(top)

    expected = rules.faces.texts(nodes.cards(node, key, rules.faces)) or NONE
    return [_expected(key, node.place, expected, actual)]


def _count(key: str, node: Node, actual: Callable[[Match], int]) -> list[Expectation]:
    return [_expected(key, node.place, str(nodes.integer(node, key)), lambda match: str(actual(match)))]


_READERS: Final[dict[str, Callable[[str, Node, Sequence[str], Rules], list[Expectation]]]] = {
    "hands": _hands,
    "table": _table,
    "scores": lambda key, node, names, rules: _numbers(
        key, node, names, lambda match: match.deal.points, scored_only=True
    ),
    "totals": lambda key, node, names, rules: _numbers(key, node, names, lambda match: match.totals),
    "turn": _turn,
    "phase": _phase,
    "calls": lambda key, node, names, rules: _numbers(key, node, names, lambda match: match.deal.calls),
    "out": lambda key, node, names, rules: _seat_or_none(key, node, names, lambda match: match.deal.out),
    "void": _void,
    "dealer": lambda key, node, names, rules: _seat_or_none(key, node, names, lambda match: match.dealer),
    "winners": _winners,
    "discard": _discard,
    "stock_size": lambda key, node, names, rules: _count(key, node, lambda match: len(match.deal.stock)),
    "penalties": lambda key, node, names, rules: _numbers(key, node, names, _penalties),
    "pool": lambda key, node, names, rules: _count(key, node, lambda match: match.standing.pool),
    "money": lambda key, node, names, rules: _numbers(key, node, names, lambda match: match.standing.money),
}
KEYS: Final = tuple(_READERS)
