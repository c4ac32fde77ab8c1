"""``kalooki daily``: the deal of a date in the app, or what was made of it as text."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click

from kalooki_tui.cli.echo import echo_json, echo_table, usage_errors
from kalooki_tui.cli.play import has_screen
from kalooki_tui.wording import FIRST_NAME, escaped

if TYPE_CHECKING:
    from kalooki_tui.desk.study.duplicates import Attempt
    from kalooki_tui.table.duplicate import Line


@click.command()
@click.option("--day", "day_text", metavar="YYYY-MM-DD", help="The deal of that day. Default: today's.")
@click.option("--list", "listing", is_flag=True, help="List the days played here.")
@click.option("--plain", is_flag=True, help="Play it as lines of text.")
@click.option("--name", metavar="NAME", help="With --plain: who plays. Default: the name used last.")
@click.option("--ascii", "ascii_only", is_flag=True, help="With --plain: letters for suits.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def daily(day_text: str | None, listing: bool, plain: bool, name: str | None, ascii_only: bool, as_json: bool) -> None:
    """Play the deal of the day: the same cards for everybody."""
    from kalooki_tui.coach.course.progress import today

    day = today() if day_text is None else _day(day_text)
    if plain and not (listing or as_json):
        _play(day, name, ascii_only=ascii_only)
        return
    if not (listing or as_json) and has_screen():
        from kalooki_tui.cli.running import run_app
        from kalooki_tui.ui import routes

        run_app(routes.daily(day))
        return
    from kalooki_tui.store.matches import Store

    with Store.look() as store:
        found = store.summaries()
    if listing:
        _list(found, as_json=as_json)
    else:
        _tell(day, found, as_json=as_json)


def _play(day: date, name: str | None, *, ascii_only: bool) -> None:
    """Play it by lines, and say what everybody made of it."""
    from kalooki_tui.plain.same_cards import play_daily
    from kalooki_tui.plain.terminal import standard_lines
    from kalooki_tui.store.matches import Store

    with usage_errors():
        played = play_daily(standard_lines(ascii_only=ascii_only), day, name)
    if played is not None:
        with Store.look() as store:
            _tell(played, store.summaries(), as_json=False)


def _day(text: str) -> date:
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.table.dates import FIRST_DAY

    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date such as 2026-11-21", param_hint="--day") from None
    if not FIRST_DAY <= day <= today():
        raise click.BadParameter("there are deals from 2026-01-01 to today", param_hint="--day")
    return day


def _list(found: list[Any], *, as_json: bool) -> None:
    from kalooki_tui.desk.study.duplicates import attempts, days
    from kalooki_tui.table.dates import daily_id

    played = {day: attempts(matches, daily_id(day)) for day, matches in sorted(days(found).items())}
    if as_json:
        echo_json(
            {"days": [{"day": day.isoformat(), "played": list(map(_data, each))} for day, each in played.items()]}
        )
    elif not played:
        click.echo("No daily deal has been played here yet.")
    else:
        rows = [(day.isoformat(), escaped(one.name), _points(one)) for day, each in played.items() for one in each]
        echo_table([("day", "who", "points"), *rows])


def _tell(day: date, found: list[Any], *, as_json: bool) -> None:
    from kalooki_tui.coach.vocabulary import contract_words
    from kalooki_tui.desk.study.duplicates import attempts, par_words
    from kalooki_tui.store.player.par import par_of
    from kalooki_tui.table.dates import daily_id, spoken
    from kalooki_tui.table.duplicate import DAILY_VERSION, daily_number, daily_setup

    ruleset = daily_setup(day, FIRST_NAME).ruleset
    played = attempts(found, daily_id(day))
    lines = par_of(day)
    number, words = daily_number(day), ruleset.vocabulary
    if as_json:
        par = {line.level: {"points": line.points, "margin": line.margin} for line in lines}
        echo_json({"day": day.isoformat(), "version": DAILY_VERSION, "ruleset": ruleset.id, "deal": number,
                   "played": list(map(_data, played)), "par": par})  # fmt: skip
        return
    contract = contract_words(ruleset.deals[0], words)
    click.echo(f"Daily deal, {spoken(day)}: {words.deal} {number}, {contract}.")
    for one in played:
        click.echo(f"{escaped(one.name)}: {_points(one)}")
    if any(one.points is not None for one in played):
        click.echo(f"AI players: {par_words(lines)} ({', '.join(map(_line_words, lines))})")
    else:
        click.echo("Nobody has played it here yet; `kalooki daily` in a terminal plays it.")


def _line_words(line: Line) -> str:
    return f"{line.level} {line.points}"


def _points(attempt: Attempt) -> str:
    return "has begun" if attempt.points is None else str(attempt.points)


def _data(attempt: Attempt) -> dict[str, Any]:
    return {
        "name": attempt.name,
        "match": attempt.summary.id,
        "points": attempt.points,
        "margin": attempt.margin,
        "finished": attempt.summary.finished,
    }
