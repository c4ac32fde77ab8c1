"""Distance of a hand from its contract: the fewest cards that must be added, exactly.

A plan names the contract's runs (windows of positions) and sets (ranks). It is short of `missing` cards in all, and
`forced` of them cannot be jokers (M6, M7, M9); with `jokers` in hand it costs ``max(missing - jokers, forced)`` cards.
Longer melds never cost less, so windows have the shortest length, or one card more where M9 makes that pay.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import add, mul
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANKS, SUITS, Card
from kalooki_tui.engine.candidates import count_cards, readings
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.shape import Counts, Effort, Shape, ranks_of, shape_of
from kalooki_tui.solver.threshold import points_distance

#: Steps for those who name no limit: a second, where hardly a hand in play takes a hundredth of it.
MOST_STEPS: Final = 100_000
#: More cards than any contract lacks.
FAR: Final = 1000


def distance(rules: Rules, contract: Contract, hand: Sequence[Card], effort: Effort | None = None) -> int:
    """Return the fewest cards to add to `hand` for the contract (L1, L5, L6); too many if `effort` is spent first."""
    return cards_away(rules, contract, count_cards(hand), FAR, 0, effort or Effort(MOST_STEPS))


def useful_cards(
    rules: Rules, contract: Contract, hand: Sequence[Card], effort: Effort | None = None
) -> tuple[int, dict[Card, int]]:
    """Return the distance, and by each card (the joker too) that would shorten it, the distance with it."""
    counts, effort = count_cards(hand), effort or Effort(MOST_STEPS)
    away_from = _measure(rules, contract, counts)
    now = away_from(counts, FAR, 0, effort)
    helps: dict[Card, int] = {}
    if now == 0:
        return 0, helps
    for card in range(KINDS_OF_CARD):
        counts[card] += 1
        nearer = away_from(counts, now, now - 1, effort)
        if nearer < now:
            helps[card] = nearer
        counts[card] -= 1
    return now, helps


def completing_cards(rules: Rules, contract: Contract, counts: Counts, order: Sequence[Card]) -> list[Card]:
    """Return the fewest cards to add for the contract, the first of `order` that will do.

    Every added card brings the contract one card nearer; a card that does not help now helps with no other beside it
    either, so each is tried until it fails, and never again.
    """
    away_from, counts, added = _measure(rules, contract, counts), counts.copy(), list[Card]()
    away = away_from(counts, FAR, 0)
    for card in order:
        while away:
            counts[card] += 1
            if away_from(counts, away, away - 1) == away:
                counts[card] -= 1
                break
            away -= 1
            added.append(card)
    return added


def cards_away(
    rules: Rules, contract: Contract, counts: Counts, bound: int, floor: int, effort: Effort | None = None
) -> int:
    """Return the distance if below `bound`, else `bound`; `floor`: the least possible distance."""
    return _measure(rules, contract, counts)(counts, bound, floor, effort)


def _measure(rules: Rules, contract: Contract, hand: Counts) -> Callable[..., int]:
    """Return the distance as a function of counts, their bound and floor, for what may become of the `hand`."""
    away_from = _measure_naturals(rules, contract, hand)
    return partial(_wild_away, rules.wild, away_from) if rules.wild else away_from


def _wild_away(
    wild: frozenset[Card],
    away_from: Callable[..., int],
    counts: Counts,
    bound: int,
    floor: int,
    effort: Effort | None = None,
) -> int:
    best = bound
    for reading in readings(wild, counts):
        if best > floor:
            best = away_from(reading.counts, best, floor, effort)
    return best


def _measure_naturals(rules: Rules, contract: Contract, hand: Counts) -> Callable[..., int]:
    if contract.points:
        return partial(points_distance, rules, contract.points)
    if contract.whole:
        return partial(_whole_away, shape_of(rules), forms_of(rules, contract, sum(hand)))
    return partial(_melds_away, shape_of(rules), contract)


def forms_of(rules: Rules, contract: Contract, cards: int) -> tuple[Contract, ...]:
    """Return the contract, or where it takes the whole hand (H9), all that it can be, by lengths, for so many cards.

    A hand is laid with a card more than was dealt, and more for each call; the next such number counts.
    """
    if not contract.whole:
        return (contract,)
    each, size = 1 + rules.ruleset.calls.penalty, contract.cards + 1
    size += -(-max(0, cards - size) // each) * each
    return _forms(shape_of(rules), contract, size)


@lru_cache(maxsize=256)
def _forms(shape: Shape, contract: Contract, size: int) -> tuple[Contract, ...]:
    found = dict[tuple[tuple[int, ...], tuple[int, ...]], None]()
    begun = [(contract.set_lengths(shape.set_minimum), contract.run_lengths(shape.run_minimum))]
    for sets, runs in begun:  # grows, as melds besides the contract's are added
        more = size - sum(sets) - sum(runs)
        for for_sets in range(more + 1):
            longer = _longer(sets, for_sets, shape.set_maximum), _longer(runs, more - for_sets, shape.run_longest)
            found |= dict.fromkeys(itertools.product(*longer))
        if not shape.exact:
            begun += [((*sets, shape.set_minimum), runs)] * (more >= shape.set_minimum)
            begun += [(sets, (*runs, shape.run_minimum))] * (more >= shape.run_minimum)
    return tuple(replace(contract, asked_sets=sets, asked_runs=runs) for sets, runs in found)


def _longer(lengths: tuple[int, ...], more: int, longest: int) -> set[tuple[int, ...]]:
    """Return the ways to make melds of these lengths so many cards longer, longest first."""
    if not lengths:
        return set() if more else {()}
    return {
        tuple(sorted((lengths[0] + here, *rest), reverse=True))
        for here in range(min(more, longest - lengths[0]) + 1)
        for rest in _longer(lengths[1:], more - here, longest)
    }


def _whole_away(
    shape: Shape, forms: Sequence[Contract], counts: Counts, bound: int, floor: int, effort: Effort | None = None
) -> int:
    best = bound
    for form in forms:
        if best > floor:
            best = FullSearch(shape, form, counts, best, floor, effort).run()
    return best


def _melds_away(
    shape: Shape, contract: Contract, counts: Counts, bound: int, floor: int, effort: Effort | None = None
) -> int:
    best = bound
    if shape.repeats or shape.distinct_suits or contract.by_length or shape.share is not None:
        return FullSearch(shape, contract, counts, best, floor, effort).run()
    quick = QuickSearch(shape, contract, counts, best, floor)
    best = quick.run()
    # Only sets can use what a run leaves: one run of a suit (M8) takes nothing from another.
    may_share = contract.sets > 0 and quick.hope < best
    # A complete suit may stand for three runs (L6).
    full = max(mask.bit_count() for mask in quick.suits) if shape.full_suit and contract.runs == 3 else -FAR
    if best > floor and (may_share or RANKS - full - quick.jokers < best):
        return FullSearch(shape, contract, counts, best, floor, effort).run(counted_runs=may_share)
    return best


def run_windows(shape: Shape, ranks: int) -> list[tuple[int, int, int]]:
    """Return ways to a run in a suit that holds `ranks`: (missing, forced, ranks used), cheapest first."""
    known = shape.windows.get(ranks)
    if known is not None:
        return known
    held = shape.positions(ranks)
    found: dict[int, list[tuple[int, int]]] = {}
    for length in lengths_for(shape, shape.run_minimum, 0):
        for low in shape.starts(length):
            used = held >> low & ((1 << length) - 1)
            cost = (length - used.bit_count(), shape.forced(length, used))
            key = ranks_of(used << low)
            costs = found.get(key)
            if costs is None:
                found[key] = [cost]
            elif not any(missing <= cost[0] and forced <= cost[1] for missing, forced in costs):
                costs.append(cost)
    windows = sorted((missing, forced, used) for used, costs in found.items() for missing, forced in costs)
    shape.windows[ranks] = windows
    return windows


def lengths_for(shape: Shape, asked: int, jokers: int, *, whole: bool = False) -> tuple[int, ...]:
    """Return lengths worth planning for a run of `asked` cards: longer ones that may hold more of the jokers (M9, H11).

    A run longer than those could lose a card at an end.
    """
    if shape.exact or whole:
        return (asked,)
    longest = asked + (asked == shape.run_minimum and shape.shortest_jokers is not None)
    if shape.share is not None:
        longest = max(longest, 2 * jokers + shape.share[2] - 1)
    return tuple(range(asked, max(asked, min(longest, shape.run_longest)) + 1))


class QuickSearch:
    """Search where ranks and suits differ (M8) and a set takes any suits: counts of ranks are bit masks.

    A run uses every card of its window that the hand holds. A set could use one better where there are jokers to
    spare and cards that must be naturals are short; `hope` is a lower bound for such a plan.
    """

    __slots__ = (
        "best", "floor", "hope", "jokers", "least", "masks", "naturals", "options", "rest", "runs", "sets", "size",
        "suits",
    )  # fmt: skip

    def __init__(self, shape: Shape, contract: Contract, counts: Counts, bound: int, floor: int) -> None:
        self.sets, self.runs = contract.sets, contract.runs
        self.size, self.naturals = shape.set_minimum, shape.set_naturals
        self.jokers = counts[JOKER]
        self.best, self.floor = bound, floor
        self.least = 0
        self.hope = FAR
        self.suits = suits = [0] * SUITS
        self.masks = masks = [0] * (self.size + self.runs + 1)
        """Index k: ranks of which at least k cards are left for sets (index 0 is not used)."""
        most = len(masks) - 1
        for rank in range(RANKS):
            bit, held = 1 << rank, 0
            for suit, copies in enumerate(counts[rank:JOKER:RANKS]):
                if copies:
                    suits[suit] |= bit
                    held += copies
            for least in range(1, min(held, most) + 1):
                masks[least] |= bit
        self.options = [run_windows(shape, mask) for mask in suits] if contract.runs else []

    def run(self) -> int:
        if self.runs > SUITS or self.sets > RANKS:
            return self.best
        ahead = [sorted(windows[0][0] for windows in self.options[suit:]) for suit in range(len(self.options))]
        self.rest = [[sum(least[:k]) if k <= len(least) else FAR for k in range(self.runs + 1)] for least in ahead]
        self.rest = self.rest or [[0]]
        self.least = max(self.floor, self.rest[0][self.runs] + self._sets_cost(self.masks)[0] - self.jokers)
        if self.least < self.best:
            self._choose(0, self.runs, 0, 0, self.masks)
        return self.best

    def _sets_cost(self, masks: list[int]) -> tuple[int, int]:
        wanted, missing, forced = self.sets, 0, 0
        size, naturals = self.size, self.naturals
        for held in range(size, 0, -1):
            if not wanted:
                return missing, forced
            found = masks[held].bit_count() - (self.sets - wanted)
            if found > 0:
                found = min(found, wanted)
                wanted -= found
                missing += found * (size - held)
                if held < naturals:
                    forced += found * (naturals - held)
        return missing + wanted * size, forced + wanted * naturals

    def _choose(self, suit: int, runs: int, missing: int, forced: int, masks: list[int]) -> None:
        if not runs:
            more_missing, more_forced = self._sets_cost(masks)
            away = missing + more_missing - self.jokers
            if forced + more_forced > away:
                self.hope = min(self.hope, away)
                away = forced + more_forced
            self.best = min(self.best, away)
            return
        rest = self.rest[suit + 1] if suit + 1 < SUITS else [0]
        # What the sets and the other runs still cost at least, less the jokers.
        ahead = self._sets_cost(masks)[0] - self.jokers + missing
        if SUITS - suit - 1 >= runs:
            skipped = ahead + rest[runs]
            first_here = ahead + self.options[suit][0][0] + rest[runs - 1] <= skipped if skipped < self.best else True
            if not first_here:
                self._choose(suit + 1, runs, missing, forced, masks)
                if self.best <= self.least:
                    return
        else:
            first_here, skipped = True, self.best
        ahead += rest[runs - 1]
        for short, needs, used in self.options[suit]:
            if ahead + short >= self.best:
                break
            if forced + needs >= self.best:
                self.hope = min(self.hope, ahead + short)
                continue
            left = masks
            if self.sets and used:
                left = [(mask & ~used) | (above & used) for mask, above in itertools.pairwise(masks)]
            self._choose(suit + 1, runs - 1, missing + short, forced + needs, left)
            if self.best <= self.least:
                return
        if first_here and skipped < self.best:
            self._choose(suit + 1, runs, missing, forced, masks)


class FullSearch:
    """Exact search for every ruleset: each run may leave any of its cards to the sets or to another run."""

    __slots__ = (
        "ahead", "best", "counts", "effort", "floor", "hope", "jokers", "ranks", "runs", "sets", "shape", "suits",
        "whole", "windows",
    )  # fmt: skip

    def __init__(
        self, shape: Shape, contract: Contract, counts: Counts, bound: int, floor: int, effort: Effort | None = None
    ) -> None:
        self.effort = effort or Effort()
        self.shape = shape
        self.sets, self.runs = contract.set_lengths(shape.set_minimum), contract.run_lengths(shape.run_minimum)
        self.whole = contract.whole
        self.counts = counts
        self.jokers = counts[JOKER]
        self.best, self.floor = bound, floor
        self.ranks = [sum(counts[rank:JOKER:RANKS]) for rank in range(RANKS)]
        self.suits = [0] * SUITS
        for card, copies in enumerate(counts[:JOKER]):
            if copies:
                self.suits[card // RANKS] |= shape.places[card % RANKS]
        self.hope = FAR
        """Lower bound on plans in which runs leave cards to others; see `QuickSearch`."""
        self.windows: list[list[tuple[int, int, int, int, int]]] = []
        """By run of the contract: the fewest cards missing, suit, low position (from 0), length, where runs follow.

        Runs asked for with the same length share their list.
        """
        self.ahead: list[int] = []
        """The fewest cards missing in the runs from each of the contract on."""

    def run(self, *, counted_runs: bool = True) -> int:
        """Return the distance if below the bound, else the bound; without `counted_runs` by a complete suit (L6)."""
        if counted_runs:
            self._search([lengths_for(self.shape, asked, self.jokers, whole=self.whole) for asked in self.runs])
        if self.shape.full_suit and len(self.runs) == 3 and self.best > self.floor:
            self._search([(RANKS,)])
        return self.best

    def _search(self, runs: Sequence[tuple[int, ...]]) -> None:
        by_length = {lengths: self._windows_for(lengths) for lengths in dict.fromkeys(runs)}
        self.windows = [by_length[lengths] for lengths in runs]
        self.ahead = [0]
        for windows in reversed(self.windows):
            self.ahead.insert(0, self.ahead[0] + min(windows)[0])
        # A search in which every run keeps its cards finds most answers, and bounds the one in which it need not.
        self.hope = FAR
        self._choose(0, 0, 0, 0, 0, give=False)
        if self.best > max(self.floor, 0, self.hope):
            self._choose(0, 0, 0, 0, 0, give=True)

    def _windows_for(self, lengths: tuple[int, ...]) -> list[tuple[int, int, int, int, int]]:
        by_suit = [
            [(least, suit, low, length) for least, low, length in self._windows_of(suit, lengths)]
            for suit in range(SUITS)
        ]
        windows = list(itertools.chain(*by_suit))
        # With the cheapest first, most need not be looked at.
        if self.shape.repeats:
            windows.sort()
            return [(*window, index) for index, window in enumerate(windows)]
        each = len(by_suit[0])
        return [(*window, (window[1] + 1) * each) for window in windows]

    def _windows_of(self, suit: int, lengths: tuple[int, ...]) -> list[tuple[int, int, int]]:
        held = self.suits[suit]
        key = (held, *lengths)
        known = self.shape.lows.get(key)
        if known is None:
            known = self.shape.lows[key] = sorted(
                (length - (held >> low & ((1 << length) - 1)).bit_count(), low, length)
                for length in lengths
                for low in self.shape.starts(length)
            )
        return known

    def _held(self, suit: int, low: int, length: int) -> int:
        held = self.suits[suit] >> low & ((1 << length) - 1)
        # One ace does not stand at both ends.
        return held & ~1 if length > RANKS and self.counts[suit * RANKS] == 1 else held

    def _choose(self, run: int, start: int, closed: int, missing: int, forced: int, *, give: bool) -> None:
        """Choose a window for the contract's run number `run` on, from `start` on, in none of the suits `closed`."""
        self.effort.left -= 1
        costs = self._sets_costs()
        ahead = missing + min(costs)[0] - self.jokers
        if ahead + self.ahead[run] >= self.best:
            return
        if forced >= self.best:
            self.hope = min(self.hope, ahead + self.ahead[run])
            return
        if run == len(self.windows):
            for more_missing, more_forced in costs:
                away = missing + more_missing - self.jokers
                if forced + more_forced > away:
                    self.hope = min(self.hope, away)
                    away = forced + more_forced
                self.best = min(self.best, away)
            return
        ahead += self.ahead[run + 1]
        index, windows, repeats = start, self.windows[run], self.shape.repeats
        is_alike = run + 1 < len(self.windows) and self.windows[run + 1] is windows
        while index < len(windows):
            least, suit, low, length, following = windows[index]
            if ahead + least >= self.best or closed >> suit & 1:
                # The others of this suit, or of all, are no nearer.
                index = len(windows) if repeats else following
                continue
            index += 1
            held = self._held(suit, low, length)
            if ahead + length - held.bit_count() >= self.best:
                continue
            used = held
            while True:
                self._take(suit, low, used, -1)
                self._choose(
                    run + 1,
                    following if is_alike else 0,
                    closed if repeats else closed | 1 << suit,
                    missing + length - used.bit_count(),
                    forced + self.shape.forced(length, used),
                    give=give,
                )
                self._take(suit, low, used, 1)
                if self.best <= self.floor or self.effort.left < 0:
                    return
                if not used or not give:
                    break
                used = (used - 1) & held

    def _take(self, suit: int, low: int, used: int, change: int) -> None:
        rank, places = low, self.shape.places
        while used:
            if used & 1:
                card = suit * RANKS + rank % RANKS
                self.counts[card] += change
                self.ranks[rank % RANKS] += change
                if not self.counts[card]:
                    self.suits[suit] &= ~places[rank % RANKS]
                else:
                    self.suits[suit] |= places[rank % RANKS]
            used >>= 1
            rank += 1

    def _sets_costs(self) -> list[tuple[int, int]]:
        if not self.sets:
            return [(0, 0)]
        usable = list[tuple[int, ...]]()
        if self.shape.distinct_suits:
            numbers, counts = range(1, len(self.sets) + 1), self.counts
            of_rank = [counts[rank:JOKER:RANKS] for rank in range(RANKS)]
            usable = sorted(
                tuple([sum([min(copies, number) for copies in held]) for number in numbers]) for held in of_rank
            )
        key: tuple[object, ...] = (self.sets, *usable) if usable else (self.sets, *sorted(self.ranks))
        known = self.shape.set_costs.get(key)
        if known is None:
            usable = usable or [(total,) for total in self.ranks]
            known = self.shape.set_costs[key] = _sets_costs(self.shape, self.sets, usable)
        return known


def _sets_costs(shape: Shape, sets: tuple[int, ...], usable: list[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return undominated (missing, forced) of sets so long; `usable[rank]`: naturals one, two, … sets can use."""
    asked = Counter(sets)
    lengths, limits = tuple(asked), tuple(asked.values())
    naturals = tuple(map(shape.set_needs, lengths))
    # By the number of sets of each length.
    chosen = list(itertools.product(*(range(limit + 1) for limit in limits)))
    ways = [way for way in chosen if 0 < sum(way) <= (len(sets) if shape.repeats else 1)]
    reached: dict[tuple[int, ...], set[tuple[int, int]]] = {before: set() for before in chosen}
    reached[chosen[0]] = {(0, 0)}
    for by_number in usable:
        after = {before: set(costs) for before, costs in reached.items()}
        for way in ways:
            number = sum(way)
            held = by_number[min(number, len(by_number)) - 1]
            short = max(0, sum(map(mul, way, lengths)) - held)
            needs = max(0, sum(map(mul, way, naturals)) - held)
            for before, costs in reached.items():
                behind = tuple(map(add, before, way))
                if behind in after:
                    after[behind].update((missing + short, forced + needs) for missing, forced in costs)
        reached = {before: undominated(costs) for before, costs in after.items()}
    return sorted(reached[limits]) or [(FAR, FAR)]


def undominated(costs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs to which no other is at most equal in both numbers."""
    kept: set[tuple[int, int]] = set()
    least = FAR * FAR
    for first, second in sorted(costs):
        if second < least:
            kept.add((first, second))
            least = second
    return kept
