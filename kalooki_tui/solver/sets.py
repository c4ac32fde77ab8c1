"""The sets of a lay-down, and the spare jokers, once its runs are chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, TypeAlias

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANKS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.shape import NO_LIMIT, Chain, Counts, Shape, shape_of

#: Points weigh more than any number of cards: of equal points the lay-down that leaves fewer cards is better.
POINT_WEIGHT: Final = 64

Chosen: TypeAlias = list[tuple[int, Chain]]


class SetPlan(Struct, frozen=True):
    left: int
    groups: tuple[Group, ...]
    run_ends: tuple[tuple[int, int], ...]
    """By run: jokers at its low and its high end."""


#: (runs chosen, jokers left, weight left, bound) to the best sets, or None: none leave less than the bound.
Planner: TypeAlias = Callable[[Chosen, int, int, int], SetPlan | None]


def make_planner(rules: Rules, contract: Contract, ranks: list[int], left: Counts, weights: list[int]) -> Planner:
    """Return the planner for one hand: `ranks` may be sets, `left` (kept by the caller) is in no chosen run."""
    shape = shape_of(rules)
    if is_easy(shape, contract):
        return EasyPlanner(shape, contract.sets, ranks, left, weights).plan
    return _FullPlanner(rules, shape, contract, ranks, left, weights).plan


def is_easy(shape: Shape, contract: Contract) -> bool:
    return (
        not shape.repeats
        and not shape.distinct_suits
        and not contract.points
        and {*contract.set_lengths(shape.set_minimum)} <= {shape.set_minimum}
        and shape.share is None
        and not shape.keeps_to(contract)
        and shape.set_maximum >= NO_LIMIT
        and shape.set_minimum - shape.set_naturals <= 1
    )


@dataclass(slots=True)
class EasyPlanner:
    """Planner where a seat lays one set of a rank, of any size and suits, and a set lacks one natural at most.

    All cards of a rank are laid then; a rank that lacks one takes a joker, the ranks worth most first; jokers still
    left go to any set.
    """

    shape: Shape
    sets: int
    ranks: list[int]
    left: Counts
    weights: list[int]

    def plan(self, chosen: Chosen, jokers: int, left: int, bound: int) -> SetPlan | None:
        counts, weights, size = self.left, self.weights, self.shape.set_minimum
        least = self.shape.set_naturals
        whole: list[int] = []
        short: list[tuple[int, int]] = []
        for rank in self.ranks:
            held = counts[rank] + counts[rank + 13] + counts[rank + 26] + counts[rank + 39]
            if held >= least:
                weight = (
                    counts[rank] * weights[rank]
                    + counts[rank + 13] * weights[rank + 13]
                    + counts[rank + 26] * weights[rank + 26]
                    + counts[rank + 39] * weights[rank + 39]
                )
                if held >= size:
                    left -= weight
                    whole.append(rank)
                else:
                    short.append((weight, rank))
        if len(whole) + min(len(short), jokers) < self.sets:
            return None
        short.sort(reverse=True)
        short = short[:jokers]
        for weight, _ in short:
            left -= weight
        placed = jokers if whole or short else min(jokers, sum(chain.most - chain.jokers for _, chain in chosen))
        left -= placed * weights[JOKER]
        if left >= bound:
            return None
        spare = placed - len(short)
        groups = []
        for rank in sorted([*whole, *(rank for _, rank in short)]):
            cards = [card for card in range(rank, JOKER, RANKS) for _ in range(counts[card])]
            cards += [JOKER] * (size - len(cards))
            groups.append(cards)
        if groups:
            groups[-1] += [JOKER] * spare
            spare = 0
        ends = []
        for suit, chain in chosen:
            more = min(spare, chain.most - chain.jokers)
            spare -= more
            ends.append(end_jokers(self.shape, suit, chain, chain.jokers + more, None)[1])
        return SetPlan(left, tuple(Group(tuple(cards), Kind.SET) for cards in groups), tuple(ends))


def end_jokers(
    shape: Shape, suit: int, chain: Chain, jokers: int, values: tuple[int, ...] | None
) -> tuple[int, tuple[int, int]]:
    """Return points of a run with `jokers` jokers (0 without `values`), and how many lie at its low and high end.

    They lie where the run is worth most; without `values` at the high end, if there is room.
    """
    low = (chain.held & -chain.held).bit_length() - 1
    high = chain.held.bit_length() - 1
    best = (-1, (0, 0))
    for at_low, at_high in end_places(shape, chain, jokers):
        points = 0
        if values is not None:
            points = sum(values[make_card(suit, position + 1)] for position in range(low - at_low, high + at_high + 1))
        if points > best[0]:
            best = (points, (at_low, at_high))
    return best


def end_places(shape: Shape, chain: Chain, jokers: int) -> list[tuple[int, int]]:
    """Return how many of a run's `jokers` may lie at its low and at its high end, most at the high end first."""
    low = (chain.held & -chain.held).bit_length() - 1
    high = chain.held.bit_length() - 1
    ends = jokers - (high - low + 1 - chain.held.bit_count())
    room_low, room_high = shape.room(low, high)
    return [(ends - at_high, at_high) for at_high in range(min(ends, room_high), max(0, ends - room_low) - 1, -1)]


class _Option(Struct, frozen=True):
    sets: tuple[int, ...]
    """The fewest cards of each set."""
    jokers: int
    points: int
    weight: int
    cards: tuple[Card, ...]
    ends: tuple[int, int]


#: Options chosen so far, the last one first.
_Path: TypeAlias = tuple["_Path", _Option] | None


class _FullPlanner:
    """Planner for every ruleset: tries all ways to share the jokers, keeping the best for each total."""

    def __init__(
        self, rules: Rules, shape: Shape, contract: Contract, ranks: list[int], left: Counts, weights: list[int]
    ) -> None:
        self.values = rules.values
        self.shape, self.contract, self.ranks, self.left, self.weights = shape, contract, ranks, left, weights
        self.asked = contract.set_lengths(shape.set_minimum)
        self.exact_number = shape.keeps_to(contract)
        self.exact = self.exact_number and not contract.whole
        """No set may be longer than the contract asks (H10)."""
        self.known = sorted({*self.asked} if self.exact else {shape.set_minimum, *self.asked}, reverse=True)
        """Lengths that a set has, or has at least, where it counts for the contract (H8)."""

    def plan(self, chosen: Chosen, jokers: int, left: int, bound: int) -> SetPlan | None:
        wanted_points = self.contract.points
        by_rank = [options for rank in self.ranks if (options := self._rank_options(rank, jokers))]
        by_run = [self._run_options(suit, chain, jokers) for suit, chain in chosen]
        # By (jokers used, sets still asked for, points): weight laid, and the options that lay it as a linked list.
        reached: dict[tuple[int, tuple[int, ...], int], tuple[int, _Path]] = {(0, self.asked, 0): (0, None)}
        for options in by_run + by_rank:
            after: dict[tuple[int, tuple[int, ...], int], tuple[int, _Path]] = {}
            for (used, sets, points), (weight, path) in reached.items():
                for option in options:
                    if used + option.jokers > jokers:
                        continue
                    asked = _still_asked(sets, option.sets, exact=self.exact)
                    if self.exact_number and len(asked) + len(option.sets) > len(sets):
                        continue
                    key = (used + option.jokers, asked, min(wanted_points, points + option.points))
                    laid = weight + option.weight
                    if key not in after or after[key][0] < laid:
                        after[key] = (laid, (path, option))
            reached = after
        best_left = bound
        best_path: _Path = None
        for (used, sets, points), (weight, path) in reached.items():
            rest = left - weight - used * self.weights[JOKER]
            if not sets and points >= wanted_points and rest < best_left:
                best_left, best_path = rest, path
        if best_left >= bound:
            return None
        return self._unfold(best_left, best_path, len(chosen))

    def _unfold(self, left: int, path: _Path, runs: int) -> SetPlan:
        options: list[_Option] = []
        while path is not None:
            path, option = path
            options.append(option)
        options.reverse()
        groups: list[Group] = []
        for option in options[runs:]:
            if option.sets:
                groups += _split(self.shape, option)
        return SetPlan(left, tuple(groups), tuple(option.ends for option in options[:runs]))

    def _run_options(self, suit: int, chain: Chain, jokers: int) -> list[_Option]:
        values = self.values if self.contract.points else None
        options = []
        for more in range(min(jokers, chain.most - chain.jokers) + 1):
            points, ends = end_jokers(self.shape, suit, chain, chain.jokers + more, values)
            options.append(_Option((), more, points, 0, (), ends))
        return options

    def _rank_options(self, rank: int, jokers: int) -> list[_Option]:
        shape, counts, weights = self.shape, self.left, self.weights
        kinds = [card for card in range(rank, JOKER, RANKS) if counts[card]]
        held = sum(counts[card] for card in kinds)
        if held < shape.set_naturals or held + jokers < shape.set_minimum:
            return []
        worth = self.values[rank] if self.contract.points else 0
        options = [_Option((), 0, 0, 0, (), (0, 0))]
        most_sets = min(held // shape.set_naturals, (held + jokers) // shape.set_minimum) if shape.repeats else 1
        longest = min(shape.set_maximum, max(self.asked, default=0)) if self.exact else shape.set_maximum
        for sets in range(1, most_sets + 1):
            each = sets if shape.distinct_suits else held
            usable = sorted(
                (card for card in kinds for _ in range(min(counts[card], each))), key=lambda card: -weights[card]
            )
            for number in range(min(len(usable), longest * sets), shape.set_naturals * sets - 1, -1):
                fewest = max(0, shape.set_minimum * sets - number)
                most = min(jokers, longest * sets - number, shape.most_jokers(number, sets))
                if fewest > jokers or (number < len(usable) and fewest > 0 and most < 1):
                    continue
                cards = tuple(usable[:number])
                weight = sum(weights[card] for card in cards)
                options += [
                    _Option(lengths, used, worth * (number + used), weight, cards, (0, 0))
                    for used in range(fewest, most + 1)
                    for lengths in self._lengths(sets, number + used, number)
                ]
                if not self.exact and longest * sets - number >= jokers:
                    # With room for every joker, fewer naturals are never better.
                    break
        return options

    def _lengths(self, sets: int, cards: int, naturals: int) -> list[tuple[int, ...]]:
        """Return the fewest cards of each of so many sets of a rank, where the contract says how long they are (H8)."""
        ways = combinations_with_replacement(self.known, sets)
        fits = [lengths for lengths in ways if (sum(lengths) == cards if self.exact else sum(lengths) <= cards)]
        return [lengths for lengths in fits if sum(map(self.shape.set_needs, lengths)) <= naturals]


def _still_asked(asked: tuple[int, ...], sets: tuple[int, ...], *, exact: bool) -> tuple[int, ...]:
    """Return the lengths still asked for beside these sets, each of which is the longest that it can be (H8, H10)."""
    for length in sets:
        index = next((index for index, few in enumerate(asked) if few == length or (few < length and not exact)), None)
        if index is not None:
            asked = asked[:index] + asked[index + 1 :]
    return asked


def _split(shape: Shape, option: _Option) -> list[Group]:
    sets: list[tuple[int, list[Card]]] = [(length, []) for length in option.sets]

    def in_need() -> list[list[Card]]:
        """Sort the sets: those that need naturals (M7, H11), then those that are farthest from their length."""
        order = sorted(sets, key=lambda one: (len(one[1]) >= shape.set_needs(one[0]), len(one[1]) - one[0]))
        return [cards for _, cards in order]

    for card in sorted(set(option.cards), key=lambda card: (-option.cards.count(card), card)):
        copies = option.cards.count(card)
        if shape.distinct_suits:
            for cards in in_need()[:copies]:
                cards.append(card)
        else:
            for _ in range(copies):
                in_need()[0].append(card)
    room = {id(cards): shape.most_jokers(len(cards)) for _, cards in sets}
    for _ in range(option.jokers):
        cards = next(cards for cards in in_need() if room[id(cards)])
        cards.append(JOKER)
        room[id(cards)] -= 1
    return [Group(tuple(sorted(cards)), Kind.SET) for _, cards in sets]
