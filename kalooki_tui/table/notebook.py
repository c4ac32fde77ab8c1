"""The notes of a simulation in a file, a match a line as it is over: a simulation that was broken off goes on there.

The first line says what is played. A last line that was not finished is dropped, and its match is played again.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from kalooki_tui.engine.events import PassedOver
from kalooki_tui.problems import InputError, Place, problem
from kalooki_tui.rulesets.model import to_data
from kalooki_tui.table.simulation import DealNotes, MatchNotes, Simulation

FORMAT: Final = 1


class Notebook:
    """A file of notes; a context that closes it."""

    def __init__(self, path: Path, simulation: Simulation) -> None:
        """Open the file, or begin it.

        Raises:
            InputError: it holds the notes of another simulation, or no notes.
            OSError: it cannot be read or written.
        """
        self.path = path
        self.notes: list[MatchNotes] = []
        """Of the matches that have been played already."""
        head = _head(simulation)
        lines = path.read_bytes().split(b"\n") if path.exists() else []
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
        for number, line in enumerate(lines, start=1):
            place = Place(str(self.path), number)
            try:
                found = json.loads(line)
                if number == 1:
                    if found != head:
                        raise problem("these are the notes of another simulation: name another file", place)
                    continue
                notes = _from_data(found)
            except InputError:
                raise
            except (ValueError, TypeError, KeyError):
                raise problem("this is not a line of a simulation's notes", place) from None
            if 0 <= notes.number < simulation.matches:
                self.notes.append(notes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, notes: MatchNotes) -> None:
        """Write down a match that is over."""
        self._write(_to_data(notes))

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        self._file.flush()


def _head(simulation: Simulation) -> dict[str, Any]:
    """What decides how a match of the simulation goes; how many are played does not."""
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


def _to_data(notes: MatchNotes) -> dict[str, Any]:
    data = asdict(notes)
    data["seconds"] = {player: list(seconds) for player, seconds in notes.seconds.items()}
    return data


def _from_data(data: dict[str, Any]) -> MatchNotes:
    return MatchNotes(
        number=int(data["number"]),
        shuffle=int(data["shuffle"]),
        players=tuple(data["players"]),
        winners=tuple(data["winners"]),
        totals=tuple(data["totals"]),
        deals=[DealNotes(**_fields(deal)) for deal in data["deals"]],
        passed_over=[PassedOver(**_fields(one)) for one in data["passed_over"]],
        notices=list(data["notices"]),
        seconds={player: array("f", seconds) for player, seconds in data["seconds"].items()},
    )


def _fields(data: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def numbers_left(simulation: Simulation, notes: list[MatchNotes]) -> list[int]:
    """The matches that have not been played yet."""
    played = {one.number for one in notes}
    return [number for number in range(simulation.matches) if number not in played]
