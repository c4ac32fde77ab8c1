"""The commands that play: at the table, as lines of text, or watching AI seats."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from kalooki_tui.cli.options import (
    agreed_by,
    agreed_options,
    deals_option,
    options_option,
    ruleset_option,
    seats_option,
    usage_errors,
    with_deals,
)
from kalooki_tui.rulesets import DEFAULT_RULESET

if TYPE_CHECKING:
    from kalooki_tui.desk.setup.plan import Agreed

AS_TEXT: Final = "kalooki play --plain plays as lines of text."


@click.command()
@ruleset_option(default=None)
@seats_option("A name, ai:LEVEL or exec:COMMAND.")
@click.option("--seed", type=int, metavar="N", help="The same seed deals the same cards.")
@options_option()
@click.option("--plain", is_flag=True, help="Play as text: for screen readers, narrow screens, slow connections.")
@click.option(
    "--duplicate",
    is_flag=True,
    help="Everybody named plays the same cards in the same seat, one after another, against AI seats.",
)
@agreed_options
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
def play(
    ruleset: str | None,
    seats: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    plain: bool,
    duplicate: bool,
    deals: str | None,
    referee: str | None,
    handicap: tuple[str, ...],
    minutes: int | None,
    teaching: bool,
    ascii_only: bool,
) -> None:
    """Play a match. Without a terminal, AI seats play one as text."""
    options = with_deals(options, deals)
    if not plain and is_poor():
        click.echo("The match goes on as lines of text, as with --plain.", err=True)
        plain = True
    if duplicate and (referee or handicap or minutes or teaching):
        raise click.UsageError("--duplicate goes with --deals only: everybody plays the same match")
    agreed = agreed_by(referee, handicap, minutes or 0, teaching=teaching)
    if duplicate and plain:
        from kalooki_tui.plain.start import play_duplicate
        from kalooki_tui.plain.terminal import standard_lines

        _check_named(ruleset, seats, options, count=None)
        lines = standard_lines(ascii_only=ascii_only)
        with usage_errors():
            play_duplicate(lines, ruleset=ruleset, seats=seats, seed=seed, options=options)
        return
    if duplicate:
        if not has_screen():
            raise click.UsageError("--duplicate needs the app's screen, or --plain")
        if not seats:
            raise click.UsageError("--duplicate needs the people who play: name each with --seat")
        from kalooki_tui.cli.running import run_app
        from kalooki_tui.desk.setup.plan import plan_of
        from kalooki_tui.desk.study.same_cards import first_setup
        from kalooki_tui.ui import routes

        _check_named(ruleset, seats, options, count=None)
        plan = plan_of(ruleset, seats, seed, options)
        with usage_errors():
            first_setup(plan)
        run_app(routes.new_duplicate(plan))
        return
    if not plain:
        run(ruleset, seats, seed, options, agreed=agreed)
        return
    from kalooki_tui.plain.start import play_plain
    from kalooki_tui.plain.terminal import standard_lines

    _check_named(ruleset, seats, options, count=len(seats) or None)
    lines = standard_lines(ascii_only=ascii_only)
    with usage_errors():
        play_plain(lines, ruleset=ruleset, seats=seats, seed=seed, options=options, agreed=agreed)


@click.command()
@ruleset_option(default=None)
@seats_option()
@click.option("--seed", type=int, metavar="N", help="The same seed deals the same cards.")
@options_option()
@deals_option
@click.option("--hands", is_flag=True, help="Show all hands from the first card on.")
@click.option("--speed", type=click.Choice(("instant", "brisk", "natural")), help="How fast AI seats move.")
def watch(
    ruleset: str | None,
    seats: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    deals: str | None,
    hands: bool,
    speed: str | None,
) -> None:
    """Watch a match between AI seats: four if you name none."""
    people = [seat for seat in seats if ":" not in seat]
    if people:
        raise click.BadParameter(
            f"{people[0]!r} is a person, but only AI seats play in a match you watch", param_hint="--seat"
        )
    run(ruleset, seats, seed, with_deals(options, deals), start="watch", hands=hands, speed=speed)


def run(
    ruleset: str | None,
    seats: Sequence[str],
    seed: int | None,
    options: Sequence[str],
    *,
    start: str | None = None,
    agreed: Agreed | None = None,
    hands: bool = False,
    speed: str | None = None,
) -> None:
    """Play in this terminal; without one AI seats play a match as text, but never in a person's name.

    Raises:
        ValueError: the ruleset, an option or a seat is wrong.
    """
    _check_named(ruleset, seats, options, count=len(seats) or None)
    if has_screen():
        from kalooki_tui.cli.running import run_match

        run_match(ruleset, seats, seed, options, start, agreed, hands=hands, speed=speed)
        return
    if _is_terminal() and start != "watch":
        click.echo(AS_TEXT, err=True)
        raise click.exceptions.Exit(2)
    from kalooki_tui.table.headless import play_text_match

    people = [seat for seat in seats if ":" not in seat]
    if people:
        raise click.UsageError(f"there is no terminal here for {people[0]} to play in; --plain plays as lines of text")
    why = "" if _is_terminal() else "There is no terminal here, so "
    click.echo(f"{why}AI seats play a whole match as text.")
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


def _check_named(ruleset: str | None, seats: Sequence[str], options: Sequence[str], *, count: int | None) -> None:
    """See that what is named exists: said here, in one line, and not by a screen that has just been drawn."""
    from kalooki_tui.rulesets.loader import load_ruleset, resolve

    if ruleset is not None or options:
        resolve(load_ruleset(ruleset or DEFAULT_RULESET), options, count)
    if seats:
        _check_seats(seats)


def _check_seats(seats: Sequence[str]) -> None:
    from kalooki_tui.table.seats import parse_seats

    try:
        parse_seats(tuple(seats))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seat") from None
