"""Lay so that as little as possible stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.kinds.build import Build
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Say, Verdict
from kalooki_tui.engine.actions import Group
from kalooki_tui.solver import Laydown, best_lay
from kalooki_tui.solver.lay import goes_out


@dataclass(frozen=True, kw_only=True)
class Best(Build):
    """Lay so that as few points as possible stay in the hand (L1, L2, L5, M8)."""

    kind: ClassVar[str] = "best"
    weight: ClassVar[int] = 3

    @property
    def _best(self) -> Laydown:
        found = best_lay(self.rules, self.contract, self.hand, prefer_out=False)
        assert found is not None
        return found

    @property
    def least(self) -> int:
        """The fewest points that a lay-down leaves."""
        return self._best.points_left

    def left_by(self, groups: Sequence[Group]) -> tuple[Card, ...]:
        """What stays in the hand after laying these."""
        held = Counter(self.hand)
        held.subtract(card for group in groups for card in group.cards)
        return tuple(held.elements())

    def judge(self, answer: Answer) -> Verdict:
        """A lay-down that the rules take and that leaves no more than must be, or goes out, is right."""
        verdict = super().judge(answer)
        if not verdict.right:
            return verdict
        left, best = self.left_by(answer.groups), self._best
        if goes_out(self.rules, left) or self.rules.points(left) <= best.points_left:
            return RIGHT
        slots = {
            "left": self.symbols(left), "points": self.rules.points(left), "least": best.points_left,
            "good": self.in_groups(best.groups),
        }  # fmt: skip
        return Verdict(False, None, Say("leaves", slots), Say("better", slots))

    def solutions(self) -> Sequence[Answer]:
        """The best lay-down."""
        return [Answer(groups=self._best.groups)]
