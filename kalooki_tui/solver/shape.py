"""The rules that the solver needs, read once, hands as counts of cards, and the work that a search may do.

A suit's cards are a bit mask of positions: bit 0 is position 1 (the low ace) and bit 13 position 14 (the high ace).
Where runs go round the corner (H15) the ranks follow there once more, up to bit 25, and runs begin at bits 0 to 12.
A mask of ranks has 13 bits; bit 0 is the ace.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec import Struct

from kalooki_tui.cards import RANKS, Card
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract, Ruleset

#: How many copies of each of the 53 cards a hand holds, by card number.
Counts: TypeAlias = list[int]

POSITIONS: Final = 14
RANK_MASK: Final = (1 << RANKS) - 1
HIGH_ACE: Final = 1 << RANKS


#: More steps than any search takes.
_NO_END: Final = 1 << 60


class Effort:
    """Steps that the searches for one answer may take together; a step is some ten microseconds of work.

    A search that finds none left stops with the best it has found.
    """

    __slots__ = ("left", "stopped")

    def __init__(self, steps: int = _NO_END) -> None:
        self.left = steps
        self.stopped = False

    @property
    def is_spent(self) -> bool:
        """True if any search stopped early: what was found may not be the best there is."""
        return self.stopped or self.left < 0


class Chain(Struct, frozen=True):
    """Possible run of a suit: naturals at some positions, jokers in the gaps and, if wanted, at the ends."""

    held: int
    """Positions filled with naturals."""
    ranks: tuple[int, ...]
    """Their ranks, 0-12; a run with an ace at each end holds 0 twice."""
    jokers: int
    most: int
    full: bool
    """Meant to be a complete suit of exactly 13 cards (L6)."""

    @property
    def length(self) -> int:
        """Cards, with the fewest jokers."""
        return len(self.ranks) + self.jokers


@dataclass(slots=True, eq=False)
class Shape:
    """Limits on melds (M1-M9) of one ruleset, with tables that grow as hands are asked about."""

    set_minimum: int
    set_maximum: int
    """Most cards in a set; a number no hand reaches if there is no limit."""
    set_naturals: int
    """Fewest in a set of `set_minimum` cards."""
    distinct_suits: bool
    run_minimum: int
    run_longest: int
    run_naturals: int
    kisses: bool
    shortest_jokers: int | None
    """Most jokers in a run of exactly `run_minimum` cards (M9)."""
    repeats: bool
    full_suit: bool
    share: tuple[int, ...] | None
    """By the cards of a meld, the fewest naturals among them (H11)."""
    exact: bool
    """The first lay-down holds no more than the contract (H10)."""
    corner: bool
    """Runs go on past the ace (H15)."""
    windows: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict, repr=False)
    lows: dict[tuple[int, ...], list[tuple[int, int, int]]] = field(default_factory=dict, repr=False)
    set_costs: dict[tuple[object, ...], list[tuple[int, int]]] = field(default_factory=dict, repr=False)
    chains: dict[tuple[object, ...], list[Chain]] = field(default_factory=dict, repr=False)
    forced_known: dict[tuple[int, int], int] = field(default_factory=dict, repr=False)
    twice: int = field(init=False, repr=False)
    """Ranks with two positions."""
    places: tuple[int, ...] = field(init=False, repr=False)
    """The positions of each rank, as a mask."""

    def __post_init__(self) -> None:
        self.twice = RANK_MASK if self.corner else 1
        self.places = tuple(self.positions(1 << rank) for rank in range(RANKS))

    def positions(self, ranks: int) -> int:
        """Return the positions a mask of ranks fills: the ace at both ends (M3), or every rank twice (H15)."""
        return ranks | (ranks & self.twice) << RANKS

    def starts(self, length: int) -> range:
        """Return the positions, from 0, at which a run of so many cards may begin, each run once."""
        return range(RANKS if self.corner else POSITIONS - length + 1)

    def room(self, low: int, high: int) -> tuple[int, int]:
        """Return the most jokers below and above a run's naturals, from 0, by their positions (M3, M6)."""
        room_low, room_high = (RANKS, RANKS) if self.corner else (low, POSITIONS - 1 - high)
        return (room_low, room_high) if self.kisses else (min(room_low, 1), min(room_high, 1))

    def keeps_to(self, contract: Contract) -> bool:
        """Check that a lay-down of the contract holds no meld beside it (H10); a seat that has laid has none."""
        return self.exact and contract.sets + contract.runs > 0

    def set_needs(self, length: int) -> int:
        """Return the fewest naturals of a set of so many cards (M7, H11)."""
        return self.set_naturals if self.share is None else max(self.set_naturals, self.share[length])

    def most_jokers(self, naturals: int, melds: int = 1) -> int:
        """Return the most jokers that so many melds may hold beside so many naturals (H11)."""
        return NO_LIMIT if self.share is None else naturals + melds * (1 - self.share[2])

    def forced(self, length: int, held: int) -> int:
        """Return the fewest naturals that a run of `length` needs beside those at `held` (bit 0: first; M6, M7, M9)."""
        known = self.forced_known.get((length, held))
        if known is None:
            known = self.forced_known[length, held] = self._forced(length, held)
        return known

    def _forced(self, length: int, held: int) -> int:
        missing = length - held.bit_count()
        need = max(0, max(self.run_naturals, 0 if self.share is None else self.share[length]) - held.bit_count())
        if not self.kisses:
            gap = pairs = 0
            for index in range(length + 1):
                if index < length and not held >> index & 1:
                    gap += 1
                else:
                    pairs += gap // 2
                    gap = 0
            need = max(need, pairs)
        if length == self.run_minimum and self.shortest_jokers is not None:
            need = max(need, missing - self.shortest_jokers)
        return need


#: More cards than any hand holds.
NO_LIMIT: Final = 1000
#: More cards than any meld holds.
MOST_CARDS: Final = 500
_shapes: dict[int, tuple[Ruleset, Shape]] = {}


def shape_of(rules: Rules) -> Shape:
    """Return the shape of the rules' ruleset; the same object for the same ruleset object."""
    ruleset = rules.ruleset
    known = _shapes.get(id(ruleset))
    if known is not None and known[0] is ruleset:
        return known[1]
    sets, runs, lay = ruleset.sets, ruleset.runs, ruleset.lay
    set_minimum = max(sets.minimum, sets.naturals)
    shape = Shape(
        set_minimum=set_minimum,
        set_maximum=sets.maximum if sets.maximum is not None else NO_LIMIT,
        set_naturals=max(sets.naturals, lay.fewest_naturals(set_minimum)),
        distinct_suits=sets.suits == "distinct",
        run_minimum=max(runs.minimum, runs.naturals),
        run_longest=runs.longest,
        run_naturals=runs.naturals,
        kisses=runs.kisses,
        shortest_jokers=runs.jokers_when_shortest if runs.naturals <= runs.minimum else None,
        repeats=lay.repeats == "free",
        full_suit=lay.full_suit_for_three_runs,
        share=None if lay.jokers == "any" else tuple(map(lay.fewest_naturals, range(MOST_CARDS))),
        exact=lay.exact,
        corner=runs.corner,
    )
    _shapes[id(ruleset)] = (ruleset, shape)
    return shape


def list_cards(counts: Counts) -> tuple[Card, ...]:
    return tuple([card for card, copies in enumerate(counts) if copies for _ in range(copies)])


def ranks_of(held: int) -> int:
    return (held | held >> RANKS) & RANK_MASK
