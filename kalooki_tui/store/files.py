"""Files that are whole or not there: written beside their place and then moved into it, and set aside, never lost."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Final

#: Files that SQLite keeps beside a database.
COMPANIONS: Final = ("-wal", "-shm")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that appears at `path`, on disk and complete, when the block ends without an error.

    Raises:
        OSError: it cannot be written; what was at `path` is as it was.
    """
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
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        suffix = f".damaged-{stamp}" + (f"-{number}" if number > 1 else "")
        target = path.with_name(f"{path.stem}{suffix}{path.suffix}")
        if not target.exists():
            break
        number += 1
    path.replace(target)
    for companion in COMPANIONS:
        beside = path.with_name(path.name + companion)
        if beside.exists():
            beside.replace(target.with_name(target.name + companion))
    return target
