"""Where the puzzles of a session come from: an endless series, one of its codes, or a position of somebody's own."""

from __future__ import annotations

from kalooki_tui.coach.exercises.model import Exercise
from kalooki_tui.coach.puzzles.making import Code, Puzzle, make_puzzle
from kalooki_tui.engine.rules import Rules


class Series:
    """Puzzles from the first on; no end, or only the first."""

    def __init__(self, first: Code | Puzzle, *, alone: bool = False) -> None:
        """Make the first.

        Raises:
            ValueError: there is no such puzzle.
        """
        self.is_own = isinstance(first, Puzzle)
        """Whether it is a position of somebody's own, which counts for no rating."""
        self.count: int | None = 1 if alone or self.is_own else None
        self.puzzles = [first if isinstance(first, Puzzle) else make_puzzle(first)]

    @property
    def rules(self) -> Rules:
        """The rules of the first."""
        return self.puzzles[0].exercise.rules

    def make(self, number: int) -> tuple[Exercise, str]:
        """A puzzle's exercise and code."""
        while len(self.puzzles) <= number:
            self.puzzles.append(make_puzzle(Code.parse(self.puzzles[-1].code).next))
        return self.puzzles[number].exercise, self.puzzles[number].code
