"""Worlds: hidden cards, by hand or drawn by the core from what a seat knows, and the players in the seats."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, Literal, overload

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


class Style(Struct, frozen=True):
    """Weights of a club player's choices; found by measurement (`benchmarks/strength.py`)."""

    keep: float = 60.0
    """Points that losing every way to the contract is worth."""
    risk: float = 0.25
    """Share of a card's points that counts against keeping it, before anybody has laid."""
    risk_laid: float = 0.5
    """Share added for each seat that has laid."""
    take_gain: float = 1.0
    """Times as good as a stock card that an open card must be, where it brings the contract no nearer."""
    call_gain: float = inf
    """Times as good it must be to be worth a call."""
    pair: float = 0.0
    """Points that keeping one of a pair is worth, where the contract may take a set."""
    hold: float = 0.0
    """Share of complete contracts held back, with few cards over and nobody laid, in hope of going out."""
    feed: float = 2.0
    """Points that one seat's wish for a discard is worth."""
    meld: float = 20.0
    """Points that a meld is worth, where the contract asks for points."""
    laid_meld: float = 20.0
    """Points that a further meld is worth, once laid."""
    laid_near: float = 4.0
    """Points that a card one short of fitting on the table is worth, once laid."""
    horizon: float = 12.0
    """Cards it expects to choose from before the deal is decided."""
    leans: tuple[tuple[str, float], ...] = ()
    """Points by which an expert prefers kinds of choices (`players.learned.Choice`) beyond what practice taught. The
    core does not read them: its advice already contains them."""


#: The weights that the core reads, in order.
WEIGHTS: Final = tuple(name for name in Style.__struct_fields__ if name != "leans")
_LEVELS: Final = ("club", "novice", "expert")


class EncodedLessons(Struct, frozen=True, eq=False):
    """Trees of the experts for a ruleset (`players.learned`), as the numbers that the core reads."""

    numbers: tuple[float, ...]


class CoreSeat(Struct, frozen=True):
    style: Style = Style()
    level: Literal["club", "novice", "expert"] = "club"
    """The core decides at random what a novice overlooks."""
    advice: EncodedLessons | None = None
    plans: int = 250
    """Ways to the contract that a choice weighs at most."""

    def numbers(self, advice: int) -> list[float]:
        """Return the style as the core reads it; `advice`: the core's number for this seat's advice, or 0."""
        weights = [getattr(self.style, name) for name in WEIGHTS]
        return [*weights, float(_LEVELS.index(self.level)), float(advice), float(self.plans)]


CLUB: Final = CoreSeat()
NOVICE: Final = CoreSeat(level="novice")
LIGHT: Final = CoreSeat(plans=60)
"""Club player in half the time, and by a hair weaker."""


#: Of every choice.
COMMON: Final = (
    "sets_of_the_contract", "runs_of_the_contract", "seats_in_the_deal", "own_cards", "own_points", "own_jokers",
    "cards_from_the_contract", "own_calls", "calls_of_the_others", "stock", "own_throws", "others_that_have_laid",
    "fewest_cards_of_another", "fewest_cards_of_another_that_has_laid", "cards_of_the_next_seat", "next_seat_has_laid",
    "seats_from_the_turn", "reshuffles", "worth_of_the_hand",
)  # fmt: skip
#: Of a card to call, refuse or take (the other seat is the caller of what may be refused, else the one at turn).
OF_CARD: Final = (
    "cards_from_the_contract_with_it", "gain", "the_weights_would", "points", "is_a_joker", "own_of_its_rank",
    "own_near_it", "fits_the_table", "copies_unseen", "seats_to_the_other", "cards_of_the_other", "calls_of_the_other",
    "the_other_has_laid", "cards_left_by_laying", "points_left_by_laying", "cards_left_by_laying_with_it", "danger",
    "gain_of_a_card_on_average",
)  # fmt: skip
#: Of laying the contract.
OF_LAYING: Final = (
    "cards_left", "points_left", "left_that_fit_the_table", "dearest_left", "left_with_a_neighbour", "jokers_left",
    "melds",
)  # fmt: skip
#: The longest row of numbers.
FEATURES: Final = len(COMMON) + len(OF_CARD)


def row(own: tuple[str, ...], values: Mapping[str, float]) -> list[float]:
    """Return the numbers of a choice, the common ones first; 0 where nothing is known, and up to the longest row."""
    numbers = [float(values.get(name, 0.0)) for name in (*COMMON, *own)]
    return numbers + [0.0] * (FEATURES - len(numbers))
