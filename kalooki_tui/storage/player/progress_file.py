"""Progress and puzzles of the player on disk: ratings as a whole and by kind, and decisions that were kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from kalooki_tui.coach.course.progress import KEPT, Progress
from kalooki_tui.problems import InputError
from kalooki_tui.storage.kept import KeptFile
from kalooki_tui.storage.paths import data_folder
from kalooki_tui.storage.people_statistics import Rating, rate
from kalooki_tui.wording import escaped

FILE: Final = "puzzles.json"
FOLDER: Final = "puzzles"
ENDING: Final = ".yaml"
#: How certain the rating of a puzzle is.
DEVIATION: Final = 80.0
#: Of somebody who has solved nothing: surer than Glicko-2 begins, so that one answer moves it by 60 points or so.
FIRST: Final = Rating(deviation=150.0)
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Kind: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z-]{1,40}\Z")]


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    rating: Rating = FIRST
    tried: Count = 0
    right: Count = 0
    """At the first try and without help."""

    def __post_init__(self) -> None:
        if self.right > self.tried:
            raise ValueError("more were right than tried")

    def after(self, puzzle_rating: float, *, right: bool) -> Tally:
        rating = rate(self.rating, [(Rating(puzzle_rating, DEVIATION), float(right))])
        return Tally(rating, self.tried + 1, self.right + right)


class Solved(Tally, frozen=True):
    kinds: dict[Kind, Tally] = {}
    version: Literal[1] = 1

    def noted(self, kind: str, puzzle_rating: float, *, right: bool) -> Solved:
        whole = self.after(puzzle_rating, right=right)
        own = self.kinds.get(kind, Tally()).after(puzzle_rating, right=right)
        return Solved(whole.rating, whole.tried, whole.right, {**self.kinds, kind: own})


class PuzzleFile(KeptFile[Solved]):
    name = FILE
    what = "Your rating"
    kind = Solved

    @property
    def solved(self) -> Solved:
        return self.kept


class ProgressFile(KeptFile[Progress]):
    name = "progress.json"
    what = "Your progress"
    kind = Progress
    most_bytes = 2_000_000

    @property
    def progress(self) -> Progress:
        return self.kept


def kept_folder() -> Path:
    return data_folder() / FOLDER


def kept_files() -> list[Path]:
    folder = kept_folder()
    return sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []


def kept_skills() -> dict[str, Path]:
    """Return kept decisions by their names as skills: ``kept/`` and the file's stem."""
    return {f"{KEPT}{path.stem}": path for path in kept_files()}


def kept_title(path: Path) -> str:
    from kalooki_tui.rulesets.yaml_source import read_text, read_yaml  # progress is read at every start, they are not

    try:
        found = read_yaml(read_text(path, "position"), str(path), "position").plain()
    except InputError:
        found = None
    title = found.get("title") if isinstance(found, dict) else None
    return escaped(title if isinstance(title, str) and title else path.name)
