"""Locks of the system, which die with a process: one program at a time plays a match or mends the store."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final, Self

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, *, shared: bool = False) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int, *, shared: bool = False) -> None:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


#: What the system says where somebody else holds a lock; all else says that there can be none.
HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})

MOST_LOOKS: Final = 1000

_no_locks: dict[str, bool] = {}
"""Messages about folders without locks, and whether they have been told."""


def take_notices() -> list[str]:
    """Return messages about folders without locks, once for each."""
    untold = [notice for notice, told in _no_locks.items() if not told]
    _no_locks.update(dict.fromkeys(untold, True))
    return untold


class FileLock:
    """Lock from `take` to `release`; where there can be none it locks nothing, and `take_notices` says so."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self._path = path
        self._handle = handle

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Take a lock; None: somebody else holds it. Raise OSError if its file cannot be opened."""
        looks = 0
        while True:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                # One that is there and may not be opened is somebody else's, who may hold it.
                if path.exists():
                    raise
                return cls._without(path, error)
            try:
                _lock(handle)
            except OSError as error:
                # Whoever only looks whether it is locked is gone in a moment.
                is_looked_at = error.errno in HELD and not _is_held(handle)
                os.close(handle)
                looks += is_looked_at
                if is_looked_at and looks < MOST_LOOKS:
                    continue
                return None if error.errno in HELD else cls._without(path, error)
            # Its last holder may have removed the file between our opening and locking it.
            if _is_there(path, handle):
                return cls(path, handle)
            os.close(handle)

    @classmethod
    def _without(cls, path: Path, error: OSError) -> Self:
        _no_locks.setdefault(
            f"Matches in {path.parent.parent} cannot be locked ({error.strerror}). They are saved anyway if "
            "possible; do not play one of them in two windows.",
            False,
        )
        return cls(path, None)

    def release(self) -> None:
        if self._handle is None:
            return
        if sys.platform != "win32":
            self._path.unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = None


def is_locked(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return _is_held(handle)
    finally:
        os.close(handle)


def _is_held(handle: int) -> bool:
    try:
        _lock(handle, shared=True)
    except OSError as error:
        return error.errno in HELD
    return False


def _is_there(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False
