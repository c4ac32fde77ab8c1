"""Chances that are learnt from self-play: who lays when, how long a deal still goes on.

The tables are made by `lab/calibrate_coach.py` and shipped as data, a file a ruleset; a ruleset without a file of
its own is judged by the default ruleset's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

#: Cards away, others laid and others not laid are told apart up to these numbers.
MOST_AWAY: Final = 5
MOST_OTHERS: Final = 4
#: Turns ahead that are told apart.
TURNS: Final = 3
FOLDER: Final = "tables"
#: Whose tables judge a ruleset that has none.
DEFAULT_RULESET: Final = "jamaican"


@dataclass(frozen=True, slots=True)
class Cell:
    """How often something happened."""

    count: int
    """Situations counted."""
    happened: int

    @property
    def chance(self) -> float:
        """The share, drawn a little towards a half where little was counted."""
        return (self.happened + 1) / (self.count + 2)


@dataclass(frozen=True, slots=True)
class Chances:
    """The tables of one ruleset and number of seats."""

    ends: tuple[Cell, ...]
    """Somebody else goes out before my next turn, by how many others have laid."""
    lays: tuple[tuple[Cell, ...], ...]
    """I lay within 1, 2, 3 turns (second index), by cards away from 1 (first index)."""
    shares: tuple[float, ...]
    """Share of the unseen cards that bring a hand nearer, on average, by cards away from 1."""

    def end_before_turn(self, others_laid: int) -> float:
        """Chance that somebody goes out before my next turn."""
        return self.ends[min(others_laid, len(self.ends) - 1)].chance

    def lay_within(self, away: int, turns: int, share: float | None = None) -> float:
        """Chance to lay within 1 to 3 turns; `share`: the share of the unseen cards that help, the average if None.

        However many cards help, a hand is never better than one that is a card nearer, nor worse than one further.
        """
        if away == 0:
            return 1.0
        here = self._lays(away, turns)
        if share is None:
            return here
        usual = self.shares[min(away, len(self.shares)) - 1] or share or 1.0
        better = share / (share + usual) - 0.5
        beyond = self._lays(away - 1 if better > 0 else away + 1, turns)
        return here + (beyond - here) * abs(better)

    def _lays(self, away: int, turns: int) -> float:
        if away <= 0:
            return 1.0
        if away > len(self.lays):
            return 0.0
        # A hand further away is never likelier to lay, however little was counted of it.
        return min(row[min(turns, TURNS) - 1].chance for row in self.lays[:away])


def chances_for(ruleset: str, seats: int) -> Chances:
    """The tables of a ruleset at so many seats, or the nearest number of seats there is."""
    tables = _tables(ruleset) or _tables(DEFAULT_RULESET)
    return tables[min(tables, key=lambda count: (abs(count - seats), count))]


@cache
def _tables(ruleset: str) -> dict[int, Chances]:
    path = resources.files("kalooki_tui.judging") / FOLDER / f"{ruleset}.json"
    if not path.is_file():
        return {}
    data = json.loads(path.read_text(encoding="utf-8"))
    return {int(seats): _chances(table) for seats, table in data["seats"].items()}


def _chances(table: Mapping[str, Any]) -> Chances:
    return Chances(
        ends=_cells(table["ends"]),
        lays=tuple(_cells(row) for row in table["lays"]),
        shares=tuple(table["shares"]),
    )


def _cells(pairs: Sequence[Sequence[int]]) -> tuple[Cell, ...]:
    return tuple(Cell(count, happened) for count, happened in pairs)
