"""The notes of a simulation in a file, a match a line as it is over: a simulation that was broken off goes on there.

The first line says what is played. A last line that was not finished is dropped, and its match is played again; so is
that of any other line that cannot be read. One program at a time writes to the file.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from kalooki_tui.files import open_to_read
from kalooki_tui.locks import FileLock
from kalooki_tui.problems import Place, problem
from kalooki_tui.rulesets.model import to_data
from kalooki_tui.table.simulation import MatchNotes, Simulation

FORMAT: Final = 1
BUSY: Final = "another simulation is writing its notes there: wait for it, or name another file"
SKIPPED: Final = "this is not a line of these notes; a match that is missing is played again"


class Notebook:
    """A file of notes; a context that closes it."""

    def __init__(self, path: Path, simulation: Simulation) -> None:
        """Open the file, or begin it.

        Raises:
            InputError: it holds the notes of another simulation, or no notes, or another program is writing to it.
            OSError: it cannot be read or written.
        """
        self.path = path
        self.notes: list[MatchNotes] = []
        """Of the matches that have been played already."""
        self.skipped: list[str] = []
        """Sentences about lines that could not be read."""
        lock = FileLock.take(path.parent / f".{path.name}.lock")
        if lock is None:
            raise problem(BUSY, Place(str(path)))
        self._lock = lock
        try:
            self._open(_head(simulation), simulation)
        except BaseException:
            lock.release()
            raise

    def _open(self, head: dict[str, Any], simulation: Simulation) -> None:
        path = self.path
        lines = []
        if path.exists():
            with open_to_read(path) as stream:
                lines = stream.read().split(b"\n")
        # What follows the last end of a line was being written when it was broken off.
        whole = lines[:-1]
        if whole:
            self._read(whole, head, simulation)
        self._file = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(sum(len(line) + 1 for line in whole))
        self._file.seek(0, 2)
        if not whole:
            self._write(head)

    def _read(self, lines: list[bytes], head: dict[str, Any], simulation: Simulation) -> None:
        path = str(self.path)
        try:
            found = msgspec.json.decode(lines[0])
        except ValueError:
            raise problem("this is not a line of a simulation's notes", Place(path, 1)) from None
        if found != head:
            raise problem("these are the notes of another simulation: name another file", Place(path, 1))
        read: dict[int, MatchNotes] = {}
        for number, line in enumerate(lines[1:], start=2):
            try:
                notes = _read_notes(line, simulation)
            except (ValueError, RecursionError):
                self.skipped.append(f"{Place(path, number)}: {SKIPPED}")
                continue
            if 0 <= notes.number < simulation.matches:
                read.setdefault(notes.number, notes)
        self.notes += read.values()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._lock.release()

    def add(self, notes: MatchNotes) -> None:
        """Write down a match that is over."""
        self._write(notes)

    def _write(self, data: object) -> None:
        self._file.write(msgspec.json.encode(data) + b"\n")
        self._file.flush()


def _head(simulation: Simulation) -> dict[str, Any]:
    """Everything that determines the matches of the simulation, which does not include their number."""
    decides = {
        "ruleset": to_data(simulation.ruleset),
        "options": simulation.options,
        "seats": [plan.player for plan in simulation.seats],
        "seed": simulation.seed,
        "referee": str(simulation.referee),
        "deal": simulation.deal,
    }
    mark = sha256(json.dumps(decides, sort_keys=True, default=str).encode()).hexdigest()[:16]
    return {"simulation": FORMAT, "ruleset": simulation.ruleset.id, "seed": simulation.seed, "mark": mark}


def _read_notes(line: bytes, simulation: Simulation) -> MatchNotes:
    """Read the notes of a line.

    Raises:
        ValueError: they are not those of a match of this simulation.
    """
    notes = msgspec.json.decode(line, type=MatchNotes)
    seats = len(simulation.seats)
    by_seat = [notes.totals, *(one.points for one in notes.passed_over)]
    by_seat += [counts for deal in notes.deals for counts in (deal.dealt_in, deal.calls, deal.points)]
    is_of_this = sorted(notes.players) == sorted(plan.player for plan in simulation.seats)
    if not (is_of_this and notes.winners and set(notes.winners) <= {*range(seats)}):
        raise ValueError("other players or winners")
    if any(len(numbers) != seats for numbers in by_seat):
        raise ValueError("other seats")
    return notes


def numbers_left(simulation: Simulation, notes: list[MatchNotes]) -> list[int]:
    """The matches that have not been played yet."""
    played = {one.number for one in notes}
    return [number for number in range(simulation.matches) if number not in played]
