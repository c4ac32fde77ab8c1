"""File of one match: lines are only added, and each is on disk before anybody hears of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kalooki_tui.storage.files import set_aside, whole_file

if sys.platform == "darwin":
    import fcntl

    def _sync(handle: int) -> None:
        # A plain sync leaves the last steps in the disk's own cache, where a power cut takes them.
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
elif hasattr(os, "fdatasync"):

    def _sync(handle: int) -> None:
        os.fdatasync(handle)
else:

    def _sync(handle: int) -> None:
        os.fsync(handle)


_FLAGS: Final = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class MatchFile:
    """Record file that this program alone writes; `written`: its number of lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self.notice = ""
        self._handle: int | None = None
        self._size = 0
        self._has_half = False
        """True after a failed write that may have left part of its lines."""
        self._stamp: tuple[int, int, int] | None = None

    @classmethod
    def taken_up(cls, path: Path, lines: int) -> MatchFile:
        file = cls(path)
        file._open(lines)
        return file

    def write(self, lines: Sequence[str]) -> None:
        """Append the missing lines of the record; all of them are on disk afterwards, or none (OSError)."""
        if self._handle is None:
            self._begin(lines)
        elif self._stamp is None or self._look() != self._stamp:
            # A file that was removed or replaced would be written to without a word, and be gone with the process.
            self._replace(lines)
        else:
            self._append(lines)

    def touch(self) -> None:
        if self._handle is not None:
            # By the clock itself: the system's own stamps are the same for some thousandths of a second.
            now = time.time_ns()
            with suppress(OSError):
                os.utime(self._handle if os.utime in os.supports_fd else self.path, ns=(now, now))

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _begin(self, lines: Sequence[str]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(self.path) as stream:
            stream.writelines(_encoded(lines))
        self._open(len(lines))

    def _open(self, lines: int) -> None:
        handle = os.open(self.path, _FLAGS)
        self.close()
        self._handle, self.written = handle, lines
        self._size, self._has_half = os.fstat(handle).st_size, False
        self._stamp = self._look()

    def _append(self, lines: Sequence[str]) -> None:
        handle = self._handle
        assert handle is not None
        data = b"".join(_encoded(lines[self.written :]))
        try:
            if self._has_half:
                os.ftruncate(handle, self._size)
            os.lseek(handle, self._size, os.SEEK_SET)
            left = memoryview(data)
            while left:
                left = left[os.write(handle, left) :]
            _sync(handle)
        except OSError:
            self._has_half = True
            with suppress(OSError):
                os.ftruncate(handle, self._size)
            self._stamp = self._look()
            raise
        self.written, self._size, self._has_half = len(lines), self._size + len(data), False
        self._stamp = self._look()

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _replace(self, lines: Sequence[str]) -> None:
        noted = b"".join(_encoded(lines[: self.written]))
        found = b""
        with suppress(OSError):
            found = self.path.read_bytes()
        if found.startswith(noted) and b"".join(_encoded(lines)).startswith(found):
            # Another time of change, a copy in its place, or a part of what is to be written: nothing in it is lost.
            self._open(self.written)
            self._size = len(noted)
            self._append(lines)
            return
        aside = set_aside(self.path) if self.path.exists() else None
        # Some systems replace no file that is open.
        self.close()
        self._begin(lines)
        what = "was removed" if aside is None else f"was changed by another program, and is kept as {aside.name}"
        self.notice = f"The file of this match, {self.path.name}, {what}; the whole match has been written again."


def _encoded(lines: Sequence[str]) -> list[bytes]:
    return [f"{line}\n".encode() for line in lines]
