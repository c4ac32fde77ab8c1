"""The runs that one suit of a hand can give, with the jokers at hand."""

from __future__ import annotations

from typing import Final

from kalooki_tui.cards import JOKER, RANKS, Card, make_card
from kalooki_tui.solver.shape import HIGH_ACE, POSITIONS, Chain, Shape, positions

#: Suits of hands whose runs are remembered at a time: enough for a match, and no burden in a long simulation.
MOST_KNOWN: Final = 50_000


def suit_chains(shape: Shape, ranks: int, two_aces: bool, jokers: int, spare: int) -> list[Chain]:
    """The runs of a suit that holds `ranks`, two aces or more of it or not, with up to `jokers` jokers.

    Those come first that use most naturals. A run is left out where another one uses more naturals, no more jokers, and
    the further naturals have no use elsewhere: their ranks are not in the mask `spare`, and the seat lays no second run
    of the suit (M8).
    """
    key = (ranks, int(two_aces), jokers, spare)
    known = shape.chains.get(key)
    if known is not None:
        return known
    chains: list[Chain] = []
    held = positions(ranks)
    for low in range(POSITIONS):
        if held >> low & 1:
            _grow(shape, held, 1 << low, low, 0, two_aces, jokers, chains)
    if not shape.repeats:
        chains = [chain for chain in chains if not any(_beats(other, chain, spare) for other in chains)]
    chains.sort(key=lambda chain: (-len(chain.ranks), chain.jokers))
    if len(shape.chains) >= MOST_KNOWN:
        shape.chains.clear()
    shape.chains[key] = chains
    return chains


def _grow(
    shape: Shape, held: int, used: int, high: int, gaps: int, two_aces: bool, jokers: int, chains: list[Chain]
) -> None:
    """Add the runs that begin with the positions `used`, the last of them `high`, with `gaps` jokers between them."""
    _add(shape, used, high, gaps, jokers, chains)
    step = 1
    while high + step < POSITIONS and gaps + step - 1 <= jokers and (shape.kisses or step <= 2):
        place = 1 << (high + step)
        if held & place and not (place == HIGH_ACE and used & 1 and not two_aces):
            _grow(shape, held, used | place, high + step, gaps + step - 1, two_aces, jokers, chains)
        step += 1


def _add(shape: Shape, used: int, high: int, gaps: int, jokers: int, chains: list[Chain]) -> None:
    low = (used & -used).bit_length() - 1
    span = high - low + 1
    if span > shape.run_longest or used.bit_count() < shape.run_naturals:
        return
    room_low, room_high = low, POSITIONS - 1 - high
    if not shape.kisses:
        room_low, room_high = min(room_low, 1), min(room_high, 1)
    ends = min(room_low + room_high, shape.run_longest - span, jokers - gaps)
    fewest = max(0, shape.run_minimum - span)
    few = shape.shortest_jokers
    if few is not None and span + fewest == shape.run_minimum and gaps + fewest > few:
        fewest += 1
    if fewest > ends:
        return
    ranks = tuple(position % RANKS for position in range(low, high + 1) if used >> position & 1)
    chains.append(Chain(used, ranks, gaps + fewest, gaps + ends, full=False))
    if shape.full_suit and span + fewest <= RANKS <= span + ends:
        exact = gaps + RANKS - span
        chains.append(Chain(used, ranks, exact, exact, full=True))


def _beats(better: Chain, chain: Chain, spare: int) -> bool:
    """Whether `better` does all that `chain` does, and its further naturals have no other use."""
    if better.full != chain.full or better.held == chain.held or better.held & chain.held != chain.held:
        return False
    if better.jokers > chain.jokers or better.most < chain.most:
        return False
    more = better.held & ~chain.held
    return not (more | more >> RANKS) & spare


def chain_cards(suit: int, chain: Chain, ends: tuple[int, int]) -> tuple[Card, ...]:
    """The run in order from its low end, with `ends` jokers at its low and its high end."""
    low = (chain.held & -chain.held).bit_length() - 1
    high = chain.held.bit_length() - 1
    cards = (
        make_card(suit, position + 1) if chain.held >> position & 1 else JOKER for position in range(low, high + 1)
    )
    return (*[JOKER] * ends[0], *cards, *[JOKER] * ends[1])


def short_runs(shape: Shape, ranks: int, two_aces: bool, jokers: int, spare: int) -> list[tuple[int, int]]:
    """The fewest jokers and the positions filled with naturals of the runs of `suit_chains`, in no order.

    For rulesets in which two jokers never touch (M6) and the suit gives one run (M8), complete suits aside (L6), where
    it does not matter how many jokers a run could hold besides those it needs.
    """
    key = (ranks, two_aces, jokers, spare)
    known = shape.short_runs.get(key)
    if known is None:
        runs: list[tuple[int, int]] = []
        held, bound = positions(ranks), positions(ranks & ~spare)
        for low in range(POSITIONS):
            # A run that could take one card more at its low end which has no other use is no better without it. The
            # low ace is left to choice: it may be wanted as the high one.
            if held >> low & 1 and not (low > 1 and bound >> low - 1 & 1):
                reach = held if two_aces or low else held & ~HIGH_ACE
                _grow_short(shape, reach, bound, 1 << low, low, low, 0, jokers, runs)
        if len(shape.short_runs) >= MOST_KNOWN:
            shape.short_runs.clear()
        known = shape.short_runs[key] = runs
    return known


def _grow_short(
    shape: Shape,
    reach: int,
    bound: int,
    used: int,
    low: int,
    high: int,
    gaps: int,
    jokers: int,
    runs: list[tuple[int, int]],
) -> None:
    """As `_grow`, with the cards of `reach`; those at the positions `bound` are taken where they follow."""
    span = high - low + 1
    place = 2 << high
    if reach & place and span < shape.run_longest:
        _grow_short(shape, reach, bound, used | place, low, high + 1, gaps, jokers, runs)
        if bound & place:
            return
    if reach & place << 1 and gaps < jokers and span + 1 < shape.run_longest:
        _grow_short(shape, reach, bound, used | place << 1, low, high + 2, gaps + 1, jokers, runs)
    needs = gaps
    if span < shape.run_minimum:
        needs += shape.run_minimum - span
        if needs > jokers:
            return
    few = shape.shortest_jokers
    if few is not None and needs > few and span + needs - gaps == shape.run_minimum:
        needs += 1
    if needs > jokers or used.bit_count() < shape.run_naturals:
        return
    if needs == gaps or needs - gaps <= (low > 0) + (high < POSITIONS - 1):
        runs.append((needs, used))


def short_chain(held: int, jokers: int) -> Chain:
    """The chain of a run of `short_runs`."""
    ranks = tuple(position % RANKS for position in range(POSITIONS) if held >> position & 1)
    return Chain(held, ranks, jokers, jokers, full=False)
