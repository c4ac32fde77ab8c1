"""Index of match files, so that none is read twice, with notes of the screen; deleted, only these notes are lost."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from kalooki_tui.storage import match_facts as facts
from kalooki_tui.storage.scan import Scan

VERSION: Final = 7
"""Version of the tables: with another one, or a damaged index, all files are read again."""
PATIENCE: Final = 0.3
"""Seconds to wait for another program that is writing; the player waits as long."""


class Stamp(NamedTuple):
    """State of a file from outside: with the same stamp it is not read again."""

    size: int
    modified: int
    changed: int
    """Both in nanoseconds."""


class IndexEntry(Struct, frozen=True):
    """File of the folder; `scan` None: no record, and `problem` says why."""

    name: str
    stamp: Stamp
    scan: Scan | None
    problem: str = ""


class ScreenNotes(Struct, frozen=True):
    """Notes that are in no record: values of the screen, and players, who may be commands."""

    state: Mapping[str, Any]
    players: tuple[str, ...] = ()


NOTHING_KEPT: Final = ScreenNotes({})


class Index:
    """Connection to the index, which never fails: where the file is unusable it is in memory."""

    def __init__(self, path: Path | None) -> None:
        self.lost = False
        self._path = path
        self._lock = threading.RLock()
        """A match in play keeps its notes in another thread."""
        self._connection = self._open()

    def known(self) -> dict[str, IndexEntry]:
        found: dict[str, IndexEntry] = {}
        read = msgspec.json.Decoder(Scan | None).decode
        for name, size, modified, changed, problem, scan in self._rows("SELECT * FROM files"):
            with suppress(msgspec.MsgspecError):
                found[name] = IndexEntry(name, Stamp(size, modified, changed), read(scan), problem)
        return found

    def note(self, files: Iterable[IndexEntry]) -> None:
        rows = [(one.name, *one.stamp, one.problem, msgspec.json.encode(one.scan).decode()) for one in files]
        self._write("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)

    def drop(self, names: Iterable[str]) -> None:
        """Forget files that are gone; the screen's notes stay, for they may return."""
        self._write("DELETE FROM files WHERE name = ?", [(name,) for name in names])

    def kept(self, match_id: str) -> ScreenNotes:
        for state, players in self._rows("SELECT state, players FROM kept WHERE id = ?", match_id):
            with suppress(msgspec.MsgspecError):
                notes = msgspec.json.decode(state, type=dict[str, Any])
                return ScreenNotes(notes, msgspec.json.decode(players, type=tuple[str, ...]))
        return NOTHING_KEPT

    def keep(self, match_id: str, kept: ScreenNotes) -> None:
        row = (match_id, *(msgspec.json.encode(one).decode() for one in (kept.state, kept.players)))
        self._write("INSERT OR REPLACE INTO kept (id, state, players) VALUES (?, ?, ?)", [row])

    def forget(self, match_id: str) -> None:
        self._write("DELETE FROM kept WHERE id = ?", [(match_id,)])

    def close(self) -> None:
        """Close the file; later writes are lost. Twice is no mistake."""
        # To close it while another thread writes ends the program: SQLite's module of Python 3.11 does not wait.
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    # The file

    def _open(self) -> sqlite3.Connection:
        try:
            return _prepared(self._path or ":memory:")
        except sqlite3.Error as error:
            return self._begin_anew(error)

    def _begin_anew(self, error: sqlite3.Error) -> sqlite3.Connection:
        if self._path is not None and _is_damage(error):
            self.lost = True
            with suppress(OSError, sqlite3.Error):
                for end in ("", "-wal", "-shm", "-journal"):
                    self._path.with_name(self._path.name + end).unlink(missing_ok=True)
                return _prepared(self._path)
        return _prepared(":memory:")

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as error:
                self._recover(error)
                return []

    def _write(self, query: str, rows: list[tuple[Any, ...]]) -> None:
        if not rows:
            return
        with self._lock:
            try:
                with self._connection:
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._connection.executemany(query, rows)
            except sqlite3.Error as error:
                # What cannot be written now is only read again the next time.
                self._recover(error)

    def _recover(self, error: sqlite3.Error) -> None:
        if _is_damage(error):
            self.close()
            self._connection = self._begin_anew(error)


#: What the files say can be read again; what the screen kept is the only copy.
TABLES: Final = """
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS files;
    CREATE TABLE files
        (name TEXT PRIMARY KEY, size INTEGER, modified INTEGER, changed INTEGER, problem TEXT, scan TEXT);
    CREATE TABLE IF NOT EXISTS kept (id TEXT PRIMARY KEY, state TEXT, players TEXT);
"""


def _prepared(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    # Bytes that are no text spoil one row, not the query.
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    version = 1000 * VERSION + facts.VERSION
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != version:
            connection.executescript(f"{TABLES} PRAGMA user_version = {version}; COMMIT;")
        # Nothing in it is worth waiting for the disk.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    # A table that is missing or has other columns is damage too.
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR) or (
        isinstance(error, sqlite3.DataError)
    )
