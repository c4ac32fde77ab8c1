"""Verification of records by playing them again, for ``kalooki verify``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

from kalooki_tui.problems import Failure, InputError
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import DoesNotFollow, open_record
from kalooki_tui.records.writer import Line
from kalooki_tui.wording import counted


class State(StrEnum):
    WHOLE = "whole"
    """Every line follows, and the last one is the result."""
    GOES_ON = "goes on"
    """Every line follows, and there is no result."""
    CUT_SHORT = "cut short"
    """The record ends within a line, or before the events of its last action."""
    EDITED = "edited"
    """A line was lost, doubled or changed, or does not follow."""
    NO_RECORD = "not a record"


class Verification(Struct, frozen=True):
    """Result of ``kalooki verify``: length of a record, and the first line that does not follow."""

    file: str
    lines: int = 0
    deals: int = 0
    finished: bool = False
    cut_off: bool = False
    """True if the last line is torn, or the lines that follow from it are missing."""
    failure: Failure | None = None
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None and self.error is None

    @property
    def state(self) -> State:
        if self.error is not None:
            return State.NO_RECORD
        if self.failure is not None:
            return State.EDITED
        if self.cut_off:
            return State.CUT_SHORT
        return State.WHOLE if self.finished else State.GOES_ON

    def __str__(self) -> str:
        size = f"{counted(self.lines, 'line')}, {counted(self.deals, 'deal')}"
        match self.state:
            case State.NO_RECORD:
                return str(self.error)
            case State.EDITED:
                return str(self.failure)
            case State.CUT_SHORT:
                return f"{self.file}: cut short: every whole line follows ({size}), and the end is missing"
            case State.GOES_ON:
                return f"{self.file}: every line follows ({size}), and there is no result: the match is unfinished"
        return f"{self.file}: whole: every line follows ({size}), and the match is finished"

    def data(self) -> Line:
        found: Line = {"file": self.file, "ok": self.ok, "state": str(self.state)}
        found |= {"lines": self.lines, "deals": self.deals}
        found |= {"finished": self.finished, "cut_off": self.cut_off}
        if self.failure is not None:
            found |= {"line": self.failure.place.line, "message": self.failure.message}
        if self.error is not None:
            found["error"] = self.error
        return found


def verify(path: str) -> Verification:
    record = open_record(path)
    deals = 0
    with record.stream:
        try:
            replay = Replay(record)
            for played in replay.steps():
                deals += "deal" in played.line.data
        except DoesNotFollow as error:
            return Verification(record.file, record.lines, deals, False, record.cut_off, error.failure)
    cut_off = record.cut_off or bool(replay.due) or replay.waits_for_deal
    finished = replay.match is not None and replay.match.finished and not cut_off
    return Verification(record.file, record.lines, deals, finished, cut_off)


def verify_files(paths: Iterable[str]) -> Iterator[Verification]:
    for path in paths:
        try:
            yield verify(path)
        except InputError as error:
            yield Verification(path, error=str(error))
