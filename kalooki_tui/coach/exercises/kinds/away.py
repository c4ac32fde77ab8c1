"""Count the cards that a contract lacks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.drawing import hand_at
from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.engine.rules import Rules
from kalooki_tui.solver import distance
from kalooki_tui.solver.witness import nearest_plan

#: Distances that can be answered.
FARTHEST: Final = 5


@dataclass(frozen=True, kw_only=True)
class Away(Exercise):
    """Say how many cards the hand is from its contract."""

    kind: ClassVar[str] = "away"
    how: ClassVar[How] = How.OPTION
    keys: ClassVar[str] = "".join(map(str, range(FARTHEST + 1)))

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """A hand within reach, each distance as likely as another."""
        hand = hand_at(rules, deal, dice, dice.randint(1, 4))
        return None if hand is None else cls(rules=rules, deal=deal, hand=hand)

    @property
    def options(self) -> tuple[Say, ...]:
        """The numbers from none on."""
        return tuple(Say("number", {"number": number}) for number in range(FARTHEST + 1))

    @property
    def away(self) -> int:
        """The distance."""
        return distance(self.rules, self.contract, self.hand)

    def judge(self, answer: Answer) -> Verdict:
        """The exact number is right; the plan shows why."""
        if answer.option == self.away:
            return RIGHT
        plan = nearest_plan(self.rules, self.contract, self.hand)
        if plan is None:
            return Verdict(False, solution=Say("far", {"away": self.away}))
        slots = {
            "said": answer.option,
            "away": self.away,
            "held": held_of(self, self.hand),
            "lacks": self.symbols([lack.cards[0] for meld in plan.melds for lack in meld.lacks]),
        }
        reason = "more" if answer.option is not None and answer.option < self.away else "fewer"
        return Verdict(False, None, Say(reason, slots), Say("lacks" if self.away else "none", slots))

    def solutions(self) -> Sequence[Answer]:
        """The one number."""
        return [Answer(option=self.away)]

    @property
    def clues(self) -> dict[str, object]:
        """What goes together already."""
        return {"held": held_of(self, self.hand)}


def held_of(exercise: Exercise, hand: Sequence[Card]) -> str:
    """The parts of melds that a hand holds, by its nearest plan."""
    plan = nearest_plan(exercise.rules, exercise.contract, hand)
    return "" if plan is None else " | ".join(exercise.symbols(meld.held) for meld in plan.melds if meld.held)
