"""The kinds of exercise: what each shows and asks, how it is answered, judged and helped with.

The sentences of a kind are in `texts/en/exercises/`, in the file named after it. To add a kind is to add it here too.
"""

from __future__ import annotations

from typing import Final

from kalooki_tui.coach.exercises.kinds.cards import (
    Away,
    Best,
    Build,
    Complete,
    Contracts,
    Cost,
    Helps,
    Repair,
    Spot,
    Valid,
)
from kalooki_tui.coach.exercises.kinds.moments import Allowing, Calling, LayOrWait, May, Throwing
from kalooki_tui.coach.exercises.kinds.table import Fit, Out, SwapTo, TackChain
from kalooki_tui.coach.exercises.model import Exercise

KINDS: Final[dict[str, type[Exercise]]] = {
    one.kind: one
    for one in (
        Allowing, Away, Best, Build, Calling, TackChain, Complete, Contracts, Cost, Helps, May, Out, Repair, Spot,
        SwapTo, Fit, Throwing, Valid, LayOrWait,
    )
}  # fmt: skip
