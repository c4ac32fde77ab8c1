"""Throw a card that is worth least to the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.judging import AS_GOOD, MARGIN, Judging
from kalooki_tui.coach.exercises.model import RIGHT, Answer, How, Say, Verdict
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import DISCARD, Action, Discard
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.differences import of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import assess


@dataclass(frozen=True, kw_only=True)
class Throwing(Judging):
    """Throw a card that is worth least to the hand (S1)."""

    kind: ClassVar[str] = "throw"
    how: ClassVar[How] = How.CARD
    command: ClassVar[str] = "discard"
    weight: ClassVar[int] = 4
    phases: ClassVar[tuple[Phase, ...]] = (Phase.PLAY,)

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Something is thrown in every game."""
        return True

    @classmethod
    def is_clear(cls, view: View) -> bool:
        """Whether no throw lies between right and wrong, and half of them at least are wrong."""
        options = assess(Situation(view)).options
        if len(options) < 4 or not isinstance(options[0].action, Discard):
            return False
        best = options[0].worth
        if any(AS_GOOD < best - option.worth < MARGIN for option in options):
            return False
        return sum(best - option.worth >= MARGIN for option in options) >= len(options) // 2

    def judge(self, answer: Answer) -> Verdict:
        """Every throw as good as the best is right, and one that no fact tells from it."""
        if len(answer.cards) == 1 and answer in self.solutions():
            return RIGHT
        solution = Say("mend-throw", {"good": self._good})
        if len(answer.cards) != 1:
            return Verdict(False, solution=solution)
        refusal = self._refusal(answer.cards[0])
        if refusal is not None:
            return Verdict(False, refusal, solution=solution)
        why = self._why(answer.cards[0])
        return Verdict(False, None, Say("mend-judged", {"reason": why}), solution) if why else RIGHT

    def _action(self, answer: Answer) -> Action:
        """The throw of the card."""
        return DISCARD[self.moment.seat][answer.cards[0]]

    def _why(self, card: Card) -> str:
        """What the card that was chosen is for, beside the right throw that shows it best; empty: no fact says so."""
        situation = Situation(self.moment)
        facts = (of_throws(situation, right.cards[0], card) for right in self.solutions())
        fact = next((fact for fact in facts if fact.explains), None)
        return "" if fact is None else reason(situation, fact)

    def _refusal(self, card: Card) -> Refusal | None:
        """Why the card may not be thrown at all."""
        if any(isinstance(action, Discard) and action.card == card for action in self.moment.legal):
            return None
        return Refusal("discard.joker", "S1", "A joker may not be thrown.")

    @property
    def _good(self) -> str:
        return self.symbols([one.cards[0] for one in self.solutions()])

    def solutions(self) -> Sequence[Answer]:
        """The throws as good as the best."""
        if self.proven:
            return self.proven
        options = self.assessment.options
        return [Answer(option.cards) for option in options if options[0].worth - option.worth <= AS_GOOD]
