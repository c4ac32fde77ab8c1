"""How a seat plays, in the core as in Python: what its choices weigh, its level, what it has learnt."""

from __future__ import annotations

import dataclasses
from math import inf
from typing import Final, Literal

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
    horizon: float = 12.0
    """How many cards it expects to choose from before the deal is decided."""
    leans: tuple[tuple[str, float], ...] = ()
    """Kinds of choices (`players.learned.Choice`) that an expert thinks so many points better than practice taught. The
    core does not read them: they are in its advice."""


#: The weights that the core reads, in order.
WEIGHTS: Final = tuple(field.name for field in dataclasses.fields(Style) if field.name != "leans")
_LEVELS: Final = ("club", "novice", "expert")


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """What experts have learnt by a ruleset (`players.learned`), as the numbers that the core reads."""

    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CoreSeat:
    """A seat that the core plays."""

    style: Style = Style()
    level: Literal["club", "novice", "expert"] = "club"
    """What a novice overlooks is left to the core's own chance."""
    advice: Advice | None = None
    """What an expert has learnt, if it has."""
    plans: int = 250
    """Ways to the contract that a choice weighs at most."""

    def numbers(self, advice: int) -> list[float]:
        """As the core reads them; `advice`: the number by which it knows this seat's, or 0."""
        weights = [getattr(self.style, name) for name in WEIGHTS]
        return [*weights, float(_LEVELS.index(self.level)), float(advice), float(self.plans)]


CLUB: Final = CoreSeat()
NOVICE: Final = CoreSeat(level="novice")
LIGHT: Final = CoreSeat(plans=60)
"""The club player in half the time, and by a hair weaker."""
