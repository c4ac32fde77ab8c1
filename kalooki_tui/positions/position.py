"""A position as values: one table at one moment, steps to play from it, and their expected results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.positions.expectations import Expectation
from kalooki_tui.problems import Place


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
class PositionStep:
    """One action and its expected result."""

    action: Action
    text: str
    place: Place
    refused: str | None = None
    """The code it must be refused with; an empty text: any code; None: it must be accepted."""
    charged: bool = False
    """Whether the refusal must be charged at once."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where in its file a position says what it says."""

    start: Place
    keys: Mapping[str, Place]
    seats: tuple[Mapping[str, Place], ...]
    """For each seat, in clockwise order: its keys; the empty key is the seat itself."""
    melds: tuple[Place, ...]

    def key(self, key: str) -> Place:
        """Where a key's value stands; for one that is missing the phase, or the beginning of the file."""
        return self.keys.get(key) or self.keys.get("phase") or self.start

    def seat(self, seat: int, key: str) -> Place:
        """Where a seat says something; for a key that is missing the seat itself."""
        return self.seats[seat].get(key) or self.seats[seat][""]


@dataclass(frozen=True, slots=True)
class Position:
    """A position that has been read; cards lie with the top first, as the file has them."""

    places: Places
    title: str
    reason: str
    """Why the best that can be done there is the best."""
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
    steps: tuple[PositionStep, ...]
    expect: tuple[Expectation, ...]
