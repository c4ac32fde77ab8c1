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
