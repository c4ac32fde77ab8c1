"""Files that are whole or not there: written beside their place and then moved into it, and set aside, never lost."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import IO, Final

from kalooki_tui.problems import Problem, open_to_read, reason
from kalooki_tui.wording import escaped

ASIDE: Final = ".damaged-"


#: It can be read only by setting it, for all threads: done once, before there are others.
UMASK: Final = os.umask(0o077)
os.umask(UMASK)


@contextmanager
def whole_file(path: Path, *, new: bool = False, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that appears at `path`, complete and on disk, if the block ends without an error.

    `new`: replace no file. `private`: only the owner may read it.
    """
    _see_that_it_is_a_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # A link is followed, so that settings kept in another folder stay there.
    target = path.resolve()
    # A name may be as long as can be already.
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:30]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        put_in_place(Path(name), target, new=new, private=private)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def named_file(path: str | Path, *, overwrite: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that a person has named, as `whole_file` does; raise StoreError if it is there or not writable."""
    try:
        with whole_file(Path(path).expanduser(), new=not overwrite) as stream:
            yield stream
    except FileExistsError:
        raise StoreError(f"{path} is there already") from None
    except RuntimeError:
        raise StoreError(f"{path} cannot be written: there is no such person here") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {reason(error)}") from error


def read_whole(path: Path, most: int) -> bytes | Problem | None:
    """Read up to `most` + 1 bytes; None: there is no file."""
    try:
        with open_to_read(path) as stream:
            return stream.read(most + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Problem(str(path), 0, f"cannot be read: {reason(error)}")


def write_whole(path: Path, data: bytes, *, unusable: bool, private: bool = False) -> Path | None:
    """Write a small file, whole or not at all; one that was `unusable` is kept under the name returned."""
    aside = set_aside(path) if unusable and path.exists() else None
    with whole_file(path, private=private) as stream:
        stream.write(data)
    return aside


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


def put_in_place(path: Path, target: Path, *, new: bool = False, private: bool = False) -> None:
    """Move a complete temporary file to its place, where with `new` there must be none."""
    # A temporary file is its owner's alone; what a person wrote may be read by others as far as it could be before.
    try:
        mode = target.stat().st_mode & 0o777
    except OSError:
        mode = 0o666 & ~UMASK
    path.chmod(0o600 if private else mode)
    if new:
        try:
            os.link(path, target)
            path.unlink()
        except PermissionError:  # a disk that knows no links
            if target.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            path.replace(target)
    else:
        path.replace(target)
    # Without it a power cut may take a new file's name. Not every system has it, and nothing worse comes of that.
    with suppress(OSError):
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    marks = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{path.stem}{ASIDE}{stamp}{mark}{path.suffix}") for mark in marks)
    target = next(name for name in names if not name.exists())
    path.replace(target)
    return target


class StoreError(Exception):
    """Failure to read or write; its text is one line, whatever a file's name holds."""

    def __init__(self, text: str) -> None:
        super().__init__(escaped(text))


class JournalError(StoreError):
    """Failure to write a step, which is written with a later one."""


class NoRecord(StoreError):
    """File that does not begin as a record does."""


class NewerFormat(StoreError):
    """File of a newer version of the program."""


class MatchBusy(StoreError):
    """Match that another program is playing."""


class NoSuchMatch(StoreError): ...


class GoesOn(StoreError):
    """Match that is not over: its record would show everybody's cards."""


@contextmanager
def store_errors(what: str) -> Iterator[None]:
    """Turn an error of the system into a StoreError that begins with `what`."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{what}: {reason(error)}") from error
