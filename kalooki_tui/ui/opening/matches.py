"""Opens what is played and looked back at: the first screen, the set-up, tables, matches, statistics, rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.store.errors import StoreError
from kalooki_tui.ui import ways
from kalooki_tui.ui.game_app import GameApp
from kalooki_tui.ui.screens.dialogs import Ask, roomy_width
from kalooki_tui.ui.screens.home import HomeScreen
from kalooki_tui.ui.ways import opens
from kalooki_tui.ui.widgets.choices import numbered, two_lines
from kalooki_tui.wording import first_sentence

if TYPE_CHECKING:
    from kalooki_tui.desk.setup.plan import MatchPlan

#: Seconds that an error stays.
LONG = 12


@opens(ways.Home)
def open_home(app: GameApp, way: ways.Home) -> None:
    """The first screen."""
    app.list_state.want_all()
    app.show_screen(HomeScreen(way.marked))


@opens(ways.SetUp)
def open_set_up(app: GameApp, way: ways.SetUp) -> None:
    """The form for a new match."""
    from kalooki_tui.ui.screens.setup import SetupScreen

    app.show_screen(SetupScreen(way.plan or _last_plan(app) or _first_plan(app)))


def _last_plan(app: GameApp) -> MatchPlan | None:
    """The last set-up, where it can still be had."""
    from kalooki_tui.desk.setup.keeping import plan_of_last
    from kalooki_tui.rulesets.loader import load_ruleset

    try:
        plan = None if app.settings.last is None else plan_of_last(app.settings.last, app.settings)
        if plan is not None:
            load_ruleset(plan.ruleset)
    except ValueError as error:
        app.notify(f"The last set-up cannot be used again: {error}", severity="warning")
        return None
    return plan


def _first_plan(app: GameApp) -> MatchPlan:
    """The usual seats, the person's own name in front."""
    from kalooki_tui.desk.setup.plan import MatchPlan, Speed, usual_seats
    from kalooki_tui.rulesets.loader import load_ruleset
    from kalooki_tui.table.seats import SeatPlan

    seats = usual_seats(load_ruleset(DEFAULT_RULESET))
    if app.settings.names:
        seats = (SeatPlan(app.settings.names[0]), *seats[1:])
    return MatchPlan(seats=seats, speed=Speed(app.settings.ai_speed), curtain=app.settings.curtain)


@opens(ways.NewMatch)
def open_new_match(app: GameApp, way: ways.NewMatch) -> None:
    """Begin a match.

    Raises:
        ValueError: the plan does not go with its ruleset.
    """
    from kalooki_tui.desk.setup.keeping import begin_match, with_match

    if way.plan.own_screens and app.may_host:
        way.plan.check()
        app.go(ways.Hosted(way.plan))
        return
    live = begin_match(app.store, way.plan)
    if live.table.people:
        # Writing settings loads what keeps comments in them, which the table does not wait for.
        app.call_after_refresh(lambda: app.remember(with_match(app.settings, way.plan, live)))
    app.go(ways.AtTable(way.plan, live.table, live))


@opens(ways.Hosted)
def open_hosted(app: GameApp, way: ways.Hosted) -> None:
    """A table that others come to: an app of its own."""
    app.host(way)


@opens(ways.AtTable)
def open_table(app: GameApp, way: ways.AtTable) -> None:
    """Play on at a table, or watch it where nobody plays."""
    from kalooki_tui.desk.setup.plan import AskCalls
    from kalooki_tui.desk.table.sitting import Sitting
    from kalooki_tui.ui.screens.table import TableScreen

    if way.live is not None:
        way.live.write_apart()
    sitting = Sitting(way.plan, way.table, app.thinker, way.live, ask_calls=AskCalls(app.settings.ask_calls))
    place = sitting.sit()
    if way.table.people:
        app.show_screen(TableScreen(way.plan, place))
        return
    from kalooki_tui.ui.playing.watching import Watching

    app.show_screen(TableScreen(way.plan, place, Watching))


@opens(ways.Resume)
def open_resumed(app: GameApp, way: ways.Resume) -> None:
    """Take up a match, or say why that cannot be."""
    from kalooki_tui.desk.setup.keeping import plan_of_live

    try:
        live = app.store.resume(way.match)
    except StoreError as error:
        app.notify(str(error), severity="error", timeout=LONG)
        return
    plan = plan_of_live(live, app.settings)
    if plan.own_screens and app.may_host:
        live.close()
        app.go(ways.Hosted(plan, way.match))
        return
    app.go(ways.AtTable(plan, live.table, live))


@opens(ways.SameSeats)
def open_same_seats(app: GameApp, way: ways.SameSeats) -> None:
    """The same seats, another deal of the cards."""
    plan = way.plan or _last_plan(app)
    if plan is None:
        return
    try:
        app.go(ways.NewMatch(replace(plan, seed=None)))
    except ValueError as error:
        app.notify(str(error), severity="error")


@opens(ways.WatchAI)
def open_watching(app: GameApp, way: ways.WatchAI) -> None:
    """AI seats only."""
    from kalooki_tui.desk.setup.plan import MatchPlan, Speed
    from kalooki_tui.table.seats import SeatPlan, parse_seats

    seats = tuple(SeatPlan(seat.name, "ai:club") for seat in parse_seats(["ai:club"] * 4))
    app.go(ways.NewMatch(MatchPlan(seats=seats, speed=Speed(app.settings.ai_speed))))


@opens(ways.Matches)
def open_matches(app: GameApp, way: ways.Matches) -> None:
    """All matches."""
    from kalooki_tui.ui.screens.matches import MatchesScreen

    app.show_screen(MatchesScreen())


@opens(ways.Replay)
def open_replay(app: GameApp, way: ways.Replay) -> None:
    """Step through the finished deals of a match."""
    from kalooki_tui.ui.opening.replays import read_replay

    read_replay(app, way.about)


@opens(ways.Statistics)
def open_statistics(app: GameApp, way: ways.Statistics) -> None:
    """Everybody's results."""
    from kalooki_tui.ui.screens.statistics import StatisticsScreen

    app.overlays.show(StatisticsScreen())


@opens(ways.Settings)
def open_settings(app: GameApp, way: ways.Settings) -> None:
    """The player's settings."""
    from kalooki_tui.ui.screens.settings import SettingsScreen

    app.overlays.show(SettingsScreen())


@opens(ways.RulesOfGame)
def open_rules(app: GameApp, way: ways.RulesOfGame) -> None:
    """Ask for a game, and show its rules."""
    from kalooki_tui.rulesets.loader import catalogue
    from kalooki_tui.ui.screens.rules import RulesScreen

    listed = [entry.ruleset for entry in catalogue() if entry.ruleset is not None]
    room = roomy_width(app.size.width)
    choices = numbered((two_lines(ruleset.name, first_sentence(ruleset.summary), room), ruleset) for ruleset in listed)

    def chosen(ruleset: Any) -> None:
        if ruleset is not None:
            app.overlays.show(RulesScreen(ruleset))

    app.overlays.show(Ask("Rules of which game?", "", choices, may_close=True, roomy=True), chosen)


@opens(ways.Keys)
def open_keys(app: GameApp, way: ways.Keys) -> None:
    """The keys of a screen."""
    from kalooki_tui.ui.screens.help import HelpScreen

    app.overlays.show(HelpScreen(way.commands))
