"""The commands that play: at the table, as lines of text, or watching AI seats."""

from __future__ import annotations

import os
import sys
from typing import Final

import click

from kalooki_tui.cli.options import Wanted, agreed_options, deals_option, match_options, usage_errors
from kalooki_tui.rulesets import DEFAULT_RULESET

AS_TEXT: Final = "kalooki play --plain plays as lines of text."


@click.command()
@match_options("A name, ai:LEVEL or exec:COMMAND.")
@click.option("--plain", is_flag=True, help="Play as text: for screen readers, narrow screens, slow connections.")
@click.option(
    "--duplicate",
    is_flag=True,
    help="Everybody named plays the same cards in the same seat, one after another, against AI seats.",
)
@agreed_options
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
def play(wanted: Wanted, plain: bool, duplicate: bool, ascii_only: bool) -> None:
    """Play a match. Without a terminal, AI seats play one as text."""
    if not plain and is_poor():
        click.echo("The match goes on as lines of text, as with --plain.", err=True)
        plain = True
    if duplicate and wanted.agreed:
        raise click.UsageError("--duplicate goes with --deals only: everybody plays the same match")
    if plain:
        _play_by_lines(wanted, duplicate=duplicate, ascii_only=ascii_only)
    elif duplicate:
        _play_duplicate(wanted)
    else:
        run(wanted)


def _play_by_lines(wanted: Wanted, *, duplicate: bool, ascii_only: bool) -> None:
    from kalooki_tui.plain.start import play_duplicate, play_plain
    from kalooki_tui.plain.terminal import standard_lines

    _check_named(wanted, count=None if duplicate else len(wanted.seats) or None)
    lines, named = standard_lines(ascii_only=ascii_only), wanted._asdict()
    with usage_errors():
        if duplicate:
            del named["agreed"]
            play_duplicate(lines, **named)
        else:
            play_plain(lines, **named)


def _play_duplicate(wanted: Wanted) -> None:
    if not has_screen():
        raise click.UsageError("--duplicate needs the app's screen, or --plain")
    if not wanted.seats:
        raise click.UsageError("--duplicate needs the people who play: name each with --seat")
    from kalooki_tui.cli.running import run_app
    from kalooki_tui.desk.setup.plan import plan_of
    from kalooki_tui.desk.study.same_cards import first_setup
    from kalooki_tui.ui import routes

    _check_named(wanted, count=None)
    plan = plan_of(*wanted)
    with usage_errors():
        first_setup(plan)
    run_app(routes.new_duplicate(plan))


@click.command()
@match_options("ai:LEVEL or exec:COMMAND, also NAME=ai:LEVEL.")
@deals_option
@click.option("--hands", is_flag=True, help="Show all hands from the first card on.")
@click.option("--speed", type=click.Choice(("instant", "brisk", "natural")), help="How fast AI seats move.")
def watch(wanted: Wanted, hands: bool, speed: str | None) -> None:
    """Watch a match between AI seats: four if you name none."""
    people = [seat for seat in wanted.seats if ":" not in seat]
    if people:
        raise click.BadParameter(
            f"{people[0]!r} is a person, but only AI seats play in a match you watch", param_hint="--seat"
        )
    run(wanted, start="watch", hands=hands, speed=speed)


def run(wanted: Wanted, *, start: str | None = None, hands: bool = False, speed: str | None = None) -> None:
    """Play in this terminal; without one AI seats play a match as text, but never in a person's name.

    Raises:
        ValueError: the ruleset, an option or a seat is wrong.
    """
    _check_named(wanted, count=len(wanted.seats) or None)
    if has_screen():
        from kalooki_tui.cli.running import run_match

        run_match(wanted, start, hands=hands, speed=speed)
        return
    if _is_terminal() and start != "watch":
        click.echo(AS_TEXT, err=True)
        raise click.exceptions.Exit(2)
    from kalooki_tui.table.headless import play_text_match

    people = [seat for seat in wanted.seats if ":" not in seat]
    if people:
        raise click.UsageError(f"there is no terminal here for {people[0]} to play in; --plain plays as lines of text")
    why = "" if _is_terminal() else "There is no terminal here, so "
    click.echo(f"{why}AI seats play a whole match as text.")
    ruleset, seats, seed, options, _ = wanted
    play_text_match(ruleset=ruleset or DEFAULT_RULESET, seats=seats, seed=seed, options=options, echo=click.echo)


def has_screen() -> bool:
    """Whether there is a terminal, or whatever the framework's driver named in `TEXTUAL_DRIVER` draws in its place.

    Says so where there is a terminal that cannot draw.
    """
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (_is_terminal() and not is_poor())


def is_poor() -> bool:
    """Whether there is a terminal that cannot draw, which is said then."""
    from kalooki_tui.ui.looks.palettes import why_not_drawn

    why = why_not_drawn(os.environ) if _is_terminal() and not os.environ.get("TEXTUAL_DRIVER") else ""
    if why:
        click.echo(why, err=True)
    return bool(why)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _check_named(wanted: Wanted, *, count: int | None) -> None:
    """See that what is named exists: said here, in one line, and not by a screen that has just been drawn."""
    from kalooki_tui.rulesets.loader import load_ruleset, resolve
    from kalooki_tui.table.seats import parse_seats

    if wanted.ruleset is not None or wanted.options:
        resolve(load_ruleset(wanted.ruleset or DEFAULT_RULESET), wanted.options, count)
    try:
        if wanted.seats:
            parse_seats(wanted.seats)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seat") from None
