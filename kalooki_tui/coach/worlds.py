"""Suspects of a review played out over common worlds: hidden cards dealt anew from what the seat saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev
from typing import Final

from kalooki_tui.coach.reviewing import Judged
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.players.belief import Belief
from kalooki_tui.playouts import PlayoutFault, available, playouts

#: Worlds that a suspect is played out in: one half finds the best option, the other values it.
WORLDS: Final = 2000
#: Options that playouts compare.
MOST_WAYS: Final = 4


def played_out(judged: Judged, worlds: int = WORLDS, seed: str = "review") -> Judged:
    """The same decision over so many common worlds: the best option is found in one half and valued in the other.

    Without the core, or where it cannot play the moment, it stays as it is.
    """
    view, action = judged.decision.view, judged.decision.action
    ways = [action, *(one for one in judged.ranked if one != action)][:MOST_WAYS]
    if len(ways) < 2 or not available():
        return judged
    belief = Belief(view)
    try:
        drawn = belief.worlds(worlds, f"{seed}/{judged.decision.place}")
        margins = playouts(belief.start, drawn, [[way] for way in ways], seat=view.seat, seed=seed)
    except (ValueError, PlayoutFault, Refused):
        return judged
    half = worlds // 2
    best = min(range(len(ways)), key=lambda way: fmean(margins[way][:half]))
    if best == 0:
        return replace(judged, best=action, loss=0.0, error=_error([0.0, 0.0]))
    gains = [mine - other for mine, other in zip(margins[0][half:], margins[best][half:], strict=True)]
    return replace(judged, best=ways[best], loss=max(0.0, fmean(gains)), error=_error(gains))


def _error(gains: Sequence[float]) -> float:
    return stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
