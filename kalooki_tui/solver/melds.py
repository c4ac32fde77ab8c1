"""Melds that cards can make: all of a hand, and all ways to split a bag of cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from kalooki_tui.cards import JOKER, RANKS, SUIT, SUITS, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_contract, check_repeats, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.chains import chain_cards, suit_chains
from kalooki_tui.solver.sets import end_places
from kalooki_tui.solver.shape import Counts, Shape, count_cards, shape_of

#: Splits looked at before the best are chosen; more than a screen could ever offer.
MOST_SPLITS: Final = 2_000
ALL_RANKS: Final = (1 << RANKS) - 1


def candidate_melds(shape: Shape, counts: Counts, *, fewest_jokers: int = 0) -> Iterator[Group]:
    """Every meld the cards can make with at least `fewest_jokers` jokers, wherever these lie in a run (M1-M9)."""
    yield from candidate_sets(shape, counts, fewest_jokers)
    yield from candidate_runs(shape, counts, fewest_jokers)


def candidate_sets(shape: Shape, counts: Counts, fewest_jokers: int = 0, longest: int | None = None) -> Iterator[Group]:
    """Every set the cards can make, of up to `longest` cards."""
    most_cards = shape.set_maximum if longest is None else min(longest, shape.set_maximum)
    for rank in range(RANKS):
        cards = [
            card
            for card in range(rank, JOKER, RANKS)
            for _ in range(min(counts[card], 1) if shape.distinct_suits else counts[card])
        ]
        for number in range(shape.set_naturals, min(len(cards), most_cards) + 1):
            fewest = max(fewest_jokers, shape.set_minimum - number)
            most = min(counts[JOKER], most_cards - number)
            if fewest <= most:
                for chosen in sorted(set(combinations(cards, number))):
                    for jokers in range(fewest, most + 1):
                        yield Group((*chosen, *[JOKER] * jokers), Kind.SET)


def candidate_runs(shape: Shape, counts: Counts, fewest_jokers: int = 0, longest: int | None = None) -> Iterator[Group]:
    """Every run the cards can make, of up to `longest` cards."""
    for suit in range(SUITS):
        first = suit * RANKS
        mask = sum(1 << rank for rank in range(RANKS) if counts[first + rank])
        if not mask:
            continue
        for chain in suit_chains(shape, mask, counts[first] > 1, counts[JOKER], ALL_RANKS):
            if chain.full:
                continue
            for jokers in range(max(fewest_jokers, chain.jokers), chain.most + 1):
                if longest is None or len(chain.ranks) + jokers <= longest:
                    for ends in end_places(shape, chain, jokers):
                        yield Group(chain_cards(suit, chain, ends), Kind.RUN)


def partition(
    rules: Rules,
    contract: Contract,
    cards: Sequence[Card],
    limit: int = 12,
    *,
    own_melds: Sequence[Meld] = (),
    laid: bool = False,
) -> list[tuple[Group, ...]]:
    """Ways to split `cards` into valid melds (M1-M9) with no card over, at most `limit` of them.

    Unless `laid`, splits that hold the contract (L1, L5, L6) come first; then those with fewer melds.
    """
    found: dict[tuple[Group, ...], tuple[bool, int, int]] = {}
    for melds in _splits(rules, count_cards(cards), list(own_melds), []):
        key = tuple(Group(meld.cards, meld.kind) for meld in sorted(melds, key=_order))
        if key not in found:
            found[key] = (not laid and not _holds(rules, contract, melds), len(melds), len(found))
        if len(found) >= MOST_SPLITS:
            break
    return sorted(found, key=found.__getitem__)[:limit]


def _order(meld: Meld) -> tuple[bool, int, int, int, tuple[Card, ...]]:
    return (meld.kind is Kind.RUN, meld.rank, meld.suit, meld.low, meld.cards)


def _holds(rules: Rules, contract: Contract, melds: Sequence[Meld]) -> bool:
    try:
        check_contract(rules, contract, melds)
    except Refused:
        return False
    return True


def _splits(rules: Rules, counts: Counts, own: list[Meld], chosen: list[Meld]) -> Iterator[list[Meld]]:
    """Choose the melds of the lowest natural left, then those of the rest."""
    lowest = next((card for card in range(JOKER) if counts[card]), None)
    if lowest is None:
        if not counts[JOKER]:
            yield chosen[:]
        return
    for group in _melds_with(shape_of(rules), counts, lowest):
        meld = make_meld(rules.ruleset, 0, group)
        try:
            check_repeats(rules.ruleset, [*own, *chosen, meld])
        except Refused:
            continue
        for card in group.cards:
            counts[card] -= 1
        chosen.append(meld)
        yield from _splits(rules, counts, own, chosen)
        chosen.pop()
        for card in group.cards:
            counts[card] += 1


def _melds_with(shape: Shape, counts: Counts, card: Card) -> Iterator[Group]:
    """The melds the cards can make that hold `card`; long ones first, so that splits of few melds come first."""
    here = [0] * len(counts)
    here[JOKER] = counts[JOKER]
    suit = SUIT[card]
    here[suit * RANKS : (suit + 1) * RANKS] = counts[suit * RANKS : (suit + 1) * RANKS]
    groups = [group for group in candidate_runs(shape, here) if card in group.cards]
    here[suit * RANKS : (suit + 1) * RANKS] = [0] * RANKS
    for other in range(card % RANKS, JOKER, RANKS):
        here[other] = counts[other]
    groups += [group for group in candidate_sets(shape, here) if card in group.cards]
    return iter(sorted(groups, key=lambda group: -len(group.cards)))
