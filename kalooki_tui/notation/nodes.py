"""Typed values from YAML nodes; each wrong one is an error with file and line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from kalooki_tui.cards import Card, Faces
from kalooki_tui.notation.card_text import NotationError, parse_cards
from kalooki_tui.notation.seat_text import parse_seat
from kalooki_tui.problems import InputError, Problem, SourceLocation, about, nearest, problem, shown
from kalooki_tui.rulesets.yaml_source import Node
from kalooki_tui.wording import quote

Value = TypeVar("Value")

MOST_POINTS: Final = 1_000_000


def mapping(node: Node, what: str, known: Collection[str] | None = None) -> dict[str, Node]:
    """Read a mapping with no other keys than `known`."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        raise problem(f"{what} must be a mapping of keys to values, not {shown(node.value)}", node.place)
    strange = () if known is None else [key for key in node.value if key not in known]
    if strange:
        said = [f"{what}: unknown key {quote(key)}{nearest(key[:40], known or ())}" for key in strange]
        raise InputError(Problem(*node.keys.get(key, node.place), one) for key, one in zip(strange, said, strict=True))
    return node.value


def sequence(node: Node | None, what: str) -> list[Node]:
    """Read a list; no value means an empty one."""
    if node is None or node.value is None:
        return []
    if not isinstance(node.value, list):
        raise problem(f"{what} must be a list, not {shown(node.value)}", node.place)
    return node.value


def text(node: Node, what: str) -> str:
    if not isinstance(node.value, str):
        raise problem(f"{what} must be text, not {shown(node.value)}", node.place)
    return node.value


def integer(node: Node, what: str, low: int = -MOST_POINTS, high: int = MOST_POINTS) -> int:
    if type(node.value) is not int:
        raise problem(f"{what} must be a whole number, not {shown(node.value)}", node.place)
    if not low <= node.value <= high:
        raise problem(f"{what} must be from {low} to {high}, not {node.value}", node.place)
    return node.value


def choice(node: Node, what: str, known: Sequence[str]) -> str:
    if node.value not in known:
        raise problem(f"{what} must be one of {', '.join(known)}, not {shown(node.value)}", node.place)
    return str(node.value)


def cards(node: Node, what: str, faces: Faces) -> tuple[Card, ...]:
    """Read cards separated by spaces; no value means none."""
    return said(lambda: cards_of(node.value, faces), what, node.place)


def cards_of(value: object, faces: Faces) -> tuple[Card, ...]:
    if value is not None and not isinstance(value, str):
        raise NotationError(f"must be cards separated by spaces, not {shown(value)}")
    return parse_cards(value or "", faces)


def seat(node: Node, what: str, names: Sequence[str]) -> int:
    return said(lambda: seat_of(node.value, names), what, node.place)


def seat_of(value: object, names: Sequence[str]) -> int:
    """Find a seat by name, or number from 1; raise NotationError."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotationError(f"must be a seat's name, not {shown(value)}")
    return parse_seat(str(value), names)


def said(parse: Callable[[], Value], what: str, place: SourceLocation) -> Value:
    """Return the result of `parse`; its errors get the place."""
    try:
        return parse()
    except NotationError as error:
        raise problem(about(what, str(error)), place) from None


@contextmanager
def located(place: SourceLocation) -> Iterator[None]:
    """Give `place` to an error raised within that knows no line."""
    try:
        yield
    except InputError as error:
        if error.problems[0].line:
            raise
        raise problem(str(error), place) from None
