"""What is kept of a player in a small JSON file of its own: read with care, written whole, set aside, never lost."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import Unusable, read_parsed, write_whole
from kalooki_tui.store.paths import data_folder
from kalooki_tui.wording import quote

Kept = TypeVar("Kept")


class KeptFile(ABC, Generic[Kept]):
    """A file and what it says; `problem`: why it could not be used, and then nothing has been kept as yet."""

    name: ClassVar[str]
    """Of the file, in the player's folder."""
    what: ClassVar[str]
    """What it holds, as a message begins: ``Your progress``."""
    keys: ClassVar[frozenset[str]]
    """What may be in it besides its version."""
    version: ClassVar[int] = 1
    most_bytes: ClassVar[int] = 1_000_000

    def __init__(self, path: Path, kept: Kept | None = None, problem: Problem | None = None) -> None:
        self.path, self.problem = path, problem
        self.kept = self.nothing() if kept is None else kept

    @classmethod
    @abstractmethod
    def nothing(cls) -> Kept:
        """What is kept before there is a file."""

    @classmethod
    @abstractmethod
    def read(cls, plain: dict[str, Any]) -> Kept:
        """What the file's object says.

        Raises:
            ValueError, TypeError, KeyError: the program does not write it this way; `Unusable` says more.
        """

    @classmethod
    @abstractmethod
    def plain(cls, kept: Kept) -> dict[str, Any]:
        """The object for the file."""

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the file, by default the player's. It never fails: what is wrong is in `problem`."""
        path = path or data_folder() / cls.name
        found = read_parsed(path, cls.most_bytes, cls._parsed)
        return cls(path, problem=found) if found is None or isinstance(found, Problem) else cls(path, found)

    def save(self, kept: Kept) -> Path | None:
        """Write the file, whole or not at all. One that could not be used is kept under the name returned.

        Raises:
            StoreError: it cannot be written; what is kept holds all the same until the program ends.
        """
        self.kept = kept
        data = json.dumps({"version": self.version, **self.plain(kept)}, indent=1) + "\n"
        try:
            aside = write_whole(self.path, data.encode(), unusable=self.problem is not None)
        except OSError as error:
            raise StoreError(f"{self.what} cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None
        return aside

    @classmethod
    def _parsed(cls, data: bytes) -> Kept:
        if len(data) > cls.most_bytes:
            raise Unusable(f"is longer than {cls.most_bytes:,} bytes")
        try:
            plain: Any = json.loads(data)
        except (ValueError, RecursionError):
            raise Unusable("is damaged: it is not JSON") from None
        version = plain.get("version") if isinstance(plain, dict) else None
        if type(version) is not int:
            raise Unusable("is damaged: version: must be a whole number")
        if version > cls.version:
            raise Unusable(
                f"was written by a newer version of the program (form {version}; this one reads {cls.version})"
            )
        for key in plain:
            if key not in cls.keys and key != "version":
                raise Unusable(f"is damaged: {quote(key)}: there is no such key")
        return cls.read(plain)
