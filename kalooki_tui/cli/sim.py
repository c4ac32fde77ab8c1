"""``kalooki sim``: many matches, here, in several processes or on a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from kalooki_tui.cli.match_options import (
    complete_file,
    echo_json,
    echo_table,
    json_option,
    options_option,
    ruleset_option,
    seats_option,
    usage_errors,
)
from kalooki_tui.wording import counted

if TYPE_CHECKING:
    from kalooki_tui.simulation.results import Results
    from kalooki_tui.simulation.runner import MatchNotes, Simulation

#: Exit code where programs were replaced, so that not all that is counted of them is their own.
REPLACED: Final = 3
#: Seconds between two lines that say how far it is.
EVERY: Final = 20.0
_PATH: Final = click.Path(path_type=Path)


@click.command()
@ruleset_option()
@options_option()
@seats_option()
@click.option("--matches", default=100, show_default=True, type=click.IntRange(1, 1_000_000), metavar="N")
@click.option("--seed", default=1, show_default=True, type=int, metavar="N", help="Same seed, same results.")
@click.option("--deal", type=int, metavar="N", help="Play single deals of contract N instead of matches.")
@click.option("--referee", type=click.Choice(["strict", "penalties"]), default="strict", show_default=True)
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1, 64), metavar="N", help="How many processes."
)
@click.option("--cluster", "address", metavar="ADDRESS", help="Play on a Dask cluster: the address of its scheduler.")
@click.option("--notes", "file", metavar="FILE", type=_PATH, shell_complete=complete_file,
              help="Save each match's results in this file, and continue from there after a break.")  # fmt: skip
@click.option("--record", "folder", metavar="DIR", type=_PATH, help="Write a record of each match into this folder.")
@click.option(
    "--bot-log", metavar="DIR", type=_PATH, help="Keep what programs write to their standard error in this folder."
)
@click.option("--patience", default=10.0, show_default=True, type=click.FloatRange(0.01, 3600), metavar="SECONDS",
              help="How long a program may take to answer.")  # fmt: skip
@json_option
def sim(matches: int, jobs: int, address: str | None, file: Path | None, as_json: bool, **planned: Any) -> None:
    """Play many matches between AI seats and programs: who wins?

    The same cards are played once for each way the players can sit, so that luck cancels out. Numbers come with
    their 95% intervals, from five shuffles on. Play a multiple of the number of seats, so that every rotation is
    complete. Exit 3 if an AI player had to play on for a program.
    """
    from kalooki_tui.engine.rules import Referee
    from kalooki_tui.playouts import why_not
    from kalooki_tui.simulation.results import results_data, summarise
    from kalooki_tui.simulation.runner import Notebook, is_for_core, numbers_left, plan_simulation, simulate

    with usage_errors():
        planned["referee"] = Referee(planned["referee"])
        plan = plan_simulation(matches=matches, **planned)
    if address is not None and (jobs != 1 or plan.folder is not None or plan.bot_log is not None):
        raise click.UsageError(
            "--cluster cannot be combined with --jobs, --record or --bot-log: the matches are played elsewhere"
        )
    if address is None and is_for_core(plan.rules, plan.seats) and why_not():
        click.echo(f"{why_not()} It takes a hundred times as long.", err=True)
    with Notebook(file, plan) if file is not None else nullcontext() as book:
        played = [] if book is None else book.notes
        for sentence in [] if book is None else book.skipped:
            click.echo(sentence, err=True)
        numbers = numbers_left(plan, played)
        hidden = not sys.stderr.isatty()
        with click.progressbar(length=matches, label="matches", file=sys.stderr, hidden=hidden) as bar:
            told = monotonic()
            bar.update(len(played))
            for notes in simulate(plan, jobs, numbers) if address is None else _on_cluster(plan, address, numbers):
                played.append(notes)
                if book is not None:
                    book.add(notes)
                bar.update(1)
                if hidden and monotonic() > told + EVERY:
                    told = monotonic()
                    click.echo(f"{len(played)} of {matches} matches are over.", err=True)
    results = summarise(plan, played)
    if as_json:
        echo_json(results_data(results))
    else:
        _echo_results(results)
    if results.replaced:
        raise click.exceptions.Exit(REPLACED)


def _on_cluster(plan: Simulation, address: str, numbers: Sequence[int]) -> Iterator[MatchNotes]:
    from kalooki_tui.extras import how_to_add
    from kalooki_tui.simulation.runner import NotInstalled, simulate_on

    try:
        yield from simulate_on(plan, address, numbers)
    except NotInstalled:
        raise click.ClickException(f"this needs the extra `cluster`: {how_to_add('cluster')}") from None
    except ConnectionError as error:
        raise click.ClickException(str(error)) from None


def _echo_results(results: Results) -> None:
    from kalooki_tui.simulation.results import contract_rows, interval_words, player_rows, program_rows, time_rows

    plan = results.simulation
    unit = "match" if plan.deal is None else f"deal of contract {plan.deal}"
    units = "matches" if plan.deal is None else f"deals of contract {plan.deal}"
    options = f", {', '.join(plan.options)}" if plan.options else ""
    click.echo(
        f"{plan.ruleset.name}{options}, {plan.referee} referee, seed {plan.seed}: "
        f"{results.matches} {unit if results.matches == 1 else units} over {counted(plan.shuffles, 'shuffle')}, "
        f"each played in {counted(plan.rotations, 'rotation')} of the players"
    )
    for text, times in results.notices:
        click.echo(f"{text} (in {times} of them)")
    for rows in (player_rows(results), contract_rows(results), program_rows(results), time_rows(results)):
        if len(rows) > 1:
            click.echo()
            echo_table(rows)
    click.echo(f"\n{interval_words(results)}")
