"""The database of matches as earlier versions of the program kept it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

TABLES = """
CREATE TABLE matches (
    id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, name TEXT NOT NULL, options TEXT NOT NULL, referee TEXT NOT NULL,
    seats TEXT NOT NULL, started TEXT NOT NULL, played TEXT NOT NULL, deal INTEGER NOT NULL, deals INTEGER,
    totals TEXT NOT NULL, finished INTEGER NOT NULL, winners TEXT NOT NULL, teaching INTEGER NOT NULL,
    imported INTEGER NOT NULL, ui_state TEXT NOT NULL, facts TEXT
);
CREATE TABLE lines (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, number INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
) WITHOUT ROWID;
PRAGMA user_version = 1;
PRAGMA application_id = 1262570571;
"""


def add_match(
    path: Path,
    match_id: str,
    lines: Sequence[dict[str, Any]],
    seats: Sequence[tuple[str, str]],
    *,
    teaching: bool = False,
    imported: bool = False,
    state: object = None,
    played: str = "2026-10-02T09:30:00+00:00",
) -> None:
    """Put a match into the database, which is made where there is none."""
    is_new = not path.exists()
    with closing(sqlite3.connect(path)) as connection:
        if is_new:
            connection.executescript(TABLES)
        row = (
            match_id, "baby", "Baby Kalooki", "[]", "strict",
            json.dumps([{"name": name, "player": player} for name, player in seats]),
            "2026-10-02T08:00:00+00:00", played, 1, 3, "[0, 0, 0]", 0, "[]", teaching, imported,
            json.dumps(state or {}), None,
        )  # fmt: skip
        with connection:
            connection.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", row)
            texts = [(match_id, number, json.dumps(line)) for number, line in enumerate(lines, start=1)]
            connection.executemany("INSERT INTO lines VALUES (?, ?, ?)", texts)
