"""Results of reviews, one line for each deal: points lost, for showing a trend. One JSON file, written whole."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any, Final, Self

from kalooki_tui.problems import Problem
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import read_parsed, write_whole
from kalooki_tui.store.paths import data_folder
from kalooki_tui.values import dataclass

VERSION: Final = 1
FILE: Final = "reviews.json"
#: Deals that are remembered, the last ones.
MOST: Final = 400
MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """Points that one seat lost in one deal."""

    match: str
    """Tells the match apart from others."""
    deal: str
    """``Game 2 of 9``."""
    name: str
    lost: float
    """Points, in decisions that cost some."""
    decisions: int
    """Decisions with something to choose."""


@dataclass
class ReviewedFile:
    """The file and what it says; `problem`: why it could not be used, and then nothing was reviewed as yet."""

    path: Path
    deals: tuple[ReviewedDeal, ...] = ()
    """The one reviewed first comes first."""
    problem: Problem | None = None

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the file, by default the player's. It never fails: what is wrong is in `problem`."""
        path = path or data_folder() / FILE
        found = read_parsed(path, MOST_BYTES, _read)
        return cls(path, problem=found) if found is None or isinstance(found, Problem) else cls(path, found)

    def lost(self, name: str, last: int) -> list[float]:
        """Points that somebody lost in each of the last `last` deals reviewed."""
        return [deal.lost for deal in self.deals if deal.name == name][-last:]

    def find(self, match: str, deal: str, name: str) -> ReviewedDeal | None:
        """The result for a deal, if it was reviewed."""
        return next((one for one in self.deals if (one.match, one.deal, one.name) == (match, deal, name)), None)

    def note(self, reviewed: ReviewedDeal) -> None:
        """Put a deal down, in the place it has if it was reviewed before.

        Raises:
            StoreError: it cannot be written.
        """
        same = [self._is_same(deal, reviewed) for deal in self.deals]
        if any(same):
            deals = [reviewed if one else deal for one, deal in zip(same, self.deals, strict=True)]
        else:
            deals = [*self.deals, reviewed]
        self.deals = tuple(deals[-MOST:])
        data = (
            json.dumps({"version": VERSION, "deals": [asdict(deal) for deal in self.deals]}, indent=1) + "\n"
        ).encode()
        try:
            write_whole(self.path, data, unusable=self.problem is not None)
        except OSError as error:
            raise StoreError(f"The results of the review cannot be saved: {self.path}: {reason(error)}") from error
        self.problem = None

    @staticmethod
    def _is_same(one: ReviewedDeal, other: ReviewedDeal) -> bool:
        return (one.match, one.deal, one.name) == (other.match, other.deal, other.name)


def _read(data: bytes) -> tuple[ReviewedDeal, ...]:
    plain: Any = json.loads(data)
    if len(data) > MOST_BYTES or plain["version"] != VERSION:
        raise ValueError
    deals = tuple(ReviewedDeal(**one) for one in plain["deals"])
    for one in deals:
        if not all(type(text) is str for text in (one.match, one.deal, one.name)):
            raise ValueError
        if type(one.decisions) is not int or one.decisions < 0:
            raise ValueError
        if type(one.lost) not in (int, float) or not isfinite(one.lost) or one.lost < 0:
            raise ValueError
    return deals
