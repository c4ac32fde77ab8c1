"""The learner's progress on disk: one JSON file, written whole, set aside where it cannot be used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import field
from datetime import date
from math import inf
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from kalooki_tui.coach.course.progress import DAYS, RECENT, ChapterState, OwnDeal, Progress, Skill, Try
from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import Unusable, read_parsed, write_whole
from kalooki_tui.store.paths import data_folder
from kalooki_tui.values import dataclass
from kalooki_tui.wording import escaped, quote

VERSION: Final = 1
MOST_BYTES: Final = 2_000_000
FILE: Final = "progress.json"

_Kept = TypeVar("_Kept")
_NAME: Final = re.compile(r"[^\x00-\x1f]{1,200}")


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
        found = read_parsed(path, MOST_BYTES, _read)
        return cls(path, problem=found) if found is None or isinstance(found, Problem) else cls(path, found)

    def save(self, progress: Progress) -> Path | None:
        """Write the progress, whole or not at all. A file that could not be used is kept under the name returned.

        Raises:
            StoreError: it cannot be written; it holds all the same until the program ends.
        """
        self.progress = progress
        try:
            aside = write_whole(self.path, _written(progress), unusable=self.problem is not None)
        except OSError as error:
            raise StoreError(f"Your progress cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None
        return aside


def _read(data: bytes) -> Progress:
    if len(data) > MOST_BYTES:
        raise Unusable(f"is longer than {MOST_BYTES:,} bytes")
    try:
        plain: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise Unusable("is damaged: it is not JSON") from None
    version = plain.get("version") if isinstance(plain, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise Unusable(f"was written by a newer version of the program (form {version}; this one reads {VERSION})")
    if not isinstance(version, int):
        raise Unusable("is damaged: version: must be a whole number")
    for key in plain:
        if key not in ("version", "chapters", "skills", "deals"):
            raise Unusable(f"is damaged: {quote(key)}: there is no such key")
    return Progress(
        _read_each(plain, "chapters", _standing),
        _read_each(plain, "skills", _skill),
        _read_each(plain, "deals", _deals),
    )


def _read_each(plain: dict[str, Any], key: str, read: Callable[..., _Kept]) -> dict[str, _Kept]:
    """What is kept of chapters or skills, by name."""
    kept, found = plain.get(key, {}), {}
    if not isinstance(kept, dict):
        raise Unusable(f"is damaged: {key}: must be an object")
    for name, values in kept.items():
        try:
            if not _NAME.fullmatch(name):
                raise ValueError
            found[name] = read(**values) if isinstance(values, dict) else read(values)
        except (ValueError, TypeError):
            raise Unusable(f"is damaged: {key}.{escaped(name)}: is not what the program writes") from None
    return found


def _standing(stars: Any, clean_on: Any = None, mastered: Any = False) -> ChapterState:
    if type(stars) is not int or stars not in range(4) or type(mastered) is not bool:
        raise ValueError
    return ChapterState(stars, None if clean_on is None else date.fromisoformat(clean_on), mastered)


def _skill(box: Any, last: Any, recent: Any = ()) -> Skill:
    if type(box) is not int or box not in range(1, len(DAYS) + 1) or len(recent) > RECENT:
        raise ValueError
    return Skill(box, date.fromisoformat(last), tuple(_try(*one) for one in recent))


def _deals(played: Any) -> tuple[OwnDeal, ...]:
    if not isinstance(played, list) or len(played) > RECENT:
        raise ValueError
    return tuple(_deal(*one) for one in played)


def _deal(laid: Any, points: Any, others: Any) -> OwnDeal:
    if type(laid) is not bool or type(points) is not int or type(others) not in (int, float) or not abs(others) < inf:
        raise ValueError
    return OwnDeal(laid, points, float(others))


def _try(clean: Any, seconds: Any) -> Try:
    # A number that is no number compares as false.
    if type(clean) is not bool or type(seconds) not in (int, float) or not 0 <= seconds < inf:
        raise ValueError
    return Try(clean, float(seconds))


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
    deals = {name: [[one.laid, one.points, one.others] for one in played] for name, played in progress.deals.items()}
    data = {"version": VERSION, "chapters": chapters, "skills": skills} | ({"deals": deals} if deals else {})
    return (json.dumps(data, indent=1) + "\n").encode()
