"""What a learner looks back on after a coached deal: the decisions that gave up most, each to be played again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.costs import WARNED, cost_of
from kalooki_tui.desk.table.taking_back import Decision

#: Decisions that are looked back on.
MOST: Final = 3


@dataclass(frozen=True, slots=True)
class Dear:
    """A decision that gave something up."""

    place: int
    said: str
    is_overruled: bool
    """Whether it was made against a warning."""

    @property
    def words(self) -> str:
        """What it gave up, in a sentence or two."""
        return f"{self.said} {sentences('course')['recap']['overruled']}" if self.is_overruled else self.said


def dearest(decisions: Iterable[Decision], *, warned: bool) -> tuple[Dear, ...]:
    """The decisions of a deal that gave up most, overruled warnings first; `warned`: the coach warned of any.

    By facts alone, as everything the coach says of such a deal. It takes some tens of milliseconds a decision.
    """
    found: list[tuple[float, Dear]] = []
    for one in decisions:
        try:
            cost = cost_of(one.view, one.action, worlds=0)
        except ValueError:
            continue
        if cost is not None:
            is_overruled = warned and isinstance(one.action, WARNED) and bool(cost.warning)
            found.append((cost.lost, Dear(one.place, cost.words, is_overruled)))
    found.sort(key=lambda one: (one[1].is_overruled, one[0]), reverse=True)
    return tuple(dear for _, dear in found[:MOST])
