"""The learner's progress on disk: one JSON file, written whole, set aside where it cannot be used."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kalooki_tui.coach.course.progress import DAYS, RECENT, Progress, Skill, Standing, Try
from kalooki_tui.files import open_to_read
from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import set_aside, whole_file
from kalooki_tui.store.paths import data_folder

VERSION: Final = 1
MOST_BYTES: Final = 2_000_000
FILE: Final = "progress.json"

_Name = Annotated[str, Field(pattern=r"^[^\x00-\x1f]{1,200}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Standing(_Part):
    stars: int = Field(ge=0, le=3)
    clean_on: date | None = None
    mastered: bool = False


class _Skill(_Part):
    box: int = Field(ge=1, le=len(DAYS))
    last: date
    recent: tuple[tuple[bool, Annotated[float, Field(ge=0, allow_inf_nan=False)]], ...] = Field((), max_length=RECENT)


class _File(_Part):
    version: int
    chapters: dict[_Name, _Standing] = {}
    skills: dict[_Name, _Skill] = {}


@dataclass
class ProgressFile:
    """The file and what it says; `problem`: why it could not be used, and then nothing has been learnt as yet."""

    path: Path
    progress: Progress = field(default_factory=Progress)
    problem: Problem | None = None

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the progress, by default the player's. It never fails: what is wrong is in `problem`."""
        path = path or data_folder() / FILE
        try:
            with open_to_read(path) as stream:
                data = stream.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return cls(path)
        except OSError as error:
            return cls(path, problem=Problem(str(path), 0, f"cannot be read: {reason(error)}"))
        try:
            return cls(path, _read(data))
        except _Unusable as error:
            return cls(path, problem=Problem(str(path), 0, str(error)))

    def save(self, progress: Progress) -> Path | None:
        """Write the progress, whole or not at all. A file that could not be used is kept under the name returned.

        Raises:
            StoreError: it cannot be written; it holds all the same until the program ends.
        """
        self.progress, aside = progress, None
        try:
            if self.problem is not None and self.path.exists():
                aside = set_aside(self.path)
            with whole_file(self.path) as stream:
                stream.write(_written(progress))
        except OSError as error:
            raise StoreError(f"What you have learnt cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None
        return aside


class _Unusable(ValueError):
    pass


def _read(data: bytes) -> Progress:
    if len(data) > MOST_BYTES:
        raise _Unusable(f"is longer than {MOST_BYTES:,} bytes")
    try:
        plain: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise _Unusable("is damaged: it is no JSON") from None
    version = plain.get("version") if isinstance(plain, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise _Unusable(f"was written by a newer version of the program (form {version}; this one reads {VERSION})")
    try:
        found = _File.model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _Unusable(f"is damaged: {where or 'it'}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    return Progress(
        {name: Standing(one.stars, one.clean_on, one.mastered) for name, one in found.chapters.items()},
        {
            name: Skill(one.box, one.last, tuple(Try(*tried) for tried in one.recent))
            for name, one in found.skills.items()
        },
    )


def _written(progress: Progress) -> bytes:
    chapters = {
        name: {"stars": one.stars, "clean_on": None if one.clean_on is None else one.clean_on.isoformat(),
               "mastered": one.mastered}
        for name, one in progress.chapters.items()
    }  # fmt: skip
    skills = {
        name: {"box": one.box, "last": one.last.isoformat(), "recent": [[t.clean, t.seconds] for t in one.recent]}
        for name, one in progress.skills.items()
    }
    return (json.dumps({"version": VERSION, "chapters": chapters, "skills": skills}, indent=1) + "\n").encode()
