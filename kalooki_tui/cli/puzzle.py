"""``kalooki puzzle``: puzzles in the app, or asked and answered as lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kalooki_tui.cli.match_options import complete_file, ruleset_option, usage_errors
from kalooki_tui.cli.play import has_screen

if TYPE_CHECKING:
    from kalooki_tui.coach.puzzles import Code, Puzzle


@click.command()
@click.argument("which", metavar="[CODE|FILE]", required=False, shell_complete=complete_file)
@ruleset_option()
@click.option("--kind", metavar="KIND", default="", help="One kind, such as best, throw or chain. Default: any.")
@click.option("--daily", "of_today", is_flag=True, help="The puzzle of the day.")
@click.option("--plain", is_flag=True, help="Play as lines of text.")
@click.option("--answer", metavar="TEXT", help="Judge this answer; exit 1 if it is wrong.")
def puzzle(which: str | None, ruleset: str, kind: str, of_today: bool, plain: bool, answer: str | None) -> int:
    """Solve puzzles: an endless series, or the one of the day.

    With a CODE: the puzzle that has it. With a FILE: a position of your own.
    """
    from kalooki_tui.coach.puzzles import make_puzzle

    with usage_errors():
        posed: Code | Puzzle
        if which is not None and (Path(which).suffix or not which.startswith("K")):
            from kalooki_tui.coach.puzzles import from_file

            posed = from_file(Path(which))
        else:
            posed = _code(which, ruleset, kind, of_today=of_today)
            # Whether there is such a puzzle is said before the screen is taken; making it again takes no time.
            make_puzzle(posed)
        if not plain and answer is None and has_screen():
            from kalooki_tui.cli.launch import run_app
            from kalooki_tui.tui import routes

            run_app(routes.solve(posed))
            return 0
        from kalooki_tui.cli.exercise import run
        from kalooki_tui.coach.practice_session import PracticeSession
        from kalooki_tui.coach.puzzles import Series
        from kalooki_tui.training.modes import Puzzles

        return run(Puzzles(PracticeSession(Series(posed, alone=True)), None), answer)


def _code(which: str | None, ruleset: str, kind: str, *, of_today: bool) -> Code:
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.coach.exercises.codes import new_seed
    from kalooki_tui.coach.puzzles import Code

    if which is not None:
        return Code.parse(which)
    if of_today:
        return Code.daily(today(), ruleset)
    return Code.parse(str(Code(new_seed(), kind, ruleset)))
