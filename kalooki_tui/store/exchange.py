"""Records out of the store into files, and into it from files that have been verified, however long they are."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kalooki_tui.engine.view import Phase
from kalooki_tui.records.reading import DoesNotFollow, open_record
from kalooki_tui.records.replaying import Replay
from kalooki_tui.records.writing import deal_line, dump
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import whole_file
from kalooki_tui.store.matches import Store
from kalooki_tui.store.restore import plans_of, table_of
from kalooki_tui.store.rows import UPSERT, encode, match_row

BATCH: Final = 1000
"""Lines written at once while a record is verified."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a record that was taken in."""

    id: str
    lines: int
    finished: bool
    cut_off: bool
    """Whether it ended in the middle of a line, or of what came of an action, and was taken up to there."""

    def data(self) -> dict[str, Any]:
        """The same for programs."""
        return {"id": self.id, "lines": self.lines, "finished": self.finished, "cut_off": self.cut_off}


def export_record(store: Store, match_id: str, path: str | Path, *, overwrite: bool = False) -> int:
    """Write a match's record to a file, whole or not at all. Returns the number of lines.

    Raises:
        NoSuchMatch: there is none with that id.
        StoreError: there is a file of that name already, or it cannot be written.
    """
    match_id = store.whole_id(match_id)
    target = Path(path)
    if target.exists() and not overwrite:
        raise StoreError(f"{path} is there already")
    count = 0
    try:
        with whole_file(target) as stream:
            for line in store.lines(match_id):
                stream.write(encode(line) + b"\n")
                count += 1
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {reason(error)}") from error
    return count


def import_record(store: Store, path: str | Path) -> Imported:
    """Verify a record and take it into the store; one cut off is taken as far as it goes, and can be played on.

    Raises:
        InputError: the file is no record.
        StoreError: a line does not follow, which the text names, or the store cannot be written; nothing is taken in.
    """
    connection = store.database.connection
    try:
        # What is verified lies in SQLite's own temporary file until then: other programs go on writing meanwhile.
        connection.execute("DROP TABLE IF EXISTS temp.staged")
        connection.execute("CREATE TEMP TABLE staged (number INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        return _import(store, connection, str(path))
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be taken in: {error}") from error
    except DoesNotFollow as error:
        raise StoreError(str(error)) from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("DROP TABLE IF EXISTS temp.staged")


def _import(store: Store, connection: sqlite3.Connection, path: str) -> Imported:
    record = open_record(path)
    with record.stream:
        replay = Replay(record)
        count = _stage(connection, replay)
    half = record.cut_off or bool(replay.due) or replay.match is None
    if replay.waits_for_deal:
        # A cut whose cards stood in the next line: it has to be made again.
        connection.execute("DELETE FROM staged WHERE number = ?", (count,))
        count, half = count - 1, True
    table = table_of(replay.head, replay.match, plans_of(replay.head))
    due = [*replay.due]
    if replay.match is None and table.match.phase is not Phase.CUT:
        due.append(deal_line(table.match))
    for line in due:
        count += 1
        connection.execute("INSERT INTO staged VALUES (?, ?)", (count, dump(line)))
    match_id, now = str(uuid.uuid4()), datetime.now(UTC)
    with store.database.transaction() as writing:
        writing.execute(UPSERT, match_row(match_id, table, started=now, played=now, imported=True))
        writing.execute(
            "INSERT INTO lines (match_id, number, line) SELECT ?, number, line FROM staged ORDER BY number", (match_id,)
        )
    return Imported(match_id, count, table.match.finished, half)


def _stage(connection: sqlite3.Connection, replay: Replay) -> int:
    """Put the verified lines into the temporary table; returns how many there are."""
    connection.execute("BEGIN")
    count = 0
    for batch in _batches(dump(played.line.data) for played in replay.steps()):
        connection.executemany("INSERT INTO staged VALUES (?, ?)", enumerate(batch, start=count + 1))
        count += len(batch)
    connection.execute("COMMIT")
    return count


def _batches(lines: Iterator[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch
