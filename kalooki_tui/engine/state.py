"""The whole state of one deal, hidden cards included, and nothing else: cheap to copy, since search copies it often."""

from __future__ import annotations

from dataclasses import dataclass

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import End
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.model import Contract


@dataclass(frozen=True, slots=True)
class Standing:
    """How the match stood when the deal began; one entry a seat."""

    totals: tuple[int, ...]
    money: tuple[int, ...]
    buy_ins: tuple[int, ...]
    eliminated: tuple[bool, ...]
    pool: int = 0

    @classmethod
    def at_start(cls, seats: int) -> Standing:
        """Everybody at nothing."""
        zeros = (0,) * seats
        return cls(zeros, zeros, zeros, (False,) * seats)


class State:
    """One deal. Lists have an entry a seat unless said otherwise."""

    __slots__ = (
        "actor",
        "added",
        "asked",
        "attempt",
        "bad_lay_open",
        "bend_forbidden",
        "bent",
        "bonus",
        "caller",
        "calls",
        "contract",
        "dead",
        "dealer",
        "discarded_by",
        "doubled",
        "flip",
        "found",
        "hands",
        "history",
        "in_deal",
        "laid",
        "melds",
        "names",
        "next_stock",
        "number",
        "out",
        "penalties",
        "phase",
        "pile",
        "points",
        "reshuffles",
        "rules",
        "seed",
        "standing",
        "stock",
        "turn",
        "void",
    )

    rules: Rules
    names: tuple[str, ...]
    number: int
    """The deal's number, from 1."""
    attempt: int
    """From 1; a void deal is dealt again with the next."""
    contract: Contract
    standing: Standing
    seed: str
    """Names this deal's random streams."""
    dealer: int
    turn: int
    """The turn seat; in the final add-on the seat to act; in the cut the seat that will begin."""
    phase: Phase
    actor: int | None
    """Whose decision it is; None when the deal is over."""
    asked: list[int]
    """Seats still to be asked: in a call window whether they call, in the add-on whether they add on."""
    hands: list[list[Card]]
    stock: list[Card]
    """The top is the last."""
    pile: list[Card]
    """The discard pile; the top is the last."""
    next_stock: list[Card] | None
    """A stock to use at the next reshuffle instead of shuffling, as a record has it; the top is the last."""
    melds: list[Meld]
    laid: list[HasLaid]
    calls: list[int]
    found: list[int]
    """Over-calls charged so far (D23)."""
    bend_forbidden: list[bool]
    """F2."""
    bad_lay_open: bool
    """Whether the turn seat has tried a bad lay-down that is charged at the end of its turn (F1a)."""
    penalties: list[int]
    """Points charged, void attempts of this contract included; without the cut's bonus."""
    bonus: list[int]
    """Points for an exact cut in this attempt (B1)."""
    in_deal: list[bool]
    """False: eliminated before the deal, or dropped out of it (F3)."""
    dead: bool
    """Nobody may call or take the top discard (C4, D8)."""
    flip: Card | None
    discarded_by: int | None
    caller: int | None
    added: dict[tuple[int, End], int]
    """Cards added this turn to an end of a run, by meld (K6)."""
    reshuffles: int
    out: int | None
    bent: bool
    doubled: bool
    void: bool
    points: list[int]
    """Points of the deal, penalties included; zeros until it is scored."""
    history: list[Event]
    """Public events so far."""

    def clone(self) -> State:
        """An independent copy of the same class."""
        copy = object.__new__(type(self))
        copy.rules = self.rules
        copy.names = self.names
        copy.number = self.number
        copy.attempt = self.attempt
        copy.contract = self.contract
        copy.standing = self.standing
        copy.seed = self.seed
        copy.dealer = self.dealer
        copy.turn = self.turn
        copy.phase = self.phase
        copy.actor = self.actor
        copy.asked = self.asked[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.stock = self.stock[:]
        copy.pile = self.pile[:]
        copy.next_stock = self.next_stock
        copy.melds = self.melds[:]
        copy.laid = self.laid[:]
        copy.calls = self.calls[:]
        copy.found = self.found[:]
        copy.bend_forbidden = self.bend_forbidden[:]
        copy.bad_lay_open = self.bad_lay_open
        copy.penalties = self.penalties[:]
        copy.bonus = self.bonus[:]
        copy.in_deal = self.in_deal[:]
        copy.dead = self.dead
        copy.flip = self.flip
        copy.discarded_by = self.discarded_by
        copy.caller = self.caller
        copy.added = self.added.copy()
        copy.reshuffles = self.reshuffles
        copy.out = self.out
        copy.bent = self.bent
        copy.doubled = self.doubled
        copy.void = self.void
        copy.points = self.points[:]
        copy.history = self.history[:]
        return copy

    def clockwise_from(self, seat: int) -> list[int]:
        """The seats in the deal from `seat` round the table, `seat` included if it is in the deal."""
        count = len(self.hands)
        return [(seat + step) % count for step in range(count) if self.in_deal[(seat + step) % count]]

    def left_of(self, seat: int) -> int:
        """The next seat in the deal, clockwise."""
        count, in_deal = len(self.hands), self.in_deal
        seat = (seat + 1) % count
        while not in_deal[seat]:
            seat = (seat + 1) % count
        return seat
