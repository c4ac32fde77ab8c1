"""How a seat plays, in the core as in Python: what its choices weigh, its level, what it has learnt."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Final, Literal

from msgspec import Struct


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


class Advice(Struct, frozen=True, eq=False):
    """Trees of the experts for a ruleset (`players.learned`), as the numbers that the core reads."""

    numbers: tuple[float, ...]


class CoreSeat(Struct, frozen=True):
    style: Style = Style()
    level: Literal["club", "novice", "expert"] = "club"
    """The core decides at random what a novice overlooks."""
    advice: Advice | None = None
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
