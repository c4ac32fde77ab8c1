"""``kalooki review``: what the decisions of a deal cost, apart from luck."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from kalooki_tui.cli.options import complete_file, echo_json, usage_errors
from kalooki_tui.cli.store import record_of

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command()
@click.argument("which", metavar="RECORD|ID", shell_complete=complete_file)
@click.option("--deal", type=click.IntRange(1, 1000), metavar="N", help="One deal of the match. Default: all.")
@click.option("--seat", default="", metavar="NAME", help="Whose decisions. Default: the first person's.")
@click.option(
    "--worlds",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="Possible deals in which each decision is played out; 0: only estimate. Default: 2000 with the native core.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def review(which: str, deal: int | None, seat: str, worlds: int | None, as_json: bool) -> None:
    """Say what each decision of a match cost, apart from luck.

    Also: what would have been better.

    Exit 2 if the record is damaged.
    """
    from kalooki_tui.desk.study.reviewing import data, refined, review_text, reviews_of, trend
    from kalooki_tui.judging.playing_out import WORLDS
    from kalooki_tui.playouts import why_not
    from kalooki_tui.records.replaying import Replay

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
    """Says on a terminal how far the deal is; it is gone once the deal is reviewed."""

    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty():
            told = f"{deal}: decision {done} of {of}"
            click.echo(f"\r{told}" if done < of else f"\r{' ' * len(told)}\r", err=True, nl=False)

    return tell
