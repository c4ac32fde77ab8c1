"""The app: from the first screen to the end of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from kalooki_tui.coach.course.progress import today
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import open_store
from kalooki_tui.store.player.progress import ProgressFile
from kalooki_tui.ui.ahead import Ahead
from kalooki_tui.ui.arriving import PATIENCE, read_matches
from kalooki_tui.ui.game import Layer
from kalooki_tui.ui.loading import load_the_rest
from kalooki_tui.ui.looks.dressed import Dressed
from kalooki_tui.ui.overlays import Overlays
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import Ask, confirm
from kalooki_tui.ui.screens.home import HomeScreen
from kalooki_tui.ui.studies import Studies
from kalooki_tui.ui.widgets.choices import numbered

# Home is shown before the rest is loaded: a method that opens something imports it, and `loading` does so while nobody
# waits for it.
if TYPE_CHECKING:
    from datetime import date

    from kalooki_tui.coach.course.chapter import Chapter
    from kalooki_tui.coach.course.lesson import Lesson
    from kalooki_tui.coach.puzzles.making import Code, Puzzle
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.desk.study.learning import Learning
    from kalooki_tui.desk.study.stepping import PastDeal
    from kalooki_tui.desk.table.ai_seats import Thinks
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.summary import Summary
    from kalooki_tui.table.table import Table

WRITTEN: Final = 0.05
"""Seconds after which the first screen has been written to the terminal."""
SCREENS: Final = Path(__file__).with_name("screens")
FAULT: Final = 70


class KalookiApp(Studies, Dressed):
    """One terminal's app. `plan` is what to begin with; `start`: home, setup, table, learn, daily, duplicate."""

    TITLE = "Kalooki"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+p", "command_palette", show=False, priority=True),
        # Browsers keep ctrl+p for printing; a key of the player's own comes before this one.
        Binding("f2", "command_palette", show=False),
    ]
    # Classes of screens by their size: in large ones lists stand in the middle, and exercises have larger cards.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (140, "-wide"), (190, "-broad")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall"), (46, "-hall")]

    def __init__(
        self,
        plan: MatchPlan | None = None,
        start: str = "home",
        thinker: Thinks | None = None,
        *,
        course: str = "",
        chapter: str = "",
        day: date | None = None,
        puzzle: Code | Puzzle | None = None,
    ) -> None:
        from kalooki_tui.desk.shelf.listing import ListState

        # The sheet of the first screen is read with the app's own: one that comes later has all of them read again.
        first = {"home": "home", "table": "tabletop"}.get(start)
        super().__init__(css_path=[self.CSS_PATH, *([SCREENS / f"{first}.tcss"] if first else [])])
        self._once_drawn: Callable[[], None] | None = None
        """What waits until the first screen has been drawn."""
        self._thinker = thinker
        self._plan, self._start, self._day, self._puzzle = plan, start, day, puzzle
        self._progress_file: ProgressFile | None = None
        self._course, self._chapter = course or DEFAULT_RULESET, chapter
        """The course opened last, and the chapter to begin with."""
        self.overlays = Overlays(self)
        self.ahead = Ahead(self)
        self.list_state = ListState()
        self.fault: str | None = None
        """What to tell the player once the terminal is theirs again, if the program had to stop."""

    @property
    def thinker(self) -> Thinks:
        """Who decides for AI seats; its process starts when it is first asked for, but not before a screen is drawn."""
        if self._thinker is None:
            from kalooki_tui.players.processes.thinker import Thinker

            self._thinker = thinker = Thinker()
            if self._drawn:
                thinker.warm_up()
            else:
                self._once_drawn = thinker.warm_up
        return self._thinker

    @thinker.setter
    def thinker(self, thinker: Thinks) -> None:
        self._thinker = thinker

    def on_mount(self) -> None:
        """Open the store, show the first screen."""
        self.store = open_store(patience=PATIENCE)
        self.theme_changed_signal.subscribe(self, self._theme_chosen)
        self._tell_problems(*self._own.problems)
        if self._start == "table" and self._plan is not None:
            self.play(self._plan)
        elif self._start == "setup":
            self.set_up(self._plan)
        elif self._start == "learn":
            self._begin_to_learn()
        elif self._start == "daily":
            self.show_daily(self._day)
        elif self._start == "puzzle" and self._puzzle is not None:
            self.solve(self._puzzle)
        elif self._start == "duplicate" and self._plan is not None:
            self.begin_duplicate(self._plan)
        else:
            self.go_home()
        self.call_after_refresh(self._first_drawn)

    def _first_drawn(self) -> None:
        """The first screen is seen."""
        self._drawn = True
        if self._once_drawn is not None:
            self._once_drawn()
        # What has been drawn is written to the terminal by a thread of its own, which goes first.
        self.set_timer(WRITTEN, lambda: load_the_rest(self))

    def _begin_to_learn(self) -> None:
        """The course, or the chapter that was asked for."""
        learning = self.learning()
        chapter = learning.course.chapter(self._chapter)
        if chapter is None:
            self.show_learn()
        else:
            self.begin_lesson(learning, learning.lesson(chapter))

    def on_unmount(self) -> None:
        """Let the thinking process and the store go."""
        from kalooki_tui.players.processes.thinker import Thinker

        if isinstance(self._thinker, Thinker):
            self._thinker.close()
        self.end_computing()
        self.store.close()

    # From screen to screen

    def go_home(self, marked: str = "") -> None:
        """The first screen, whatever is shown; `marked`: the command that enter takes there."""
        self.list_state.want_all()
        self._show(HomeScreen(marked))

    def read_on(self) -> None:
        """Go on reading files of matches that are new, where a list had no time for all of them."""
        if self.store.unread and not any(one.group == "matches" and not one.is_finished for one in self.workers):
            self.run_worker(read_matches(self), group="matches", exit_on_error=False)

    def set_up(self, plan: MatchPlan | None = None) -> None:
        """The form for a new match, filled as the last one was."""
        from kalooki_tui.ui.screens.setup import SetupScreen

        self._show(SetupScreen(plan or self._last_plan() or self._first_plan()))

    def _last_plan(self) -> MatchPlan | None:
        """The last set-up, where it can still be had."""
        from kalooki_tui.desk.setup.keeping import plan_of_last
        from kalooki_tui.rulesets.loader import load_ruleset

        try:
            plan = None if self.settings.last is None else plan_of_last(self.settings.last, self.settings)
            if plan is not None:
                load_ruleset(plan.ruleset)
        except ValueError as error:
            self.notify(f"The last set-up cannot be used again: {error}", severity="warning", markup=False)
            return None
        return plan

    def _first_plan(self) -> MatchPlan:
        """The usual seats, the person's own name in front."""
        from kalooki_tui.desk.setup.plan import MatchPlan, Speed, usual_seats
        from kalooki_tui.rulesets import DEFAULT_RULESET
        from kalooki_tui.rulesets.loader import load_ruleset
        from kalooki_tui.table.seats import SeatPlan

        seats = usual_seats(load_ruleset(DEFAULT_RULESET))
        if self.settings.names:
            seats = (SeatPlan(self.settings.names[0]), *seats[1:])
        return MatchPlan(seats=seats, speed=Speed(self.settings.ai_speed), curtain=self.settings.curtain)

    def play(self, plan: MatchPlan) -> None:
        """Begin a match.

        Raises:
            ValueError: the plan does not go with its ruleset.
        """
        from kalooki_tui.desk.setup.keeping import begin_match, with_match

        live = begin_match(self.store, plan)
        if live.table.people:
            # Writing settings loads what keeps comments in them, which the table does not wait for.
            self.call_after_refresh(lambda: self.remember(with_match(self.settings, plan, live)))
        self.play_table(plan, live.table, live)

    def play_table(self, plan: MatchPlan, table: Table, live: LiveMatch | None = None) -> None:
        """Play on at a table, from where it stands; without `live` nothing is written down."""
        from kalooki_tui.desk.setup.plan import AskCalls
        from kalooki_tui.desk.table.sitting import Sitting
        from kalooki_tui.ui.screens.table import TableScreen

        place = Sitting(plan, table, self.thinker, live, ask_calls=AskCalls(self.settings.ask_calls)).sit()
        if not table.people:
            from kalooki_tui.ui.screens.watching import WatchScreen

            self._show(WatchScreen(plan, place))
        elif live is not None and live.duplicate and len(table.people) == 1:
            from kalooki_tui.ui.screens.same import SameScreen

            self._show(SameScreen(plan, place))
        else:
            self._show(TableScreen(plan, place))

    def resume(self, match_id: str) -> None:
        """Take up a match at the very decision where it stands, or say why that cannot be."""
        from kalooki_tui.desk.setup.keeping import plan_of_live

        try:
            live = self.store.resume(match_id)
        except StoreError as error:
            self.notify(str(error), severity="error", timeout=12, markup=False)
            return
        self.play_table(plan_of_live(live, self.settings), live.table, live)

    def play_again(self, plan: MatchPlan | None = None) -> None:
        """The same seats, another deal of the cards."""
        plan = plan or self._last_plan()
        if plan is None:
            return
        try:
            self.play(replace(plan, seed=None))
        except ValueError as error:
            self.notify(str(error), severity="error", markup=False)

    def watch_match(self) -> None:
        """AI seats only."""
        from kalooki_tui.desk.setup.plan import MatchPlan, Speed
        from kalooki_tui.table.seats import SeatPlan, parse_seats

        seats = tuple(SeatPlan(seat.name, "ai:club") for seat in parse_seats(["ai:club"] * 4))
        self.play(MatchPlan(seats=seats, speed=Speed(self.settings.ai_speed)))

    def show_matches(self) -> None:
        """All matches."""
        from kalooki_tui.ui.screens.matches import MatchesScreen

        self._show(MatchesScreen())

    def show_replay(self, about: Summary) -> None:
        """Step through the finished deals of a match."""
        from kalooki_tui.ui.opening import open_replay

        open_replay(self, about)

    def show_past(self, about: Summary, deals: list[PastDeal], seed: int | None) -> None:
        """Step through these deals."""
        from kalooki_tui.ui.screens.replay import ReplayScreen

        self._show(ReplayScreen(about, deals, seed, is_listed=self.screen.name == "matches"))

    def show_statistics(self) -> None:
        """Everybody's results."""
        from kalooki_tui.ui.screens.statistics import StatisticsScreen

        self.overlays.show(StatisticsScreen())

    def show_settings(self) -> None:
        """The player's settings."""
        from kalooki_tui.ui.screens.settings import SettingsScreen

        self.overlays.show(SettingsScreen())

    @property
    def _progress(self) -> ProgressFile:
        """What has been learnt, read when it is first asked for."""
        if self._progress_file is None:
            self._progress_file = ProgressFile.load()
            if self._progress_file.problem is not None:
                told = f"Your progress cannot be read and was set aside. {self._progress_file.problem}"
                # A screen that is only being composed shows no notice.
                self.call_later(self.tell_notices, told)
        return self._progress_file

    @property
    def due(self) -> int:
        """Skills that should be practised today: counted without reading the course, which takes its time."""
        return len(self._progress.progress.due(self._course, today()))

    @property
    def has_learnt(self) -> bool:
        """Whether the player has answered an exercise of the course."""
        return bool(self._progress.progress.skills)

    def learning(self, ruleset: str = "") -> Learning:
        """A course and what has been learnt of it; the one opened last, if none is named.

        Raises:
            ValueError: there is no such ruleset.
        """
        from kalooki_tui.desk.study.learning import Learning

        self._course = ruleset or self._course
        return Learning.of(self._course, self._progress, lambda told: self.notify(told, markup=False, timeout=12))

    def practise(self) -> None:
        """Exercises of what is due, if anything is."""
        learning = self.learning()
        lesson = learning.practice()
        if lesson is None:
            learning.forget_what_has_gone()
            self.show_learn()
        else:
            self.begin_lesson(learning, lesson)

    def show_learn(self, ruleset: str = "") -> None:
        """The chapters of a ruleset's course; of the one opened last, if none is named."""
        from kalooki_tui.ui.screens.learn import LearnScreen

        self._show(LearnScreen(self.learning(ruleset)))

    def begin_lesson(self, learning: Learning, lesson: Lesson) -> None:
        """A lesson."""
        from kalooki_tui.ui.screens.lesson import LessonScreen

        self._show(LessonScreen(learning, lesson))

    def play_coached(self, learning: Learning, chapter: Chapter, own_seed: int | None = None) -> None:
        """A chapter's coached deal; `own_seed`: one with other cards, played without the coach."""
        from kalooki_tui.desk.setup.plan import Speed
        from kalooki_tui.desk.study.coached import coached_sitting
        from kalooki_tui.ui.screens.coached import CoachedScreen

        plan, sitting = coached_sitting(learning, chapter, Speed(self.settings.ai_speed), self.thinker, own_seed)
        self._show(CoachedScreen(learning, chapter, plan, sitting.sit(), is_own=own_seed is not None))

    def show_rules(self) -> None:
        """Ask for a game, and show its rules."""
        from kalooki_tui.rulesets.loader import catalogue
        from kalooki_tui.ui.screens.rules import RulesScreen

        listed = [entry.ruleset for entry in catalogue() if entry.ruleset is not None]
        choices = numbered((ruleset.name, ruleset) for ruleset in listed)

        def chosen(ruleset: Any) -> None:
            if ruleset is not None:
                self.overlays.show(RulesScreen(ruleset))

        self.overlays.show(Ask("Rules of which game?", "", choices, may_close=True), chosen)

    def _show(self, screen: GameScreen) -> None:
        """Put a screen in the place of all that are shown."""
        self.overlays.go_to(screen)

    async def on_event(self, event: events.Event) -> None:
        """A key or a click ends what moves by itself, and acts at once; what is typed while a form opens waits."""
        if self.ahead.holds(event):
            return
        if isinstance(event, (events.Key, events.MouseDown)) and isinstance(self.screen, GameScreen):
            self.screen.end_motion()
        elif isinstance(event, events.Compose):
            self._dress()
        await super().on_event(event)

    async def action_quit(self) -> None:
        """Leave the program after asking, wherever the key is pressed."""
        from kalooki_tui.ui.screens.table import TableScreen

        table = next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)
        if table is not None and not table.is_away and not table.sitting.is_finished:
            table.leave_match(program=True)
            return

        def answered(yes: object) -> None:
            if yes:
                self.exit()

        lost = next((one.lost for one in self.screen_stack if isinstance(one, GameScreen) and one.lost), "")
        question = confirm("Leave Kalooki?", f"{lost}\n" if lost else "", "Leave the program", "Stay")
        self.overlays.show(question, answered, Layer.LEAVING)

    def exit(self, *arguments: Any, **named: Any) -> None:
        """Leave the program: nothing that still arrives is shown."""
        self.overlays.close()
        super().exit(*arguments, **named)

    def action_command_palette(self) -> None:
        """Find a command by its name."""
        from kalooki_tui.ui.finder import Finder

        if not isinstance(self.screen, Finder):
            self.overlays.show(Finder())

    def get_system_commands(self, screen: Screen[Any]) -> Any:
        """Only what belongs to the game: no screenshots of hands, no panels of the framework."""
        yield SystemCommand("Settings", "Theme, glyphs, motion, bell, speed", self.show_settings)
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        yield SystemCommand("Quit Kalooki", "Leave the program", self.action_quit)

    # Faults

    def _handle_exception(self, error: Exception) -> None:
        """Never a traceback on the screen: it is written down, and one sentence is left for the player."""
        from kalooki_tui.desk.faults import fault_sentence, log_fault

        if self.is_headless:
            super()._handle_exception(error)
            return
        self.fault = fault_sentence(error, log_fault(error))
        self._return_code = FAULT
        self.exit(return_code=FAULT)
