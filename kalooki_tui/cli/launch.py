"""From the command line to the app, and back with its exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import replace

from kalooki_tui.cli.match_options import MatchOptions

if TYPE_CHECKING:
    from kalooki_tui.tui.app import KalookiApp
    from kalooki_tui.tui.routes import Route


def run_match(wanted: MatchOptions, start: str | None = None, *, hands: bool = False, speed: str | None = None) -> None:
    """Run the app: at a table if seats are named, in the set-up if anything is, else on the first screen.

    Raise ValueError before anything is shown.
    """
    from kalooki_tui.tui import routes

    see_that_it_runs("The app's screen")
    if start == "watch" and not wanted.seats:
        from kalooki_tui.rulesets import DEFAULT_RULESET
        from kalooki_tui.rulesets.loader import load_ruleset
        from kalooki_tui.session.plan import usual_seats

        usual = usual_seats(load_ruleset(wanted.ruleset or DEFAULT_RULESET))
        wanted = wanted._replace(seats=("ai:club",) * len(usual))
    if wanted == MatchOptions():
        run_app(routes.home())
        return
    from kalooki_tui.session.plan import Speed, as_usual, plan_of
    from kalooki_tui.storage.player.settings_file import SettingsFile

    plan = as_usual(plan_of(*wanted), SettingsFile.load().settings)
    plan = replace(plan, open_hands=hands, speed=plan.speed if speed is None else Speed(speed))
    if wanted.seats:
        plan.open()
        run_app(routes.new_match(plan))
    else:
        run_app(routes.set_up(plan))


def run_app(first: Route, make: Callable[[Route], KalookiApp] | None = None) -> None:
    """Run apps in this terminal until the player leaves, beginning at `first` or with the app of `make`.

    A table that others come to has an app of its own; the usual one follows.
    """
    see_that_it_runs("The app's screen")
    app, told = _run(first, make), ""
    while app.onward is not None:
        onward, told = app.onward, app.parting
        app = _host(onward) if onward.name == "hosted" else _run(onward, told=told)


def _host(route: Route) -> KalookiApp:
    from kalooki_tui.hosting.apps import HostApp
    from kalooki_tui.hosting.doors import house_again, kept_doorway
    from kalooki_tui.hosting.lobby import Lobby, chairs_of
    from kalooki_tui.storage.kept import HostedFile

    plan, match = route.arguments
    kept = HostedFile.of(match)
    house = house_again(Lobby(plan, chairs_of(plan)), kept, kept_doorway(kept.kept))
    return _run(route, lambda _: HostApp(house, match, leads_home=True))


def _run(first: Route, make: Callable[[Route], KalookiApp] | None = None, told: str = "") -> KalookiApp:
    # Looking for garbage among what is being imported finds none, and takes a quarter of the start; it begins when the
    # first screen is seen.
    gc.disable()
    from kalooki_tui.tui.app import FAULT, KalookiApp
    from kalooki_tui.tui.terminal import TerminalWatch

    app = KalookiApp(first, told=told) if make is None else make(first)
    if os.environ.get("TEXTUAL_DRIVER"):
        # What draws in a terminal's place sees to its own end.
        app.run()
    else:
        with TerminalWatch(app) as ending:
            app.run()
        if ending.code is not None:
            sys.exit(ending.code)
    if app.fault is not None:
        sys.stderr.write(f"kalooki: {app.fault}\n")
        sys.exit(FAULT)
    return app


WAYS: Final = (
    "It runs in WSL, which is Linux within Windows: wsl --install, then install the game there. "
    "A table that somebody opens on Linux or macOS is open to Windows too, by ssh or with a browser. "
    "Here, kalooki play --plain plays as lines of text."
)


def see_that_it_runs(what: str) -> None:
    """Raise ClickException on Windows, with what runs there instead."""
    if sys.platform == "win32":
        raise click.ClickException(f"{what} does not run on Windows itself. {WAYS}")
