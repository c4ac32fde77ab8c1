"""The key that clients know this host by, made once and kept: nobody should be asked about a new one next time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import asyncssh

from kalooki_tui.files import open_to_read
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import whole_file

KEY_NAME: Final = "host_key"
"""Its name in the folder of the data."""
LARGEST: Final = 10_000
"""Bytes that are read of it."""


def host_key(path: Path) -> asyncssh.SSHKey:
    """The key in that file, made when it is first needed.

    Raises:
        StoreError: it cannot be read, used or kept; the text says which file.
    """
    try:
        return _kept_key(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "it holds no key that this program has written"
        raise StoreError(f"{path} cannot be used: {why}") from error
    key = asyncssh.generate_private_key("ssh-ed25519", comment="kalooki")
    try:
        # Never over one that another program has just made.
        with whole_file(path, new=True, private=True) as stream:
            stream.write(key.export_private_key())
    except FileExistsError:
        return host_key(path)
    except OSError as error:
        raise StoreError(f"The key of this host cannot be kept in {path}: {reason(error)}") from error
    return key


def _kept_key(path: Path) -> asyncssh.SSHKey:
    with open_to_read(path) as stream:
        if os.fstat(stream.fileno()).st_mode & 0o077:
            os.fchmod(stream.fileno(), 0o600)
        return asyncssh.import_private_key(stream.read(LARGEST))
