"""What the host of a match was told, kept beside it until it ends: how it is found, and who has been let in."""

from __future__ import annotations

from pathlib import Path

import msgspec

from kalooki_tui.store.kept import KeptFile
from kalooki_tui.store.paths import HOSTED, MATCHES, data_folder


class Hosted(msgspec.Struct, frozen=True):
    """The table of one match."""

    addresses: tuple[str, ...] = ()
    ssh_port: int | None = None
    web_port: int | None = None
    """None: there is no such door."""
    names: tuple[str, ...] = ()
    code: str = ""
    known: dict[str, str] = {}
    """Who has been let in, by token, and what they were called."""
    seats: dict[str, str] = {}
    """The tokens of those who have a seat, by its name."""
    version: int = 1


class HostedFile(KeptFile[Hosted]):
    """A file that opens the table to whoever reads it: its owner's alone, and no part of the record."""

    what = "How this table is found, and who has been let in,"
    kind = Hosted
    is_private = True

    @classmethod
    def of(cls, match: str) -> HostedFile:
        """That of a match by its id, or of none yet; `kept` has no addresses where there is none."""
        return cls.load(path_beside(match)) if match else cls(path_beside(match))


def path_beside(match: str) -> Path:
    """Where it is kept for a match."""
    return data_folder() / MATCHES / f"{match}{HOSTED}"
