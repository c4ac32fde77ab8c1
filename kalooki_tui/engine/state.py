"""The whole state of one deal, hidden cards included, and nothing else: cheap to copy, since search copies it often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Final, Self

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import End
from kalooki_tui.engine.events import Event, public
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.permissions import next_seat
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.model import Contract


class Standing(Struct, frozen=True):
    """Standing of the match when the deal began; one entry a seat."""

    totals: tuple[int, ...]
    money: tuple[int, ...]
    buy_ins: tuple[int, ...]
    eliminated: tuple[bool, ...]
    pool: int = 0

    @classmethod
    def at_start(cls, seats: int) -> Standing:
        zeros = (0,) * seats
        return cls(zeros, zeros, zeros, (False,) * seats)


UNKNOWN: Final = Standing((), (), (), ())


@dataclass(slots=True, eq=False, repr=False)
class State:
    """Deal, made as it is before any card is dealt. Lists have an entry a seat unless said otherwise.

    The fields are declared here and nowhere else: what a list or a dict holds is copied with the deal, all other values
    are shared, since they never change.
    """

    rules: Rules
    names: tuple[str, ...]
    number: int
    dealer: int
    turn: int
    """Turn seat; in the final add-on the seat to act; in the cut the seat that will begin."""
    seed: str
    contract: Contract = field(init=False)
    standing: Standing = UNKNOWN
    """By default as at a match's start."""
    attempt: int = 1
    """From 1; a void deal is dealt again with the next."""
    phase: Phase = Phase.CUT
    actor: int | None = field(init=False)
    asked: list[int] = field(default_factory=list)
    """Seats still to be asked: in a call window whether they call, in the add-on whether they add on."""
    hands: list[list[Card]] = field(init=False)
    stock: list[Card] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    face_down: int = 0
    """Cards at the bottom of the pile that nobody may see: the hands of seats that dropped out (F3)."""
    next_stock: Sequence[Card] | None = None
    """Stock to use at the next reshuffle instead of shuffling, as a record has it; the top is the last."""
    melds: list[Meld] = field(default_factory=list)
    """Not by seat: in the order in which they were laid."""
    laid: list[HasLaid] = field(init=False)
    calls: list[int] = field(init=False)
    found: list[int] = field(init=False)
    """Over-calls charged so far (D23)."""
    bend_forbidden: list[bool] = field(init=False)
    bad_lay_open: bool = False
    """The turn seat has tried a bad lay-down that is charged at the end of its turn (F1a)."""
    penalties: list[int] = field(default_factory=list)
    """Points charged, void attempts of this contract included; without the cut's bonus."""
    bonus: list[int] = field(init=False)
    """Points for an exact cut in this attempt (B1)."""
    in_deal: list[bool] = field(init=False)
    """False: eliminated before the deal, or dropped out of it (F3)."""
    dead: bool = False
    flip: Card | None = None
    discarded_by: int | None = None
    drawn: Card | None = None
    """Discard that the turn seat has drawn in this turn and may not throw (H5), or has still to use (H6)."""
    callers: list[int] = field(default_factory=list)
    """Not by seat: those that have called the open card, while others are asked yet (H3)."""
    caller: int | None = None
    added: dict[tuple[int, End], int] = field(default_factory=dict)
    """Cards added this turn to an end of a run, by meld (K6)."""
    reshuffles: int = 0
    idle_turns: int = 0
    """Turns since melds were last laid (D33)."""
    out: int | None = None
    bent: bool = False
    doubled: bool = False
    void: bool = False
    points: list[int] = field(init=False)
    history: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        seats = self.rules.seats
        self.rules = self.rules.in_deal(self.number)
        self.contract = self.rules.contract(self.number)
        if self.standing is UNKNOWN:
            self.standing = Standing.at_start(seats)
        self.actor = self.dealer
        self.hands = [[] for _ in range(seats)]
        self.laid = [HasLaid.NO] * seats
        self.penalties = self.penalties[:] or [0] * seats
        self.calls, self.found, self.bonus, self.points = ([0] * seats for _ in range(4))
        self.bend_forbidden = [False] * seats
        self.in_deal = [not eliminated for eliminated in self.standing.eliminated]

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        _copy_fields(self, copy)
        return copy

    @property
    def top_discard(self) -> Card | None:
        """Top of the discard pile; None if no card of it is face up."""
        return self.pile[-1] if len(self.pile) > self.face_down else None

    def clockwise_from(self, seat: int) -> list[int]:
        """Return the seats in the deal from `seat` round the table, `seat` included if it is in the deal."""
        count = len(self.hands)
        return [(seat + step) % count for step in range(count) if self.in_deal[(seat + step) % count]]

    def left_of(self, seat: int) -> int:
        return next_seat(self.in_deal, seat)


def _written_copy() -> Callable[[State, State], None]:
    """Write out the copying of every field: deals are copied so often that a loop over names would be felt."""
    lines = ["def copy_fields(old, new):"]
    for one in (one for one in fields(State) if one.name != "hands"):
        own = ".copy()" if str(one.type).startswith(("list[", "dict[")) else ""
        lines.append(f"    new.{one.name} = old.{one.name}{own}")
    lines.append("    new.hands = [hand[:] for hand in old.hands]")
    space: dict[str, Callable[[State, State], None]] = {}
    exec("\n".join(lines), space)
    return space["copy_fields"]


_copy_fields: Final = _written_copy()


def note(state: State, events: list[Event], event: Event) -> None:
    """Put an event down, and its public side into the deal's history: nothing else writes events."""
    events.append(event)
    state.history.append(public(event))
