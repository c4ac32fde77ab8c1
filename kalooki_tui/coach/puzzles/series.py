"""An endless series of puzzles, answered one after another like the exercises of a lesson."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Attempt, Lesson, Task
from kalooki_tui.coach.exercises.model import Exercise
from kalooki_tui.coach.puzzles.making import Code, Puzzle, make_puzzle
from kalooki_tui.values import dataclass

PUZZLES: Final = "puzzles"


@dataclass
class Series(Lesson):
    """Puzzles from a code on, or one that somebody brought; no end but that."""

    first: Code | None = None
    own: Puzzle | None = None
    """A puzzle of somebody's own, which counts for no rating; nothing comes after it."""
    alone: bool = False
    """Whether nothing comes after the first."""
    _puzzles: list[Puzzle] = field(default_factory=list)

    @classmethod
    def of(cls, first: Code, *, alone: bool = False) -> Series:
        """The series that begins with a code; `alone`: only its first.

        Raises:
            ValueError: there is no such puzzle.
        """
        puzzle = make_puzzle(first)
        return cls(puzzle.exercise.rules, (_task(puzzle),), first.seed, first=first, alone=alone, _puzzles=[puzzle])

    @classmethod
    def single(cls, puzzle: Puzzle) -> Series:
        """Somebody's own."""
        return cls(puzzle.exercise.rules, (_task(puzzle),), "", own=puzzle, _puzzles=[puzzle])

    @property
    def puzzle(self) -> Puzzle:
        """The one that is open."""
        return self._puzzles[self.number]

    @property
    def is_over(self) -> bool:
        """Whether there is nothing after the one that is open."""
        return self.is_single and self.attempt.right

    @property
    def is_single(self) -> bool:
        """Whether there is one puzzle only."""
        return self.alone or self.own is not None

    def prepare(self, number: int) -> tuple[Exercise, str]:
        """A puzzle's exercise and code, made once."""
        while len(self._puzzles) <= number:
            self._puzzles.append(make_puzzle(Code.parse(self._puzzles[-1].code).next))
        return self._puzzles[number].exercise, self._puzzles[number].code

    def go_on(self) -> None:
        """Open the next one.

        Raises:
            ValueError: the one that is open has not been answered, or nothing comes after it.
        """
        if not self.attempt.right or self.is_over:
            raise ValueError("there is no next puzzle yet")
        self._help = None
        self.prepare(self.number + 1)
        self.attempts.append(Attempt(_task(self._puzzles[self.number + 1])))


def _task(puzzle: Puzzle) -> Task:
    return Task(PUZZLES, Step(puzzle.exercise.kind, puzzle.exercise.deal))
