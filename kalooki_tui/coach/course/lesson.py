"""A lesson: exercises one after another, answered until they are right, with help in steps. No screen and no clock.

A driver without a screen passes it as a person does: `exercise`, `answer`, `help`, `go_on`, `result`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from kalooki_tui.coach.course.chapter import Chapter, Step, fill
from kalooki_tui.coach.exercises.helping import STEPS, help_with
from kalooki_tui.coach.exercises.making import code_of, kinds_for, make_exercise
from kalooki_tui.coach.exercises.model import Answer, Exercise, Verdict
from kalooki_tui.coach.exercises.posed import pose
from kalooki_tui.engine.rules import Rules
from kalooki_tui.values import dataclass

#: Seeds that are tried for an exercise that is as its step wants it; the last is taken as it is.
MOST_SEEDS: Final = 200
#: Of the exercises, those that have to be right first time and without help for the second star: this many of ten.
CLEAN_OF_TEN: Final = 8
#: Exercises of a practice.
PRACTICE: Final = 10


@dataclass(frozen=True, slots=True)
class Task:
    """What an exercise of a lesson is made of."""

    chapter: str
    """The chapter whose step it is: the lesson's own, or an earlier one."""
    step: Step
    taught: frozenset[str] = frozenset()
    """The clauses taught by then: what is refused is refused by one of them. Empty: by any."""

    @property
    def skill(self) -> str:
        """What it trains: ``runs/spot``."""
        return f"{self.chapter}/{self.step.kind}"


@dataclass(slots=True)
class Attempt:
    """How an exercise went."""

    task: Task
    wrong: int = 0
    helped: int = 0
    """Steps of help taken."""
    seconds: float = 0.0
    right: bool = False

    @property
    def is_clean(self) -> bool:
        """Right at once and without help."""
        return self.right and not self.wrong and not self.helped


@dataclass(frozen=True, slots=True)
class Result:
    """What a lesson has come to."""

    attempts: tuple[Attempt, ...]

    @property
    def clean(self) -> int:
        """Exercises that were right first time and without help."""
        return sum(attempt.is_clean for attempt in self.attempts)

    @property
    def is_clean(self) -> bool:
        """Enough for the second star."""
        return 10 * self.clean >= CLEAN_OF_TEN * len(self.attempts)


@dataclass
class Lesson:
    """The exercises of a chapter, or of what is due, for one sitting. Equal seeds give equal exercises."""

    rules: Rules
    tasks: tuple[Task, ...]
    seed: str
    chapter: Chapter | None = None
    """None: practice of what is due."""
    attempts: list[Attempt] = field(default_factory=list)
    _made: dict[int, tuple[Exercise, str]] = field(default_factory=dict)
    _help: tuple[str, str, str] | None = None

    def __post_init__(self) -> None:
        """Begin with the first exercise."""
        if not self.tasks:
            raise ValueError("a lesson needs exercises")
        self.attempts.append(Attempt(self.tasks[0]))

    @property
    def number(self) -> int:
        """Place of the exercise that is open, from 0."""
        return len(self.attempts) - 1

    @property
    def attempt(self) -> Attempt:
        """How the exercise that is open goes."""
        return self.attempts[-1]

    @property
    def exercise(self) -> Exercise:
        """The exercise that is open."""
        return self.prepare(self.number)[0]

    @property
    def code(self) -> str:
        """Its code, by which it is found again."""
        return self.prepare(self.number)[1]

    @property
    def is_over(self) -> bool:
        """Whether the last exercise has been answered."""
        return self.attempt.right and self.number == len(self.tasks) - 1

    @property
    def result(self) -> Result:
        """What it has come to, of the exercises that were answered."""
        return Result(tuple(attempt for attempt in self.attempts if attempt.right))

    def prepare(self, number: int) -> tuple[Exercise, str]:
        """An exercise and its code, made once: some take a good part of a second, so make the next one in advance."""
        if number not in self._made:
            self._made[number] = _make(self.rules, self.tasks[number], f"{self.seed}{number}")
        return self._made[number]

    def answer(self, answer: Answer, seconds: float = 0.0) -> Verdict:
        """Judge an answer; `seconds` is how long it took since the exercise was shown."""
        verdict = self.exercise.judge(answer)
        attempt = self.attempt
        if not attempt.right:
            attempt.right, attempt.seconds = verdict.right, seconds
            attempt.wrong += not verdict.right
        return verdict

    def help(self) -> str:
        """The next step of help; after the last, the last again."""
        if self._help is None:
            self._help = help_with(self.exercise)
        if not self.attempt.right:
            self.attempt.helped = min(STEPS, self.attempt.helped + 1)
        return self._help[max(1, self.attempt.helped) - 1]

    def go_on(self) -> None:
        """Open the next exercise.

        Raises:
            ValueError: the exercise that is open has not been answered, or it is the last.
        """
        if not self.attempt.right or self.is_over:
            raise ValueError("there is no next exercise yet")
        self._help = None
        self.attempts.append(Attempt(self.tasks[len(self.attempts)]))


def lesson_of(chapter: Chapter, earlier: Sequence[Chapter], rules: Rules, seed: str) -> Lesson:
    """The lesson of a chapter: its own exercises, then some of earlier chapters."""
    taught = clauses_of((*earlier, chapter))
    tasks = [Task(chapter.id, step, taught) for step in chapter.steps for _ in range(step.count) if _can(rules, step)]
    steps = [Task(one.id, step, taught) for one in earlier for step in one.steps if _can(rules, step)]
    dice = random.Random(f"{seed}/mixed")
    if steps:
        tasks += dice.sample(steps, min(chapter.mixed, len(steps)))
    return Lesson(rules, tuple(tasks), seed, chapter)


def clauses_of(chapters: Sequence[Chapter]) -> frozenset[str]:
    """The clauses that chapters teach."""
    return frozenset(clause for chapter in chapters for clause in chapter.clauses)


def practice_of(
    skills: Sequence[str], chapters: Sequence[Chapter], rules: Rules, seed: str, before: Sequence[Chapter] = ()
) -> Lesson | None:
    """A lesson of skills that are due, the first ones first; None where there is nothing to practise.

    `before`: the chapters that were learnt before the first.
    """
    dice, tasks = random.Random(f"{seed}/practice"), []
    for skill in skills:
        steps = [
            Task(chapter.id, step, clauses_of((*before, *chapters[: number + 1])))
            for number, chapter in enumerate(chapters)
            for step in chapter.steps
            if f"{chapter.id}/{step.kind}" == skill and _can(rules, step)
        ]
        if steps:
            tasks.append(dice.choice(steps))
    return Lesson(rules, tuple(tasks[:PRACTICE]), seed) if tasks else None


def _can(rules: Rules, step: Step) -> bool:
    if step.moment is not None:
        try:
            pose(rules, step.moment, "")
        except ValueError:
            return False  # such a moment cannot be in this ruleset
        return True
    return step.kind in kinds_for(rules, step.number(rules.ruleset))


def _make(rules: Rules, task: Task, seed: str) -> tuple[Exercise, str]:
    """An exercise as its step wants it, and its code; a moment that is set up has none."""
    step = task.step
    if step.moment is not None:
        return pose(rules, step.moment, fill(step.moment.ask, rules, {})), ""
    deal = step.number(rules.ruleset)
    for count in range(MOST_SEEDS):
        own = f"{seed}{_LETTERS[count % 20]}{'' if count < 20 else count // 20}"
        made = make_exercise(rules, step.kind, deal, own)
        if step.fits(made) and _is_taught(made, task.taught):
            break
    return made, code_of(made, own)


def _is_taught(exercise: Exercise, taught: frozenset[str]) -> bool:
    """Whether the rule that makes the answer a no, if one does, has been taught."""
    refusal = getattr(exercise, "refusal", None)
    return refusal is None or not taught or refusal.clause in taught


_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUV"
