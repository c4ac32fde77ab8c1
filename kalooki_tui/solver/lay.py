"""Best lay-down, which leaves the fewest points: runs suit by suit, with a bound, then sets from what they leave."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain as chained
from operator import mul
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind, Swap, Tack
from kalooki_tui.engine.candidates import Reading, count_cards, filled, readings
from kalooki_tui.engine.melds import Meld, are_long_enough
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away
from kalooki_tui.solver.sets import POINT_WEIGHT, SetPlan, make_planner
from kalooki_tui.solver.shape import HIGH_ACE, Chain, Counts, Effort, Shape, list_cards, ranks_of, shape_of

NOTHING_FOUND: Final = 1 << 60
#: Weight of a card that has to be laid, above that of all other cards of a hand together.
NEEDED_WEIGHT: Final = 1 << 24
FREE: Final = Contract(cards=1)
"""Contract of a seat that has laid: nothing."""


class Laydown(Struct, frozen=True):
    """Melds to lay at once, ready for the `Lay` action, and the cards left."""

    groups: tuple[Group, ...]
    left: tuple[Card, ...]
    points_left: int
    tacks: tuple[Tack | Swap, ...] = ()
    """With a table: actions besides; after laying, or before it where the seat has laid already."""


def solve_lay(
    rules: Rules,
    contract: Contract,
    counts: Counts,
    own_melds: Sequence[Meld] = (),
    *,
    laid: bool = False,
    prefer_out: bool = True,
    effort: Effort | None = None,
) -> Laydown | None:
    effort = effort or Effort()
    if laid and not rules.ruleset.lay.further_melds:
        return None
    wanted = FREE if laid else contract
    if not laid and cards_away(rules, contract, counts, 1, 0, effort):
        return None
    if wanted.whole:
        return lay_search(rules, wanted, counts, own_melds, 1, effort=effort, alike=True).solve()
    search = lay_search(rules, wanted, counts, own_melds, effort=effort)
    best = search.solve()
    discard_needed = rules.ruleset.discard.last_card == "discard"
    if best is not None and not best.left and discard_needed:
        best = _keep_one(rules, wanted, counts, own_melds, effort)
    if best is not None and not best.groups:
        return None
    if best is None or not prefer_out or goes_out(rules, best.left):
        return best
    return _lay_but_one(rules, wanted, counts, own_melds, search) or best


def goes_out(rules: Rules, left: Sequence[Card]) -> bool:
    """Check that nothing is left, or one card that may be discarded (G1, S1)."""
    return not left or (len(left) == 1 and (left[0] != JOKER or rules.ruleset.discard.jokers))


def _keep_one(
    rules: Rules, contract: Contract, counts: Counts, own_melds: Sequence[Meld], effort: Effort
) -> Laydown | None:
    """Return the best lay-down that keeps at least one card, where the whole hand could be laid (G1)."""
    best: Laydown | None = None
    for card in sorted((card for card in range(KINDS_OF_CARD) if counts[card]), key=rules.values.__getitem__):
        if best is not None and rules.values[card] >= best.points_left:
            break
        laydown = _keeping(rules, contract, counts, own_melds, card, NOTHING_FOUND, effort)
        if laydown is not None and (best is None or laydown.points_left < best.points_left):
            best = laydown
    return best


def _lay_but_one(
    rules: Rules, contract: Contract, counts: Counts, own_melds: Sequence[Meld], search: LaySearch | WildLaySearch
) -> Laydown | None:
    """Return a lay-down that leaves exactly one card, one that may be discarded; the cheapest such card."""
    hopeless = search.hopeless()
    if len(hopeless) > 1:
        return None
    kinds = KINDS_OF_CARD if rules.ruleset.discard.jokers else JOKER
    cards = [card for card in range(kinds) if counts[card] and search.weights[card] >= search.least]
    for card in sorted(cards, key=rules.values.__getitem__):
        if not hopeless or hopeless[0] == card:
            laydown = _keeping(rules, contract, counts, own_melds, card, 1, search.effort)
            if laydown is not None:
                return laydown
    return None


def _keeping(
    rules: Rules,
    contract: Contract,
    counts: Counts,
    own_melds: Sequence[Meld],
    card: Card,
    bound: int,
    effort: Effort,
) -> Laydown | None:
    """Return the best lay-down that leaves one copy of `card`, if what else it leaves weighs less than `bound`."""
    counts[card] -= 1
    laydown = lay_search(rules, contract, counts, own_melds, bound, effort=effort).solve()
    counts[card] += 1
    if laydown is None:
        return None
    left = tuple(sorted((*laydown.left, card)))
    return Laydown(laydown.groups, left, laydown.points_left + rules.values[card])


@lru_cache(maxsize=64)
def _weights(values: tuple[int, ...]) -> list[int]:
    return [value * POINT_WEIGHT + 1 for value in values]


class LaySearch:
    def __init__(
        self,
        rules: Rules,
        contract: Contract,
        counts: Counts,
        own_melds: Sequence[Meld],
        bound: int = NOTHING_FOUND,
        placed: Collection[Card] = (),
        effort: Effort | None = None,
        *,
        alike: bool = False,
        needed: Card | None = None,
    ) -> None:
        self.effort = effort or Effort()
        self.rules, self.contract, self.counts = rules, contract, counts
        self.shape = shape = shape_of(rules)
        self.jokers = counts[JOKER]
        self.best = bound
        self.least = 0
        self.best_plan: tuple[list[tuple[int, Chain]], SetPlan] | None = None
        self.asked = contract.run_lengths(shape.run_minimum)
        self.long = tuple({*self.asked} - {shape.run_minimum})
        """Lengths of runs that the contract asks for beyond the shortest (H8)."""
        self.exact = shape.keeps_to(contract)
        self.lengths = tuple({*self.asked}) if self.exact and not contract.whole else None
        """The lengths of all runs there may be, where nothing may be longer (H10)."""
        self.weights = [1] * KINDS_OF_CARD if alike else _weights(rules.values)
        if (placed and not alike) or needed is not None:
            self.weights = self.weights[:]
        for card in placed:
            # What melds on the table take at any time costs nothing to keep.
            self.weights[card] = 0
        if needed is not None:
            self.weights[needed] += NEEDED_WEIGHT
        self.total = sum(map(mul, self.weights, counts))
        self.chosen: list[tuple[int, Chain]] = []
        closed_ranks = closed_suits = 0
        if not shape.repeats:
            for meld in own_melds:
                if meld.kind is Kind.SET:
                    closed_ranks |= 1 << (meld.rank - 1)
                else:
                    closed_suits |= 1 << meld.suit
        self.left = counts[:]
        self.rank_left = [sum(counts[rank:JOKER:RANKS]) for rank in range(RANKS)]
        enough = max(shape.set_naturals, shape.set_minimum - self.jokers)
        self.ranks = [rank for rank in range(RANKS) if self.rank_left[rank] >= enough and not closed_ranks >> rank & 1]
        """Ranks that can be sets at all."""
        self.chains = self._chains(closed_suits)
        self.runs_from = [sum(bool(chains) for chains in self.chains[suit:]) for suit in range(SUITS + 1)]
        """Suits that can give a run, from a suit on."""
        self.uncovered = [self._uncovered(suit) for suit in range(SUITS)]
        """By suit and rank: the weight of cards that no run without jokers takes."""
        self.rescues = self._rescues()
        self.planner = make_planner(rules, contract, self.ranks, self.left, self.weights)

    def _chains(self, closed_suits: int) -> list[list[Chain]]:
        spare = sum(1 << rank for rank in self.ranks)
        chains: list[list[Chain]] = []
        for suit in range(SUITS):
            first = suit * RANKS
            mask = 0
            for rank in range(RANKS):
                if self.counts[first + rank]:
                    mask |= 1 << rank
            if closed_suits >> suit & 1 or not mask:
                chains.append([])
            else:
                two_aces = self.counts[first] > 1
                known = suit_chains(self.shape, mask, two_aces, self.jokers, spare & mask, self.long, self.lengths)
                chains.append(known)
        return chains

    def _uncovered(self, suit: int) -> list[int]:
        first, repeats = suit * RANKS, self.shape.repeats
        usable = [0] * RANKS
        for chain in self.chains[suit]:
            if not chain.jokers:
                for rank in chain.ranks:
                    usable[rank] = max(usable[rank], chain.ranks.count(rank))
        return [
            (0 if repeats and usable[rank] else max(0, self.counts[first + rank] - usable[rank]))
            * self.weights[first + rank]
            for rank in range(RANKS)
        ]

    def hopeless(self) -> list[Card]:
        """Return copies of cards that fit no set and no run, however the rest is laid."""
        found: list[Card] = []
        for suit, chains in enumerate(self.chains):
            usable = [0] * RANKS
            for chain in chains:
                for rank in chain.ranks:
                    usable[rank] = max(usable[rank], 2 if rank == 0 and chain.ranks.count(0) > 1 else 1)
            for rank in range(RANKS):
                copies = self.counts[suit * RANKS + rank]
                if copies and rank not in self.ranks:
                    if self.shape.repeats and usable[rank]:
                        continue
                    found += [suit * RANKS + rank] * (copies - usable[rank])
        return found

    def _rescues(self) -> list[list[int]]:
        """Return at [suit][k] the most weight of uncovered cards that a run with k jokers takes, from that suit on."""
        table = [[0] * (self.jokers + 1)]
        for suit in range(SUITS - 1, -1, -1):
            row = table[0][:]
            uncovered, weights, first = self.uncovered[suit], self.weights, suit * RANKS
            for chain in self.chains[suit]:
                if chain.jokers:
                    weight = sum(weights[first + rank] for rank in chain.ranks if uncovered[rank])
                    row[chain.jokers] = max(row[chain.jokers], weight)
            table.insert(0, row)
        return table

    def solve(self) -> Laydown | None:
        """Return the best lay-down, or None: none weighs less than the bound, or nothing can be laid."""
        stuck = [sum(weights) for weights in zip(*self.uncovered, strict=True)]
        self.least = self._least_left(0, self.jokers, stuck, 0)
        self._choose(0, 0, self.contract.runs, self.jokers, self.total, stuck)
        if self.best_plan is None:
            return None
        return self._laydown(*self.best_plan)

    def _choose(self, suit: int, start: int, runs: int, jokers: int, left: int, stuck: list[int]) -> None:
        """Choose runs from suit `suit` on, in it from its chain `start` on.

        `runs`: still wanted for the contract; `jokers`: still at hand; `left`: weight of all cards not in a chosen run;
        `stuck`: by rank, weight of the cards that only a set can take now.
        """
        self.effort.left -= 1
        repeats = self.shape.repeats
        if self.effort.left < 0 or (not repeats and runs > self.runs_from[suit] and not self.shape.full_suit):
            return
        if self._least_left(suit, jokers, stuck, self.best) >= self.best:
            return
        if suit == SUITS:
            if runs <= 0 and (not self.long or self._is_as_long()):
                self._finish(jokers, left)
            return
        rank_left, counts, first, weights = self.rank_left, self.left, suit * RANKS, self.weights
        chains, uncovered = self.chains[suit], self.uncovered[suit]
        for index in range(start, len(chains) if runs > 0 or not self.exact else 0):
            chain = chains[index]
            if chain.jokers > jokers:
                continue
            if repeats and any(counts[first + rank] < chain.ranks.count(rank) for rank in chain.ranks):
                continue
            after = left - chain.jokers * weights[JOKER]
            for rank in chain.ranks:
                counts[first + rank] -= 1
                rank_left[rank] -= 1
                after -= weights[first + rank]
            self.chosen.append((suit, chain))
            wanted = 0 if chain.full and self.contract.runs == 3 else runs - 1
            if repeats:
                # The suit may give another run, so its cards are not stuck yet; those of this run no longer are.
                freed = stuck[:]
                for rank in chain.ranks:
                    if uncovered[rank]:
                        freed[rank] -= weights[first + rank]
                self._choose(suit, index, wanted, jokers - chain.jokers, after, freed)
            else:
                self._choose(suit + 1, 0, wanted, jokers - chain.jokers, after, self._closed(suit, stuck))
            self.chosen.pop()
            for rank in chain.ranks:
                counts[first + rank] += 1
                rank_left[rank] += 1
        self._choose(suit + 1, 0, runs, jokers, left, self._closed(suit, stuck))

    def _is_as_long(self) -> bool:
        """Check that the chosen runs are as long as the contract asks, or exactly so (H8, H10)."""
        lengths = sorted((chain.length for _, chain in self.chosen), reverse=True)
        return tuple(lengths) == self.asked if self.lengths else are_long_enough(lengths, self.asked)

    def _closed(self, suit: int, stuck: list[int]) -> list[int]:
        counts, weights, first = self.left, self.weights, suit * RANKS
        uncovered = self.uncovered[suit]
        if self.shape.repeats:
            return [
                stuck[rank] + (0 if uncovered[rank] else counts[first + rank] * weights[first + rank])
                for rank in range(RANKS)
            ]
        return [stuck[rank] - uncovered[rank] + counts[first + rank] * weights[first + rank] for rank in range(RANKS)]

    def _least_left(self, suit: int, jokers: int, stuck: list[int], bound: int) -> int:
        """Return a lower bound on the weight left; a value above it, but below `bound`, if that takes less work.

        Stuck cards stay, but for those of ranks that may be sets, and those that melds with jokers take: no more than
        the best such melds would if no card were wanted twice.
        """
        rank_left, size = self.rank_left, self.shape.set_minimum
        naturals = self.shape.set_naturals
        least = sum(stuck)
        rescue = self.rescues[suit]
        copied = False
        for rank in self.ranks:
            weight = stuck[rank]
            if weight:
                short = size - rank_left[rank]
                if short <= 0:
                    least -= weight
                elif short <= jokers and rank_left[rank] >= naturals and weight > rescue[short]:
                    if not copied:
                        rescue, copied = rescue[:], True
                    rescue[short] = weight
        if least < bound or not jokers:
            return least
        most = [0] * (jokers + 1)
        for number in range(1, jokers + 1):
            most[number] = max(most[number - 1], *(rescue[used] + most[number - used] for used in range(1, number + 1)))
        return least - most[jokers]

    def _finish(self, jokers: int, left: int) -> None:
        plan = self.planner(self.chosen, jokers, left, self.best)
        if plan is not None:
            self.best = plan.left
            self.best_plan = (self.chosen[:], plan)

    def _laydown(self, chosen: list[tuple[int, Chain]], plan: SetPlan) -> Laydown:
        counts = self.counts[:]
        groups = list(plan.groups)
        for (suit, chain), ends in zip(chosen, plan.run_ends, strict=True):
            groups.append(Group(chain_cards(suit, chain, ends), Kind.RUN))
        for group in groups:
            for card in group.cards:
                counts[card] -= 1
        left = list_cards(counts)
        return Laydown(tuple(groups), left, self.rules.points(left))


class WildLaySearch:
    """Search for the lay-down that leaves the least weight, each wild card as a joker or as itself (H7)."""

    def __init__(self, rules: Rules, counts: Counts, searches: list[tuple[Reading, LaySearch]]) -> None:
        self.rules, self.counts, self.searches = rules, counts, searches
        first = searches[0][1]
        self.best, self.effort, self.weights, self.least = first.best, first.effort, first.weights, 0

    def hopeless(self) -> list[Card]:
        """Return no cards: nothing is ruled out beforehand where cards are wild."""
        return []

    def solve(self) -> Laydown | None:
        best: Laydown | None = None
        for reading, search in self.searches:
            search.best = self.best
            found = search.solve()
            if found is None:
                continue
            jokers = iter(reading.jokers)
            groups = [filled(group.cards, jokers) for group in found.groups]
            laid = count_cards(chained.from_iterable(groups))
            left = list_cards([copies - gone for copies, gone in zip(self.counts, laid, strict=True)])
            # A wild card that counted as a joker and stays weighs no more than the joker that was counted.
            self.best = sum(self.weights[card] for card in left)
            best = Laydown(
                tuple(Group(cards, group.kind) for cards, group in zip(groups, found.groups, strict=True)),
                left,
                self.rules.points(left),
            )
        return best


def lay_search(
    rules: Rules,
    contract: Contract,
    counts: Counts,
    own_melds: Sequence[Meld],
    bound: int = NOTHING_FOUND,
    placed: Collection[Card] = (),
    effort: Effort | None = None,
    *,
    alike: bool = False,
) -> LaySearch | WildLaySearch:
    """Return the search of a hand for its best lay-down; see `LaySearch`."""
    effort = effort or Effort()

    def search(held: Counts) -> LaySearch:
        return LaySearch(rules, contract, held, own_melds, bound, placed, effort, alike=alike)

    if not any(counts[card] for card in rules.wild):
        return search(counts)
    return WildLaySearch(rules, counts, [(one, search(one.counts)) for one in readings(rules.wild, counts)])


#: Suits of hands whose runs are remembered at a time: enough for a match, and no burden in a long simulation.
MOST_KNOWN: Final = 50_000


def suit_chains(
    shape: Shape,
    ranks: int,
    two_aces: bool,
    jokers: int,
    spare: int,
    long: tuple[int, ...] = (),
    only: tuple[int, ...] | None = None,
) -> list[Chain]:
    """Return the runs of a suit that holds `ranks`, two aces or more of it or not, with up to `jokers` jokers.

    Those come first that use most naturals. A run is left out where another one uses more naturals, no more jokers, and
    the further naturals have no use elsewhere: their ranks are not in the mask `spare`, and the seat lays no second run
    of the suit (M8). `long`: lengths that a run may have to have (H8); it is there with the jokers for each. `only`:
    lengths of all runs there may be (H10).
    """
    key = (ranks, int(two_aces), jokers, spare, long, only)
    known = shape.chains.get(key)
    if known is not None:
        return known
    chains: list[Chain] = []
    held, longest = shape.positions(ranks), (1 << shape.run_longest) - 1
    for low in shape.starts(1):
        if held >> low & 1:
            _grow(shape, held & longest << low, 1 << low, low, 0, two_aces, jokers, long, chains)
    if only is not None:
        chains = [replace(chain, most=chain.jokers) for chain in chains if chain.length in only]
    if shape.corner:
        chains = _once_round(chains, long)
    if only is None and not shape.repeats:
        # Where lengths are asked for (H8) no shorter run takes a longer one's place.
        chains = [
            chain
            for chain in chains
            if not any(_beats(other, chain, spare) and (not long or other.length >= chain.length) for other in chains)
        ]
    chains.sort(key=lambda chain: (-len(chain.ranks), chain.jokers))
    if len(shape.chains) >= MOST_KNOWN:
        shape.chains.clear()
    shape.chains[key] = chains
    return chains


def _grow(
    shape: Shape, held: int, used: int, high: int, gaps: int, two_aces: bool, jokers: int, long: tuple[int, ...],
    chains: list[Chain],
) -> None:  # fmt: skip
    """Add the runs that begin with the positions `used`, the last of them `high`, with `gaps` jokers between them."""
    _add(shape, used, high, gaps, jokers, long, chains)
    step, end = 1, held.bit_length()
    while high + step < end and gaps + step - 1 <= jokers and (shape.kisses or step <= 2):
        place = 1 << (high + step)
        if held & place and not (place == HIGH_ACE and used & 1 and not two_aces):
            _grow(shape, held, used | place, high + step, gaps + step - 1, two_aces, jokers, long, chains)
        step += 1


def _add(
    shape: Shape, used: int, high: int, gaps: int, jokers: int, long: tuple[int, ...], chains: list[Chain]
) -> None:
    low = (used & -used).bit_length() - 1
    span = high - low + 1
    if span > shape.run_longest or used.bit_count() < shape.run_naturals:
        return
    ends = min(sum(shape.room(low, high)), shape.run_longest - span, jokers - gaps)
    if shape.share is not None:
        ends = min(ends, shape.most_jokers(used.bit_count()) - gaps)
    fewest = max(0, shape.run_minimum - span)
    few = shape.shortest_jokers
    if few is not None and span + fewest == shape.run_minimum and gaps + fewest > few:
        fewest += 1
    if fewest > ends:
        return
    ranks = tuple(position % RANKS for position in range(low, high + 1) if used >> position & 1)
    chains.append(Chain(used, ranks, gaps + fewest, gaps + ends, full=False))
    if long:
        longer = [length for length in long if span + fewest < length <= span + ends]
        chains += [Chain(used, ranks, gaps + length - span, gaps + ends, full=False) for length in longer]
    if shape.full_suit and span + fewest <= RANKS <= span + ends:
        exact = gaps + RANKS - span
        chains.append(Chain(used, ranks, exact, exact, full=True))


def _once_round(chains: list[Chain], long: tuple[int, ...]) -> list[Chain]:
    """Leave out a run of the same naturals as another one that begins elsewhere and does all that it does (H15)."""
    found: dict[tuple[int, bool], list[Chain]] = {}
    for chain in sorted(chains, key=lambda chain: (chain.jokers, -chain.most)):
        alike = found.setdefault((ranks_of(chain.held), chain.full), [])
        if not any(other.most >= chain.most and (not long or other.jokers == chain.jokers) for other in alike):
            alike.append(chain)
    kept = {chain for alike in found.values() for chain in alike}
    return [chain for chain in chains if chain in kept]


def _beats(better: Chain, chain: Chain, spare: int) -> bool:
    """Check that `better` does all that `chain` does, and its further naturals have no other use."""
    if better.full != chain.full or better.held == chain.held or better.held & chain.held != chain.held:
        return False
    if better.jokers > chain.jokers or better.most < chain.most:
        return False
    more = better.held & ~chain.held
    return not (more | more >> RANKS) & spare


def chain_cards(suit: int, chain: Chain, ends: tuple[int, int]) -> tuple[Card, ...]:
    """Return the run in order from its low end, with `ends` jokers at its low and its high end."""
    low = (chain.held & -chain.held).bit_length() - 1
    high = chain.held.bit_length() - 1
    cards = (
        make_card(suit, position + 1) if chain.held >> position & 1 else JOKER for position in range(low, high + 1)
    )
    return (*[JOKER] * ends[0], *cards, *[JOKER] * ends[1])
