"""Whether the answer to a puzzle of judgement is clearly right: all its answers are played out over common worlds.

The coach chooses what is asked and what is right, without a playout. So the worlds that check an answer made no part
of its choice.
"""

from __future__ import annotations

from statistics import fmean
from typing import Final, TypeAlias

from kalooki_tui.coach.exercises.kinds.moments import MARGIN, Judging, answer_of
from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.engine.view import Phase
from kalooki_tui.players.belief import Belief
from kalooki_tui.playouts.means import Mean, mean_gain

#: Worlds after which it is asked whether an answer is clear. After the last it is not.
LOOKS: Final = (60, 200, 600)
#: Points that an answer must be better than a wrong one by, and by how many standard errors beyond. Three, since it is
#: asked more than once.
CLEARLY: Final = (MARGIN, 3.0)
#: The same of other answers that count as right.
AT_ALL: Final = (0.0, 2.0)


Demand: TypeAlias = tuple[float, float]
"""Points, and standard errors beyond them."""


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
        open_ones = [*self.right, *self.wrong]
        found = self.belief.played_out([[action] for action in open_ones], count, seed, threads=self.threads)
        for action, by_world in zip(open_ones, found, strict=True):
            self._margins[action] += [ending.margin(self.seat) for ending in by_world]
        self.worlds = worlds

    def means(self) -> dict[Action, float]:
        """What each answer comes to, in points a deal; lower is better."""
        return {action: fmean(margins) for action, margins in self._margins.items()}

    def leads(self) -> list[Mean]:
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
        return best.after(worlds).is_beyond(*first) and all(lead.after(worlds).is_beyond(*others) for lead in rest)

    def _over(self, wrong: Action) -> list[Mean]:
        return [mean_gain(self._margins[right], self._margins[wrong]) for right in self.right]


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
