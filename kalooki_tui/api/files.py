"""Matches read from files: records and positions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kalooki_tui.api.match import Before, Match
from kalooki_tui.engine.actions import Cut
from kalooki_tui.engine.match import Match as EngineMatch
from kalooki_tui.engine.match import MatchSetup
from kalooki_tui.notation.actions import print_action
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.position_files import read_position as parse_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.problems import Place, problem
from kalooki_tui.records.reading import RecordFile, open_lines, open_record
from kalooki_tui.records.replaying import Replay
from kalooki_tui.records.writing import Line, RecordHead
from kalooki_tui.rulesets.folders import available


def ruleset_ids() -> list[str]:
    """The ids of all rulesets there are, built in or the user's own."""
    return [entry.id for entry in available()]


def read_record(source: str | Path | Iterable[str]) -> Match:
    """The match that a record holds, as it stands at its end; `source` is a file's path, or the record's lines.

    A match that was broken off can be played on; where it stands between two deals, `next_deal` goes on.

    Raises:
        ValueError: there is no such file, it is no record, or a line does not follow from those before it.
    """
    if isinstance(source, str | Path):
        record = open_record(source)
    else:
        record = open_lines("record", (line.rstrip() for line in source))
    with record.stream:
        return _replayed(record)


def _replayed(record: RecordFile) -> Match:
    replay = Replay(record)
    head, names, faces = replay.head, replay.head.names, replay.head.rules.faces
    lines: list[Line] = []
    steps: list[Before] = []
    played = replay.steps()
    while True:
        before = None if replay.match is None else replay.match.clone()
        one = next(played, None)
        if one is None:
            break
        data = one.line.data
        if "undone" in data:
            del lines[-data["undone"] :]
            while steps and steps[-1].lines >= len(lines):
                steps.pop()
            continue
        if isinstance(one.action, Cut) and head.seed is not None:
            before = _before_the_cut(head, before)
        if one.action is not None and before is not None:
            steps.append(Before(before, len(lines), print_action(one.action, names, faces)))
        lines.append(data)
    if replay.match is None:
        raise problem("has no deal: there is nothing to show", Place(record.file))
    return Match._made(replay.match, head, lines, steps)


def _before_the_cut(head: RecordHead, before: EngineMatch | None) -> EngineMatch:
    """Where the dealer cuts, a record's deal begins with the cut: the match as it waited for it (B1)."""
    if before is None:
        return EngineMatch.start(MatchSetup(head.rules, head.names, head.seed or 0, head.first_turn))
    if before.actor is None:
        before.next_deal()
    return before


def read_position(source: str | Path) -> Match:
    """The match that stands at a position; `source` is a file's path, or the text of one, of several lines.

    The position's own steps and what is expected of them are left out.

    Raises:
        ValueError: there is no such file, or it is no position.
    """
    is_text = isinstance(source, str) and "\n" in source
    position = parse_position(str(source)) if is_text else load_position(source)
    return Match._made(set_up(position), None, [], [])
