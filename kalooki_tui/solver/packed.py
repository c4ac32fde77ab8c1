"""The best lay-down where a seat lays one set of a rank, of any size and suits, and one run of a suit.

All cards of a rank that can be a set are laid then, so only the runs need a search. Thirteen numbers, one for each
rank, are packed into one integer: what a search step does to all ranks is then a few operations on integers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from operator import add
from typing import Final, NamedTuple

from kalooki_tui.cards import JOKER, RANKS, SUITS, Card
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.chains import short_chain, short_runs, suit_chains
from kalooki_tui.solver.sets import Chosen, EasyPlanner, SetPlan
from kalooki_tui.solver.shape import HIGH_ACE, Chain, Counts, Shape

BITS: Final = 20
"""Of one rank's number."""
FIELD: Final = (1 << BITS) - 1
ONES: Final = sum(1 << BITS * rank for rank in range(RANKS))
TOPS: Final = ONES << (BITS - 1)
"""The top bit of each number; counts and weights of a rank stay below it."""
HEAVIEST: Final = 1 << (BITS - 1)

# By seven positions of a run: 1 for each rank they hold. The high ace is a 1 of rank 0, as the low one is.
_LOW: Final = [sum(1 << BITS * index for index in range(7) if half >> index & 1) for half in range(128)]
_HIGH: Final = [
    sum(1 << BITS * ((index + 7) % RANKS) for index in range(7) if half >> index & 1) for half in range(128)
]
# The same, with all bits of the rank's number.
_LOW_FIELDS: Final = [used * FIELD for used in _LOW]
_HIGH_FIELDS: Final = [used * FIELD for used in _HIGH]

#: Steps of a search that finds nothing before it is asked whether there is anything to find.
MOST_STEPS: Final = 40


class _Option(NamedTuple):
    """A run of a suit, or none, in the hand searched."""

    jokers: int
    used: int
    """Packed: cards of each rank in the run."""
    kept: int
    """Packed: cards of each rank of the suit that are not."""
    weight: int
    """Packed: their weights."""
    held: int
    """Positions the run fills with naturals; 0: there is no run."""
    chain: Chain | None
    """The run, where it was looked for with all it may hold."""
    room: int
    """Jokers it could hold besides."""
    runs: int
    """Runs of the contract it stands for."""


class PackedSearch:
    """One search for the best lay-down; for what rulesets and contracts, see `sets.is_easy`. G1 is the caller's."""

    def __init__(
        self,
        shape: Shape,
        contract: Contract,
        counts: Counts,
        closed_ranks: int,
        closed_suits: int,
        bound: int,
        weights: list[int],
        total: int,
    ) -> None:
        self.shape, self.contract, self.counts = shape, contract, counts
        self.weights, self.total = weights, total
        self.jokers = counts[JOKER]
        self.best = bound
        self.may_be_met: Callable[[], bool] | None = None
        """Tells whether the hand holds the contract, if it may not; asked only where that is not soon found out."""
        self.steps = 0
        self.chosen: list[_Option] = []
        self.best_runs: list[_Option] | None = None
        size = shape.set_minimum
        self.unit = size - 1
        """Parts of a joker: what each natural of a set pays that lacks one."""
        self.whole = self.short = (HEAVIEST - size) * ONES
        """Added to the packed cards of each rank, these set the top bits of those that can be sets …"""
        if size > shape.set_naturals:
            # … with a joker, too.
            self.short += ONES
        self._pack(closed_ranks)
        self.options: list[list[_Option]] = []
        self.ahead: list[list[int]] = []
        """Entry [suit][parts]: a bound from below on the weight that suits from there on leave, with as many parts of
        jokers."""
        self._plan_ahead(closed_suits)
        self.least = self.ahead[0][-1]
        """A bound from below on the weight left."""
        most = [max([option.runs for option in options]) for options in self.options]
        self.runs_from = [sum(most[suit:]) for suit in range(SUITS + 1)]
        """Runs the suits can give, from a suit on."""

    def _pack(self, closed_ranks: int) -> None:
        """Read the hand: packed counts and weights of each suit, and the ranks that may be sets."""
        counts, weights = self.counts, self.weights
        self.masks = [0] * SUITS
        self.suit_counts = [0] * SUITS
        self.suit_weights = [0] * SUITS
        self.single_weights = [0] * SUITS
        """Of one copy of each card."""
        card = 0
        for suit in range(SUITS):
            mask = held = weight = single = 0
            for rank in range(RANKS):
                copies = counts[card]
                if copies:
                    mask |= 1 << rank
                    held += copies << BITS * rank
                    weight += copies * weights[card] << BITS * rank
                    single += weights[card] << BITS * rank
                card += 1
            self.masks[suit], self.suit_counts[suit] = mask, held
            self.suit_weights[suit], self.single_weights[suit] = weight, single
        self.all_counts = sum(self.suit_counts)
        if closed_ranks:
            for rank in range(RANKS):
                if closed_ranks >> rank & 1:
                    self.whole -= (self.whole >> BITS * rank & FIELD) << BITS * rank
                    self.short -= (self.short >> BITS * rank & FIELD) << BITS * rank
        whole = self.all_counts + self.whole & TOPS
        most = (self.all_counts + self.short & TOPS) if self.jokers else whole
        lacking = most ^ whole
        self.never = TOPS - most
        """Ranks that can be no set, as top bits …"""
        self.lacking = lacking
        """… and those that can with a joker only."""
        self.spare = 0
        self.lacking_at: list[int] = []
        """The same, as the places of their numbers."""
        for rank in range(RANKS):
            if most >> BITS * rank + BITS - 1 & 1:
                self.spare |= 1 << rank
                if lacking >> BITS * rank + BITS - 1 & 1:
                    self.lacking_at.append(BITS * rank)

    def _options(self, suit: int, closed: bool) -> list[_Option]:
        """The runs the suit can give, and none."""
        mask, held, weight = self.masks[suit], self.suit_counts[suit], self.suit_weights[suit]
        options = [_Option(0, 0, held, weight, 0, None, 0, 0)]
        if closed or not mask:
            return options
        shape, contract, single = self.shape, self.contract, self.single_weights[suit]
        ace, two_aces = self.weights[suit * RANKS], self.counts[suit * RANKS] > 1
        three = contract.runs == 3 and shape.full_suit
        found: list[tuple[int, int, Chain | None, int, int]]
        # Jokers at the ends of runs matter only where there may be no set to take those left over.
        if three or shape.kisses or (self.jokers and not contract.sets):
            found = [
                (chain.jokers, chain.held, chain, chain.most - chain.jokers, 3 if chain.full and three else 1)
                for chain in suit_chains(shape, mask, two_aces, self.jokers, self.spare & mask)
            ]
        else:
            runs = short_runs(shape, mask, two_aces, self.jokers, self.spare & mask)
            found = [(jokers, at, None, 0, 1) for jokers, at in runs]
        for jokers, at, chain, room, stands_for in found:
            low, high = at & 127, at >> 7
            used = _LOW[low] + _HIGH[high]
            left = weight - (single & (_LOW_FIELDS[low] | _HIGH_FIELDS[high]))
            if at & 1 and at & HIGH_ACE:
                left -= ace
            options.append(_Option(jokers, used, held - used, left, at, chain, room, stands_for))
        return options

    def _plan_ahead(self, closed_suits: int) -> None:
        """List the options of each suit, those that leave least first, and bound what the suits leave."""
        never, lacking = _fields(self.never), _fields(self.lacking)
        parts = self.jokers * self.unit
        ahead = [0] * (parts + 1)
        all_ahead, all_options = [ahead], []
        for suit in range(SUITS - 1, -1, -1):
            least = [FIELD] * (parts + 1)
            singles = self._singles(suit) if lacking & self.suit_counts[suit] else []
            keyed: list[tuple[int, int, int, _Option]] = []
            for option in self._options(suit, bool(closed_suits >> suit & 1)):
                jokers, _, kept, weight, *_ = option
                perhaps = weight & lacking
                rest = ((weight & never) + perhaps) % FIELD
                keyed.append((rest, jokers, len(keyed), option))
                part = jokers * self.unit
                if rest < least[part]:
                    least[part] = rest
                if perhaps:
                    for single, shift in singles:
                        copies = kept >> shift & FIELD
                        while copies and part < parts:
                            copies -= 1
                            part += 1
                            rest -= single
                            if rest < least[part]:
                                least[part] = rest
            keyed.sort()
            all_options.append([option for *_, option in keyed])
            ahead = _sums(least, ahead)
            all_ahead.append(ahead)
        self.options, self.ahead = all_options[::-1], all_ahead[::-1]

    def _singles(self, suit: int) -> list[tuple[int, int]]:
        """Weight and place of the suit's cards of ranks that lack one for a set, the heaviest first."""
        weights = self.single_weights[suit]
        cards = [(weight, shift) for shift in self.lacking_at if (weight := weights >> shift & FIELD)]
        return sorted(cards, reverse=True)

    def hopeless(self) -> list[Card]:
        """Copies of cards that no set and no run takes, whatever else is laid."""
        found: list[Card] = []
        for suit, options in enumerate(self.options):
            usable = [0] * RANKS
            for option in options:
                for rank in range(RANKS):
                    usable[rank] = max(usable[rank], option.used >> BITS * rank & FIELD)
            for rank in range(RANKS):
                copies = self.counts[suit * RANKS + rank]
                if copies and not self.spare >> rank & 1:
                    found += [suit * RANKS + rank] * (copies - usable[rank])
        return found

    def search(self) -> tuple[Chosen, SetPlan] | None:
        """The runs and sets of the best lay-down, or None: none weighs less than the bound."""
        if self.least < self.best:
            self.chosen = [options[0] for options in self.options]
            self._choose(0, self.contract.runs, self.jokers, self.all_counts, 0, 0, 0)
        if self.best_runs is None:
            return None
        left, jokers, total = self.counts[:], self.jokers, self.total
        runs = []
        for suit, option in enumerate(self.best_runs):
            if option.held:
                chain = option.chain or short_chain(option.held, option.jokers)
                runs.append((suit, chain))
                jokers -= chain.jokers
                total -= chain.jokers * self.weights[JOKER]
                for rank in chain.ranks:
                    left[suit * RANKS + rank] -= 1
                    total -= self.weights[suit * RANKS + rank]
        ranks = [rank for rank in range(RANKS) if self.spare >> rank & 1]
        planner = EasyPlanner(self.shape, self.contract.sets, ranks, left, self.weights)
        plan = planner.plan(runs, jokers, total, self.best + 1)
        assert plan is not None
        return runs, plan

    def _choose(self, suit: int, runs: int, jokers: int, held: int, kept: int, stuck: int, room: int) -> None:
        """Choose the run of the suit and of those after it.

        `runs`: still wanted for the contract; `jokers`: still at hand; packed, `held`: cards of each rank not in a
        chosen run, `kept` and `stuck`: number and weight of those of suits before this one; `room`: jokers the chosen
        runs could hold besides.
        """
        self.steps += 1
        if self.steps == MOST_STEPS and self.best_runs is None and self.may_be_met and not self.may_be_met():
            # No weight is below this, so the search ends.
            self.best = 0
        whole_from, short_from, sets, chosen = self.whole, self.short, self.contract.sets, self.chosen
        ahead, runs_ahead, is_last = self.ahead[suit + 1], self.runs_from[suit + 1], suit == SUITS - 1
        for option in self.options[suit]:
            needs, used, more_kept, more_stuck, _, _, more_room, stands_for = option
            left, wanted = jokers - needs, runs - stands_for
            if left < 0 or wanted > runs_ahead:
                continue
            now, weights = held - used, stuck + more_stuck
            whole = now + whole_from & TOPS
            sure = whole.bit_count()
            alone = weights - (weights & (whole - (whole >> BITS - 1)))
            least = alone % FIELD
            if not left:
                if least + ahead[0] >= self.best or sure < sets:
                    continue
                if not is_last:
                    chosen[suit] = option
                    self._choose(suit + 1, wanted, 0, now, kept + more_kept, weights, 0)
                    continue
            else:
                short = now + short_from & TOPS ^ whole
                if sure < sets and sure + min(left, short.bit_count()) < sets:
                    continue
                if not is_last:
                    parts = left * self.unit
                    if least + ahead[parts] < self.best or (
                        short and self._may_be_less(least, parts, ahead, short, alone, kept + more_kept)
                    ):
                        chosen[suit] = option
                        self._choose(suit + 1, wanted, left, now, kept + more_kept, weights, room + more_room)
                    continue
                if short:
                    least -= sum(sorted(_numbers(alone, short), reverse=True)[:left])
                elif not whole:
                    least += max(0, left - room - more_room) * self.weights[JOKER]
            if least < self.best:
                self.best = least
                chosen[suit] = option
                self.best_runs = chosen[:]

    def _may_be_less(self, least: int, parts: int, ahead: list[int], short: int, alone: int, kept: int) -> bool:
        """Whether ranks that lack one for a set, with parts of the jokers left, may bring the weight below the best.

        Each card kept of such a rank pays its part of the joker.
        """
        savings: list[int] = []
        while short:
            shift = short.bit_length() - BITS
            short ^= 1 << shift + BITS - 1
            number = kept >> shift & FIELD
            if number:
                savings += [-(-(alone >> shift & FIELD) // number)] * number
        savings.sort(reverse=True)
        for saving in savings[:parts]:
            least -= saving
            parts -= 1
            if least + ahead[parts] < self.best:
                return True
        return False


def _fields(tops: int) -> int:
    """All bits but the top one of the numbers with these top bits."""
    return tops - (tops >> BITS - 1)


def _numbers(packed: int, tops: int) -> list[int]:
    """The packed numbers with these top bits."""
    numbers = []
    while tops:
        shift = tops.bit_length() - BITS
        tops ^= 1 << shift + BITS - 1
        numbers.append(packed >> shift & FIELD)
    return numbers


def _sums(first: list[int], second: list[int]) -> list[int]:
    """Entry k: the least sum of an entry of each, of no more than k together; `second` does not rise."""
    if not first[0]:
        return second
    if not second[0]:
        return list(accumulate(first, min))
    sums = [min(map(add, first, second[number::-1])) for number in range(len(first))]
    return list(accumulate(sums, min))
