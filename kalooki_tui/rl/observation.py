"""View of a seat, and nothing else, as arrays of whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kalooki_tui.cards import JOKER, KINDS_OF_CARD
from kalooki_tui.engine.actions import Action, Lay
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import Public
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.endgame import fits_table
from kalooki_tui.rl.slots import FIRST_LAY, LAYS, SIZE

Array: TypeAlias = NDArray[np.int16]

#: The phases in which a seat of one deal decides.
PHASES: Final = tuple(phase for phase in Phase if phase not in (Phase.CUT, Phase.BUY_IN, Phase.OVER))
MOST: Final = 1000


def shapes(seats: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of an observation's arrays; seats are counted clockwise from the one that sees."""
    a_seat, a_card, both = (seats,), (KINDS_OF_CARD,), (seats, KINDS_OF_CARD)
    return {
        "hand": a_card,
        "discard": a_card,
        "flip": a_card,
        "table": a_card,
        "fits": a_card,
        "unseen": a_card,
        "thrown": both,
        "taken": both,
        "lays": (LAYS, KINDS_OF_CARD),
        "cards": a_seat,
        "laid": a_seat,
        "calls": a_seat,
        "turn": a_seat,
        "contract": (3,),
        "phase": (len(PHASES),),
        "stock": (1,),
        "reshuffles": (1,),
    }


def space(seats: int) -> spaces.Dict:
    arrays: dict[str, spaces.Space[Any]] = {
        name: spaces.Box(0, MOST, shape, np.int16) for name, shape in shapes(seats).items()
    }
    return spaces.Dict({"observation": spaces.Dict(arrays), "action_mask": spaces.Box(0, 1, (SIZE,), np.int8)})


class Observer:
    """Maker of one deal's observations; it remembers what does not change between them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck = np.full(KINDS_OF_CARD, rules.packs, np.int16)
        self.deck[JOKER] = rules.jokers
        self._fitting: dict[int, tuple[Sequence[Meld], Array]] = {}

    def observe(self, view: View, public: Public, found: Mapping[int, Action]) -> dict[str, Array]:
        """Return the view as arrays; `public`: the fold of its history, `found`: the open actions."""
        seat, seats = view.seat, self.rules.seats
        others = range(seat, seat + seats)
        hand = _counted(view.hand)
        thrown = np.array([_counted(public.thrown[other % seats]) for other in others])
        taken = np.array([_counted(public.taken[other % seats]) for other in others])
        table = _counted([card for meld in view.melds for card in meld.cards])
        flip = _counted(() if view.flip is None else (view.flip,))
        gone = hand + table + flip + taken[1:].sum(0, dtype=np.int16) + _counted(public.known_pile)
        lays = np.zeros((LAYS, KINDS_OF_CARD), np.int16)
        for number in range(LAYS):
            lay = found.get(FIRST_LAY + number)
            if isinstance(lay, Lay):
                lays[number] = _counted([card for group in lay.groups for card in group.cards])
        contract = view.contract
        return {
            "hand": hand,
            "discard": _counted(() if view.discard is None else (view.discard,)),
            "flip": flip,
            "table": table,
            "fits": self._fits(view),
            "unseen": np.maximum(self.deck - gone, 0),
            "thrown": thrown,
            "taken": taken,
            "lays": lays,
            "cards": _numbers(view.hand_sizes[other % seats] for other in others),
            "laid": _numbers(has_laid(view, other % seats) for other in others),
            "calls": _numbers(public.calls[other % seats] for other in others),
            "turn": _numbers(other % seats == view.turn for other in others),
            "contract": _numbers((contract.sets, contract.runs, contract.points)),
            "phase": _numbers(phase is view.phase for phase in PHASES),
            "stock": _numbers((view.stock,)),
            "reshuffles": _numbers((view.reshuffles,)),
        }

    def _fits(self, view: View) -> Array:
        """Return by card whether the seat could tack it onto the table, had it laid. The table changes seldom."""
        melds, fitting = self._fitting.get(view.seat, (None, None))
        if fitting is None or melds != view.melds:
            fitting = _numbers(fits_table(view, card) for card in range(KINDS_OF_CARD))
            self._fitting[view.seat] = view.melds, fitting
        return fitting.copy()


def _counted(cards: Sequence[int]) -> Array:
    return np.array(count_cards(cards), np.int16)


def _numbers(numbers: Iterable[int]) -> Array:
    return np.array(list(numbers), np.int16)
