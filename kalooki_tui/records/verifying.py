"""``kalooki verify``: play records again and say whether every line follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kalooki_tui.problems import Failure, InputError
from kalooki_tui.records.reading import open_record
from kalooki_tui.records.replaying import DoesNotFollow, Replay
from kalooki_tui.records.writing import Line
from kalooki_tui.wording import counted


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``kalooki verify`` found: how far a record goes, and the first line that does not follow."""

    file: str
    lines: int = 0
    """Whole lines read."""
    deals: int = 0
    finished: bool = False
    """Whether the match has its result."""
    cut_off: bool = False
    failure: Failure | None = None
    error: str | None = None
    """Why the file is not a record."""

    @property
    def ok(self) -> bool:
        """Whether every whole line follows."""
        return self.failure is None and self.error is None

    def __str__(self) -> str:
        if not self.ok:
            return self.error or str(self.failure)
        end = "a finished match" if self.finished else "a match that goes on"
        cut = ", cut off in its last line" if self.cut_off else ""
        size = f"{counted(self.lines, 'line')}, {counted(self.deals, 'deal')}"
        return f"{self.file}: every line follows ({size}, {end}{cut})"

    def data(self) -> Line:
        """The verdict for programs."""
        found: Line = {"file": self.file, "ok": self.ok, "lines": self.lines, "deals": self.deals}
        found |= {"finished": self.finished, "cut_off": self.cut_off}
        if self.failure is not None:
            found |= {"line": self.failure.place.line, "message": self.failure.message}
        if self.error is not None:
            found["error"] = self.error
        return found


def verify(path: str) -> Verdict:
    """Play a record again.

    Raises:
        InputError: the file is not a record.
    """
    record = open_record(path)
    deals = 0
    failure: Failure | None = None
    with record.stream:
        replay = Replay(record)
        try:
            for played in replay.steps():
                deals += "deal" in played.line.data
        except DoesNotFollow as error:
            failure = error.failure
    finished = failure is None and replay.match is not None and replay.match.finished
    return Verdict(record.file, record.lines, deals, finished, record.cut_off, failure)


def verify_files(paths: Iterable[str]) -> Iterator[Verdict]:
    """A verdict on each file, also on one that is not a record."""
    for path in paths:
        try:
            yield verify(path)
        except InputError as error:
            yield Verdict(path, error=str(error))
