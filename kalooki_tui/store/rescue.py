"""Saving what is intact in a damaged database."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from kalooki_tui.store.restore import is_whole

COLUMNS: Final = (
    "id, ruleset, name, options, referee, seats, started, played, deal, deals, totals, finished, winners, teaching, "
    "imported, ui_state, facts"
)


def rescue(damaged: Path, into: sqlite3.Connection) -> tuple[int, int]:
    """Copy every match whose record still follows, line by line. Returns how many were copied, and how many not."""
    saved = lost = 0
    source = sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        for match_id in _ids(source):
            if _copy(source, into, match_id):
                saved += 1
            else:
                lost += 1
    finally:
        source.close()
    return saved, lost


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
