"""Typed values out of YAML nodes, each wrong one an error with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from kalooki_tui.cards import Card, Faces
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.notation.errors import NotationError
from kalooki_tui.notation.seats import parse_seat
from kalooki_tui.problems import InputError, Place, Problem, about, nearest, problem, shown
from kalooki_tui.rulesets.yaml_source import Node
from kalooki_tui.wording import quote

Value = TypeVar("Value")

MOST_POINTS: Final = 1_000_000


def key_place(node: Node, key: str) -> Place:
    """Where a key of a mapping stands."""
    return node.keys.get(key, node.place)


def mapping(node: Node, what: str, known: Collection[str] | None = None) -> dict[str, Node]:
    """A mapping, with no other keys than `known`."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        raise problem(f"{what} must be a mapping of keys to values, not {shown(node.value)}", node.place)
    strange = () if known is None else [key for key in node.value if key not in known]
    if strange:
        said = [f"{what}: unknown key {quote(key)}{nearest(key[:40], known or ())}" for key in strange]
        raise InputError(Problem(*key_place(node, key), one) for key, one in zip(strange, said, strict=True))
    return node.value


class Mistakes:
    """Mistakes of one text, collected while reading the rest, reported together."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Note what is wrong within, and go on after it."""
        try:
            yield
        except InputError as error:
            self._found += error.problems

    def tell(self) -> None:
        """Raise the error for all of them, by line.

        Raises:
            InputError: there are any.
        """
        if self._found:
            raise InputError(sorted(self._found, key=lambda one: one.line))


def record(
    node: Node, what: str, readers: Mapping[str, Callable[[Node], object]], required: Collection[str] = ()
) -> dict[str, Any]:
    """The values of a mapping, each as the reader of its key reads it.

    Raises:
        InputError: everything that is wrong with them, keys that are missing and keys that there are not.
    """
    mistakes, found = Mistakes(), {}
    with mistakes.gathered():
        mapping(node, what, readers)
    at = node.value if isinstance(node.value, dict) else {}
    for key in required:
        with mistakes.gathered():
            if key not in at and (isinstance(node.value, dict) or node.value is None):
                raise problem(f"{what} has no {key}", node.place)
    for key, read in readers.items():
        with mistakes.gathered():
            if key in at:
                found[key] = read(at[key])
    mistakes.tell()
    return found


def each(node: Node | None, what: str, read: Callable[[Node], Value]) -> list[Value]:
    """The values of a list; no value means an empty one.

    Raises:
        InputError: everything that is wrong with them.
    """
    mistakes, found = Mistakes(), []
    for one in sequence(node, what):
        with mistakes.gathered():
            found.append(read(one))
    mistakes.tell()
    return found


def sequence(node: Node | None, what: str) -> list[Node]:
    """A list; no value means an empty one."""
    if node is None or node.value is None:
        return []
    if not isinstance(node.value, list):
        raise problem(f"{what} must be a list, not {shown(node.value)}", node.place)
    return node.value


def text(node: Node, what: str) -> str:
    """A text."""
    if not isinstance(node.value, str):
        raise problem(f"{what} must be text, not {shown(node.value)}", node.place)
    return node.value


def integer(node: Node, what: str, low: int = -MOST_POINTS, high: int = MOST_POINTS) -> int:
    """A whole number from `low` to `high`."""
    if isinstance(node.value, bool) or not isinstance(node.value, int):
        raise problem(f"{what} must be a whole number, not {shown(node.value)}", node.place)
    if not low <= node.value <= high:
        raise problem(f"{what} must be from {low} to {high}, not {node.value}", node.place)
    return node.value


def boolean(node: Node, what: str) -> bool:
    """True or false."""
    if not isinstance(node.value, bool):
        raise problem(f"{what} must be true or false, not {shown(node.value)}", node.place)
    return node.value


def choice(node: Node, what: str, known: Sequence[str]) -> str:
    """One of the words known."""
    words = list(map(str, known))
    if not isinstance(node.value, str) or node.value not in words:
        raise problem(f"{what} must be one of {', '.join(words)}, not {shown(node.value)}", node.place)
    return node.value


def cards(node: Node, what: str, faces: Faces) -> tuple[Card, ...]:
    """Cards separated by spaces; no value means no cards."""
    return said(lambda: cards_of(node.value, faces), what, node.place)


def cards_of(value: object, faces: Faces) -> tuple[Card, ...]:
    """The cards that a value of a file names.

    Raises:
        NotationError: it names none.
    """
    if value is not None and not isinstance(value, str):
        raise NotationError(f"must be cards separated by spaces, not {shown(value)}")
    return parse_cards(value or "", faces)


def seat(node: Node, what: str, names: Sequence[str]) -> int:
    """A seat by its name, or its number from 1."""
    return said(lambda: seat_of(node.value, names), what, node.place)


def seat_of(value: object, names: Sequence[str]) -> int:
    """The seat that a value of a file names.

    Raises:
        NotationError: it names none.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotationError(f"must be a seat's name, not {shown(value)}")
    return parse_seat(str(value), names)


def said(parse: Callable[[], Value], what: str, place: Place) -> Value:
    """The result of `parse`; its errors are reported with the place."""
    try:
        return parse()
    except NotationError as error:
        raise problem(about(what, str(error)), place) from None


@contextmanager
def located(place: Place) -> Iterator[None]:
    """Give `place` to an error raised within that knows no line."""
    try:
        yield
    except InputError as error:
        if error.problems[0].line:
            raise
        raise problem(str(error), place) from None
