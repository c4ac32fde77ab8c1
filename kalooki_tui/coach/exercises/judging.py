"""Exercises of judgement, from moments of play: what to throw, whether to call, whether to allow a call.

Only moments are asked about in which the better choice is clear: a card that brings the contract nearer or does not,
a throw that is worth five points more than every card that counts as wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Self

from kalooki_tui.coach.exercises.model import RIGHT, Answer, Exercise, How, Say, Verdict
from kalooki_tui.coach.hinting import hint_at
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Action, Allow, Discard, Pass
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.differences import has_card
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, assess
from kalooki_tui.judging.recommending import difference
from kalooki_tui.players import make_player
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: Points by which a right throw is better than a wrong one.
MARGIN: Final = 5.0
#: Throws this much worse than the best are right as well.
AS_GOOD: Final = 1.0
#: Decisions of a deal that are looked at for one to ask about.
MOST_DECISIONS: Final = 120
NAMES: Final = (FIRST_NAME, *AI_NAMES)
#: Facts that make a choice about the open card clear: for having it, and for leaving it.
WANTED: Final = frozenset({"call-nearer", "call-completes", "take-nearer", "take-completes", "out", "out-double"})
LEFT: Final = frozenset({"no-nearer", "call-in-vain", "ready"})


@dataclass(frozen=True, kw_only=True)
class Judging(Exercise):
    """A decision of a seat that has not laid."""

    how: ClassVar[How] = How.OPTION
    weight: ClassVar[int] = 2
    phases: ClassVar[tuple[Phase, ...]]
    proven: tuple[Answer, ...] = ()
    """The answers that playouts have shown to be right; empty: those of the coach."""

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """The first decision of the kind, after a few that are skipped, in a deal of club players."""
        skipped = dice.randrange(6)
        for view in _decisions(rules, deal, str(dice.random())):
            if has_laid(view, view.seat):
                break
            if view.phase in cls.phases and cls.is_clear(view):
                if skipped == 0:
                    return cls.of(view)
                skipped -= 1
        return None

    @classmethod
    def of(cls, view: View) -> Self:
        """The decision of a view."""
        return cls(rules=view.rules, deal=view.deal, hand=tuple(sorted(view.hand)), table=view.melds, view=view)

    @classmethod
    def is_clear(cls, view: View) -> bool:
        """Whether the coach finds one choice clearly better."""
        if len(view.legal) < 2:
            return False
        return assess(Situation(view)).fact.case in WANTED | LEFT

    @classmethod
    def is_possible(cls, rules: Rules, deal: int) -> bool:
        """Whether there are calls, and somebody else who could make one."""
        return bool(rules.ruleset.calls.limit) and rules.seats > 2 and rules.ruleset.draw.offer != "flip"

    @property
    def moment(self) -> View:
        """The decision as its seat sees it."""
        assert self.view is not None
        return self.view

    @cached_property
    def assessment(self) -> Assessment:
        """The moment, weighed."""
        return assess(Situation(self.moment))

    def judge(self, answer: Answer) -> Verdict:
        """The fact that speaks for the right answer is the reason."""
        right = self.solutions()[0]
        if answer == right:
            return RIGHT
        better, other = self._action(right), self._action(Answer(option=1 - (right.option or 0)))
        situation = Situation(self.moment)
        fact = difference(situation, better, other)
        if not fact.explains:  # where nothing can be counted, both are right
            return RIGHT
        return Verdict(False, None, Say("mend-judged", {"reason": reason(situation, fact)}))

    @property
    def right_action(self) -> Action:
        """What the first right answer does."""
        return self._action(self.solutions()[0])

    def _action(self, answer: Answer) -> Action:
        """The action that an option stands for: having the open card, or leaving it."""
        return next(action for action in self.moment.legal if has_card(action) == (answer.option == 0))

    def solutions(self) -> Sequence[Answer]:
        """The first option if the card is wanted, else the second."""
        if self.proven:
            return self.proven
        return [Answer(option=0 if self.assessment.fact.case in WANTED else 1)]

    @property
    def help(self) -> tuple[Say, ...]:
        """The coach's hint to what is right, which ends with its reason."""
        return tuple(Say("told", {"text": text}) for text in hint_at(self.moment, self.right_action).steps)


def answer_of(action: Action) -> Answer:
    """What an action answers to an exercise of judgement."""
    if isinstance(action, Discard):
        return Answer((action.card,))
    return Answer(option=1 if isinstance(action, Pass | Allow) else 0)


def begun(rules: Rules, number: int, seed: str) -> Deal:
    """The deal of a seed, in which the learner is the first to act."""
    deal = Deal.blank(rules, NAMES[: rules.seats], number, rules.seats - 1, 0, f"exercise/{seed}")
    deal.begin()
    return deal


def _decisions(rules: Rules, number: int, seed: str) -> Iterator[View]:
    """The decisions of the first seat in a deal of club players, as it saw them; played no further than asked for."""
    deal = begun(rules, number, seed)
    player = make_player("club", "exercise")
    for _ in range(MOST_DECISIONS):
        if deal.actor is None:
            return
        view = deal.view(deal.actor)
        if deal.actor == 0:
            yield view
        deal.apply(player.decide(view).action)
