"""Session of exercises, answered one after another until they are right, with help in steps. No screen and no clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from kalooki_tui.coach.exercises.definition import STEPS, Exercise, LearnerAnswer, Verdict, help_with
from kalooki_tui.engine.rules import Rules

#: Of the exercises, those that have to be right first time and without help for the second star: this many of ten.
CLEAN_OF_TEN: Final = 8


class ExerciseSource(Protocol):
    """Source of a session's exercises. Equal seeds give equal exercises."""

    @property
    def rules(self) -> Rules: ...

    @property
    def count(self) -> int | None:
        """Number of exercises; None: endless."""

    def make(self, number: int) -> Exercise:
        """Make an exercise, from 0, which may take half a second; raise ValueError if there is none."""


SourceT = TypeVar("SourceT", bound=ExerciseSource)


@dataclass(slots=True)
class Attempt:
    wrong: int = 0
    helped: int = 0
    seconds: float = 0.0
    right: bool = False
    given_up: bool = False

    @property
    def is_clean(self) -> bool:
        return self.right and not self.wrong and not self.helped

    @property
    def is_over(self) -> bool:
        return self.right or self.given_up


@dataclass
class PracticeSession(Generic[SourceT]):
    source: SourceT
    attempts: list[Attempt] = field(default_factory=lambda: [Attempt()])
    _made: dict[int, Exercise] = field(default_factory=dict)
    _help: tuple[str, str, str] | None = None

    @property
    def number(self) -> int:
        return len(self.attempts) - 1

    @property
    def attempt(self) -> Attempt:
        return self.attempts[-1]

    @property
    def exercise(self) -> Exercise:
        return self.prepare(self.number)

    @property
    def is_last(self) -> bool:
        return self.number + 1 == self.source.count

    @property
    def is_over(self) -> bool:
        return self.attempt.is_over and self.is_last

    @property
    def over(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.is_over]

    @property
    def clean(self) -> int:
        """Exercises that were right first time and without help."""
        return sum(attempt.is_clean for attempt in self.over)

    @property
    def is_clean(self) -> bool:
        return 10 * self.clean >= CLEAN_OF_TEN * len(self.over)

    def prepare(self, number: int) -> Exercise:
        """Make an exercise once, at best in advance."""
        if number not in self._made:
            self._made[number] = self.source.make(number)
        return self._made[number]

    def answer(self, answer: LearnerAnswer, seconds: float = 0.0) -> Verdict:
        verdict = self.exercise.judge(answer)
        attempt = self.attempt
        if not attempt.right:
            attempt.right, attempt.seconds = verdict.right, seconds
            attempt.wrong += not verdict.right
        return verdict

    @property
    def is_solved(self) -> bool:
        """Show the solution with a wrong answer: the first is told the reason alone."""
        return self.attempt.wrong > 1

    def help(self) -> str:
        """Take the next step of help; after the last, the last again."""
        if self._help is None:
            self._help = help_with(self.exercise)
        if not self.attempt.right:
            self.attempt.helped = min(STEPS, self.attempt.helped + 1)
        return self._help[max(1, self.attempt.helped) - 1]

    def give_up(self) -> None:
        self.attempt.given_up = True

    def go_on(self) -> None:
        """Open the next exercise; raise ValueError before an answer, or after the last."""
        if not self.attempt.is_over or self.is_last:
            raise ValueError("there is no next exercise yet")
        self._help = None
        self.attempts.append(Attempt())
