"""The store: the matches played here, unfinished and finished, and their records."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from kalooki_tui.records.replaying import Replay
from kalooki_tui.store.database import Database, is_there
from kalooki_tui.store.errors import MatchBusy, NoSuchMatch, StoreError, reason
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.locks import FileLock, is_locked
from kalooki_tui.store.paths import database_file
from kalooki_tui.store.restore import open_lines, restore
from kalooki_tui.store.rows import Summary, read_row, read_ui_state
from kalooki_tui.table.table import Table


class Store:
    """The matches on disk. One a program; `Store.open` for commands, `open_store` for the app, which always plays."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._left_out: set[str] = set()
        """What has been said of matches that cannot be read."""

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """The store in that file, by default the player's.

        Raises:
            StoreError: it cannot be used; the text says why.
        """
        return cls(Database.open(path or database_file()))

    @classmethod
    def look(cls, path: Path | None = None) -> Self:
        """The store to look at only: where nothing has been played yet no file is made.

        Raises:
            StoreError: it cannot be used; the text says why.
        """
        path = path or database_file()
        return cls.open(path) if is_there(path) else cls(Database.in_memory())

    @property
    def saves(self) -> bool:
        """Whether what is played is kept at all."""
        return self.database.path is not None

    def take_notices(self) -> list[str]:
        """What the player should be told and has not been yet.

        A damaged file was replaced, nothing is saved, or a match cannot be read.
        """
        notices = self.database.notices[:]
        self.database.notices.clear()
        return notices

    # Playing

    def begin(self, table: Table, *, teaching: bool = False) -> LiveMatch:
        """Write a match down from now on. The table must have been opened just now: no action taken yet.

        It never fails: where nothing can be written `LiveMatch.trouble` says why, and the match is played all the
        same. `teaching`: a person may take back anything done in the deal.
        """
        match_id = str(uuid.uuid4())
        lock = None
        if self.saves:
            # Without a lock file there can be no journal either, which tells of the trouble.
            with suppress(OSError):
                lock = FileLock.take(self._lock_file(match_id))
        return LiveMatch.begin(self.database, lock, match_id, table, teaching=teaching)

    def resume(self, match_id: str) -> LiveMatch:
        """Take up a match at the very decision where it stands.

        Raises:
            NoSuchMatch: there is none with that id.
            MatchBusy: another program plays it; it can still be looked at with `replay`.
            StoreError: its journal cannot be read or does not follow.
        """
        match_id = self.whole_id(match_id)
        lock = self._take_lock(match_id)
        try:
            # Only now: until the lock was taken another program may have gone on with the match.
            row = self._find(match_id)
            summary = read_row(row)
            lines = list(self.lines(match_id))
            restored = restore(f"match {match_id}", lines, summary.seats)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return LiveMatch(
            self.database,
            lock,
            match_id,
            restored.table,
            lines=lines,
            trail=restored.trail,
            started=summary.started,
            teaching=summary.teaching,
            imported=summary.imported,
            ui_state=read_ui_state(row),
            written=len(lines),
        )

    def _take_lock(self, match_id: str) -> FileLock | None:
        if not self.saves:
            return None
        try:
            lock = FileLock.take(self._lock_file(match_id))
        except OSError as error:
            raise StoreError(f"The match cannot be taken up: {reason(error)}") from error
        if lock is None:
            raise MatchBusy("The match is being played in another window. You can look at it, but not play it here.")
        return lock

    # Looking

    def unfinished(self) -> list[Summary]:
        """Matches that go on, the last played first."""
        return self.summaries("WHERE NOT finished")

    def finished(self) -> list[Summary]:
        """Matches with a result, the last played first."""
        return self.summaries("WHERE finished")

    def summaries(self, where: str = "", *values: object) -> list[Summary]:
        """Matches, the last played first; `where` is SQL of this room's own.

        A match whose row cannot be read is left out, and a notice says so, once.

        Raises:
            StoreError: they cannot be read.
        """
        found: list[Summary] = []
        for row in self._rows(where, *values):
            try:
                found.append(self._summary(row))
            except StoreError as error:
                self._leave_out(str(error))
        return found

    def summary(self, match_id: str) -> Summary:
        """The match with that id, or the only one whose id begins so.

        Raises:
            NoSuchMatch: there is none, or more than one.
            StoreError: its row cannot be read.
        """
        return self._summary(self._find(match_id))

    def whole_id(self, match_id: str) -> str:
        """The id of the match with that id, or of the only one whose id begins so, even if its row cannot be read.

        Raises:
            NoSuchMatch: there is none, or more than one.
        """
        return str(self._find(match_id)["id"])

    def lines(self, match_id: str) -> Iterator[str]:
        """The lines of the match's record, as far as it has come.

        Raises:
            StoreError: they cannot be read.
        """
        try:
            query = "SELECT line FROM lines WHERE match_id = ? ORDER BY number"
            for (line,) in self.database.connection.execute(query, (match_id,)):
                if not isinstance(line, str):
                    raise StoreError(f"The record of match {match_id} cannot be read: a line of it is no text")
                yield line
        except sqlite3.Error as error:
            raise StoreError(f"The record of match {match_id} cannot be read: {error}") from error

    def replay(self, match_id: str) -> Replay:
        """The match played again, for the replay screen and the review of a deal.

        Raises:
            NoSuchMatch: there is none with that id.
            InputError: its record cannot be read by this version of the program.
        """
        match_id = self.summary(match_id).id
        return Replay(open_lines(f"match {match_id}", self.lines(match_id)))

    # Keeping house

    def forget(self, match_id: str) -> None:
        """Delete a match that nobody is playing.

        Raises:
            NoSuchMatch: there is none with that id.
            MatchBusy: it is being played.
            StoreError: it cannot be deleted.
        """
        match_id = self.summary(match_id).id
        lock = self._take_lock(match_id)
        try:
            with self.database.transaction() as connection:
                connection.execute("DELETE FROM lines WHERE match_id = ?", (match_id,))
                connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
        except sqlite3.Error as error:
            raise StoreError(f"The match cannot be deleted: {error}") from error
        finally:
            if lock is not None:
                lock.release()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _rows(self, where: str, *values: object) -> list[sqlite3.Row]:
        try:
            query = f"SELECT * FROM matches {where} ORDER BY played DESC, rowid DESC"
            return self.database.connection.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise StoreError(f"The matches cannot be read: {error}") from error

    def _find(self, match_id: str) -> sqlite3.Row:
        """The row of the match with that id, or of the only one whose id begins so."""
        found = self._rows("WHERE substr(id, 1, ?) = ?", len(match_id), match_id) if match_id else []
        exact = [row for row in found if row["id"] == match_id] or found
        if len(exact) != 1:
            why = "there is no match" if not exact else "there is more than one match"
            raise NoSuchMatch(f"{why} {match_id!r}; `kalooki matches` lists them")
        return exact[0]

    def _leave_out(self, why: str) -> None:
        if why not in self._left_out:
            self._left_out.add(why)
            self.database.notices.append(f"{why}. It is left out, and nothing of it has been deleted.")

    def _lock_file(self, match_id: str) -> Path:
        assert self.database.path is not None
        return self.database.path.parent / "locks" / f"{match_id}.lock"

    def _summary(self, row: sqlite3.Row) -> Summary:
        """Raises StoreError where the row cannot be read."""
        summary = read_row(row)
        return replace(summary, elsewhere=self.saves and is_locked(self._lock_file(summary.id)))


def open_store(path: Path | None = None) -> Store:
    """The player's store for the app: where it cannot be used matches are played all the same, and a notice tells."""
    try:
        return Store.open(path)
    except StoreError as error:
        return Store(Database.in_memory(f"Nothing you play now will be saved: {error}."))
