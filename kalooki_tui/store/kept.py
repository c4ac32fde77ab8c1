"""What is kept of a player in a small JSON file of its own: read strictly, written whole, set aside, never lost."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

import msgspec

from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import Unusable, read_parsed, write_whole
from kalooki_tui.store.paths import data_folder

Kept = TypeVar("Kept", bound=msgspec.Struct)


class _Form(msgspec.Struct):
    """The form that a file has, whatever else is in it."""

    version: int


class KeptFile(Generic[Kept]):
    """A file and what it says; `problem`: why it could not be used, and then nothing has been kept as yet."""

    name: ClassVar[str]
    """Of the file, in the player's folder."""
    what: ClassVar[str]
    """What it holds, as a message begins: ``Your progress``."""
    kind: type[Kept]
    """Its object: the fields with their types and ranges, and `version`."""
    version: ClassVar[int] = 1
    most_bytes: ClassVar[int] = 1_000_000
    is_private: ClassVar[bool] = False
    """Whether only its owner may read it."""

    def __init__(self, path: Path, kept: Kept | None = None, problem: Problem | None = None) -> None:
        self.path, self.problem = path, problem
        self.kept = self.kind() if kept is None else kept

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
        data = msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
        try:
            aside = write_whole(self.path, data, unusable=self.problem is not None, private=self.is_private)
        except OSError as error:
            raise StoreError(f"{self.what} cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None
        return aside

    @classmethod
    def _parsed(cls, data: bytes) -> Kept:
        if len(data) > cls.most_bytes:
            raise Unusable(f"is longer than {cls.most_bytes:,} bytes")
        try:
            form = msgspec.json.decode(data, type=_Form).version
            if form > cls.version:
                raise Unusable(
                    f"was written by a newer version of the program (form {form}; this one reads {cls.version})"
                )
            return msgspec.json.decode(data, type=cls.kind)
        except msgspec.ValidationError as error:
            raise Unusable(f"is damaged: {error}") from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Unusable("is damaged: it is not JSON") from None
