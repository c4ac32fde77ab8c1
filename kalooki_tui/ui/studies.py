"""What the app opens to compare and to study: puzzles, the daily deal, duplicate matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar, cast

from kalooki_tui.coach.course.progress import today
from kalooki_tui.store.errors import StoreError
from kalooki_tui.wording import FIRST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kalooki_tui.coach.puzzles.making import Code, Puzzle
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.desk.study.duplicates import Duplicate
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.player.puzzles import PuzzleFile
    from kalooki_tui.store.summary import Summary
    from kalooki_tui.table.duplicate import Line
    from kalooki_tui.ui.app import KalookiApp

Found = TypeVar("Found")


class Studies:
    """Mixed into the app. What takes long is computed in a process of its own, so that AI seats need not wait."""

    _reckoner: Any = None
    _puzzles: PuzzleFile | None = None

    @property
    def _app(self) -> KalookiApp:
        return cast("KalookiApp", self)

    async def compute(self, function: Callable[..., Found], *given: object) -> Found:
        """What the function gives, computed elsewhere: keys are heard meanwhile."""
        if self._reckoner is None:
            from kalooki_tui.players.processes.thinker import Thinker

            self._reckoner = Thinker()
        return cast("Found", await self._reckoner.compute(function, *given))

    def end_computing(self) -> None:
        """Let the process go, whatever it is doing."""
        if self._reckoner is not None:
            self._reckoner.close()

    # Puzzles

    @property
    def _puzzle_file(self) -> PuzzleFile:
        if self._puzzles is None:
            from kalooki_tui.store.player.puzzles import PuzzleFile

            self._puzzles = PuzzleFile.load()
            if self._puzzles.problem is not None:
                self._app.tell_notices(f"Your rating cannot be read. {self._puzzles.problem}")
        return self._puzzles

    def show_puzzles(self) -> None:
        """What there is to solve."""
        from kalooki_tui.ui.screens.puzzle_menu import PuzzleMenuScreen

        self._app._show(PuzzleMenuScreen(self._puzzle_file))

    def play_puzzles(self, *, kind: str = "", code: str = "", daily: bool = False) -> None:
        """A series of puzzles: of one kind, from a code on, or only that of the day."""
        from kalooki_tui.coach.puzzles.making import Code
        from kalooki_tui.desk.study.learning import new_seed

        try:
            first = Code.parse(code) if code else Code.daily(today()) if daily else Code(new_seed(), kind)
            self.solve(first, alone=daily)
        except ValueError as error:
            self._app.notify(str(error), severity="error", markup=False)

    def open_puzzle(self, path: Path) -> None:
        """A decision that was kept, or a position of somebody's own."""
        from kalooki_tui.coach.puzzles.posed import from_file

        try:
            self.solve(from_file(path))
        except ValueError as error:
            self._app.notify(str(error), severity="error", markup=False)

    def solve(self, what: Code | Puzzle, *, alone: bool = False) -> None:
        """The series from a code on (`alone`: only its first), or one puzzle.

        Raises:
            ValueError: there is no such puzzle.
        """
        from kalooki_tui.coach.puzzles.making import Puzzle
        from kalooki_tui.coach.puzzles.series import Series
        from kalooki_tui.ui.screens.puzzles import PuzzleScreen

        series = Series.single(what) if isinstance(what, Puzzle) else Series.of(what, alone=alone)
        self._app._show(PuzzleScreen(self._app.learning(series.rules.ruleset.id), series, self._puzzle_file))

    # Review

    def show_review(
        self, lines: Sequence[str], seat: str = "", *, last: bool = False, name: str = "this match"
    ) -> None:
        """What the decisions of a record cost: of all its deals that are over, or of the last."""
        from kalooki_tui.ui.screens.review import ReviewPage

        self._app.overlays.show(ReviewPage(lines, seat, last=last, name=name))

    def review_match(self, about: Summary) -> None:
        """The same for a match on disk."""
        try:
            self.show_review(list(self._app.store.lines(about.id)), name=about.name)
        except StoreError as error:
            self._app.notify(str(error), severity="error", markup=False)

    # The daily deal

    def show_daily(self, day: date | None = None) -> None:
        """The daily deal of a date, of today by default."""
        from kalooki_tui.ui.screens.daily import DailyScreen

        self._app._show(DailyScreen(day or today()))

    def play_daily(self, day: date, person: str) -> None:
        """Play a date's deal as that person, or go on with it."""
        from kalooki_tui.desk.study.duplicates import begin_daily

        self._begin(person, lambda: begin_daily(self._app.store, day, person))

    def show_line(self, day: date, line: Line, place: int) -> None:
        """Step through what an AI player made of a date's deal, from after so many actions on."""
        from kalooki_tui.desk.study.stepping import past_deals
        from kalooki_tui.records.reading import open_lines
        from kalooki_tui.records.replaying import Replay
        from kalooki_tui.ui.screens.daily import GhostScreen, ghost_summary

        replay = Replay(open_lines("ghost", line.record))
        deals = past_deals(replay)
        self._app._show(GhostScreen(ghost_summary(day, line), deals, replay.head.seed, day, place))

    # Duplicate matches

    def begin_duplicate(self, plan: MatchPlan) -> None:
        """Begin a duplicate match for the people of a plan: the first is called to the keyboard, as each after that.

        Raises:
            ValueError: the plan is not one for such a match.
        """
        from kalooki_tui.desk.study.duplicates import begin, first_setup
        from kalooki_tui.table.duplicate import new_duplicate

        people = tuple(seat.name for seat in plan.seats if seat.is_human)
        setup = first_setup(plan, people)
        live = self._begun(people[0], lambda: begin(self._app.store, setup, (new_duplicate(), *people)))
        if live is not None and self._app.store.saves:
            live.close()
            self.show_duplicate(live.duplicate[0])
        elif live is not None:
            # Nobody plays after the first where nothing is kept.
            self._sit_down(live)

    def duplicates(self) -> Sequence[Duplicate]:
        """The duplicate matches played here, the one played last first."""
        from kalooki_tui.desk.study.duplicates import duplicates

        return duplicates(self._app.store.summaries())

    def show_duplicate(self, known_by: str = "") -> None:
        """A duplicate match with its results; the one played last, if none is named."""
        from kalooki_tui.ui.screens.duplicate import DuplicateScreen

        found = next((one for one in self.duplicates() if known_by in ("", one.known_by)), None)
        if found is None:
            self._app.go_home()
        else:
            self._app._show(DuplicateScreen(found))

    def play_duplicate(self, found: Duplicate) -> None:
        """Let the next of its people play, or go on."""
        from kalooki_tui.desk.study.duplicates import begin, setup_for

        person = found.next
        if person is None:
            return
        going = next((one for one in found.attempts if one.name == person), None)
        if going is not None:
            self._app.resume(going.summary.id)
            return
        store, like = self._app.store, found.attempts[0].summary
        self._begin(person, lambda: begin(store, setup_for(store, like, person), like.duplicate))

    def show_same(self, duplicate: tuple[str, ...]) -> None:
        """What a match belongs to that others play with the same cards: its date's deal, or its duplicate match."""
        from kalooki_tui.table.dates import day_of

        day = day_of(duplicate)
        if day is not None:
            self.show_daily(day)
        else:
            self.show_duplicate(duplicate[0])

    def _begin(self, person: str, begin: Callable[[], LiveMatch]) -> None:
        """Sit a person down at a table of this kind, or say why that cannot be."""
        live = self._begun(person, begin)
        if live is not None:
            self._sit_down(live)

    def _begun(self, person: str, begin: Callable[[], LiveMatch]) -> LiveMatch | None:
        """A person's match of this kind, the name remembered; or say why there can be none."""
        app = self._app
        try:
            live = begin()
        except (ValueError, StoreError) as error:
            app.notify(str(error), severity="error", markup=False)
            return None
        if person != FIRST_NAME:
            app.remember(app.settings.remembering([person]))
        return live

    def _sit_down(self, live: LiveMatch) -> None:
        from kalooki_tui.desk.setup.keeping import plan_of_live

        app = self._app
        app.play_table(replace(plan_of_live(live, app.settings), teaching=False), live.table, live)
