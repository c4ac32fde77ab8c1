"""The database's file: opened, checked, set aside when it is damaged, and replaced by memory where there is no disk."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

from kalooki_tui.store import schema
from kalooki_tui.store.errors import Damaged, NewerSchema, StoreError, reason
from kalooki_tui.store.files import WORKSHOP, finish_swap, remove_leftovers, swap, unfinished_swap
from kalooki_tui.store.locks import FileLock
from kalooki_tui.store.rescue import rescue
from kalooki_tui.store.rows import decode

PATIENCE: Final = 0.3
"""Seconds to wait for another program that is writing. A player waits as long, so it is not much."""

WAITS: Final = (0.02, 0.05, 0.1, 0.2)
"""Seconds between tries to open the file."""

LONGEST_OPENING: Final = 60.0
"""Seconds to wait while another program opens the file, and perhaps replaces a damaged one."""

DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Database:
    """One connection. `path` None: in memory, and gone when the program ends.

    `generation` grows when a damaged file has been replaced: what was written before may be missing in the new one.
    """

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path = path
        self.generation = 0
        self.notices: list[str] = []
        """What the player should be told, in the order in which it happened."""
        self._connection = connection
        self._identity = _identity(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The database in that file, made where there is none; a damaged file is set aside, and a notice says so.

        Raises:
            NewerSchema: a newer version of the program wrote it.
            StoreError: it cannot be read or written; the text says why.
        """
        try:
            _make_folder(path.parent)
            _see_that_it_may_be_written(path)
            notices: list[str] = []
            connection = _connect_patiently(path, notices)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path} cannot be used: {reason(error)}") from error
        database = cls(path, connection)
        database.notices += notices
        return database

    @classmethod
    def in_memory(cls, notice: str = "") -> Self:
        """A database that nothing keeps; `notice` tells the player why, if it is to be told."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.row_factory, connection.text_factory = sqlite3.Row, decode
        schema.migrate(connection)
        database = cls(None, connection)
        if notice:
            database.notices.append(notice)
        return database

    @property
    def connection(self) -> sqlite3.Connection:
        """To read with; whoever writes uses `transaction`."""
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything written in the block is on disk when it ends, or nothing of it is.

        Raises:
            Damaged: the file has been damaged or removed while it was open; `renew` makes another.
            sqlite3.Error: it cannot be written now.
        """
        self._see_that_file_is_there()
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error) and is_damage(error):
                raise Damaged(f"{self.path} is damaged: {error}") from error
            raise

    def renew(self) -> None:
        """Set the damaged file aside and go on with a new one, into which what is intact has been copied.

        Raises:
            StoreError: that cannot be done.
        """
        if self.path is None:
            return
        self._connection.close()
        gone = _identity(self.path) != self._identity
        # Until there is a new one, every transaction begins with another try.
        self._identity = None
        renewed = type(self).open(self.path)
        self._connection, self._identity = renewed.connection, _identity(self.path)
        self.notices += renewed.notices
        if gone and not renewed.notices:
            self.notices.append(
                "The file of your matches was removed or replaced; this match is written to the new one."
            )
        self.generation += 1

    def close(self) -> None:
        """Close the file; twice is no mistake."""
        self._connection.close()

    def _see_that_file_is_there(self) -> None:
        # SQLite would go on writing, without a word, to a file that has been removed and is gone with the process.
        if _identity(self.path) != self._identity:
            raise Damaged(f"{self.path} has been removed or replaced")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None


def _see_that_it_may_be_written(path: Path) -> None:
    """SQLite would open a file that may not be written to, and fail at the first step of a match."""
    # Asked, not tried: closing a file gives up the locks that SQLite holds on it elsewhere in this process.
    if path.exists() and not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, "Permission denied")


def is_there(path: Path) -> bool:
    """Whether there is a database, or one that only waits to be moved to its place.

    Raises:
        StoreError: that cannot be seen; the text says why.
    """
    try:
        path.stat()
    except FileNotFoundError:
        return unfinished_swap(path) is not None
    except OSError as error:
        raise StoreError(f"{path} cannot be used: {reason(error)}") from error
    return True


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Which file it is, whatever its name."""
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, and not the moment."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DAMAGE


def _connect_patiently(path: Path, notices: list[str]) -> sqlite3.Connection:
    """A connection; `notices` gets what to tell the player if the file had to be replaced.

    One program opens the file at a time: two that make, mend or migrate it at once would each find the other's half.
    """
    with FileLock.wait(path.parent / "locks" / "opening.lock", LONGEST_OPENING):
        for seconds in WAITS:
            with suppress(sqlite3.OperationalError):
                return _connect_or_replace(path, notices)
            # SQLite does not wait by itself while a program closes the file.
            time.sleep(seconds)
        return _connect_or_replace(path, notices)


def _connect_or_replace(path: Path, notices: list[str]) -> sqlite3.Connection:
    aside = finish_swap(path)
    if aside is not None:
        notices.append(f"{_kept_as(aside)} with what was intact in it.")
    with suppress(Damaged):
        return _connect(path)
    aside, saved, lost = _replace(path)
    notice = _kept_as(aside)
    if saved:
        notice += f" with {saved} intact {'match' if saved == 1 else 'matches'} out of it"
    if lost:
        notice += f"; {lost} could not be read"
    notices.append(f"{notice}.")
    return _connect(path)


def _kept_as(aside: Path) -> str:
    return f"The file of your matches was damaged. It has been kept as {aside.name}, and a new one begun"


def _replace(path: Path) -> tuple[Path, int, int]:
    """Put a new file in the place of a damaged one, which stays where it is until the new one is complete.

    Returns the damaged file's new name, and how many matches could be read, and how many not.

    Raises:
        StoreError: there is no room for a new file, or a file cannot be moved; the next program to open it tries again.
    """
    try:
        remove_leftovers(path)
        with TemporaryDirectory(dir=path.parent, prefix=WORKSHOP, ignore_cleanup_errors=True) as folder:
            fresh = Path(folder, f"{path.name}.fresh")
            with closing(_connect(fresh)) as into:
                saved, lost = rescue(path, Path(folder), into)
                # Closing would leave lines in the companion without a word if there were no room for them in the file.
                into.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return swap(path, fresh), saved, lost
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{path} is damaged, and no new file can be made with what is intact in it: {reason(error)}"
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        _prepare(connection, path)
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error):
            raise Damaged(f"{path} is damaged: {error}") from error
        raise
    except StoreError:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.row_factory, connection.text_factory = sqlite3.Row, decode
    found = schema.version(connection)
    if schema.is_foreign(connection):
        raise Damaged(f"{path} is a database of another program")
    if found > len(schema.MIGRATIONS):
        raise NewerSchema(
            f"{path} was written by a newer version of kalooki (its format is {found}, this version reads up to "
            f"{len(schema.MIGRATIONS)}): update kalooki to go on with those matches"
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # On macOS a plain sync leaves the last steps in the disk's own cache, where a power cut takes them.
    connection.execute("PRAGMA fullfsync = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    if found < len(schema.MIGRATIONS):
        connection.execute("BEGIN IMMEDIATE")
        schema.migrate(connection)
        connection.execute("COMMIT")
    check = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if check != "ok":
        raise Damaged(f"{path} is damaged: {check}")
