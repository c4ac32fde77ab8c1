"""The app: from the first screen to the end of a match."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.courses import WHOLE
from kalooki_tui.coach.course.lesson import Lesson
from kalooki_tui.desk.coached import open_deal
from kalooki_tui.desk.commands import wear_keys
from kalooki_tui.desk.faults import fault_sentence, log_fault
from kalooki_tui.desk.flow import Thinks
from kalooki_tui.desk.keeping import begin_match, plan_of_last, plan_of_live, with_match
from kalooki_tui.desk.learning import Learning
from kalooki_tui.desk.listing import ListState
from kalooki_tui.desk.plan import MatchPlan, Speed, plan_of, usual_seats
from kalooki_tui.desk.stepping import past_deals
from kalooki_tui.players.thinker import Thinker
from kalooki_tui.problems import InputError, Problem
from kalooki_tui.records.reading import DoesNotFollow
from kalooki_tui.rulesets.loader import DEFAULT_RULESET, catalogue, load_ruleset
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.store.paths import config_folder
from kalooki_tui.store.progress import ProgressFile
from kalooki_tui.store.settings import PlayerSettings, SettingsFile
from kalooki_tui.store.summary import Summary
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.table import Table
from kalooki_tui.ui import themes
from kalooki_tui.ui.finder import Finder
from kalooki_tui.ui.game import Layer
from kalooki_tui.ui.glyphs import DEFAULT_LOOK, AsciiFilter, Look, look_from
from kalooki_tui.ui.overlays import Overlays
from kalooki_tui.ui.own import read_own
from kalooki_tui.ui.palettes import Depth
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.coached import CoachedScreen
from kalooki_tui.ui.screens.dialogs import Ask, confirm, numbered
from kalooki_tui.ui.screens.home import HomeScreen
from kalooki_tui.ui.screens.learn import LearnScreen
from kalooki_tui.ui.screens.lesson import LessonScreen
from kalooki_tui.ui.screens.matches import MatchesScreen
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.screens.rules import RulesScreen
from kalooki_tui.ui.screens.settings import SettingsScreen
from kalooki_tui.ui.screens.setup import SetupScreen
from kalooki_tui.ui.screens.statistics import StatisticsScreen
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.screens.tabletop import TabletopScreen
from kalooki_tui.ui.terminal import Ending
from kalooki_tui.ui.widgets.canvas import Painted

FAULT: Final = 70


#: Collections of the middle generation between two full ones.
RARELY: Final = 200


def _collect_rarely() -> None:
    """Keep full collections out of turns: one takes longer than a key may.

    What has been loaded by now stays, so none looks through it again; the rest is collected when a deal is over.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], RARELY)


class KalookiApp(App[None]):
    """One terminal's app. `plan` is what to begin with; `start`: home, setup, table, learn."""

    TITLE = "Kalooki"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q,ctrl+c", "quit", show=False, priority=True)]

    def __init__(
        self,
        plan: MatchPlan | None = None,
        start: str = "home",
        thinker: Thinks | None = None,
        *,
        course: str = "",
        chapter: str = "",
    ) -> None:
        super().__init__()
        self.look: Look = DEFAULT_LOOK
        self.settings_file = SettingsFile.load()
        self.store: Store
        self.thinker: Thinks = _started() if thinker is None else thinker
        self._plan, self._start = plan, start
        self._progress: ProgressFile | None = None
        self._course, self._chapter = course or WHOLE, chapter
        """The course opened last, and the chapter to begin with."""
        self.usual_theme = themes.DEFAULT_THEME
        """The theme of a player who has chosen none."""
        self.overlays = Overlays(self)
        self.list_state = ListState()
        self.fault: str | None = None
        """What to tell the player once the terminal is theirs again, if the program had to stop."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The table's colours, whatever the theme."""
        return themes.DEFAULTS

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those of the terminal; where the player wants ASCII, no other character comes through."""
        filters = super().get_line_filters()
        return [*filters, AsciiFilter()] if self.look.ascii else filters

    def on_mount(self) -> None:
        """Open the store, put on what the player has chosen, show the first screen."""
        # Pictures and tests are the same whatever terminal they are made in.
        own = read_own(config_folder())
        themes.register(self, Depth.TRUE if self.is_headless else themes.depth_of(self.console), own.themes)
        wear_keys(own.keys)
        self.set_keymap(dict(own.keys))
        self.usual_theme = themes.DEFAULT_THEME if self.is_headless else themes.usual_theme(os.environ)
        self.store = open_store()
        self._wear(self.settings)
        self.theme_changed_signal.subscribe(self, self._theme_chosen)
        self._tell_problems(*own.problems)
        self._show(HomeScreen())
        if self._start == "table" and self._plan is not None:
            self.play(self._plan)
        elif self._start == "setup":
            self.set_up(self._plan)
        elif self._start == "learn":
            self._begin_to_learn()
        # Not before the first screen is seen.
        self.call_after_refresh(_collect_rarely)

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
        if isinstance(self.thinker, Thinker):
            self.thinker.close()
        self.store.close()

    # Settings

    @property
    def settings(self) -> PlayerSettings:
        """What the player has chosen."""
        return self.settings_file.settings

    def set(self, **chosen: object) -> None:
        """Change settings for good, and put them on."""
        self.save_settings(self.settings.model_copy(update=chosen))
        self._wear(self.settings)

    def save_settings(self, settings: PlayerSettings) -> None:
        """Write settings down; where that fails they hold until the program ends, and a notice says so."""
        try:
            aside = self.settings_file.save(settings)
        except StoreError as error:
            self.notify(str(error), severity="warning", markup=False)
        else:
            if aside is not None:
                self.notify(f"The settings that could not be read are kept as {aside.name}.", markup=False)

    def remember(self, settings: PlayerSettings) -> None:
        """Write settings down that nobody asked to be written: never over a file that could not be read."""
        if self.settings_file.problems:
            self.settings_file.settings = settings
        elif settings != self.settings:
            self.save_settings(settings)

    def _wear(self, settings: PlayerSettings) -> None:
        """Draw as the settings say."""
        theme = settings.theme if settings.theme in self.available_themes else None
        self.theme = theme or self.usual_theme
        self.animation_level = "none" if settings.reduced_motion else "full"
        look = look_from(settings)
        if look != self.look:
            self.look = look
            for screen in self.screen_stack:
                for painted in screen.query(Painted):
                    painted.repaint()
                screen.refresh(layout=True)

    def _theme_chosen(self, theme: Theme) -> None:
        chosen = None if theme.name == self.usual_theme else theme.name
        unknown = self.settings.theme not in (None, *self.available_themes)
        if theme.name == self.theme and chosen != self.settings.theme and not (unknown and chosen is None):
            self.remember(self.settings.model_copy(update={"theme": chosen}))

    @property
    def theme_names(self) -> tuple[str, ...]:
        """The themes there are, the player's own last."""
        return tuple(self.available_themes)

    def _tell_problems(self, *own: Problem) -> None:
        """Say what is wrong with the settings' file or the store: once, and so that it can be read."""
        told = [f"The settings cannot all be read. {problem}" for problem in self.settings_file.problems]
        told += map(str, own)
        if self.settings.theme not in (None, *self.available_themes):
            told.append(f"{self.settings_file.path}: there is no theme {self.settings.theme!r}")
        self.tell_notices(*told)

    def tell_notices(self, *more: str) -> None:
        """Say what the store has to tell the player, and more."""
        for notice in (*more, *self.store.take_notices()):
            self.notify(notice, title="Please note", severity="warning", timeout=20, markup=False)

    # From screen to screen

    def go_home(self) -> None:
        """The first screen, whatever is shown."""
        self._show(HomeScreen())

    def set_up(self, plan: MatchPlan | None = None) -> None:
        """The form for a new match, filled as the last one was."""
        self._show(SetupScreen(plan or self._last_plan() or self._first_plan()))

    def _last_plan(self) -> MatchPlan | None:
        """The last set-up, where it can still be had."""
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
        seats = usual_seats(load_ruleset(DEFAULT_RULESET))
        if self.settings.names:
            seats = (SeatPlan(self.settings.names[0]), *seats[1:])
        return MatchPlan(seats=seats, speed=Speed(self.settings.ai_speed), curtain=self.settings.curtain)

    def play(self, plan: MatchPlan) -> None:
        """Begin a match.

        Raises:
            ValueError: the plan does not go with its ruleset.
        """
        live = begin_match(self.store, plan)
        if live.table.humans:
            self.remember(with_match(self.settings, plan, live))
        self.play_table(plan, live.table, live)

    def play_table(self, plan: MatchPlan, table: Table, live: LiveMatch | None = None) -> None:
        """Play on at a table, from where it stands; without `live` nothing is written down."""
        self._show(TableScreen(plan, table, live))

    def resume(self, match_id: str) -> None:
        """Take up a match at the very decision where it stands, or say why that cannot be."""
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
        seats = tuple(SeatPlan(seat.name, "ai:club") for seat in parse_seats(["ai:club"] * 4))
        self.play(MatchPlan(seats=seats, speed=Speed(self.settings.ai_speed)))

    def show_matches(self) -> None:
        """All matches."""
        self._show(MatchesScreen())

    def show_replay(self, about: Summary) -> None:
        """Step through the deals of a match that are over."""
        try:
            replay = self.store.replay(about.id)
            deals = past_deals(replay)
        except (StoreError, InputError, DoesNotFollow) as error:
            self.notify(str(error), severity="error", timeout=12, markup=False)
            return
        if deals:
            self._show(ReplayScreen(about, deals, replay.head.seed))
        else:
            self.notify("No deal of this match is over yet: there is nothing to step through.", severity="warning")

    def show_statistics(self) -> None:
        """How everybody has played."""
        self.overlays.show(StatisticsScreen())

    def show_settings(self) -> None:
        """The player's settings."""
        self.overlays.show(SettingsScreen())

    def learning(self, ruleset: str = "") -> Learning:
        """A course and what has been learnt of it; the one opened last, if none is named.

        Raises:
            ValueError: there is no such ruleset.
        """
        if self._progress is None:
            self._progress = ProgressFile.load()
            if self._progress.problem is not None:
                told = f"What you have learnt cannot be read, and is kept aside. {self._progress.problem}"
                # A screen that is only being composed shows no notice.
                self.call_later(self.tell_notices, told)
        self._course = ruleset or self._course
        return Learning.of(self._course, self._progress, lambda told: self.notify(told, markup=False, timeout=12))

    def practise(self) -> None:
        """Exercises of what is due, if anything is."""
        learning = self.learning()
        lesson = learning.practice()
        if lesson is None:
            self.show_learn()
        else:
            self.begin_lesson(learning, lesson)

    def show_learn(self, ruleset: str = "") -> None:
        """The chapters of a ruleset's course."""
        self._show(LearnScreen(self.learning(ruleset)))

    def begin_lesson(self, learning: Learning, lesson: Lesson) -> None:
        """A lesson."""
        self._show(LessonScreen(learning, lesson))

    def play_coached(self, learning: Learning, chapter: Chapter) -> None:
        """A chapter's coached deal; nothing of it is written down."""
        plan, table = open_deal(learning, chapter, Speed(self.settings.ai_speed))
        self._show(CoachedScreen(learning, chapter, plan, table))

    def show_rules(self) -> None:
        """Ask for a game, and show its rules."""
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
        """A key or a click ends what moves by itself, and acts at once."""
        if isinstance(event, (events.Key, events.MouseDown)) and isinstance(self.screen, TabletopScreen):
            self.screen.motion.end()
        await super().on_event(event)

    async def action_quit(self) -> None:
        """Leave the program after asking, wherever the key is pressed."""
        table = next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)
        if table is not None and not table.is_away and not table.table.match.finished:
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
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.fault = fault_sentence(error, log_fault(error))
        self._return_code = FAULT
        self.exit(return_code=FAULT)


def _started() -> Thinker:
    """A thinker whose process starts while the app does."""
    thinker = Thinker()
    thinker.warm_up()
    return thinker


def run_app(
    *,
    ruleset: str | None = None,
    seats: Sequence[str] = (),
    seed: int | None = None,
    options: Sequence[str] = (),
    start: str | None = None,
    course: str = "",
    chapter: str = "",
) -> None:
    """Run the app in this terminal until the player leaves it.

    `start`: home, setup, table, watch or learn (a ruleset's `course`, or one `chapter` of it); by default the table if
    seats are named, else the set-up if anything is, else home.

    Raises:
        ValueError: what was asked for does not go together; nothing has been shown yet.
    """
    plan: MatchPlan | None = None
    if start == "watch":
        found = load_ruleset(ruleset or DEFAULT_RULESET)
        plan, start = plan_of(ruleset, seats or ["ai:club"] * len(usual_seats(found)), seed, options), "table"
    elif ruleset or seats or seed is not None or options:
        plan = plan_of(ruleset, seats, seed, options)
        start = start or ("table" if seats else "setup")
    if plan is not None and start == "table":
        plan.open()
    app = KalookiApp(plan, start or "home", course=course, chapter=chapter)
    with Ending(app) as ending:
        app.run()
    if ending.code is not None:
        sys.exit(ending.code)
    if app.fault is not None:
        sys.stderr.write(f"kalooki: {app.fault}\n")
        sys.exit(FAULT)
