"""The program's own `dataclass` does what the standard library's does."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar

import pytest

from kalooki_tui import values

MADE = {"own": values.dataclass, "standard": dataclasses.dataclass}
both = pytest.mark.parametrize("dataclass", MADE.values(), ids=MADE)
slots = pytest.mark.parametrize("slots", [False, True])


@values.dataclass(frozen=True, slots=True)
class Card:
    """A value that is pickled, so at the top of a module."""

    rank: int
    marks: tuple[str, ...] = ()


@slots
@both
def test_how_one_is_made(dataclass: Callable[..., Any], slots: bool) -> None:
    @dataclass(slots=slots)
    class Thing:
        kind: ClassVar = "thing"
        first: int
        second: str = "two"
        third: list[int] = field(default_factory=list)
        fourth: int = field(init=False)

        def __post_init__(self) -> None:
            self.fourth = self.first + 1

    one, other = Thing(1), Thing(1, third=[3])
    assert (one.first, one.second, one.third, one.fourth) == (1, "two", [], 2)
    assert other.third == [3]
    assert one.third is not Thing(1).third
    assert repr(one).endswith("Thing(first=1, second='two', third=[], fourth=2)")
    assert [at.name for at in fields(one)] == ["first", "second", "third", "fourth"]
    for wrong in ({}, {"first": 1, "fifth": 5}):
        with pytest.raises(TypeError, match=r"Thing\.__init__"):
            Thing(**wrong)
    one.second = "three"
    assert one.second == "three"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@slots
@both
def test_values_are_equal_by_their_fields(dataclass: Callable[..., Any], slots: bool) -> None:
    @dataclass(frozen=True, slots=slots)
    class Call:
        seat: int
        card: int = 3
        told: str = field(default="", compare=False, repr=False)

    @dataclass(frozen=True, slots=slots)
    class Pass:
        seat: int
        card: int = 3

    assert Call(1) == Call(1, told="aloud")
    assert hash(Call(1)) == hash(Call(1, told="aloud")) == hash((1, 3))
    assert Call(1) != Call(2)
    assert Call(1) != Pass(1)
    assert Call(1) != (1, 3)
    assert {Call(1), Call(1), Call(2)} == {Call(2), Call(1)}
    assert "told" not in repr(Call(1))
    assert replace(Call(1), card=5) == Call(1, 5)
    match Call(4, 5):
        case Call(seat, card):
            assert (seat, card) == (4, 5)


@slots
@both
def test_a_frozen_value_stays_as_it_is(dataclass: Callable[..., Any], slots: bool) -> None:
    @dataclass(frozen=True, slots=slots, kw_only=True)
    class Rule:
        most: int = 3

    rule = Rule(most=4)
    with pytest.raises(FrozenInstanceError):
        rule.most = 5
    with pytest.raises(FrozenInstanceError):
        del rule.most
    with pytest.raises(TypeError):
        Rule(4)
    assert rule == Rule(most=4)


@both
def test_what_a_class_writes_itself_is_kept(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True)
    class Named:
        name: str
        size: int = 0

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return self.name

    @dataclass(slots=True, eq=False)
    class Table:
        seats: int

    assert (hash(Named("a")), repr(Named("a")), Named("a") == Named("a", 0)) == (7, "a", True)
    assert Table(3) != Table(3)
    assert len({Table(3), Table(3)}) == 2


@both
def test_a_value_extends_another(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True)
    class Base:
        first: int

    @dataclass(frozen=True)
    class More(Base):
        second: int = 2

    assert More(1) == More(1, 2)
    assert Base(1) == Base(1)
    assert Base(1) != More(1)
    assert hash(More(1)) == hash((1, 2))
    assert repr(More(1)).endswith("More(first=1, second=2)")


def test_values_are_pickled_and_copied() -> None:
    card = Card(3, ("x",))
    assert pickle.loads(pickle.dumps(card)) == card
    assert copy.deepcopy(card) == card
    assert copy.copy(card) == card
