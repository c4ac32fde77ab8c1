"""Files that are whole or not there: written beside their place and then moved into it, and set aside, never lost."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Final

#: Files that SQLite keeps beside a database.
COMPANIONS: Final = ("-wal", "-shm")
WORKSHOP: Final = ".rescue-"
"""How the names of the folders begin in which damaged databases are worked on."""
WAITING: Final = ".new"
"""How the name of a database ends that waits to take the place of a damaged one."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that appears at `path`, on disk and complete, when the block ends without an error.

    Raises:
        OSError: it cannot be written, or is a device, a pipe or a folder; what was at `path` is as it was.
    """
    _see_that_it_is_a_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # A link is followed, so that settings kept in another folder stay there.
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _keep_mode(target, name)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _see_that_it_is_a_file(path: Path) -> None:
    # A file moved to its place would be there instead of the device, for every program.
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")


def _keep_mode(target: Path, name: str) -> None:
    # A temporary file is its owner's alone; what a person wrote may be read by others as far as it could be before.
    try:
        mode = target.stat().st_mode & 0o777
    except OSError:
        mode = 0o666 & ~_umask()
    Path(name).chmod(mode)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def set_aside(path: Path) -> Path:
    """Move a file that cannot be used, and what SQLite keeps beside it, to a name that is not taken.

    Raises:
        OSError: it cannot be moved.
    """
    target = _name_aside(path)
    _move(path, target)
    return target


def swap(path: Path, fresh: Path) -> Path:
    """Set a database that cannot be used aside, and put a whole one in its place. Returns the name of the first.

    Killed on the way, it leaves the file that cannot be used where it was, or what `finish_swap` needs to go on.

    Raises:
        OSError: a file cannot be moved; nothing has been, or `finish_swap` goes on.
    """
    target = _name_aside(path)
    waiting = path.with_name(f".{target.name}{WAITING}")
    fresh.replace(waiting)
    try:
        _move(path, target)
        waiting.replace(path)
    except OSError:
        if path.exists():
            waiting.unlink()
        raise
    return target


def finish_swap(path: Path) -> Path | None:
    """Go on with a `swap` that ended between its two files. Returns what it would have, or None: there was none.

    Raises:
        OSError: a file cannot be moved.
    """
    found = unfinished_swap(path)
    if found is None:
        return None
    waiting, target = found
    _move_companions(path, target)
    waiting.replace(path)
    return target


def unfinished_swap(path: Path) -> tuple[Path, Path] | None:
    """The file that waits to take that place, and the one that was set aside for it; None: there are none."""
    # A file that is still there, or is there again, is not to be touched: it may be another that a person put there.
    if path.exists():
        return None
    for waiting in sorted(path.parent.glob(_waiting(path)), reverse=True):
        target = path.with_name(waiting.name[1 : -len(WAITING)])
        if target.exists():
            return waiting, target
    return None


def remove_leftovers(path: Path) -> None:
    """Remove what rescues of that database left behind that were killed."""
    for folder in path.parent.glob(f"{WORKSHOP}*"):
        shutil.rmtree(folder, ignore_errors=True)
    for waiting in path.parent.glob(_waiting(path)):
        waiting.unlink(missing_ok=True)


def _waiting(path: Path) -> str:
    return f".{path.stem}.damaged-*{path.suffix}{WAITING}"


def _name_aside(path: Path) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        suffix = f".damaged-{stamp}" + (f"-{number}" if number > 1 else "")
        target = path.with_name(f"{path.stem}{suffix}{path.suffix}")
        if not target.exists():
            return target
        number += 1


def _move(path: Path, target: Path) -> None:
    path.replace(target)
    _move_companions(path, target)


def _move_companions(path: Path, target: Path) -> None:
    for companion in COMPANIONS:
        beside = path.with_name(path.name + companion)
        if beside.exists():
            beside.replace(target.with_name(target.name + companion))
