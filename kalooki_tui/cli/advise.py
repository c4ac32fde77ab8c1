"""``kalooki advise`` and ``kalooki review``: what to do at a decision, and what the decisions of a deal cost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from kalooki_tui.cli.match_options import complete_file, echo_json, echo_table, json_option, usage_errors
from kalooki_tui.cli.store import record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kalooki_tui.api import Advice, View

WORLD_COUNT = click.IntRange(0, 100_000)


@click.command()
@click.argument("which", metavar="POSITION|RECORD|ID", shell_complete=complete_file)
@click.option("--deal", type=click.IntRange(1, 1000), metavar="N", help="Which deal of a match. Default: the last.")
@click.option("--seat", default="", metavar="NAME", help="Whose decisions of a match. Default: the first person's.")
@click.option(
    "--at", "turn", type=click.IntRange(1, 1000), metavar="TURN", help="Which turn of the seat. Default: all."
)
@click.option("--level", default="master", show_default=True, metavar="LEVEL", help="The AI level that advises.")
@click.option(
    "--worlds", type=WORLD_COUNT, metavar="N", help="Possible deals in which choices are played out; 0: none."
)
@json_option
def advise(
    which: str, deal: int | None, seat: str, turn: int | None, level: str, worlds: int | None, as_json: bool
) -> None:
    """Say what to do in a position, and what each choice is worth.

    Of a finished deal: at each of its decisions.

    Points are those of the deal less the average of the others': below zero is good.
    """
    from kalooki_tui.api import advise as advise_on
    from kalooki_tui.evaluation.rollouts import WORLDS
    from kalooki_tui.playouts import why_not

    answers = []
    with usage_errors():
        for title, view, done in _asked(which, deal, seat, turn):
            found = advise_on(view, level, worlds=WORLDS if worlds is None else worlds)
            answers.append({"seat": view.seat, "deal": view.deal, "done": done, **to_builtins(found)})
            if not as_json:
                _tell(title, view, found, done)
    if as_json:
        echo_json({"advice": answers, "level": level})
    elif worlds != 0 and (why := why_not()):
        click.echo(f"{why} The options are in order, but without points.", err=True)


def _asked(which: str, deal: int | None, seat: str, turn: int | None) -> list[tuple[str, View, str | None]]:
    from kalooki_tui.api import read_position
    from kalooki_tui.api.view import View
    from kalooki_tui.notation.action_text import print_answer
    from kalooki_tui.positions.staging import SUFFIXES
    from kalooki_tui.records.playback import Replay
    from kalooki_tui.training.reviews import deals_of, decisions

    if Path(which).suffix in SUFFIXES:
        match = read_position(which)
        if match.actor is None:
            raise ValueError(f"{which}: there is nothing to decide in this position")
        return [(f"{match.actor}, {match.contract}", match.view(match.actor), None)]
    record = record_of(which)
    with record.stream:
        deals, at = deals_of(Replay(record), seat, deal or 0)
    past, asked = deals[(deal or 0) - 1], list[tuple[str, View, str | None]]()
    for one in decisions(past, at):
        view = one.view
        if len(view.legal) > 1 and turn in (None, one.turn):
            done = print_answer(one.action, view.names, view.rules.faces)
            asked.append((f"{past.name}, turn {one.turn}, {view.names[at]}", View(view), done))
    if not asked:
        raise ValueError(f"{which}: {past.name} has no such decision")
    return asked


def _tell(title: str, view: View, found: Advice, done: str | None) -> None:
    click.echo(f"{title}: {' '.join(view.hand)}" + (f"  (did: {done})" if done else ""))
    click.echo(f"  {' '.join(found.hint[1:])}")
    rows = [("  choice", "points", "worse by", "why")]
    for place, option in enumerate(found.options):
        points = "" if option.points is None else f"{option.points:+.1f} ±{option.error:.1f}"
        behind = "" if not option.behind else f"{option.behind:+.1f} ±{option.behind_error:.1f}"
        # The fact that tells two choices apart is said once, beside the better one: it speaks for that.
        is_told = place > 0 and option.reason == found.options[0].reason
        rows.append((f"  {option.action}", points, behind, "" if is_told else option.reason))
    echo_table(rows)
    click.echo()


@click.command()
@click.argument("which", metavar="RECORD|ID", shell_complete=complete_file)
@click.option("--deal", type=click.IntRange(1, 1000), metavar="N", help="One deal of the match. Default: all.")
@click.option("--seat", default="", metavar="NAME", help="Whose decisions. Default: the first person's.")
@click.option(
    "--worlds",
    type=WORLD_COUNT,
    metavar="N",
    help="Possible deals in which each decision is played out; 0: only estimate. Default: 2000 with the native core.",
)
@json_option
def review(which: str, deal: int | None, seat: str, worlds: int | None, as_json: bool) -> None:
    """Say what each decision of a match cost, apart from luck.

    Also: what would have been better.

    Exit 2 if the record is damaged.
    """
    from kalooki_tui.evaluation.rollouts import WORLDS
    from kalooki_tui.playouts import why_not
    from kalooki_tui.records.playback import Replay
    from kalooki_tui.training.reviews import data, refined, review_text, reviews_of, trend

    record = record_of(which)
    with usage_errors(), record.stream:
        replay = Replay(record)
        found = reviews_of(replay, seat, deal or 0)
    faces = replay.head.rules.faces
    why = why_not() if worlds != 0 else "Nothing was played out, as you asked."
    if not why:
        found = [refined(one, worlds or WORLDS, _progress(one.deal)) for one in found]
    if as_json:
        echo_json({"reviews": [data(one, faces) for one in found], "how": "value" if why else "worlds"})
        return
    for one in found:
        click.echo(f"{review_text(one, faces)}\n")
    if told := trend([one.lost for one in found]):
        click.echo(told)
    if why:
        click.echo(f"{why} The cost of a decision is a rough estimate, from the value of positions.")


def _progress(deal: str) -> Callable[[int, int], object]:
    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty():
            told = f"{deal}: decision {done} of {of}"
            click.echo(f"\r{told}" if done < of else f"\r{' ' * len(told)}\r", err=True, nl=False)

    return tell
