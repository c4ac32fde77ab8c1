"""How a seat plays, in the core as in Python: what its choices weigh, its level, what it has learnt."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from math import inf
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Style:
    """Weights of a club player's choices; found by measurement (`benchmarks/strength.py`)."""

    keep: float = 60.0
    """Points that losing every way to the contract is worth."""
    risk: float = 0.25
    """How much of a card's points counts against keeping it, before anybody has laid."""
    risk_laid: float = 0.5
    """How much it counts, for each seat that has laid."""
    take_gain: float = 1.0
    """How many times as good as a card from the stock the open card must be, where it brings the contract no nearer."""
    call_gain: float = inf
    """How many times as good it must be to be worth a call."""
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
    horizon: float = 12.0
    """How many cards it expects to choose from before the deal is decided."""
    leans: tuple[tuple[str, float], ...] = ()
    """Points by which an expert prefers kinds of choices (`players.learned.Choice`) beyond what practice taught. The
    core does not read them: its advice already contains them."""


#: The weights that the core reads, in order.
WEIGHTS: Final = tuple(field.name for field in dataclasses.fields(Style) if field.name != "leans")
_LEVELS: Final = ("club", "novice", "expert")


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """The experts' trees for a ruleset (`players.learned`), as the numbers that the core reads."""

    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CoreSeat:
    """A seat that the core plays."""

    style: Style = Style()
    level: Literal["club", "novice", "expert"] = "club"
    """The core decides at random what a novice overlooks."""
    advice: Advice | None = None
    """An expert's trees; None for other seats."""
    plans: int = 250
    """Ways to the contract that a choice weighs at most."""

    def numbers(self, advice: int) -> list[float]:
        """The style as the core reads it; `advice`: the core's number for this seat's advice, or 0."""
        weights = [getattr(self.style, name) for name in WEIGHTS]
        return [*weights, float(_LEVELS.index(self.level)), float(advice), float(self.plans)]


CLUB: Final = CoreSeat()
NOVICE: Final = CoreSeat(level="novice")
LIGHT: Final = CoreSeat(plans=60)
"""The club player in half the time, and by a hair weaker."""
