"""How every room opens a file that somebody names: never one that could keep it waiting."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO, Final

#: Opening a pipe does not wait for its other end, nor does a terminal become that of the program.
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_to_read(path: str | Path) -> IO[bytes]:
    """Open an ordinary file for reading; links are followed.

    Raises:
        OSError: it does not exist, may not be read, or is a folder, a pipe, a socket or a device.
        ValueError: the name cannot be one, as with a null character in it.
    """
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    try:
        see_that_it_is_a_file(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return os.fdopen(handle, "rb")


def see_that_it_is_a_file(status: os.stat_result) -> None:
    """Raises OSError for anything but an ordinary file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device, a pipe or a socket, not a file")
