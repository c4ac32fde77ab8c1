"""Matches of the database that earlier versions kept: each becomes a file, once, and the database is kept."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from kalooki_tui.locks import FileLock, is_locked
from kalooki_tui.records.chain import CheckChain
from kalooki_tui.store.errors import reason
from kalooki_tui.store.files import whole_file
from kalooki_tui.store.folder import SUFFIX, Folder
from kalooki_tui.store.index import Index, Kept
from kalooki_tui.store.paths import DATABASE

TAKEN_OVER: Final = "kalooki-taken-over"
"""How the database is named once its matches are files."""
PATIENCE: Final = 2.0
"""Seconds to wait while another program does the same."""
FORMAT: Final = 1
"""Of the tables; there was no other."""
LARGEST_PAGE: Final = 65_536
"""Bytes; too large a number for its field in the header, which holds a 1 then."""


def take_over(home: Path, folder: Folder, index: Index) -> list[str]:
    """Write the matches of a database, if there is one, as files; returns what to tell the player."""
    database = home / DATABASE
    if not database.exists():
        return []
    try:
        with FileLock.wait(home / "locks" / "opening.lock", PATIENCE):
            return _take_over(home, database, folder, index) if database.exists() else []
    except (OSError, sqlite3.Error) as error:
        return [f"The matches of {DATABASE} could not be moved to files; the next start tries again: {reason(error)}."]


def _take_over(home: Path, database: Path, folder: Folder, index: Index) -> list[str]:
    if any(path.name != "opening.lock" and is_locked(path) for path in (home / "locks").glob("*.lock")):
        return [f"A match of {DATABASE} is being played: its matches are moved into files once you have left it."]
    if database.stat().st_size == 0:
        aside = _set_aside(database)
        return [f"{DATABASE}, where earlier versions kept matches, is empty, and is kept as {aside}."]
    taken, lost = 0, 0
    try:
        with _readable(database) as readable, closing(sqlite3.connect(readable)) as connection:
            lost += readable != database
            # Bytes that are no text spoil one value, not the query.
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            connection.row_factory = sqlite3.Row
            if connection.execute("PRAGMA user_version").fetchone()[0] > FORMAT:
                return [f"{DATABASE} was written by a newer version of kalooki, and is left alone."]
            for match_id in _ids(connection):
                done = _take_match(connection, match_id, folder, index)
                taken, lost = taken + done, lost + (not done)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        lost = max(lost, 1)
    aside = _set_aside(database)
    told = f"Each match is now a file in {folder.path}. {taken} were moved there; the database is kept as {aside}."
    return [told + (" Some matches in it could not be read." if lost else "")]


@contextmanager
def _readable(database: Path) -> Iterator[Path]:
    """The database, or where its end is missing a copy that counts the pages it has: else SQLite reads none of them."""
    with database.open("rb") as stream:
        head = stream.read(32)
    size = int.from_bytes(head[16:18])
    size = size if size > 1 else LARGEST_PAGE
    pages = database.stat().st_size // size
    if not head.startswith(b"SQLite format 3") or int.from_bytes(head[28:]) <= pages:
        yield database
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / DATABASE
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(database.with_name(database.name + end), copy.with_name(copy.name + end))
        os.truncate(copy, pages * size)
        with copy.open("r+b") as stream:
            stream.seek(28)
            stream.write(pages.to_bytes(4))
        yield copy


def _ids(connection: sqlite3.Connection) -> list[str]:
    """The matches that the lines or the list tell of."""
    ids: dict[str, None] = {}
    for query in ("SELECT DISTINCT match_id FROM lines", "SELECT id FROM matches"):
        try:
            for (one,) in connection.execute(query):
                ids[str(one)] = None
        except sqlite3.DatabaseError:
            continue
    return list(ids)


def _take_match(connection: sqlite3.Connection, match_id: str, folder: Folder, index: Index) -> bool:
    """Write one match; False where no line of it can be read."""
    lines = list(_lines(connection, match_id))
    if not lines or "kalooki" not in lines[0]:
        return False
    row = _row(connection, match_id)
    started = _text(row, "started")
    head = {**lines[0], **({"started": started} if started else {})}
    if not row.get("imported"):
        head["home"] = folder.home
    if row.get("teaching"):
        head["teaching"] = True
    from kalooki_tui.records.writing import dump

    chain = CheckChain()
    sealed = [chain.seal(dump(line)) for line in (head, *lines[1:])]
    name = f"{started[:10] or 'earlier'}-{head.get('ruleset', 'kalooki')}-{match_id[:8]}"
    path = folder.path / f"{''.join(one if one.isalnum() or one == '-' else '-' for one in name)}{SUFFIX}"
    with whole_file(path) as stream:
        stream.writelines(f"{line}\n".encode() for line in sealed)
    played = _seconds(_text(row, "played"))
    if played is not None:
        os.utime(path, (played, played))
    _keep(row, path.name.removesuffix(SUFFIX), index)
    return True


def _lines(connection: sqlite3.Connection, match_id: str) -> Iterator[dict[str, Any]]:
    """The lines, up to the first that is missing or cannot be read."""
    query = "SELECT number, line FROM lines WHERE match_id = ? ORDER BY number"
    try:
        for expected, (number, line) in enumerate(connection.execute(query, (match_id,)), start=1):
            data = json.loads(line) if number == expected else None
            if not isinstance(data, dict):
                return
            yield data
    except (sqlite3.DatabaseError, ValueError, TypeError, RecursionError):
        return


def _row(connection: sqlite3.Connection, match_id: str) -> dict[str, Any]:
    try:
        found = connection.execute("SELECT * FROM matches WHERE id = ?", (match_id,)).fetchone()
    except sqlite3.DatabaseError:
        return {}
    return {} if found is None else dict(found)


def _keep(row: dict[str, Any], match_id: str, index: Index) -> None:
    """Keep notes that are in no record: the screen's own values, and commands that play seats."""
    try:
        state = json.loads(row["ui_state"])
        players = tuple(str(seat["player"]) for seat in json.loads(row["seats"]))
    except (KeyError, TypeError, ValueError, RecursionError):
        return
    if isinstance(state, dict):
        commands = any(player.startswith("exec:") for player in players)
        index.keep(match_id, Kept(state, players if commands else ()))


def _text(row: dict[str, Any], column: str) -> str:
    value = row.get(column)
    return value if isinstance(value, str) and value.isprintable() else ""


def _seconds(moment: str) -> float | None:
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError):
        return None


def _set_aside(database: Path) -> str:
    number = 1
    while True:
        target = database.with_name(f"{TAKEN_OVER}{'' if number == 1 else f'-{number}'}.db")
        if not target.exists():
            break
        number += 1
    database.replace(target)
    for end in ("-wal", "-shm"):
        beside = database.with_name(database.name + end)
        if beside.exists():
            beside.replace(target.with_name(target.name + end))
    return target.name
