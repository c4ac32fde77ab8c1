"""Matches read from files: records and positions with what must come of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kalooki_tui.api.match import Before, Match
from kalooki_tui.engine.actions import Cut
from kalooki_tui.engine.match import Match as EngineMatch
from kalooki_tui.engine.match import MatchSetup
from kalooki_tui.notation.action_text import print_action
from kalooki_tui.positions.expectations import expectations
from kalooki_tui.positions.position_files import Position as PositionFile
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.position_files import read_position as parse_position
from kalooki_tui.positions.staging import check_position, set_up
from kalooki_tui.problems import SourceLocation, problem
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import RecordFile, open_lines, open_record
from kalooki_tui.records.writer import Line, is_about_table
from kalooki_tui.rulesets.folders import available


def ruleset_ids() -> list[str]:
    """Return the ids of all rulesets, built-in or the user's own."""
    return [entry.id for entry in available()]


def read_record(source: str | Path | Iterable[str]) -> Match:
    """Read the match of a record as it stands at its end; `source` is a file's path, or the lines.

    A match that was broken off can be played on; between two deals, `next_deal` goes on. Raise ValueError if there is
    no such file, it is no record, or a line does not follow.
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
        if is_about_table(data):
            continue
        if isinstance(one.action, Cut) and head.seed is not None:
            # A record's deal begins with the dealer's cut, and the step before the match that waited for it (B1).
            if before is None:
                before = EngineMatch.start(MatchSetup(head.rules, names, head.seed or 0, head.first_turn))
            elif before.actor is None:
                before.next_deal()
        if one.action is not None and before is not None:
            steps.append(Before(before, len(lines), print_action(one.action, names, faces)))
        lines.append(data)
    if replay.match is None:
        raise problem("has no deal: there is nothing to show", SourceLocation(record.file))
    # Whoever has sat down since, seats keep the names by which the record's lines call them.
    replay.match.rename(names)
    return Match._made(replay.match, head, lines, steps)


class PositionStep(NamedTuple):
    """Step of a position: its action, and its expected refusal.

    `refused`: None if the action must be accepted, empty for any code; `charged`: the refusal costs points.
    """

    action: str
    refused: str | None
    charged: bool


class Position(Match):
    """Match at a position, before the position's own `steps`."""

    _file: PositionFile

    @property
    def title(self) -> str:
        return self._file.title

    @property
    def reason(self) -> str:
        """Reason why the best action is the best."""
        return self._file.reason

    @property
    def steps(self) -> tuple[PositionStep, ...]:
        return tuple(PositionStep(step.text, step.refused, step.charged) for step in self._file.steps)

    @property
    def expect(self) -> dict[str, str]:
        """Expectations after the steps, such as ``{"turn": "Bob", "scores.Ann": "12"}``."""
        return {one.what: one.expected for one in expectations(self._file)}

    def check(self) -> str | None:
        """Play the steps in a copy; return the first difference, with its line, or None."""
        failure = check_position(self._file)
        return None if failure is None else str(failure)


def read_position(source: str | Path) -> Position:
    """Read the match at a position in a file, or in a text of several lines; raise ValueError."""
    is_text = isinstance(source, str) and "\n" in source
    file = parse_position(str(source), "position") if is_text else load_position(source)
    position = Position._made(set_up(file), None, [], [])
    position._file = file
    return position
