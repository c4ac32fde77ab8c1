"""Results of reviews, one entry for each deal: points lost, for showing a trend."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from kalooki_tui.store.kept import KeptFile

FILE: Final = "reviews.json"
#: Deals that are remembered, the last ones.
MOST: Final = 400
Text: TypeAlias = Annotated[str, Meta(max_length=300)]


class ReviewedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """Points that one seat lost in one deal."""

    match: Text
    """Tells the match apart from others."""
    deal: Text
    """``Game 2 of 9``."""
    name: Text
    lost: Annotated[float, Meta(ge=0, le=1_000_000)]
    """Points, in decisions that cost some."""
    decisions: Annotated[int, Meta(ge=0, le=1_000_000)]
    """Decisions with something to choose."""


class Reviewed(Struct, frozen=True, forbid_unknown_fields=True):
    """The deals reviewed, the one reviewed first in front."""

    deals: tuple[ReviewedDeal, ...] = ()
    version: Literal[1] = 1


class ReviewedFile(KeptFile[Reviewed]):
    """The file and the deals reviewed."""

    name = FILE
    what = "The results of the review"
    kind = Reviewed

    @property
    def deals(self) -> tuple[ReviewedDeal, ...]:
        return self.kept.deals

    def lost(self, name: str, last: int) -> list[float]:
        """Points that somebody lost in each of the last `last` deals reviewed."""
        return [deal.lost for deal in self.deals if deal.name == name][-last:]

    def find(self, match: str, deal: str, name: str) -> ReviewedDeal | None:
        """The result for a deal, if it was reviewed."""
        return next((one for one in self.deals if _key(one) == (match, deal, name)), None)

    def note(self, reviewed: ReviewedDeal) -> None:
        """Put a deal down, in the place it has if it was reviewed before.

        Raises:
            StoreError: it cannot be written.
        """
        deals = {_key(deal): deal for deal in self.deals} | {_key(reviewed): reviewed}
        self.save(Reviewed(tuple(deals.values())[-MOST:]))


def _key(one: ReviewedDeal) -> tuple[str, str, str]:
    return one.match, one.deal, one.name
