"""Ways to a contract: which melds a hand could still make of it, and how likely each is to come together.

A plan is the contract's melds, each with the cards held for it and the cards it lacks. Its chance is the product of the
chances to get each lacking card in time, from the copies not seen yet; jokers in hand stand in for the hardest ones.
The sum over the plans says how good a hand is; the plans a card belongs to, how much is lost with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANKS, SUITS, Card
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.shape import POSITIONS, shape_of

#: Cards a seat gets to see and choose from before a deal is decided, as a share of the cards not seen yet.
HORIZON = 12.0
#: Runs kept for each suit, and ranks kept beyond the sets wanted: the others add little.
RUNS_A_SUIT = 4
MORE_RANKS = 3
MORE_RUNS = 6
MOST_PLANS = 600


@dataclass(frozen=True, slots=True)
class Lack:
    """A card a meld lacks: any of `cards` will do."""

    chance: float
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A meld that may come about."""

    used: tuple[Card, ...]
    spare: bool
    """Whether it has more cards than it needs, so that each one may go."""
    lacks: tuple[Lack, ...]
    jokers: int
    """Most jokers that may stand in for what it lacks (M6, M7, M9)."""
    chance: float
    points: int
    suit: int = -1


@dataclass(slots=True)
class Prospect:
    """What a hand's plans come to."""

    worth: float = 0.0
    """Sum of the plans' chances; above 1 where there are many ways."""
    keep: dict[Card, float] = field(default_factory=dict)
    """By card of the hand, the worth of the plans that lose it with one copy."""
    want: dict[Card, float] = field(default_factory=dict)
    """By card, the worth gained with one more copy."""


def prospect(rules: Rules, contract: Contract, hand: Sequence[Card], unseen: Sequence[int]) -> Prospect:
    """What the hand's plans for the contract come to; `unseen`: copies of each card that may still come."""
    search = _Search(rules, contract, hand, unseen)
    result = Prospect()
    for plan in search.plans():
        search.add(result, plan)
    return result


class _Search:
    def __init__(self, rules: Rules, contract: Contract, hand: Sequence[Card], unseen: Sequence[int]) -> None:
        self.rules, self.contract = rules, contract
        self.shape = shape_of(rules)
        self.counts = [0] * KINDS_OF_CARD
        for card in hand:
            self.counts[card] += 1
        self.jokers = self.counts[JOKER]
        self.unseen = unseen
        self.rate = HORIZON / max(1, sum(unseen))
        most = max(rules.packs, max(unseen)) + 1
        self.chances = [1 - exp(-self.rate * copies) for copies in range(most)]

    def plans(self) -> Iterator[tuple[Part, ...]]:
        """The likeliest plans, roughly from the best."""
        if self.contract.points:
            yield from self._plans_for_points()
            return
        sets, runs = self.contract.sets, self.contract.runs
        found = self._run_choices(runs)
        for chosen in found[: max(1, MOST_PLANS // 20)] if sets else found[:MOST_PLANS]:
            if not sets:
                yield chosen
                continue
            for part in chosen:
                for card in part.used:
                    self.counts[card] -= 1
            ranks = sorted((self._set_of(rank) for rank in range(RANKS)), key=lambda part: -part.chance)
            for part in chosen:
                for card in part.used:
                    self.counts[card] += 1
            for others in combinations(ranks[: sets + MORE_RANKS], sets):
                yield (*chosen, *others)

    def _run_choices(self, runs: int) -> list[tuple[Part, ...]]:
        """Ways to the runs of the contract, the likeliest first."""
        if not runs:
            return [()]
        by_suit = [self._runs_of(suit, self.shape.run_minimum) for suit in range(SUITS)]
        choices: list[tuple[float, tuple[Part, ...]]] = [(1.0, ())]
        if self.shape.repeats:
            parts = sorted((part for suit in by_suit for part in suit), key=lambda part: -part.chance)
            parts = parts[: runs + MORE_RUNS]
            choices = [(_product(chosen), chosen) for chosen in combinations(parts, runs) if self._holds(chosen)]
        else:
            choices = [
                entry
                for suits in combinations(range(SUITS), runs)
                for entry in _one_of_each([by_suit[suit] for suit in suits])
            ]
        choices.sort(key=lambda entry: -entry[0])
        return [chosen for _, chosen in choices]

    def _holds(self, parts: Sequence[Part]) -> bool:
        """Whether the hand has the cards of all parts together."""
        used: dict[Card, int] = {}
        for part in parts:
            for card in part.used:
                used[card] = used.get(card, 0) + 1
        return all(self.counts[card] >= copies for card, copies in used.items())

    def _runs_of(self, suit: int, length: int) -> list[Part]:
        first, parts = suit * RANKS, []
        for low in range(POSITIONS - length + 1):
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
        parts.sort(key=lambda part: -part.chance)
        return parts[:RUNS_A_SUIT]

    def _set_of(self, rank: int, size: int = 0) -> Part:
        cards = [card for card in range(rank, JOKER, RANKS)]
        distinct, size = self.shape.distinct_suits, size or self.shape.set_minimum
        if distinct:
            used = [card for card in cards if self.counts[card]]
            helps = tuple(card for card in cards if not self.counts[card] and self.unseen[card])
        else:
            used = [card for card in cards for _ in range(self.counts[card])]
            helps = tuple(card for card in cards if self.unseen[card])
        missing = max(0, size - len(used))
        copies = sum(self.unseen[card] for card in helps)
        lacks = [Lack(chance, helps) for chance in _arrivals(self.rate * copies, missing)]
        free = missing - max(0, self.shape.set_naturals - len(used))
        points = self.rules.values[rank] * size
        return self._part(tuple(used), len(used) > size, lacks, free, points, -1)

    def _part(
        self, used: tuple[Card, ...], spare: bool, lacks: list[Lack], jokers: int, points: int, suit: int
    ) -> Part:
        lacks.sort(key=lambda lack: lack.chance)
        chance = 1.0
        for lack in lacks[min(self.jokers, jokers) :]:
            chance *= lack.chance
        return Part(used, spare, tuple(lacks), jokers, chance, points, suit)

    def _plans_for_points(self) -> Iterator[tuple[Part, ...]]:
        """Melds worth the points together (L5)."""
        parts: list[Part] = []
        for suit in range(SUITS):
            parts += self._runs_of(suit, self.shape.run_minimum)
            parts += self._runs_of(suit, self.shape.run_minimum + 1)[:2]
        for rank in range(RANKS):
            parts.append(self._set_of(rank))
        parts.sort(key=lambda part: -part.chance)
        parts = parts[:16]
        wanted = self.contract.points
        for number in range(1, 4):
            for chosen in combinations(parts, number):
                worth = sum(part.points for part in chosen)
                if worth < wanted or worth - min(part.points for part in chosen) >= wanted:
                    continue
                if self._holds(chosen):
                    yield chosen

    def add(self, result: Prospect, plan: tuple[Part, ...]) -> None:
        """Add a plan's chance, and what each card is to it."""
        lacks: list[tuple[float, Lack]] = []
        free = self.jokers
        open_lacks: list[Lack] = []
        for part in plan:
            must = len(part.lacks) - part.jokers
            # A part takes jokers for its hardest cards, as many as it may hold.
            for index, lack in enumerate(part.lacks):
                if index < part.jokers and must >= 0:
                    lacks.append((lack.chance, lack))
                else:
                    open_lacks.append(lack)
        lacks.sort(key=lambda entry: entry[0])
        covered, bare = lacks[:free], lacks[free:]
        chance = 1.0
        for lack in open_lacks:
            chance *= lack.chance
        for value, _ in bare:
            chance *= value
        if chance <= 0.0:
            return
        result.worth += chance
        keep, want = result.keep, result.want
        used: dict[Card, int] = {}
        for part in plan:
            if not part.spare:
                for card in part.used:
                    used[card] = used.get(card, 0) + 1
        for card, copies in used.items():
            if copies >= self.counts[card]:
                keep[card] = keep.get(card, 0.0) + chance
        for lack in open_lacks:
            _credit(want, lack.cards, chance / lack.chance - chance)
        for value, lack in bare:
            _credit(want, lack.cards, chance / value - chance)
        if bare:
            # A card for which a joker stood in sets the joker free for the hardest card still lacking.
            freed = chance / bare[0][0] - chance
            for _, lack in covered:
                _credit(want, lack.cards, freed)
            want[JOKER] = want.get(JOKER, 0.0) + freed


def _credit(want: dict[Card, float], cards: tuple[Card, ...], gain: float) -> None:
    for card in cards:
        want[card] = want.get(card, 0.0) + gain


def _product(parts: Sequence[Part]) -> float:
    chance = 1.0
    for part in parts:
        chance *= part.chance
    return chance


def _one_of_each(lists: list[list[Part]]) -> Iterator[tuple[float, tuple[Part, ...]]]:
    """Every choice of one part from each list, with the product of the chances."""
    if not lists:
        yield 1.0, ()
        return
    for part in lists[0]:
        for chance, rest in _one_of_each(lists[1:]):
            yield chance * part.chance, (part, *rest)


def _arrivals(expected: float, wanted: int) -> list[float]:
    """Chances that a first, second, … card comes, each given the one before, where `expected` come on average."""
    chances: list[float] = []
    term = exp(-expected)
    at_least = before = 1.0
    for number in range(1, wanted + 1):
        at_least -= term
        term *= expected / number
        chances.append(max(0.0, at_least) / before if before > 0 else 0.0)
        before = max(at_least, 1e-12)
    return chances
