"""Hands with wild cards, counted as jokers or as themselves, so that searches need to know jokers alone (H7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import product

from msgspec import Struct

from kalooki_tui.cards import JOKER, Card


class Reading(Struct, frozen=True):
    """Counts of a hand in which some wild cards count as jokers."""

    counts: list[int]
    jokers: tuple[Card, ...]
    """Cards that count as jokers: the jokers first, then the wild ones that do."""


def filled(cards: Iterable[Card], jokers: Iterator[Card]) -> tuple[Card, ...]:
    """Return the cards with the next of what counts as jokers in each joker's place."""
    return tuple([next(jokers) if card == JOKER else card for card in cards])


def readings(wild: Set[Card], counts: list[int]) -> Iterator[Reading]:
    """Yield every way to count the hand, the one with most jokers first."""
    jokers = (JOKER,) * counts[JOKER]
    held = [card for card in sorted(wild) if counts[card]]
    for taken in product(*(range(counts[card], -1, -1) for card in held)):
        read = counts[:]
        more: list[Card] = []
        for card, copies in zip(held, taken, strict=True):
            read[card] -= copies
            more += [card] * copies
        read[JOKER] += len(more)
        yield Reading(read, (*jokers, *more))
