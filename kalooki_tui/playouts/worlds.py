"""Worlds: hidden cards for a deal, by hand or drawn by the native core from what a seat knows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import overload

from msgspec import Struct

from kalooki_tui.cards import KINDS_OF_CARD, Card
from kalooki_tui.playouts.marshal import world_numbers


class Cards(Struct, frozen=True):
    hands: Sequence[Sequence[Card]]
    stock: Sequence[Card]
    below: Sequence[Card] = ()
    """Cards that lie face down under the pile (F3), all of them; none: they are the deal's own."""


class Knowledge(Struct, frozen=True):
    """Knowledge of a seat about the cards it does not see. Lists have an entry a seat unless said otherwise."""

    seat: int
    rooms: Sequence[int]
    """Hidden cards in each hand, beside those that were taken in the open."""
    drawn: Sequence[int]
    """Cards drawn from the stock since it was last made of the pile."""
    usual: Sequence[Sequence[int]]
    """How often such hands are 0, 1, 2, ... cards away from the contract; empty: left to chance."""
    passed: Sequence[Sequence[Card]]
    leanings: Sequence[Sequence[float]]
    """By seat and card: how many times as likely as by chance the hand holds the card."""
    pool: Sequence[int]
    unknown_below: int
    most_in_stock: Sequence[int] | None
    """By card: copies that the stock can hold; None: any."""
    fresh: frozenset[Card]
    """Cards of which every hidden copy was in the stock when it was last made of the pile."""

    def numbers(self) -> array[int]:
        """Return the numbers in the order in which the core reads them; the leanings apart."""
        out = [self.seat]
        for room, drawn, usual, passed in zip(self.rooms, self.drawn, self.usual, self.passed, strict=True):
            out += [room, drawn, len(usual), *usual, len(passed), *passed]
        most = self.most_in_stock
        out += [self.unknown_below, most is not None]
        for card in range(KINDS_OF_CARD):
            out += [self.pool[card], most[card] if most is not None else 0, card in self.fresh]
        return array("i", out)


class Worlds(Sequence[Cards]):
    def __init__(self, numbers: array[int], seats: int, room: int) -> None:
        self.numbers, self.seats, self.room = numbers, seats, room

    def __len__(self) -> int:
        return len(self.numbers) // self.room

    @overload
    def __getitem__(self, index: int) -> Cards: ...
    @overload
    def __getitem__(self, index: slice) -> Worlds: ...
    def __getitem__(self, index: int | slice) -> Cards | Worlds:
        if isinstance(index, slice):
            chosen = range(*index.indices(len(self)))
            if chosen.step == 1:
                return self._of(self.numbers[chosen.start * self.room : chosen.stop * self.room])
            parts = [self.numbers[number * self.room : (number + 1) * self.room] for number in chosen]
            return self._of(sum(parts, array("i")))
        start = range(len(self))[index] * self.room
        return self._read(self.numbers[start : start + self.room])

    def _of(self, numbers: array[int]) -> Worlds:
        return Worlds(numbers, self.seats, self.room)

    def _read(self, numbers: array[int]) -> Cards:
        place, lists = 0, []
        for _ in range(self.seats + 2):
            size = numbers[place]
            lists.append(tuple(numbers[place + 1 : place + 1 + size]))
            place += 1 + size
        return Cards(tuple(lists[: self.seats]), lists[-2], lists[-1])


def numbers_of(worlds: Sequence[Cards]) -> array[int]:
    if isinstance(worlds, Worlds):
        return worlds.numbers
    numbers = array("i")
    for world in worlds:
        numbers.extend(world_numbers(world.hands, world.stock, world.below))
    return numbers
