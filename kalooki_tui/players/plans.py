"""Plans for a contract: the melds a hand could still make, and how likely each is to come together.

A plan is the contract's melds, each with the cards held for it and the cards it lacks. Its chance is the product of the
chances to get each lacking card in time, from the copies not seen yet; jokers in hand stand in for the hardest ones.
The sum over the plans measures the hand; the plans that contain a card measure the loss of throwing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise, permutations, product
from operator import attrgetter
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANK, RANKS, SUIT, SUITS, Card
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.rules import Rules
from kalooki_tui.players.numbers import power_of_e
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.lay import FREE
from kalooki_tui.solver.shape import shape_of

#: Cards a seat gets to see and choose from before a deal is decided, of the cards not seen yet.
HORIZON: Final = 12.0
#: Runs kept for each suit, and ranks kept beyond the sets wanted: the others add little.
RUNS_A_SUIT = 4
MORE_RANKS = 3
MORE_RUNS = 6
MOST_PLANS = 250
#: Plans this much less likely than the best are left out.
NEGLIGIBLE = 0.02
#: Where the contract asks for points: melds to choose from, and most in a plan.
PARTS_FOR_POINTS = 14
MOST_MELDS = 3
_CHANCE: Final = attrgetter("chance")


class Lack(Struct, frozen=True):
    """Card that a meld lacks: any of `cards` will do."""

    chance: float
    cards: tuple[Card, ...]


class PlanPart(Struct, frozen=True):
    used: tuple[Card, ...]
    spare: bool
    """It has more cards than it needs, so that each one may go."""
    lacks: tuple[Lack, ...]
    jokers: int
    """Most jokers that may stand in for what it lacks (M6, M7, M9)."""
    chance: float
    points: int
    suit: int = -1


@dataclass(slots=True)
class Prospect:
    worth: float = 0.0
    """Sum of the plans' chances; above 1 if there are many."""
    keep: dict[Card, float] = field(default_factory=dict)
    """By card of the hand, the worth of the plans that lose it with one copy."""
    want: dict[Card, float] = field(default_factory=dict)
    """By card, the worth gained with one more copy."""


def prospect(
    rules: Rules, contract: Contract, hand: Sequence[Card], unseen: Sequence[int], horizon: float = HORIZON
) -> Prospect:
    """Sum up the hand's plans for the contract; `unseen`: copies of each card that may still come."""
    search = _PlanSearch(rules, contract, hand, unseen, horizon)
    result = Prospect()
    for plan in search.plans():
        search.add(result, plan)
    for card in rules.wild:
        result.want[card] = max(result.want.get(card, 0.0), result.want.get(JOKER, 0.0))
    return result


def meld_chances(
    rules: Rules,
    hand: Sequence[Card],
    unseen: Sequence[int],
    closed_ranks: Container[int] = (),
    closed_suits: Container[int] = (),
    horizon: float = HORIZON,
) -> dict[Card, float]:
    """Return by natural of the hand the chance of its likeliest meld, without closed ranks (1-13) and suits (M8)."""
    search = _PlanSearch(rules, FREE, hand, unseen, horizon)
    parts = [
        part
        for suit in range(SUITS)
        if suit not in closed_suits
        for part in search.runs_of(suit, search.shape.run_minimum)
    ]
    parts += [search.set_of(rank, 0) for rank in range(RANKS) if rank + 1 not in closed_ranks]
    chances: dict[Card, float] = {}
    for part in parts:
        for card in part.used:
            if part.chance > chances.get(card, 0.0):
                chances[card] = part.chance
    return chances


class _PlanSearch:
    def __init__(
        self, rules: Rules, contract: Contract, hand: Sequence[Card], unseen: Sequence[int], horizon: float
    ) -> None:
        self.rules, self.contract = rules, contract
        self.shape = shape_of(rules)
        self.counts = count_cards(hand)
        for card in rules.wild:  # held, they are worth more as jokers (H7)
            self.counts[JOKER] += self.counts[card]
            self.counts[card] = 0
        self.jokers = self.counts[JOKER]
        self.unseen = unseen
        self.known_sets: dict[tuple[int, int], PlanPart] = {}
        self.rate = horizon / max(1, sum(unseen))
        most = max(rules.packs, *unseen)
        #: By copies that may come: the chances that none of them does, and that one does.
        self.misses = [1.0]
        missed = power_of_e(-self.rate)
        for _ in range(most * SUITS):
            self.misses.append(self.misses[-1] * missed)
        self.chances = [1 - none for none in self.misses[: most + 1]]

    def plans(self) -> list[tuple[PlanPart, ...]]:
        if self.contract.points:
            return self._plans_for_points()
        sets = self.contract.sets
        plans: list[tuple[PlanPart, ...]] = []
        best = 0.0
        for chance, chosen in self._run_choices(self.contract.run_lengths(self.shape.run_minimum))[:MOST_PLANS]:
            if len(plans) >= MOST_PLANS or chance < best * NEGLIGIBLE:
                break
            if not sets:
                best = max(best, chance)
                plans.append(chosen)
                continue
            ranks = self._sets_beside(chosen)[: sets + MORE_RANKS]
            best = max(best, chance * _product(ranks[:sets]))
            plans += [
                (*chosen, *others)
                for others in combinations(ranks, sets)
                if chance * _product(others) >= best * NEGLIGIBLE
            ]
        return plans

    def _sets_beside(self, runs: Sequence[PlanPart]) -> list[PlanPart]:
        """Return the sets that the cards left by the runs may become, the likeliest first."""
        taken = [0] * RANKS
        for part in runs:
            for card in part.used:
                taken[RANK[card] - 1] |= 1 << SUIT[card]
        parts = []
        for rank, suits in enumerate(taken):
            key = (rank, suits)
            if key not in self.known_sets:
                self.known_sets[key] = self.set_of(rank, suits)
            parts.append(self.known_sets[key])
        parts.sort(key=_CHANCE, reverse=True)
        return parts

    def _run_choices(self, lengths: tuple[int, ...]) -> list[tuple[float, tuple[PlanPart, ...]]]:
        """Return ways to the runs of the contract, the longest first, with their chances, the likeliest ways first."""
        if not lengths:
            return [(1.0, ())]
        asked = Counter(lengths)
        by_suit = {length: [self.runs_of(suit, length) for suit in range(SUITS)] for length in asked}
        if self.shape.repeats:
            each = []
            for length, runs in asked.items():
                parts = sorted((part for suit in by_suit[length] for part in suit), key=_CHANCE, reverse=True)
                each.append([*combinations(parts[: runs + MORE_RUNS], runs)])
            all_runs = (tuple(chain.from_iterable(way)) for way in product(*each))
            choices = [(_product(chosen), chosen) for chosen in all_runs if self._holds(chosen)]
        else:
            # Where two runs are asked for with one length, their suits in order are one way.
            ways = (tuple(zip(lengths, suits, strict=True)) for suits in permutations(range(SUITS), len(lengths)))
            choices = [
                entry
                for way in ways
                if all(one[0] > other[0] or one[1] < other[1] for one, other in pairwise(way))
                for entry in _one_of_each([by_suit[length][suit] for length, suit in way])
            ]
        choices.sort(key=lambda entry: -entry[0])
        return choices

    def _holds(self, parts: Sequence[PlanPart]) -> bool:
        used: dict[Card, int] = {}
        for part in parts:
            for card in part.used:
                used[card] = used.get(card, 0) + 1
        return all(self.counts[card] >= copies for card, copies in used.items())

    def runs_of(self, suit: int, length: int) -> list[PlanPart]:
        first, parts = suit * RANKS, []
        for low in self.shape.starts(length):
            cards = [first + (low + index) % RANKS for index in range(length)]
            held = 0
            lacks: list[Lack] = []
            for index, card in enumerate(cards):
                if self.counts[card]:
                    held |= 1 << index
                else:
                    lacks.append(Lack(self.chances[self.unseen[card]], (card,)))
            if not held and length > 1 and self.jokers < length:
                continue
            used = tuple(card for index, card in enumerate(cards) if held >> index & 1)
            free = len(lacks) - self.shape.forced(length, held)
            points = sum(self.rules.values[card] for card in cards)
            parts.append(self._part(used, False, lacks, free, points, suit))
        parts.sort(key=_CHANCE, reverse=True)
        # A complete suit is the same wherever it begins (H15).
        return parts[: 1 if self.shape.corner and length == RANKS else RUNS_A_SUIT]

    def set_of(self, rank: int, taken: int) -> PlanPart:
        """Return the set of a rank (0-12) from the cards that runs leave; `taken`: suits of which they take a card."""
        # Sets of several lengths (H8) are planned as though all were of the longest.
        size = max(self.contract.set_lengths(self.shape.set_minimum), default=self.shape.set_minimum)
        distinct = self.shape.distinct_suits
        used: list[Card] = []
        helps: list[Card] = []
        for suit in range(SUITS):
            card = suit * RANKS + rank
            copies = self.counts[card] - (taken >> suit & 1)
            if distinct:
                copies = min(copies, 1)
            used += [card] * copies
            if self.unseen[card] and not (distinct and copies):
                helps.append(card)
        missing = max(0, size - len(used))
        coming = sum(self.unseen[card] for card in helps)
        cards = tuple(helps)
        lacks = [Lack(chance, cards) for chance in _arrivals(self.rate * coming, self.misses[coming], missing)]
        free = missing - max(0, self.shape.set_needs(size) - len(used))
        return self._part(tuple(used), len(used) > size, lacks, free, self.rules.values[rank] * size, -1)

    def _part(
        self, used: tuple[Card, ...], spare: bool, lacks: list[Lack], jokers: int, points: int, suit: int
    ) -> PlanPart:
        lacks.sort(key=_CHANCE)
        chance = 1.0
        for lack in lacks[min(self.jokers, jokers) :]:
            chance *= lack.chance
        return PlanPart(used, spare, tuple(lacks), jokers, chance, points, suit)

    def _plans_for_points(self) -> list[tuple[PlanPart, ...]]:
        """Return melds that are worth the points together (L5)."""
        parts: list[PlanPart] = []
        for suit in range(SUITS):
            parts += self.runs_of(suit, self.shape.run_minimum)
            parts += self.runs_of(suit, self.shape.run_minimum + 1)[:2]
        for rank in range(RANKS):
            parts.append(self.set_of(rank, 0))
        parts.sort(key=lambda part: part.chance * part.points, reverse=True)
        found: list[tuple[float, tuple[PlanPart, ...]]] = []
        best = 0.0
        for number in range(1, MOST_MELDS + 1):
            for chosen in combinations(parts[:PARTS_FOR_POINTS], number):
                points = [part.points for part in chosen]
                worth = sum(points)
                if worth < self.contract.points or worth - min(points) >= self.contract.points:
                    continue
                chance = _product(chosen)
                if chance >= best * NEGLIGIBLE and self._holds(chosen):
                    best = max(best, chance)
                    found.append((chance, chosen))
        return [chosen for chance, chosen in found if chance >= best * NEGLIGIBLE]

    def add(self, result: Prospect, plan: tuple[PlanPart, ...]) -> None:
        # Jokers stand in for the hardest cards, as far as each part may hold them.
        unmet: list[Lack] = []
        needed: list[Lack] = []
        for part in plan:
            if part.lacks:
                unmet += part.lacks[: part.jokers]
                needed += part.lacks[part.jokers :]
        jokers = self.jokers
        if jokers:
            unmet.sort(key=_CHANCE)
            bare = unmet[jokers:]
        else:
            bare = unmet
        chance = 1.0
        for lack in needed:
            chance *= lack.chance
        for lack in bare:
            chance *= lack.chance
        if chance <= 0.0:
            return
        result.worth += chance
        keep, want, counts = result.keep, result.want, self.counts
        used = [card for part in plan if not part.spare for card in part.used]
        for card in used:
            if counts[card] == 1:
                keep[card] = keep.get(card, 0.0) + chance
            elif used.count(card) >= counts[card]:
                keep[card] = keep.get(card, 0.0) + chance / used.count(card)
        for lacks in (needed, bare):
            for lack in lacks:
                _credit(want, lack.cards, chance / lack.chance - chance)
        if bare:
            # A card for which a joker stood in sets the joker free for the hardest card still lacking.
            freed = chance / min(lack.chance for lack in bare) - chance
            for lack in unmet[:jokers]:
                _credit(want, lack.cards, freed)
            want[JOKER] = want.get(JOKER, 0.0) + freed


def _credit(want: dict[Card, float], cards: tuple[Card, ...], gain: float) -> None:
    for card in cards:
        want[card] = want.get(card, 0.0) + gain


def _product(parts: Sequence[PlanPart]) -> float:
    chance = 1.0
    for part in parts:
        chance *= part.chance
    return chance


def _one_of_each(lists: list[list[PlanPart]]) -> Iterator[tuple[float, tuple[PlanPart, ...]]]:
    """Yield every choice of one part from each list, with the product of the chances."""
    if not lists:
        yield 1.0, ()
        return
    for part in lists[0]:
        for chance, rest in _one_of_each(lists[1:]):
            yield chance * part.chance, (part, *rest)


def _arrivals(expected: float, none: float, wanted: int) -> list[float]:
    """Return the chances that a first, second, … card comes, each given the one before; `expected`: mean number.

    `none`: the chance that no card comes.
    """
    chances: list[float] = []
    term = none
    at_least = before = 1.0
    for number in range(1, wanted + 1):
        at_least -= term
        term *= expected / number
        chances.append(max(0.0, at_least) / before if before > 0 else 0.0)
        before = max(at_least, 1e-12)
    return chances
