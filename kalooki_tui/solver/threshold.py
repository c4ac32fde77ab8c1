"""Distance of a hand from melds worth a number of points (L5).

Every card added counts as a natural of the solver's choice: a filler that may stand anywhere. Jokers are fillers too,
short only of the naturals a meld must hold (M7).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from operator import mul
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANKS, SUITS, Card
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver.shape import Counts, Effort, Shape, shape_of

#: Melds that are looked at in one step of effort.
CANDIDATES_A_STEP: Final = 32
#: Melds of so many suits and ranks are kept: a hand with one card more has most of them in common.
KEPT: Final = 4096


class _Candidate(Struct, frozen=True):
    """Meld with places to fill."""

    points: int
    missing: int
    forced: int
    """Fewest of the missing cards that must be naturals."""
    cards: tuple[Card, ...]
    key: int
    """Ranks and suits that may not repeat (M8): 0-12 a rank, 13-16 a suit."""


def points_distance(
    rules: Rules, points: int, counts: Counts, bound: int, floor: int, effort: Effort | None = None
) -> int:
    """Return the fewest cards to add for melds worth `points`, if below `bound`, else `bound`; see `cards_away`."""
    search = _Search(rules, points, counts, effort or Effort())
    for added in range(floor, bound):
        if search.reaches(added):
            return added
    return bound


class _Search:
    __slots__ = ("candidates", "counts", "dearest", "effort", "jokers", "points", "rules", "shape")

    def __init__(self, rules: Rules, points: int, counts: Counts, effort: Effort) -> None:
        self.effort = effort
        self.rules, self.shape, self.points = rules, shape_of(rules), points
        self.counts = counts
        self.jokers = counts[JOKER]
        self.dearest = max(rules.values[:JOKER])
        self.candidates: list[_Candidate] = []

    def reaches(self, added: int) -> bool:
        """Check that `added` further naturals are enough; no, where the effort is spent."""
        fillers = self.jokers + added
        held = sum(map(mul, self.counts[:JOKER], self.rules.values))
        if self.effort.left < 0 or held + fillers * self.dearest < self.points:
            return False
        candidates = _candidates(self.rules, self.shape, self.counts, fillers)
        self.effort.left -= len(candidates) // CANDIDATES_A_STEP
        self.candidates = [candidate for candidate in candidates if candidate.forced <= added]
        self.candidates.sort(key=lambda candidate: -candidate.points)
        return self._choose(0, self.points, fillers, added, 0)

    def _choose(self, start: int, wanted: int, fillers: int, added: int, taken: int) -> bool:
        """Check that melds from `start` on can be worth `wanted`; `taken`: keys used (M8)."""
        if wanted <= 0:
            return True
        counts, repeats, values = self.counts, self.shape.repeats, self.rules.values
        self.effort.left -= 1 + (len(self.candidates) - start) // CANDIDATES_A_STEP
        if self.effort.left < 0 or sum(map(mul, counts[:JOKER], values)) + fillers * self.dearest < wanted:
            return False
        for index in range(start, len(self.candidates)):
            candidate = self.candidates[index]
            if candidate.missing > fillers or candidate.forced > added:
                continue
            if not repeats and taken >> candidate.key & 1:
                continue
            cards = candidate.cards
            if any(counts[card] == 0 for card in cards):
                continue
            for card in cards:
                counts[card] -= 1
            found = self._choose(
                index,
                wanted - candidate.points,
                fillers - candidate.missing,
                # Jokers stand in for what need not be a natural, so naturals are spent only where they are forced.
                added - candidate.forced,
                taken | 1 << candidate.key,
            )
            for card in cards:
                counts[card] += 1
            if found:
                return True
            if self.effort.left < 0:
                return False
        return False


def _candidates(rules: Rules, shape: Shape, counts: Counts, fillers: int) -> list[_Candidate]:
    found: list[_Candidate] = []
    for rank in range(RANKS):
        found += _sets(shape, rank, rules.values[rank], tuple(counts[rank:JOKER:RANKS]), fillers)
    for suit in range(SUITS):
        held = single = 0
        for rank, copies in enumerate(counts[suit * RANKS : (suit + 1) * RANKS]):
            held |= (copies > 0) << rank
            single |= (copies == 1) << rank
        found += _runs(shape, suit, rules.values, held, single, fillers)
    return found


@lru_cache(KEPT)
def _sets(shape: Shape, rank: int, worth: int, counts: tuple[int, ...], fillers: int) -> list[_Candidate]:
    """Return sets of a rank of which the hand holds so many of each suit."""
    found = []
    copies = [suit * RANKS + rank for suit, number in enumerate(counts) for _ in range(number)]
    held = sorted(set(copies)) if shape.distinct_suits else copies
    for size in range(shape.set_minimum, min(shape.set_maximum, len(held) + fillers) + 1):
        for number in range(max(0, size - fillers), min(size, len(held)) + 1):
            for cards in sorted(set(combinations(held, number))):
                forced = max(0, shape.set_needs(size) - number)
                found.append(_Candidate(worth * size, size - number, forced, cards, rank))
    return found


@lru_cache(KEPT)
def _runs(shape: Shape, suit: int, values: tuple[int, ...], held: int, single: int, fillers: int) -> list[_Candidate]:
    """Return runs of a suit of which the hand holds the ranks `held`, and of those in `single` one copy."""
    found = []
    here, alone = shape.positions(held), shape.positions(single)
    for length in range(shape.run_minimum, shape.run_longest + 1):
        for low in shape.starts(length):
            places = [place for place in range(low, low + length) if here >> place & 1]
            if length > RANKS and single & 1:
                places = places[1:]  # one ace is at one end only
            missing = length - len(places)
            if missing > fillers:
                continue
            points = sum(values[place % RANKS] for place in range(low, low + length))
            # The only copy of a card may serve another meld better, and a filler take its place here.
            shared = [place for place in places if alone >> place & 1]
            for number in range(min(fillers - missing, len(shared)) + 1):
                for left_out in combinations(shared, number):
                    kept = [place for place in places if place not in left_out]
                    cards = tuple(suit * RANKS + place % RANKS for place in kept)
                    forced = shape.forced(length, sum(1 << place - low for place in kept))
                    found.append(_Candidate(points, missing + number, forced, cards, RANKS + suit))
    return found
