"""Saving what is intact in a damaged database."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from typing import Any, Final

from kalooki_tui.records.replaying import Replay
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.files import COMPANIONS
from kalooki_tui.store.restore import plans_of, play_whole, table_of
from kalooki_tui.store.rows import COLUMNS, decode, match_row, read_row

MAGIC: Final = b"SQLite format 3\0"
HEADER: Final = 100
"""Bytes."""
LONGEST: Final = 1 << 34
"""Bytes. A header of noise may promise more; nobody plays as much."""

ALL_COLUMNS: Final = (*COLUMNS, "facts")
NOT_IN_RECORDS: Final = ("seats", "started", "played", "teaching", "imported", "ui_state", "facts")
"""Columns that a row built again takes over from the damaged one, each as far as it can be read."""

EDGES: Final = (("ASC", ">"), ("DESC", "<"))
"""A table is read from both its ends: a damaged page stops each of them."""


def rescue(damaged: Path, folder: Path, into: sqlite3.Connection) -> tuple[int, int]:
    """Copy every match whose record still follows, line by line. Returns how many were copied, and how many not.

    `folder` is an empty one, on the same disk, to work in.

    Raises:
        OSError: there is no room for a copy of the damaged file.
        sqlite3.Error: `into` cannot be written.
    """
    with closing(sqlite3.connect(_working_copy(damaged, folder), isolation_level=None)) as source:
        source.row_factory = sqlite3.Row
        source.text_factory = decode
        rows = _rows(source)
        ids = [*rows, *(match_id for match_id in _ids_of_lines(source) if match_id not in rows)]
        kept = [_copy(source, into, match_id, rows.get(match_id)) for match_id in ids]
    return sum(kept), len(kept) - sum(kept)


def _working_copy(damaged: Path, folder: Path) -> Path:
    """A copy to read: SQLite may write to what it opens, and the damaged file is to stay as it was found."""
    copy = folder / damaged.name
    for companion in ("", *COMPANIONS):
        beside = damaged.with_name(damaged.name + companion)
        if beside.exists():
            copyfile(beside, copy.with_name(copy.name + companion))
    _fill_up(copy)
    return copy


def _fill_up(copy: Path) -> None:
    """Give a file that was cut its full length again, since SQLite reads no page of one that is too short."""
    with copy.open("r+b") as stream:
        header = stream.read(HEADER)
        if len(header) < HEADER or not header.startswith(MAGIC):
            return
        size = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        length = (65_536 if size == 1 else size) * pages
        if stream.seek(0, 2) < length <= LONGEST:
            stream.truncate(length)


def _rows(source: sqlite3.Connection) -> dict[str, sqlite3.Row]:
    """The rows of `matches` by id, in their order, as far as they can be read."""
    found: dict[int, sqlite3.Row] = {}
    for order, _ in EDGES:
        # An index may be damaged by itself, and is not needed.
        query = f"SELECT rowid, {', '.join(ALL_COLUMNS)} FROM matches NOT INDEXED ORDER BY rowid {order}"
        with suppress(sqlite3.Error):
            for row in source.execute(query):
                found.setdefault(row["rowid"], row)
    by_id: dict[str, sqlite3.Row] = {}
    for _, row in sorted(found.items()):
        if _is_id(row["id"]):
            by_id.setdefault(row["id"], row)
    return by_id


def _ids_of_lines(source: sqlite3.Connection) -> list[str]:
    """The ids of the matches that have lines; the table is its own index."""
    found: dict[str, None] = {}
    for order, beyond in EDGES:
        # In a damaged tree the next id may be one that has been: without an end of its own the search might have none.
        met: set[str] = set()
        query = f"SELECT match_id FROM lines {{}} ORDER BY match_id {order} LIMIT 1"
        with suppress(sqlite3.Error):
            row = source.execute(query.format("")).fetchone()
            while row is not None and _is_id(row["match_id"]) and row["match_id"] not in met:
                met.add(row["match_id"])
                row = source.execute(query.format(f"WHERE match_id {beyond} ?"), tuple(row)).fetchone()
        found |= dict.fromkeys(sorted(met))
    return [*found]


def _is_id(value: object) -> bool:
    return isinstance(value, str) and value.isascii()


def _copy(source: sqlite3.Connection, into: sqlite3.Connection, match_id: str, found: sqlite3.Row | None) -> bool:
    lines = _lines(source, match_id)
    replay = None if lines is None else play_whole(lines)
    if lines is None or replay is None:
        return False
    row = _row(match_id, replay, found)
    into.execute("BEGIN IMMEDIATE")
    into.execute(
        f"INSERT INTO matches ({', '.join(ALL_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in ALL_COLUMNS)})", row
    )
    into.executemany(
        "INSERT INTO lines (match_id, number, line) VALUES (?, ?, ?)",
        [(match_id, number, line) for number, line in enumerate(lines, start=1)],
    )
    into.execute("COMMIT")
    return True


def _lines(source: sqlite3.Connection, match_id: str) -> list[str] | None:
    """The record of a match, or None where a line is missing or cannot be read."""
    query = "SELECT number, line FROM lines WHERE match_id = ? ORDER BY number"
    try:
        rows = source.execute(query, (match_id,)).fetchall()
    except sqlite3.Error:
        return None
    lines = [row["line"] for row in rows]
    numbered = [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    return lines if numbered and all(isinstance(line, str) for line in lines) else None


def _row(match_id: str, replay: Replay, found: sqlite3.Row | None) -> dict[str, Any]:
    """The match's row as it was found, or, where that cannot be read, built again from its record."""
    damaged = {} if found is None else dict(found)
    if damaged and _fits(damaged, replay):
        return damaged
    now = datetime.now(UTC)
    table = table_of(replay.head, replay.match, plans_of(replay.head))
    row = {**match_row(match_id, table, started=now, played=now), "facts": None}
    for column in NOT_IN_RECORDS:
        tried = {**row, column: damaged.get(column)}
        if damaged and _fits(tried, replay):
            row = tried
    return row


def _fits(row: dict[str, Any], replay: Replay) -> bool:
    """Whether the row can be read and has the seats of the record."""
    try:
        summary = read_row(row)
        for text in (row["ui_state"], row["facts"] or ""):
            text.encode()
    except (StoreError, ValueError, AttributeError):
        return False
    return tuple(seat.name for seat in summary.seats) == replay.head.names
