"""What decisions cost, as lines of text, at the end of a deal or match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kalooki_tui.desk.study.reviewing import refined, review_text, reviews_of
from kalooki_tui.judging.playing_out import WORLDS
from kalooki_tui.plain.terminal import Lines
from kalooki_tui.playouts import available
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay


def tell_review(
    lines: Lines, compute: Callable[..., Any], record: Sequence[str], seats: Sequence[int], *, last: bool
) -> None:
    """Tell what each decision of some seats cost, in the last deal or in all; each deal as soon as it is played out.

    `compute`: computes a function of what it is given elsewhere; None where that cannot be.
    """
    if available():
        lines.tell("Each decision is played out, which takes some seconds for each deal.")
    replay = Replay(open_lines("this match", record))
    for seat in seats:
        for found in reviews_of(replay, replay.head.names[seat], last=last):
            played_out = compute(refined, found, WORLDS) if available() else None
            lines.tell(review_text(played_out or found, replay.head.rules.faces))
