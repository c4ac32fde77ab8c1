"""How far hands usually are from their contract before it is laid, by deal, own turns and calls.

The counts come from matches of club players among themselves (`lab/count_distances.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract

#: Later turns and further calls are counted with these.
MOST_TURNS: Final = 12
MOST_CALLS: Final = 3
#: Hands a cell should have been counted from; what lacks comes from its neighbours.
ENOUGH: Final = 40
#: The ruleset whose tables serve one that has none of its own, where it has the same contract.
USUAL: Final = "jamaican"

Cells = tuple[tuple[tuple[int, ...], ...], ...]
"""By turns and calls: counts of the distances from 0 up."""


def folder() -> Path:
    return Path(str(files("kalooki_tui"))) / "players" / "tables"


@lru_cache(maxsize=16)
def _deals(ruleset: str) -> tuple[Cells, ...]:
    path = folder() / f"{ruleset}.json"
    if not path.is_file():
        return ()
    deals = json.loads(path.read_text(encoding="utf-8"))["deals"]
    return tuple(tuple(tuple(tuple(counts) for counts in rows) for rows in turns) for turns in deals)


def _cells(rules: Rules, deal: int, contract: Contract) -> Cells:
    """The counts of a contract; those of the usual ruleset where this one has none."""
    own = _deals(rules.ruleset.id)
    if own:
        return own[min(deal, len(own)) - 1]
    kinds = [(3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
    asked = (contract.sets, contract.runs)
    return _deals(USUAL)[kinds.index(asked)] if asked in kinds and not contract.points else ()


@lru_cache(maxsize=4096)
def _pooled(cells: Cells, turns: int, calls: int) -> tuple[int, ...]:
    """The counts of a cell, and as far as they are few, those of its neighbours in turns, then in calls."""
    total: list[int] = []
    order = sorted(
        ((turn, call) for turn in range(len(cells)) for call in range(len(cells[turn]))),
        key=lambda cell: (2 * abs(cell[1] - calls) + abs(cell[0] - turns), cell),
    )
    for turn, call in order:
        if sum(total) >= ENOUGH:
            break
        counts = cells[turn][call]
        total += [0] * (len(counts) - len(total))
        for away, count in enumerate(counts):
            total[away] += count
    return tuple(total)


def usual_distances(rules: Rules, deal: int, contract: Contract, turns: int, calls: int) -> Sequence[int]:
    """How often a hand was each number of cards away (from 0 up); empty where nobody has counted."""
    cells = _cells(rules, deal, contract)
    return _pooled(cells, min(turns, MOST_TURNS), min(calls, MOST_CALLS)) if cells else ()
