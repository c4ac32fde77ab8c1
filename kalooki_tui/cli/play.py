"""Commands that play: at the table, as lines of text, or watching AI seats."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import replace

from kalooki_tui.cli.match_options import (
    MatchOptions,
    agreed_options,
    complete_file,
    deals_option,
    echo_json,
    echo_table,
    json_option,
    match_options,
    usage_errors,
)
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.wording import escaped

if TYPE_CHECKING:
    from kalooki_tui.session.plan import MatchPlan
    from kalooki_tui.training.same_cards import DuplicateEntry, SameCards
    from kalooki_tui.tui.app import KalookiApp
    from kalooki_tui.tui.routes import Route

AS_TEXT: Final = "kalooki play --plain plays as lines of text."


@click.command()
@click.argument("which", metavar="[POSITION|RECORD|ID]", required=False, shell_complete=complete_file)
@click.option("--at", metavar="DEAL.TURN", help="With a record: the moment to play on from, such as 3.12.")
@match_options("A name, ai:LEVEL or exec:COMMAND; at a position, NAME or NAME=ai:LEVEL.")
@click.option("--plain", is_flag=True, help="Play as text: for screen readers, narrow screens, slow connections.")
@click.option(
    "--duplicate",
    is_flag=True,
    help="Everybody named plays the same cards in the same seat, one after another, against AI seats.",
)
@agreed_options
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
def play(
    wanted: MatchOptions, which: str | None, at: str | None, plain: bool, duplicate: bool, ascii_only: bool
) -> None:
    """Play a match, or play on from a position or a moment of a record.

    Without a terminal, AI seats play one as text.
    """
    if not plain and is_poor():
        click.echo("The match goes on as lines of text, as with --plain.", err=True)
        plain = True
    if plain and wanted.agreed and wanted.agreed.teach:
        raise click.UsageError("--teach shows contracts and hands on the app's screen, and not as lines of text")
    if which is not None or at is not None:
        if which is None or duplicate:
            raise click.UsageError("--at goes with a record, and --duplicate with neither a record nor a position")
        play_from(which, at, wanted, plain=plain, ascii_only=ascii_only)
        return
    if duplicate and wanted.agreed:
        raise click.UsageError("--duplicate goes with --deals only: everybody plays the same match")
    if plain:
        _play_by_lines(wanted, duplicate=duplicate, ascii_only=ascii_only)
    elif duplicate:
        _play_duplicate(wanted)
    else:
        run(wanted)


def play_from(
    which: str, at: str | None, wanted: MatchOptions, *, plain: bool = False, ascii_only: bool = False
) -> None:
    """Play on from a position, or from a moment of a record: who plays is chosen, the game and its rules are there."""
    from kalooki_tui.session.plan import as_usual
    from kalooki_tui.storage.player.settings_file import SettingsFile

    agreed = wanted.agreed
    if wanted.ruleset or wanted.options or (agreed and (agreed.handicap or agreed.referee != "strict")):
        raise click.UsageError("a position and a record say which game is played, by which rules")
    with usage_errors():
        plan = _plan_from(which, at, wanted)
        if agreed is not None:
            plan = replace(plan, teaching=agreed.teaching, teach=agreed.teach, minutes=agreed.minutes)
        plan.check()
    plan = as_usual(plan, SettingsFile.load().settings)
    if plain:
        from kalooki_tui.plain.console import standard_lines
        from kalooki_tui.plain.start import play_plain

        play_plain(standard_lines(ascii_only=ascii_only), plan)
    elif has_screen():
        from kalooki_tui.tui import routes

        run_app(routes.new_match(plan))
    else:
        click.echo(AS_TEXT, err=True)
        raise click.exceptions.Exit(2)


def _plan_from(which: str, at: str | None, wanted: MatchOptions) -> MatchPlan:
    from kalooki_tui.cli.store import record_of
    from kalooki_tui.positions.position_files import load_position
    from kalooki_tui.positions.staging import SUFFIXES, set_up
    from kalooki_tui.training.moments import moment_in, plan_at, with_seats

    file = Path(which)
    if file.suffix in SUFFIXES and at is None:
        position = load_position(which)
        match = set_up(position if wanted.seed is None else replace(position, seed=wanted.seed))
        return with_seats(plan_at(match, position.title or file.name), wanted.seats)
    if file.suffix in SUFFIXES or at is None:
        raise ValueError(f"{which}: a record is played on from --at, such as 3.12, and a position without it")
    if wanted.seed is not None:
        raise ValueError("a record says how its cards lie: leave out --seed")
    match, lines, upto, players, _ = moment_in(record_of(which), at)
    return with_seats(plan_at(match, f"{file.stem} {at}", players, lines, upto), wanted.seats)


def _play_by_lines(wanted: MatchOptions, *, duplicate: bool, ascii_only: bool) -> None:
    from kalooki_tui.plain.console import standard_lines
    from kalooki_tui.plain.start import play_duplicate, play_plain
    from kalooki_tui.session.plan import plan_of

    _check_named(wanted, count=None if duplicate else len(wanted.seats) or None)
    lines, named = standard_lines(ascii_only=ascii_only), wanted._asdict()
    with usage_errors():
        if duplicate:
            del named["agreed"]
            play_duplicate(lines, **named)
        elif wanted == MatchOptions():
            play_plain(lines)
        else:
            play_plain(lines, plan_of(**named))


def _play_duplicate(wanted: MatchOptions) -> None:
    if not has_screen():
        raise click.UsageError("--duplicate needs the app's screen, or --plain")
    if not wanted.seats:
        raise click.UsageError("--duplicate needs the people who play: name each with --seat")
    from kalooki_tui.session.plan import plan_of
    from kalooki_tui.training.same_cards import first_setup
    from kalooki_tui.tui import routes

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
def watch(wanted: MatchOptions, hands: bool, speed: str | None) -> None:
    """Watch a match between AI seats: four if you name none."""
    if people := wanted.people:
        raise click.BadParameter(
            f"{people[0]!r} is a person, but only AI seats play in a match you watch", param_hint="--seat"
        )
    if not wanted.seats:
        from kalooki_tui.rulesets.loader import load_ruleset
        from kalooki_tui.session.plan import usual_seats

        usual = usual_seats(load_ruleset(wanted.ruleset or DEFAULT_RULESET))
        wanted = wanted._replace(seats=("ai:club",) * len(usual))
    run(wanted, watches=True, hands=hands, speed=speed)


def run(wanted: MatchOptions, *, watches: bool = False, hands: bool = False, speed: str | None = None) -> None:
    """Play in this terminal, or without one let AI seats play as text.

    The app begins at a table if seats are named, in the set-up if anything is, else on the first screen.
    """
    _check_named(wanted, count=len(wanted.seats) or None)
    if has_screen():
        from kalooki_tui.tui import routes

        see_that_it_runs("The app's screen")
        if wanted == MatchOptions():
            run_app(routes.home())
            return
        from kalooki_tui.session.plan import Speed, as_usual, plan_of
        from kalooki_tui.storage.player.settings_file import SettingsFile

        with usage_errors():
            plan = as_usual(plan_of(*wanted), SettingsFile.load().settings)
            plan = replace(plan, open_hands=hands, speed=plan.speed if speed is None else Speed(speed))
            if wanted.seats:
                plan.open()
        run_app(routes.new_match(plan) if wanted.seats else routes.set_up(plan))
        return
    if _is_terminal() and not watches:
        click.echo(AS_TEXT, err=True)
        raise click.exceptions.Exit(2)
    from kalooki_tui.match.headless import play_text_match

    if people := wanted.people:
        raise click.UsageError(f"there is no terminal here for {people[0]} to play in; --plain plays as lines of text")
    why = "" if _is_terminal() else "There is no terminal here, so "
    click.echo(f"{why}AI seats play a whole match as text.")
    ruleset, seats, seed, options, _ = wanted
    play_text_match(ruleset=ruleset or DEFAULT_RULESET, seats=seats, seed=seed, options=options, echo=click.echo)


def has_screen() -> bool:
    """Return whether there is a terminal, or a driver of `TEXTUAL_DRIVER`; say so if it cannot draw."""
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (_is_terminal() and not is_poor())


def is_poor() -> bool:
    from kalooki_tui.tui.looks.palettes import why_not_drawn

    why = why_not_drawn(os.environ) if _is_terminal() and not os.environ.get("TEXTUAL_DRIVER") else ""
    if why:
        click.echo(why, err=True)
    return bool(why)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _check_named(wanted: MatchOptions, *, count: int | None) -> None:
    """Check names early: an error is better in one line than on a screen just drawn."""
    from kalooki_tui.match.seating import parse_seats
    from kalooki_tui.rulesets.loader import load_ruleset, resolve

    if wanted.ruleset is not None or wanted.options:
        resolve(load_ruleset(wanted.ruleset or DEFAULT_RULESET), wanted.options, count)
    try:
        if wanted.seats:
            parse_seats(wanted.seats)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seat") from None


@click.command()
@click.option("--day", "day_text", metavar="YYYY-MM-DD", help="The deal of that day. Default: today's.")
@click.option("--list", "listing", is_flag=True, help="List the days played here.")
@click.option("--plain", is_flag=True, help="Play it as lines of text.")
@click.option("--name", metavar="NAME", help="With --plain: who plays. Default: the name used last.")
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
@json_option
def daily(day_text: str | None, listing: bool, plain: bool, name: str | None, ascii_only: bool, as_json: bool) -> None:
    """Play the deal of the day: the same cards for everybody."""
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.storage.summary import daily_key

    day = today() if day_text is None else _day(day_text)
    if plain and not (listing or as_json):
        from kalooki_tui.plain.console import standard_lines
        from kalooki_tui.plain.start import play_daily

        with usage_errors():
            over = play_daily(standard_lines(ascii_only=ascii_only), day, name)
        if over is None:
            return
        day = over
    elif not (listing or as_json) and has_screen():
        from kalooki_tui.tui import routes

        run_app(routes.same_cards(daily_key(day)))
        return
    from kalooki_tui.storage.match_store import Store
    from kalooki_tui.training.same_cards import played, same_cards

    with Store.look() as store:
        summaries = store.summaries()
    if listing:
        _list([one for one in played(summaries) if one.day], as_json=as_json)
    else:
        _tell(day, same_cards(summaries, daily_key(day)), as_json=as_json)


def _day(text: str) -> date:
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.training.same_cards import FIRST_DAY

    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date such as 2026-11-21", param_hint="--day") from None
    if not FIRST_DAY <= day <= today():
        raise click.BadParameter(f"there are deals from {FIRST_DAY} to today", param_hint="--day")
    return day


def _list(found: list[SameCards], *, as_json: bool) -> None:
    found.sort(key=lambda one: one.key)
    if as_json:
        echo_json({"days": [{"day": str(each.day), "played": list(map(_data, each.attempts))} for each in found]})
    elif not found:
        click.echo("No daily deal has been played here yet.")
    else:
        rows = [(str(each.day), escaped(one.name), _points(one)) for each in found for one in each.attempts]
        echo_table([("day", "who", "points"), *rows])


def _tell(day: date, found: SameCards, *, as_json: bool) -> None:
    from kalooki_tui.coach.vocabulary import contract_words
    from kalooki_tui.training.same_cards import (
        DAILY_VERSION,
        daily_number,
        daily_par,
        daily_ruleset,
        margin,
        par_words,
        spoken,
    )

    ruleset, number = daily_ruleset(day), daily_number(day)
    if as_json:
        par = {one.level: {"points": one.points, "margin": margin(one.totals, one.seat)} for one in daily_par(day)}
        echo_json({"day": str(day), "version": DAILY_VERSION, "ruleset": ruleset.id, "deal": number,
                   "played": list(map(_data, found.attempts)), "par": par})  # fmt: skip
        return
    words = ruleset.vocabulary
    click.echo(f"Daily deal, {spoken(day)}: {words.deal} {number}, {contract_words(ruleset.deals[0], words)}.")
    for one in found.attempts:
        click.echo(f"{escaped(one.name)}: {_points(one)}")
    if found.over:
        click.echo(f"AI players: {par_words(daily_par(day))}")
    else:
        click.echo("Nobody has played it here yet; `kalooki daily` in a terminal plays it.")


def _points(attempt: DuplicateEntry) -> str:
    return "has begun" if attempt.points is None else str(attempt.points)


def _data(attempt: DuplicateEntry) -> dict[str, object]:
    is_over = attempt.summary.finished
    return {
        "name": attempt.name,
        "match": attempt.summary.id,
        "points": attempt.points,
        "margin": attempt.margin if is_over else None,
        "finished": is_over,
    }


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
    from kalooki_tui.hosting.doors import kept_doorway, reopen_hosted_table
    from kalooki_tui.hosting.lobby import Lobby, chairs_of
    from kalooki_tui.storage.kept import HostedFile

    plan, match = route.arguments
    kept = HostedFile.of(match)
    hosted = reopen_hosted_table(Lobby(plan, chairs_of(plan)), kept, kept_doorway(kept.kept))
    return _run(route, lambda _: HostApp(hosted, match, leads_home=True))


def _run(first: Route, make: Callable[[Route], KalookiApp] | None = None, told: str = "") -> KalookiApp:
    # Looking for garbage among what is being imported finds none, and takes a quarter of the start; it begins when the
    # first screen is seen.
    gc.disable()
    from kalooki_tui.tui.app import KalookiApp
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
    _tell_fault(app)
    return app


def run_unseen(app: KalookiApp) -> None:
    """Run an app without a terminal until a signal ends it."""
    app.run(headless=True)
    _tell_fault(app)


def _tell_fault(app: KalookiApp) -> None:
    from kalooki_tui.tui.app import FAULT

    if app.fault is not None:
        sys.stderr.write(f"kalooki: {app.fault}\n")
        sys.exit(FAULT)


WAYS: Final = (
    "It runs in WSL, which is Linux within Windows: wsl --install, then install the game there. "
    "A table that somebody opens on Linux or macOS is open to Windows too, by ssh or with a browser. "
    "Here, kalooki play --plain plays as lines of text."
)


def see_that_it_runs(what: str) -> None:
    """Raise ClickException on Windows, with what runs there instead."""
    if sys.platform == "win32":
        raise click.ClickException(f"{what} does not run on Windows itself. {WAYS}")
