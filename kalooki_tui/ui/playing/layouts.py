"""How much room each part of the table gets: pure functions of the terminal's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kalooki_tui.ui.widgets.faces import HUGE, LARGE, SMALL

#: Rows above a hand's cards for those that are chosen, and below for the cursor.
AROUND_HAND: Final = 2
#: Rows above a pile for its name, and below for its depth.
AROUND_PILE: Final = 2


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Rows and columns of the table's parts; melds and log get what is left."""

    card: tuple[int, int]
    """The largest card there is room for in hand and piles."""
    side: int
    """Columns of piles and log."""
    banner: int
    """Rows of the contract's line, and of its note."""
    seats: int
    """Rows of a seat's tile."""
    air: int
    """Free rows and columns around melds and piles."""

    @property
    def hand(self) -> int:
        """Rows of the hand."""
        return self.card[1] + AROUND_HAND

    @property
    def piles(self) -> int:
        """Rows of the piles."""
        return self.card[1] + AROUND_PILE


def table_layout(width: int, height: int) -> TableLayout:
    """The layout for a terminal of `width` × `height` cells."""
    if width >= 190 and height >= 48:
        return TableLayout(HUGE, side=52, banner=2, seats=4, air=1)
    if width >= 150 and height >= 44:
        return TableLayout(HUGE, side=44, banner=2, seats=3, air=1)
    if height >= 32:
        wide = width >= 110
        return TableLayout(LARGE, side=34 if wide else 30, banner=2, seats=2, air=1 if wide and height >= 40 else 0)
    return TableLayout(SMALL, side=27 if width < 110 else 40, banner=1, seats=2, air=0)
