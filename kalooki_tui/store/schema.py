"""The tables of the database, and how older ones become newer ones (docs/storage.md)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

APPLICATION_ID: Final = 0x4B414C4B
"""Marks a database as one of this program ("KALK")."""


def _first_tables(connection: sqlite3.Connection) -> None:
    connection.execute(
        """
        CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            ruleset TEXT NOT NULL,
            name TEXT NOT NULL,
            options TEXT NOT NULL,
            referee TEXT NOT NULL,
            seats TEXT NOT NULL,
            started TEXT NOT NULL,
            played TEXT NOT NULL,
            deal INTEGER NOT NULL,
            deals INTEGER,
            totals TEXT NOT NULL,
            finished INTEGER NOT NULL,
            winners TEXT NOT NULL,
            teaching INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            ui_state TEXT NOT NULL,
            facts TEXT
        )
        """
    )
    connection.execute(
        """
        CREATE TABLE lines (
            match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            line TEXT NOT NULL,
            PRIMARY KEY (match_id, number)
        ) WITHOUT ROWID
        """
    )


MIGRATIONS: Final[list[Callable[[sqlite3.Connection], None]]] = [_first_tables]
"""Number i makes version i + 1 of version i. A released one never changes: what must change is a new one."""


def version(connection: sqlite3.Connection) -> int:
    """The version of the tables; 0 where there are none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether the database holds another program's tables."""
    # In this order: a program that makes the tables just now sets the mark in the same transaction.
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    return bool(tables) and mark != APPLICATION_ID


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables up to date, in the transaction that the caller has begun."""
    for number in range(version(connection), len(MIGRATIONS)):
        MIGRATIONS[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
