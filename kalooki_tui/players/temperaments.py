"""Temperaments: the same player in another mood, for a table whose seats play differently.

Each bends the weights of a club or expert player so little that its strength stays the level's (`docs/performance.md`).
"""

from __future__ import annotations

from math import inf
from typing import Final

from kalooki_tui.values import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """What a club player's choices weigh; found by measurement (`benchmarks/strength.py`)."""

    keep: float = 60.0
    """Points that losing every way to the contract is worth."""
    risk: float = 0.25
    """How much of a card's points counts against keeping it, before anybody has laid."""
    risk_laid: float = 0.5
    """The same for each seat that has laid."""
    take_gain: float = 1.0
    """How many times as good as a card from the stock the open card must be, where it brings the contract no nearer."""
    call_gain: float = inf
    """The same for a call."""
    pair: float = 0.0
    """Points that keeping one of a pair is worth, where the contract may take a set."""
    hold: float = 0.0
    """How often a complete contract with few cards over is held back, while nobody has laid, in hope of going out."""
    feed: float = 2.0
    """Points that one seat's wish for a discard is worth."""
    meld: float = 20.0
    """Points that a meld is worth, where the contract asks for points."""
    laid_meld: float = 20.0
    """Points that a further meld is worth, once laid."""
    laid_near: float = 4.0
    """Points that a card one short of fitting on the table is worth, once laid."""
    leans: tuple[tuple[str, float], ...] = ()
    """Kinds of choices (`players.learned.Choice`) that an expert thinks so many points better than practice taught."""


STYLES: Final[dict[str, Style]] = {
    # Wants the open card: calls and takes what merely opens more ways, and so refuses more of the others' calls.
    "caller": Style(call_gain=2.0, take_gain=0.7, leans=(("call", 4.0),)),
    # Minds points in the hand less, parts from pairs later, and may wait with a contract to go out whole.
    "hoarder": Style(risk=0.15, risk_laid=0.35, pair=2.0, hold=0.5, leans=(("lay", -4.0),)),
    # Rids the hand of points early, and once laid keeps little for melds and runs to come.
    "racer": Style(risk=0.5, risk_laid=0.9, laid_meld=12.0, laid_near=2.0, leans=(("lay", 4.0),)),
}
