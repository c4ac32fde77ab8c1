"""The numbers by which a choice is known that an expert may have learnt to make otherwise, by name and in order.

The core has the same names (`core/fields.h`); they are compared when it is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
    """The numbers of a choice, those of every choice first; 0 where nothing is known, and up to the longest row."""
    numbers = [float(values.get(name, 0.0)) for name in (*COMMON, *own)]
    return numbers + [0.0] * (FEATURES - len(numbers))
