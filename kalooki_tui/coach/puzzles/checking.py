"""Whether the answer to a puzzle of judgement is clearly right: all its answers are played out over common worlds.

The coach chooses what is asked and what is right, without a playout. So the worlds that check an answer made no part
of its choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final, TypeAlias

from kalooki_tui.coach.exercises.judging import MARGIN, Judging
from kalooki_tui.coach.puzzles.panel import answer_of
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.view import Phase
from kalooki_tui.players.belief import Belief
from kalooki_tui.playouts import playouts
from kalooki_tui.values import dataclass

#: Worlds after which it is asked whether an answer is clear. After the last it is not.
LOOKS: Final = (60, 200, 600)
#: Points that an answer must be better than a wrong one by, and by how many standard errors beyond. Three, since it is
#: asked more than once.
CLEARLY: Final = (MARGIN, 3.0)
#: The same of other answers that count as right.
AT_ALL: Final = (0.0, 2.0)


Demand: TypeAlias = tuple[float, float]
"""Points, and standard errors beyond them."""


@dataclass(frozen=True, slots=True)
class Lead:
    """What a right answer is better than a wrong one by, in points a deal."""

    mean: float
    deviation: float
    """Of one world."""
    worlds: int

    def error(self, worlds: int = 0) -> float:
        """The standard error of the mean, or what it would be in so many worlds."""
        return self.deviation / sqrt(worlds or self.worlds)

    def is_beyond(self, points: float, errors: float, worlds: int = 0) -> bool:
        """Whether it is more than these points by so many standard errors."""
        return self.mean - errors * self.error(worlds) > points


class Trial:
    """The answers to a puzzle, played out in more and more common worlds; the same seed gives the same worlds."""

    def __init__(self, exercise: Judging, seed: str, *, threads: int = 1) -> None:
        view = exercise.view
        assert view is not None
        self.seat, self.seed, self.threads = view.seat, seed, threads
        self.belief, self.worlds = Belief(view), 0
        answers = [act for act in view.legal if view.phase is not Phase.PLAY or isinstance(act, Discard)]
        right = exercise.solutions()
        self.right: list[Action] = [action for one in right for action in answers if answer_of(action) == one]
        self.wrong: list[Action] = [action for action in answers if answer_of(action) not in right]
        """Those that are not settled yet."""
        self._margins: dict[Action, list[float]] = {action: [] for action in answers}

    def play(self, worlds: int) -> None:
        """Play on until there have been so many worlds.

        Raises:
            PlayoutFault: there is no native core, or it cannot play this contract.
        """
        seed, count = f"{self.seed}/{self.worlds}", worlds - self.worlds
        drawn = self.belief.worlds(count, seed, threads=self.threads)
        open_ones = [*self.right, *self.wrong]
        ways = [[action] for action in open_ones]
        found = playouts(self.belief.start, drawn, ways, seat=self.seat, seed=seed, threads=self.threads)
        for action, margins in zip(open_ones, found, strict=True):
            self._margins[action] += margins
        self.worlds = worlds

    def means(self) -> dict[Action, float]:
        """What each answer comes to, in points a deal; lower is better."""
        return {action: fmean(margins) for action, margins in self._margins.items()}

    def leads(self) -> list[Lead]:
        """Of each right answer over each wrong one that is not settled."""
        return [lead for wrong in self.wrong for lead in self._over(wrong)]

    def settle(self, first: Demand = CLEARLY, others: Demand = AT_ALL) -> bool:
        """Play no wrong answer further that every right one has such a lead over, the first of them one and the others
        another. Whether none is left."""
        self.wrong = [wrong for wrong in self.wrong if not self._lead(wrong, first, others, self.worlds)]
        return not self.wrong

    def may_settle(self, worlds: int) -> bool:
        """Whether all would be settled after so many worlds, if it went on like this."""
        return all(self._lead(wrong, CLEARLY, AT_ALL, worlds) for wrong in self.wrong)

    def _lead(self, wrong: Action, first: Demand, others: Demand, worlds: int) -> bool:
        best, *rest = self._over(wrong)
        return best.is_beyond(*first, worlds) and all(lead.is_beyond(*others, worlds) for lead in rest)

    def _over(self, wrong: Action) -> Sequence[Lead]:
        found = []
        for right in self.right:
            gains = [its - own for own, its in zip(self._margins[right], self._margins[wrong], strict=True)]
            found.append(Lead(fmean(gains), stdev(gains), len(gains)))
        return found


def is_clear(exercise: Judging, seed: str, *, threads: int = 1) -> bool:
    """Whether the answer is more than five points better than every wrong one, by three standard errors; of several
    that are right the first one is, and the others are better than every wrong one by two.

    Raises:
        PlayoutFault: there is no native core, or it cannot play this contract.
    """
    trial = Trial(exercise, seed, threads=threads)
    for worlds in LOOKS:
        trial.play(worlds)
        if trial.settle():
            return True
        if not trial.may_settle(LOOKS[-1]):
            return False
    return False
