"""Lay so that as little as possible stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.coach.exercises.kinds.build import Build
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Say, Verdict
from kalooki_tui.coach.exercises.weak import naturals
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.rules import Rules
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

    def weak(self, rule: str) -> Answer | None:
        """Melds without jokers: the first that come, or the dearest first."""
        if rule == "first-fit":
            return self._laid(lambda group: 0)
        return self._laid(lambda group: -self.rules.points(group.cards)) if rule == "greedy" else None

    def _laid(self, key: Callable[[Group], float]) -> Answer:
        """Melds without jokers, one after another in the order of the key, until the contract is there."""
        left, groups = Counter(self.hand), list[Group]()
        wanted: dict[Kind | None, int] = {Kind.SET: self.contract.sets, Kind.RUN: self.contract.runs}
        for group in sorted(_melds(self.rules, self.hand), key=key):
            if wanted[group.kind] and not Counter(group.cards) - left:
                wanted[group.kind] -= 1
                left -= Counter(group.cards)
                groups.append(group)
        return Answer(groups=tuple(groups))


def _melds(rules: Rules, hand: Sequence[Card]) -> list[Group]:
    """Sets of all cards of a rank and runs as long as they go, from the lowest card up."""
    held, found = Counter(naturals(hand)), list[Group]()
    for card in sorted(held, key=lambda card: (RANK[card], SUIT[card])):
        same = [own for own in sorted(held.elements()) if RANK[own] == RANK[card]]
        if same[0] == card and len(same) >= rules.ruleset.sets.minimum:
            found.append(Group(tuple(same), Kind.SET))
        run = [card]
        while SUIT[run[-1] + 1] == SUIT[card] and run[-1] + 1 in held and run[-1] + 1 != JOKER:
            run.append(run[-1] + 1)
        if len(run) >= rules.ruleset.runs.minimum:
            found.append(Group(tuple(run), Kind.RUN))
    return found
