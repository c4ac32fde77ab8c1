"""A lesson: the exercises of a chapter and some of earlier ones, or those of what is due."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.coach.course.chapter import Chapter, Step, fill
from kalooki_tui.coach.exercises.definition import Exercise
from kalooki_tui.coach.exercises.kinds.turn_questions import pose
from kalooki_tui.coach.exercises.registry import kinds_for, make_exercise
from kalooki_tui.coach.puzzles import Puzzle
from kalooki_tui.engine.rules import Rules

#: Seeds that are tried for an exercise that is as its step wants it; the last is taken as it is.
MOST_SEEDS: Final = 200
#: Seeds that are tried for one in which the wanted option is right as well, where there are few options.
MOST_WANTED: Final = 80
FEW_OPTIONS: Final = 4
#: Exercises of a practice.
PRACTICE: Final = 10


class Task(Struct, frozen=True):
    chapter: str
    step: Step
    taught: frozenset[str] = frozenset()
    """Clauses taught by then: a refusal is by one of them. Empty: by any."""
    wanted: float | None = None
    """Right one of few options, as a share of them: of two, 0.3 is the first. None: any."""

    @property
    def skill(self) -> str:
        """Skill that it trains: ``runs/spot``."""
        return f"{self.chapter}/{self.step.kind}"

    def make(self, rules: Rules, seed: str) -> Exercise:
        """Make an exercise that fits the step."""
        step = self.step
        if step.is_posed:
            return pose(rules, step.at, step.do, fill(step.ask, rules, {}))
        deal, found = step.number(rules.ruleset), None
        for count in range(MOST_SEEDS):
            made = make_exercise(rules, step.kind, deal, f"{seed}/{count}")
            refusal = getattr(made, "refusal", None)
            is_taught = refusal is None or not self.taught or refusal.clause in self.taught
            if step.fits(made) and is_taught:
                if self._is_wanted(made):
                    return made
                found = found or made
            if found is not None and count >= MOST_WANTED:
                break
        return found or made

    def _is_wanted(self, exercise: Exercise) -> bool:
        count = len(exercise.options)
        if self.wanted is None or not 0 < count <= FEW_OPTIONS:
            return True
        return exercise.solutions()[0].option == int(self.wanted * count)


class KeptTask(Struct, frozen=True):
    skill: str
    puzzle: Puzzle

    def make(self, rules: Rules, seed: str) -> Exercise:
        return self.puzzle.exercise


class Lesson(Struct, frozen=True):
    """Exercises of a chapter, or of what is due. Equal seeds give equal exercises."""

    rules: Rules
    tasks: tuple[Task | KeptTask, ...]
    seed: str
    chapter: Chapter | None = None
    """None: practice of what is due."""

    def __post_init__(self) -> None:
        if not self.tasks:
            raise ValueError("a lesson needs exercises")

    @property
    def count(self) -> int:
        return len(self.tasks)

    def make(self, number: int) -> Exercise:
        return self.tasks[number].make(self.rules, f"{self.seed}{number}")


def lesson_of(chapter: Chapter, earlier: Sequence[Chapter], rules: Rules, seed: str) -> Lesson:
    """Return the lesson of a chapter: its own exercises, then some of earlier chapters."""
    taught = clauses_of((*earlier, chapter))
    tasks = [Task(chapter.id, step, taught) for step in chapter.steps for _ in range(step.count) if _can(rules, step)]
    steps = [Task(one.id, step, taught) for one in earlier for step in one.steps if _can(rules, step)]
    dice = random.Random(f"{seed}/mixed")
    if steps:
        tasks += dice.sample(steps, min(chapter.mixed, len(steps)))
    return Lesson(rules, tuple(_with_wanted(tasks, dice)), seed, chapter)


def _with_wanted(tasks: Sequence[Task], dice: random.Random) -> list[Task]:
    shares: dict[str, list[float]] = {}
    for kind, count in Counter(task.step.kind for task in tasks).items():
        shift = dice.random()
        shares[kind] = [(place + shift) / count for place in range(count)]
        dice.shuffle(shares[kind])
    return [replace(task, wanted=shares[task.step.kind].pop()) for task in tasks]


def clauses_of(chapters: Sequence[Chapter]) -> frozenset[str]:
    return frozenset(clause for chapter in chapters for clause in chapter.clauses)


def practice_of(
    skills: Sequence[str],
    chapters: Sequence[Chapter],
    rules: Rules,
    seed: str,
    before: Sequence[Chapter],
    kept: Mapping[str, Puzzle],
) -> Lesson | None:
    """Return a lesson of due skills in order, or None; `before`: chapters learnt earlier, `kept`: puzzles by skill."""
    dice, tasks = random.Random(f"{seed}/practice"), list[Task | KeptTask]()
    for skill in skills:
        if skill in kept:
            tasks.append(KeptTask(skill, kept[skill]))
            continue
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
    if step.is_posed:
        try:
            pose(rules, step.at, step.do, "")
        except ValueError:
            return False  # such a moment cannot be in this ruleset
        return True
    if step.jokers is not None and step.jokers[0] > rules.jokers:
        return False  # there are not that many
    return step.kind in kinds_for(rules, step.number(rules.ruleset))
