"""From the command line to the app, and back with its exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from kalooki_tui.coach.puzzles.making import Code, Puzzle
    from kalooki_tui.desk.setup.plan import MatchPlan


def run_app(
    *,
    ruleset: str | None = None,
    seats: Sequence[str] = (),
    seed: int | None = None,
    options: Sequence[str] = (),
    start: str | None = None,
    course: str = "",
    chapter: str = "",
    day: date | None = None,
    puzzle: Code | Puzzle | None = None,
) -> None:
    """Run the app in this terminal until the player leaves it.

    `start`: home, setup, table, watch, daily, puzzle, duplicate or learn (a `course`, or one `chapter` of it);
    by default the table if seats are named, else the set-up if anything is, else home.

    Raises:
        ValueError: what was asked for does not go together; nothing has been shown yet.
    """
    # Looking for garbage among what is being imported finds none, and takes a quarter of the start; it begins when the
    # first screen is seen.
    gc.disable()
    from kalooki_tui.ui.app import FAULT, KalookiApp
    from kalooki_tui.ui.terminal import Ending

    plan: MatchPlan | None = None
    if start == "watch":
        from kalooki_tui.desk.setup.plan import plan_of, usual_seats
        from kalooki_tui.rulesets import DEFAULT_RULESET
        from kalooki_tui.rulesets.loader import load_ruleset

        found = load_ruleset(ruleset or DEFAULT_RULESET)
        plan, start = plan_of(ruleset, seats or ["ai:club"] * len(usual_seats(found)), seed, options), "table"
    elif ruleset or seats or seed is not None or options:
        from kalooki_tui.desk.setup.plan import plan_of

        plan = plan_of(ruleset, seats, seed, options)
        if start == "duplicate":
            from kalooki_tui.desk.study.duplicates import first_setup

            first_setup(plan, [seat.name for seat in plan.seats if seat.is_human])
        start = start or ("table" if seats else "setup")
    if plan is not None and start == "table":
        plan.open()
    if plan is not None:
        from kalooki_tui.desk.setup.keeping import as_usual
        from kalooki_tui.store.player.settings import SettingsFile

        plan = as_usual(plan, SettingsFile.load().settings)
    app = KalookiApp(plan, start or "home", course=course, chapter=chapter, day=day, puzzle=puzzle)
    if os.environ.get("TEXTUAL_DRIVER"):
        # What draws in a terminal's place sees to its own end.
        if app.driver_class.__name__ == "WebDriver":
            from kalooki_tui.ui.browser import BrowserDriver

            app.driver_class = BrowserDriver
        app.run()
    else:
        with Ending(app) as ending:
            app.run()
        if ending.code is not None:
            sys.exit(ending.code)
    if app.fault is not None:
        sys.stderr.write(f"kalooki: {app.fault}\n")
        sys.exit(FAULT)
