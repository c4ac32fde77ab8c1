"""Results of reviews, one entry for each deal: points lost, for showing a trend."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any, Final

from kalooki_tui.store.kept import KeptFile
from kalooki_tui.values import dataclass

FILE: Final = "reviews.json"
#: Deals that are remembered, the last ones.
MOST: Final = 400


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


class ReviewedFile(KeptFile[tuple[ReviewedDeal, ...]]):
    """The file and the deals reviewed, the one reviewed first in front."""

    name = FILE
    what = "The results of the review"
    keys = frozenset({"deals"})

    @property
    def deals(self) -> tuple[ReviewedDeal, ...]:
        """The deals reviewed."""
        return self.kept

    @classmethod
    def nothing(cls) -> tuple[ReviewedDeal, ...]:
        """Nothing was reviewed."""
        return ()

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
        self.save(tuple(deals[-MOST:]))

    @staticmethod
    def _is_same(one: ReviewedDeal, other: ReviewedDeal) -> bool:
        return (one.match, one.deal, one.name) == (other.match, other.deal, other.name)

    @classmethod
    def plain(cls, kept: tuple[ReviewedDeal, ...]) -> dict[str, Any]:
        """A list of deals."""
        return {"deals": [asdict(deal) for deal in kept]}

    @classmethod
    def read(cls, plain: dict[str, Any]) -> tuple[ReviewedDeal, ...]:
        """The list of deals."""
        deals = tuple(ReviewedDeal(**one) for one in plain["deals"])
        for one in deals:
            if not all(type(text) is str for text in (one.match, one.deal, one.name)):
                raise ValueError
            if type(one.decisions) is not int or one.decisions < 0:
                raise ValueError
            if type(one.lost) not in (int, float) or not isfinite(one.lost) or one.lost < 0:
                raise ValueError
        return deals
