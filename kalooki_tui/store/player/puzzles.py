"""The player's puzzles on disk: the rating, and where the series stands. One JSON file, written whole."""

from __future__ import annotations

import json
from dataclasses import asdict, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, Self

from kalooki_tui.notation import nodes
from kalooki_tui.problems import InputError, Problem
from kalooki_tui.rulesets.yaml_source import read_text, read_yaml
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import read_parsed, write_whole
from kalooki_tui.store.glicko import Rating, rate
from kalooki_tui.store.paths import data_folder
from kalooki_tui.values import dataclass
from kalooki_tui.wording import escaped

VERSION: Final = 1
FILE: Final = "puzzles.json"
KEPT: Final = "puzzles"
"""The folder of decisions that were kept, a position file each."""
MOST_BYTES: Final = 1_000_000
#: How certain the rating of a puzzle is.
DEVIATION: Final = 80.0
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Solved:
    """What is kept of the player's puzzles."""

    rating: Rating = field(default_factory=Rating)
    tried: int = 0
    right: int = 0
    """At the first try and without help."""
    next: str = ""
    """The code of the next one of the series; empty: a new one begins."""

    def noted(self, puzzle_rating: float, *, right: bool) -> Solved:
        """After a first try."""
        after = rate(self.rating, [(Rating(puzzle_rating, DEVIATION), float(right))])
        return replace(self, rating=after, tried=self.tried + 1, right=self.right + right)


@dataclass
class PuzzleFile:
    """The file and what it says; `problem`: why it could not be used, and then nothing was solved as yet."""

    path: Path
    solved: Solved = field(default_factory=Solved)
    problem: Problem | None = None

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the file, by default the player's. It never fails: what is wrong is in `problem`."""
        path = path or data_folder() / FILE
        found = read_parsed(path, MOST_BYTES, _read)
        return cls(path, problem=found) if found is None or isinstance(found, Problem) else cls(path, found)

    def save(self, solved: Solved) -> None:
        """Write it, whole or not at all; a file that could not be used is set aside.

        Raises:
            StoreError: it cannot be written; it holds all the same until the program ends.
        """
        self.solved = solved
        data = (json.dumps({"version": VERSION, **asdict(solved)}, indent=1) + "\n").encode()
        try:
            write_whole(self.path, data, unusable=self.problem is not None)
        except OSError as error:
            raise StoreError(f"Your rating cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None


def _read(data: bytes) -> Solved:
    plain: Any = json.loads(data)
    if len(data) > MOST_BYTES or not isinstance(plain, dict) or plain["version"] != VERSION:
        raise ValueError
    numbers = [float(plain["rating"][name]) for name in ("rating", "deviation", "volatility")]
    tried, right, following = plain["tried"], plain["right"], plain["next"]
    counts_are_whole = type(tried) is int and type(right) is int and 0 <= right <= tried
    is_rating = all(map(isfinite, numbers)) and numbers[1] > 0 and numbers[2] > 0
    if not counts_are_whole or not is_rating or type(following) is not str or len(following) > _LONGEST:
        raise ValueError
    return Solved(Rating(*numbers), tried, right, following)


def kept_folder() -> Path:
    """Where decisions are kept as puzzles."""
    return data_folder() / KEPT


def kept_title(path: Path) -> str:
    """What a kept decision is called; by its file where that gives no title."""
    try:
        found = nodes.mapping(read_yaml(read_text(path, "position"), str(path), "position"), "a position")
        title = nodes.text(found["title"], "title") if "title" in found else ""
    except InputError:
        title = ""
    return escaped(title or path.name)
