"""The store: the matches played here, unfinished and finished, and their records."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kalooki_tui.notation.replaying import Replay
from kalooki_tui.store.database import Database
from kalooki_tui.store.errors import MatchBusy, NoSuchMatch, StoreError, reason
from kalooki_tui.store.live import LiveMatch, load_seats
from kalooki_tui.store.locks import FileLock, is_locked
from kalooki_tui.store.paths import database_file
from kalooki_tui.store.restore import open_lines, restore
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Table


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in a list. Seats, totals and winners are in clockwise order."""

    id: str
    ruleset: str
    name: str
    """The ruleset's."""
    options: tuple[str, ...]
    referee: str
    seats: tuple[SeatPlan, ...]
    started: datetime
    played: datetime
    """When the last step was made."""
    deal: int
    deals: int | None
    """How many the match has; None: it goes on until one seat is left."""
    totals: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...]
    teaching: bool
    imported: bool
    elsewhere: bool
    """Whether it is being played just now, by another program or by this one."""

    def data(self) -> dict[str, Any]:
        """The summary for programs."""
        names = [seat.name for seat in self.seats]
        return {
            "id": self.id,
            "ruleset": self.ruleset,
            "options": list(self.options),
            "referee": self.referee,
            "seats": [{"name": seat.name, "player": seat.player} for seat in self.seats],
            "started": self.started.isoformat(),
            "played": self.played.isoformat(),
            "deal": self.deal,
            "deals": self.deals,
            "totals": dict(zip(names, self.totals, strict=True)),
            "finished": self.finished,
            "winners": [names[seat] for seat in self.winners],
            "teaching": self.teaching,
            "imported": self.imported,
            "playing": self.elsewhere,
        }


class Store:
    """The matches on disk. One a program; `Store.open` for commands, `open_store` for the app, which always plays."""

    def __init__(self, database: Database) -> None:
        self.database = database

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
        return cls.open(path) if path.exists() else cls(Database.in_memory())

    @property
    def saves(self) -> bool:
        """Whether what is played is kept at all."""
        return self.database.path is not None

    def take_notices(self) -> list[str]:
        """What the player should be told and has not been yet: a damaged file was replaced, or nothing is saved."""
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
        match_id = self.summary(match_id).id
        lock = self._take_lock(match_id)
        try:
            row = self._row(match_id)
            lines = list(self.lines(match_id))
            plans = load_seats(row["seats"])
            restored = restore(f"match {match_id}", lines, plans)
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
            started=datetime.fromisoformat(row["started"]),
            teaching=bool(row["teaching"]),
            imported=bool(row["imported"]),
            ui_state=json.loads(row["ui_state"]),
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

        Raises:
            StoreError: they cannot be read.
        """
        try:
            rows = self.database.connection.execute(
                f"SELECT * FROM matches {where} ORDER BY played DESC, rowid DESC", values
            ).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"The matches cannot be read: {error}") from error
        return [self._summary(row) for row in rows]

    def summary(self, match_id: str) -> Summary:
        """The match with that id, or the only one whose id begins so.

        Raises:
            NoSuchMatch: there is none, or more than one.
        """
        found = self.summaries("WHERE substr(id, 1, ?) = ?", len(match_id), match_id) if match_id else []
        exact = [summary for summary in found if summary.id == match_id] or found
        if len(exact) != 1:
            why = "there is no match" if not exact else "there is more than one match"
            raise NoSuchMatch(f"{why} {match_id!r}; `kalooki matches` lists them")
        return exact[0]

    def lines(self, match_id: str) -> Iterator[str]:
        """The lines of the match's record, as far as it has come.

        Raises:
            StoreError: they cannot be read.
        """
        try:
            query = "SELECT line FROM lines WHERE match_id = ? ORDER BY number"
            for (line,) in self.database.connection.execute(query, (match_id,)):
                yield line
        except sqlite3.Error as error:
            raise StoreError(f"The record of match {match_id} cannot be read: {error}") from error

    def replay(self, match_id: str) -> Replay:
        """The match played again, for the replay screen and the review of a deal.

        Raises:
            NoSuchMatch: there is none with that id.
            RulesetError: its record cannot be read by this version of the program.
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

    def _row(self, match_id: str) -> sqlite3.Row:
        row: sqlite3.Row = self.database.connection.execute(
            "SELECT * FROM matches WHERE id = ?", (match_id,)
        ).fetchone()
        return row

    def _lock_file(self, match_id: str) -> Path:
        assert self.database.path is not None
        return self.database.path.parent / "locks" / f"{match_id}.lock"

    def _summary(self, row: sqlite3.Row) -> Summary:
        return Summary(
            id=row["id"],
            ruleset=row["ruleset"],
            name=row["name"],
            options=tuple(json.loads(row["options"])),
            referee=row["referee"],
            seats=load_seats(row["seats"]),
            started=datetime.fromisoformat(row["started"]),
            played=datetime.fromisoformat(row["played"]),
            deal=row["deal"],
            deals=row["deals"],
            totals=tuple(json.loads(row["totals"])),
            finished=bool(row["finished"]),
            winners=tuple(json.loads(row["winners"])),
            teaching=bool(row["teaching"]),
            imported=bool(row["imported"]),
            elsewhere=self.saves and is_locked(self._lock_file(row["id"])),
        )


def open_store(path: Path | None = None) -> Store:
    """The player's store for the app: where it cannot be used matches are played all the same, and a notice tells."""
    try:
        return Store.open(path)
    except StoreError as error:
        return Store(Database.in_memory(f"Nothing you play now will be saved: {error}."))
