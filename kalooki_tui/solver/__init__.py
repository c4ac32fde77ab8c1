"""Best lay-down, distance to the contract, useful cards, tacks: pure functions over counts of cards."""

from __future__ import annotations

from kalooki_tui.solver.away import distance, useful_cards
from kalooki_tui.solver.lay import Laydown
from kalooki_tui.solver.lay_and_tack import best_lay, best_lay_of, tack_plan
from kalooki_tui.solver.laydowns import lay_choices, partition

__all__ = [
    "Laydown",
    "best_lay",
    "best_lay_of",
    "distance",
    "lay_choices",
    "partition",
    "tack_plan",
    "useful_cards",
]
