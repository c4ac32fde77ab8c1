"""Temperaments: the same player in another mood, for a table whose seats play differently.

Each bends the weights of a club or expert player so little that its strength stays the level's (`docs/performance.md`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kalooki_tui.playouts.seats import Style

#: What a temperament weighs otherwise.
TEMPERAMENTS: Final[Mapping[str, Mapping[str, Any]]] = {
    # Wants the open card: calls and takes what merely opens more ways, and so refuses more of the others' calls.
    "caller": {"call_gain": 2.0, "take_gain": 0.7, "leans": (("call", 4.0),)},
    # Minds points in the hand less, parts from pairs later, and may wait with a contract to go out whole.
    "hoarder": {"risk": 0.15, "risk_laid": 0.35, "pair": 2.0, "hold": 0.5, "leans": (("lay", -4.0),)},
    # Rids the hand of points early, and once laid keeps little for melds and runs to come.
    "racer": {"risk": 0.5, "risk_laid": 0.9, "laid_meld": 12.0, "laid_near": 2.0, "leans": (("lay", 4.0),)},
}


def style_of(temperament: str) -> Style:
    # Whoever only names temperaments, as the first screen does, need not load what plays.
    from kalooki_tui.playouts.seats import Style

    return Style(**TEMPERAMENTS.get(temperament, {}))
