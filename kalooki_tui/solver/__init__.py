"""Best lay-down, distance to the contract, useful cards, tacks: pure functions over counts of cards."""

from __future__ import annotations

from kalooki_tui.solver.choices import lay_choices
from kalooki_tui.solver.distance import discard_distances, distance, useful_cards
from kalooki_tui.solver.lay import Laydown, best_lay
from kalooki_tui.solver.melds import arrange, partition
from kalooki_tui.solver.tacks import TackPlan, tack_plan

__all__ = [
    "Laydown",
    "TackPlan",
    "arrange",
    "best_lay",
    "discard_distances",
    "distance",
    "lay_choices",
    "partition",
    "tack_plan",
    "useful_cards",
]
