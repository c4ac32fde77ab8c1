"""Saving what is intact in a damaged database."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Final

from kalooki_tui.store.files import COMPANIONS
from kalooki_tui.store.restore import is_whole

MAGIC: Final = b"SQLite format 3\0"
HEADER: Final = 100
"""Bytes."""
LONGEST: Final = 1 << 34
"""Bytes. A header of noise may promise more; nobody plays as much."""

COLUMNS: Final = (
    "id, ruleset, name, options, referee, seats, started, played, deal, deals, totals, finished, winners, teaching, "
    "imported, ui_state, facts"
)


def rescue(damaged: Path, into: sqlite3.Connection) -> tuple[int, int]:
    """Copy every match whose record still follows, line by line. Returns how many were copied, and how many not.

    Raises:
        OSError: there is no room to work on a copy.
    """
    with TemporaryDirectory(dir=damaged.parent, prefix=".rescue-") as folder:
        source = sqlite3.connect(_working_copy(damaged, Path(folder)), isolation_level=None)
        try:
            kept = [_copy(source, into, match_id) for match_id in _ids(source)]
        finally:
            source.close()
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


def _ids(source: sqlite3.Connection) -> list[str]:
    """The ids of the matches, up to where the list is damaged."""
    found: list[str] = []
    with suppress(sqlite3.Error):
        found.extend(match_id for (match_id,) in source.execute("SELECT id FROM matches ORDER BY rowid"))
    return found


def _copy(source: sqlite3.Connection, into: sqlite3.Connection, match_id: str) -> bool:
    try:
        match = source.execute(f"SELECT {COLUMNS} FROM matches WHERE id = ?", (match_id,)).fetchone()
        rows = source.execute("SELECT number, line FROM lines WHERE match_id = ? ORDER BY number", (match_id,))
        lines = rows.fetchall()
    except sqlite3.Error:
        return False
    if match is None or [number for number, _ in lines] != list(range(1, len(lines) + 1)):
        return False
    if not is_whole(line for _, line in lines):
        return False
    marks = ", ".join("?" * len(match))
    into.execute("BEGIN IMMEDIATE")
    into.execute(f"INSERT INTO matches ({COLUMNS}) VALUES ({marks})", tuple(match))
    into.executemany(
        "INSERT INTO lines (match_id, number, line) VALUES (?, ?, ?)", [(match_id, *line) for line in lines]
    )
    into.execute("COMMIT")
    return True
