"""``kalooki daily``: the deal of a date in the app, or what was made of it as text."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from kalooki_tui.cli.options import echo_json, echo_table, usage_errors
from kalooki_tui.cli.play import has_screen
from kalooki_tui.wording import escaped

if TYPE_CHECKING:
    from kalooki_tui.desk.study.same_cards import Attempt, SameCards


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
    from kalooki_tui.store.summary import daily_key

    day = today() if day_text is None else _day(day_text)
    if plain and not (listing or as_json):
        from kalooki_tui.plain.start import play_daily
        from kalooki_tui.plain.terminal import standard_lines

        with usage_errors():
            over = play_daily(standard_lines(ascii_only=ascii_only), day, name)
        if over is None:
            return
        day = over
    elif not (listing or as_json) and has_screen():
        from kalooki_tui.cli.running import run_app
        from kalooki_tui.ui import routes

        run_app(routes.same_cards(daily_key(day)))
        return
    from kalooki_tui.desk.study.same_cards import played, same_cards
    from kalooki_tui.store.matches import Store

    with Store.look() as store:
        summaries = store.summaries()
    if listing:
        _list([one for one in played(summaries) if one.day], as_json=as_json)
    else:
        _tell(day, same_cards(summaries, daily_key(day)), as_json=as_json)


def _day(text: str) -> date:
    from kalooki_tui.coach.course.progress import today
    from kalooki_tui.desk.study.same_cards import FIRST_DAY

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
    from kalooki_tui.desk.study.same_cards import (
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


def _points(attempt: Attempt) -> str:
    return "has begun" if attempt.points is None else str(attempt.points)


def _data(attempt: Attempt) -> dict[str, object]:
    is_over = attempt.summary.finished
    return {
        "name": attempt.name,
        "match": attempt.summary.id,
        "points": attempt.points,
        "margin": attempt.margin if is_over else None,
        "finished": is_over,
    }
