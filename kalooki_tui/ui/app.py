"""The app: from the first screen to the end of a match."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from kalooki_tui.players.thinker import Thinker
from kalooki_tui.rulesets.loader import DEFAULT_RULESET, catalogue, load_ruleset
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.table import Table
from kalooki_tui.ui import themes
from kalooki_tui.ui.faults import fault_sentence, log_fault
from kalooki_tui.ui.flow import Thinks
from kalooki_tui.ui.glyphs import DEFAULT_LOOK, Look
from kalooki_tui.ui.plan import MatchPlan, usual_seats
from kalooki_tui.ui.screens.dialogs import Ask, Choice
from kalooki_tui.ui.screens.home import HomeScreen
from kalooki_tui.ui.screens.rules import RulesScreen
from kalooki_tui.ui.screens.setup import SetupScreen
from kalooki_tui.ui.screens.table import TableScreen

FAULT: Final = 70


class KalookiApp(App[None]):
    """One terminal's app. `plan` is what to begin with; `start`: home, setup, table."""

    TITLE = "Kalooki"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q,ctrl+c", "quit", show=False, priority=True)]

    def __init__(self, plan: MatchPlan | None = None, start: str = "home", thinker: Thinks | None = None) -> None:
        super().__init__()
        self.look: Look = DEFAULT_LOOK
        self.last_plan: MatchPlan | None = None
        self.thinker: Thinks = _started() if thinker is None else thinker
        self._plan, self._start = plan, start
        self.fault: str | None = None
        """What to tell the player once the terminal is theirs again, if the program had to stop."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The table's colours, whatever the theme."""
        return themes.DEFAULTS

    def on_mount(self) -> None:
        """Show the first screen."""
        themes.register(self)
        self.push_screen(HomeScreen())
        if self._start == "table" and self._plan is not None:
            self.play(self._plan)
        elif self._start == "setup":
            self.set_up(self._plan)

    def on_unmount(self) -> None:
        """Let the thinking process go."""
        if isinstance(self.thinker, Thinker):
            self.thinker.close()

    # From screen to screen

    def go_home(self) -> None:
        """The first screen, whatever is shown."""
        self._show(HomeScreen())

    def set_up(self, plan: MatchPlan | None = None) -> None:
        """The form for a new match, filled as the last one was."""
        plan = plan or self.last_plan or MatchPlan(seats=usual_seats(load_ruleset(DEFAULT_RULESET)))
        self._show(SetupScreen(plan))

    def play(self, plan: MatchPlan) -> None:
        """Begin a match.

        Raises:
            ValueError: the plan does not go with its ruleset.
        """
        self.play_table(plan, plan.open())

    def play_table(self, plan: MatchPlan, table: Table) -> None:
        """Play on at a table, from where it stands."""
        self.last_plan = plan
        self._show(TableScreen(plan, table))

    def play_again(self, plan: MatchPlan) -> None:
        """The same seats, another deal of the cards."""
        from dataclasses import replace

        self.play(replace(plan, seed=None))

    def watch_match(self) -> None:
        """AI seats only."""
        seats = tuple(SeatPlan(seat.name, "ai:club") for seat in parse_seats(["ai:club"] * 4))
        table_plan = MatchPlan(seats=seats)
        self._show(TableScreen(table_plan, table_plan.open()))

    def show_rules(self) -> None:
        """Ask for a game, and show its rules."""
        keys = "123456789abcdefghijklmnop"
        listed = [entry.ruleset for entry in catalogue() if entry.ruleset is not None]
        choices = [Choice(key, ruleset.name, ruleset) for key, ruleset in zip(keys, listed, strict=False)]

        def chosen(ruleset: Any) -> None:
            if ruleset is not None:
                self.push_screen(RulesScreen(ruleset))

        self.push_screen(Ask("Rules of which game?", "", choices, may_close=True), chosen)

    def _show(self, screen: Screen[Any]) -> None:
        """Put a screen in the place of all that are shown."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.switch_screen(screen)

    async def action_quit(self) -> None:
        """Leave the program; from a match only after asking."""
        if isinstance(self.screen, TableScreen):
            self.screen.leave_match()
        else:
            self.exit()

    def get_system_commands(self, screen: Screen[Any]) -> Any:
        """Only what belongs to the game: no screenshots of hands, no panels of the framework."""
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        yield SystemCommand("Quit Kalooki", "Leave the program", self.exit)

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
    """A thinker whose process runs already: once the app has taken the terminal's streams none can be started."""
    thinker = Thinker()
    thinker.warm_up()
    return thinker


def plan_of(ruleset: str | None, seats: Sequence[str], seed: int | None, options: Sequence[str]) -> MatchPlan:
    """The plan that a command line says.

    Raises:
        ValueError: a seat cannot be read, or the ruleset does not exist.
    """
    found = load_ruleset(ruleset or DEFAULT_RULESET)
    plans = parse_seats(tuple(seats)) if seats else usual_seats(found)
    return MatchPlan(ruleset=ruleset or DEFAULT_RULESET, seats=plans, options=tuple(options), seed=seed)


def run_app(
    *,
    ruleset: str | None = None,
    seats: Sequence[str] = (),
    seed: int | None = None,
    options: Sequence[str] = (),
    start: str | None = None,
) -> None:
    """Run the app in this terminal until the player leaves it.

    `start`: home, setup, table or watch; by default the table if seats are named,
    else the set-up if anything is, else home.

    Raises:
        ValueError: what was asked for does not go together; nothing has been shown yet.
    """
    plan: MatchPlan | None = None
    if start == "watch":
        watchers = seats or ["ai:club"] * 4
        plan, start = plan_of(ruleset, watchers, seed, options), "table"
    elif ruleset or seats or seed is not None or options:
        plan = plan_of(ruleset, seats, seed, options)
        start = start or ("table" if seats else "setup")
    if plan is not None and start == "table":
        plan.open()
    app = KalookiApp(plan, start or "home")
    app.run()
    if app.fault is not None:
        sys.stderr.write(f"kalooki: {app.fault}\n")
        sys.exit(FAULT)
