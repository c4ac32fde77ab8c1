"""Where the cards of a hand lie: as large as there is room for, the last one whole."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from kalooki_tui.ui.widgets.faces import HUGE, LARGE, SMALL

MARGIN: Final = 1
#: Fewest columns of a small card that show its index on one row.
INDEX_STEP: Final = 4
#: Below this many columns a card, neighbours are hard to tell apart.
TIGHT: Final = 3
#: Columns from one large card to the next that still show its index and a row of pips.
LARGE_STEP: Final = 4
#: The same of huge cards.
HUGE_STEP: Final = 6
#: Free columns between cards where there is room for all of them side by side.
APART: Final = 1


#: Column and row of a card, and how many of its columns the next card leaves to be seen.
Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Fan:
    """The places of a hand's cards."""

    size: tuple[int, int]
    places: tuple[Place, ...]
    lift: bool
    """Whether there is a free row above, for chosen cards."""

    @property
    def tightest(self) -> int:
        """Fewest columns that are seen of any card."""
        return min(shown for _, _, shown in self.places)

    def neighbour(self, index: int, rows: int) -> int:
        """The card above (rows -1) or below (1) card `index`, or `index` itself."""
        x, y, _ = self.places[index]
        others = [(abs(place[0] - x), other) for other, place in enumerate(self.places) if (place[1] - y) * rows > 0]
        return min(others)[1] if others else index


def arrange(count: int, width: int, height: int, gaps: Collection[int] = ()) -> Fan | None:
    """Arrange `count` cards in `width` × `height` cells; None if there are no cards.

    `gaps`: cards with a small gap before them if there is room. One row above is kept for chosen cards and one
    below for the cursor.
    """
    if count <= 0 or width < SMALL[0] or height <= 0:
        return None
    lift = height >= 4
    free = height - (2 if lift else 1 if height >= 2 else 0)
    for size, least in ((HUGE, HUGE_STEP), (LARGE, LARGE_STEP)):
        if free >= size[1] and _step(count, width, size[0]) >= least:
            return Fan(size, tuple(_row(count, width, size[0], height - 1 - size[1], gaps)), lift)
    small = (SMALL[0], max(1, min(free, SMALL[1] + 1)))
    step = _step(count, width, small[0])
    if (step < INDEX_STEP and height >= 10) or (step < TIGHT and height >= 8):
        return _two_rows(count, width, height, gaps)
    top = height - small[1] - (1 if height >= 2 else 0)
    return Fan(small, tuple(_row(count, width, small[0], top, gaps)), lift)


def _two_rows(count: int, width: int, height: int, gaps: Collection[int]) -> Fan:
    each = height // 2
    size = (SMALL[0], min(each - 2, SMALL[1]))
    first = (count + 1) // 2
    top = height - 2 * each + each - 1 - size[1]
    upper = _row(first, width, size[0], top, [gap for gap in gaps if gap < first])
    lower = _row(count - first, width, size[0], top + each, [gap - first for gap in gaps if gap > first])
    return Fan(size, (*upper, *lower), True)


def _step(count: int, width: int, card: int) -> float:
    """Columns from one card to the next, so that the last one is whole."""
    return (width - 2 * MARGIN - card) / max(1, count - 1)


def _row(count: int, width: int, card: int, top: int, gaps: Collection[int]) -> list[tuple[int, int, int]]:
    step = _step(count, width, card)
    # Side by side, or overlapping so far that it is seen to be meant.
    step = card + APART if step >= card + APART and not gaps else min(card - 1, step)
    gap = 0
    if gaps:
        spare = width - 2 * MARGIN - card - min(step, INDEX_STEP) * (count - 1)
        gap = int(min(2, spare // len(gaps))) if spare > 0 else 0
        step = min(step, (width - 2 * MARGIN - card - gap * len(gaps)) / max(1, count - 1))
    # Whole steps look even; only where columns are scarce is every one of them used.
    if step >= INDEX_STEP:
        step = int(step)
    columns, shift = [], 0
    for index in range(count):
        shift += gap if index in gaps else 0
        columns.append(MARGIN + int(index * step) + shift)
    middle = (width - MARGIN - columns[-1] - card) // 2
    columns = [x + max(0, middle) for x in columns]
    following = [*columns[1:], columns[-1] + card]
    return [(x, top, min(card, after - x)) for x, after in zip(columns, following, strict=True)]
