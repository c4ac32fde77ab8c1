"""Small JSON files of a player, read strictly and written whole: also hosted tables and results of reviews."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Final, Generic, Literal, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from kalooki_tui.problems import Problem
from kalooki_tui.storage.files import read_whole, store_errors, write_whole
from kalooki_tui.storage.paths import HOSTED, MATCHES, data_folder

Kept = TypeVar("Kept", bound=msgspec.Struct)


class _Form(msgspec.Struct):
    version: int


class KeptFile(Generic[Kept]):
    """File and its content; `problem`: why it could not be used, the content then being the default."""

    name: ClassVar[str]
    what: ClassVar[str]
    """Subject of messages: ``Your progress``."""
    kind: type[Kept]
    """Class of the content: fields with types and ranges, and `version`."""
    version: ClassVar[int] = 1
    most_bytes: ClassVar[int] = 1_000_000
    is_private: ClassVar[bool] = False

    def __init__(self, path: Path, kept: Kept | None = None, problem: Problem | None = None) -> None:
        self.path, self.problem = path, problem
        self.kept = self.kind() if kept is None else kept

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the file, by default the player's. Never fails: see `problem`."""
        path = path or data_folder() / cls.name
        found = read_whole(path, cls.most_bytes)
        if not isinstance(found, bytes):
            return cls(path, problem=found)
        kept = cls._parsed(found)
        return cls(path, problem=Problem(str(path), 0, kept)) if isinstance(kept, str) else cls(path, kept)

    @property
    def damage(self) -> str:
        if self.problem is None:
            return ""
        return f"{self.what} cannot be read. The file is set aside once there is something new to save. {self.problem}"

    def save(self, kept: Kept) -> Path | None:
        """Write the file; an unusable one is kept under the name returned. Raise StoreError, while `kept` holds."""
        self.kept = kept
        data = msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
        with store_errors(f"{self.what} cannot be saved: {self.path}"):
            aside = write_whole(self.path, data, unusable=self.problem is not None, private=self.is_private)
        self.problem = None
        return aside

    @classmethod
    def _parsed(cls, data: bytes) -> Kept | str:
        if len(data) > cls.most_bytes:
            return f"is longer than {cls.most_bytes:,} bytes"
        try:
            form = msgspec.json.decode(data, type=_Form).version
            if form > cls.version:
                return f"was written by a newer version of the program (form {form}; this one reads {cls.version})"
            return msgspec.json.decode(data, type=cls.kind)
        except msgspec.ValidationError as error:
            return f"is damaged: {error}"
        except (msgspec.DecodeError, ValueError, RecursionError):
            return "is damaged: it is not JSON"


class Doorway(Struct, frozen=True):
    """Addresses and ports of a table; None: no such door, 0: any free port."""

    addresses: tuple[str, ...] = ()
    ssh_port: int | None = 2222
    web_port: int | None = 8000
    names: tuple[str, ...] = ()
    """Host names under which browsers may open the page, besides numbers and the machine's own."""
    public_url: str = ""
    """Address at which browsers elsewhere come, as that of a proxy."""
    tls: tuple[str, str] | None = None
    """Paths of a certificate and its key."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies that say for whom they ask."""


class Hosted(Doorway, frozen=True, kw_only=True):
    code: str = ""
    known: dict[str, str] = {}
    """Names of people who were let in, by token."""
    seats: dict[str, str] = {}
    version: int = 1


class HostedFile(KeptFile[Hosted]):
    """Access to a hosted table: its owner's alone, and no part of the record."""

    what = "How this table is found, and who has been let in,"
    kind = Hosted
    is_private = True

    @classmethod
    def of(cls, match: str) -> HostedFile:
        """Load the file of a match by id; `kept` has no addresses if there is none."""
        return cls.load(path_beside(match)) if match else cls(path_beside(match))


def path_beside(match: str) -> Path:
    return data_folder() / MATCHES / f"{match}{HOSTED}"


FILE: Final = "reviews.json"
#: Deals that are remembered, the last ones.
MOST: Final = 400
Text: TypeAlias = Annotated[str, Meta(max_length=300)]


class ReviewedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    match: Text
    deal: Text
    """``Game 2 of 9``."""
    name: Text
    lost: Annotated[float, Meta(ge=0, le=1_000_000)]
    """Points, in decisions that cost some."""
    decisions: Annotated[int, Meta(ge=0, le=1_000_000)]


class Reviewed(Struct, frozen=True, forbid_unknown_fields=True):
    deals: tuple[ReviewedDeal, ...] = ()
    version: Literal[1] = 1


class ReviewedFile(KeptFile[Reviewed]):
    name = FILE
    what = "The results of the review"
    kind = Reviewed

    @property
    def deals(self) -> tuple[ReviewedDeal, ...]:
        return self.kept.deals

    def lost(self, name: str, last: int) -> list[float]:
        return [deal.lost for deal in self.deals if deal.name == name][-last:]

    def find(self, match: str, deal: str, name: str) -> ReviewedDeal | None:
        return next((one for one in self.deals if _key(one) == (match, deal, name)), None)

    def note(self, reviewed: ReviewedDeal) -> None:
        """Note a deal, in its old place if it was reviewed before; raise StoreError if that fails."""
        deals = {_key(deal): deal for deal in self.deals} | {_key(reviewed): reviewed}
        self.save(Reviewed(tuple(deals.values())[-MOST:]))


def _key(one: ReviewedDeal) -> tuple[str, str, str]:
    return one.match, one.deal, one.name
