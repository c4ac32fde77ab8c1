"""Puzzles on the table's own hand and keys, one after another, with the player's rating."""

from __future__ import annotations

import asyncio
from typing import Final

from textual.content import Content

from kalooki_tui.coach.puzzles.series import Series
from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.player.puzzles import PuzzleFile
from kalooki_tui.ui import ways
from kalooki_tui.ui.screens.lesson import LessonScreen
from kalooki_tui.ui.screens.lesson_keys import COMMANDS as LESSON
from kalooki_tui.ui.widgets.choices import Choice

SHARE: Final = Command(
    "puzzle-share", "s", "Share", "One line to send to others; it is copied.", lambda at: at.share(),
    lambda at: None if at.lesson.attempt.right else choose("", "Solve it first."),
)  # fmt: skip


class PuzzleScreen(LessonScreen):
    """One puzzle after another; the first try counts."""

    CSS_PATH = "lesson.tcss"
    OFFERED = (*LessonScreen.OFFERED[: -len(LESSON)], *LESSON[:-1], SHARE, LESSON[-1])

    def __init__(self, learning: Learning, series: Series, file: PuzzleFile) -> None:
        super().__init__(learning, series)
        self.series, self.file = series, file
        self._rated: set[int] = set()
        """Places of puzzles whose first try has counted."""
        self._change = 0

    async def _open(self) -> None:
        number = self.series.number
        await asyncio.to_thread(self.series.prepare, number)
        if not self.is_here:
            return
        self.desk.begin()
        self._show_exercise()
        if not self.series.is_single:
            await asyncio.to_thread(self.series.prepare, number + 1)

    def _show_top(self) -> None:
        solved, puzzle = self.file.solved, self.series.puzzle
        change = f" ({self._change:+d})" if self.series.attempt.right and self.series.own is None else ""
        rating = f"your rating {solved.rating.rating:.0f}{change}" if solved.tried else "no rating yet"
        about = f"{puzzle.code}  {puzzle.stars}  ·  {puzzle.exercise.rules.ruleset.name}"
        self.top.update(f"Puzzle {about}  ·  {rating}" if puzzle.file is None else about)

    def _judged(self, right: bool) -> None:
        """Say what came of an answer, count the first one; the next puzzle waits for a key."""
        self._rate(right=right)
        if right:
            self.set_focus(None)
            if not self.series.is_single:
                self._offer([Choice("enter", "The next puzzle", self._next), Choice("m", "Back", self._back)])
            else:
                self._offer([Choice("m", "Back", self._back)])
        self._show_top()
        self.refresh_exercise()

    def _rate(self, *, right: bool) -> None:
        number, attempt = self.series.number, self.series.attempt
        if number in self._rated or self.series.own is not None:
            return
        self._rated.add(number)
        before = self.file.solved
        after = before.noted(self.series.puzzle.rating, right=right and not attempt.helped)
        self._change = round(after.rating.rating - before.rating.rating)
        try:
            self.file.save(after)
        except StoreError as error:
            self.notify(str(error), severity="warning", markup=False)

    def _next(self) -> None:
        self.series.go_on()
        self.open_exercise()

    def _show_bar(self) -> None:
        super()._show_bar()
        if self.stage == "exercise":
            self.bar.show([self.footer_key(SHARE), *self.bar.keys])

    def refresh_exercise(self) -> None:
        """Show what has changed; after the right answer the line to share."""
        super().refresh_exercise()
        attempt = self.series.attempt
        if attempt.right:
            puzzle = self.series.puzzle
            reason = f"{puzzle.reason}\n" if puzzle.reason else ""
            self.told.update(Content(f"✓ Right.  {reason}{puzzle.share(attempt.seconds)}"))

    def share(self) -> None:
        """The line to send, in the clipboard."""
        line = self.series.puzzle.share(self.series.attempt.seconds)
        self.app.copy_to_clipboard(line)
        self.notify(line, title="Copied, if the terminal allows it", markup=False)

    def _back(self) -> None:
        self.app.go(ways.Puzzles())

    def leave(self) -> None:
        """Back to the menu of puzzles: nothing is lost."""
        self._back()
