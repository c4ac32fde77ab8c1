"""Running totals by deal, a line for each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size

from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.dots import ACROSS, DOWN, Dots
from kalooki_tui.values import dataclass

#: A sign for each seat, so that no colour is needed to tell the lines apart.
SIGNS: Final = "●■▲◆○□△◇▼▽✕"
#: Palette names of the lines' colours.
COLOURS: Final = ("gold", "on_felt", "success", "error", "on_felt_muted")
#: Cells of a name.
WIDEST_NAME: Final = 14
#: Rows from value to value on the axis, at least; and where there are more than so many rows.
ROWS_A_TICK: Final = 2
MANY_ROWS: Final = 16
#: What the values on the axis may be multiples of.
STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
#: Columns from one deal's number to the next, at least.
LABEL_STEP: Final = 3
#: Signs that stand side by side where totals are equal.
SIDE_BY_SIDE: Final = 3


class ScoreChart(Painted):
    """Totals after each deal, a line for each seat; the best, which is the lowest, is the lowest line."""

    DEFAULT_CSS = """
    ScoreChart { height: 1fr; min-height: 8; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._names: tuple[str, ...] = ()
        self._totals: tuple[tuple[int, ...], ...] = ()

    def show(self, names: Sequence[str], totals: Sequence[Sequence[int]]) -> None:
        """Show each seat's running total after every deal played: `totals[deal][seat]`."""
        self._names = tuple(names)
        self._totals = tuple(tuple(row) for row in totals)
        self.repaint()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A chart a dozen rows high."""
        return 12

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw axes, lines, signs, and at the right the seats' names beside their last totals."""
        if not self._totals or canvas.height < 4:
            return
        muted, faint = style(palette.on_felt_muted, palette.felt), style(palette.felt_line, palette.felt)
        points = [(0,) * len(self._names), *self._totals]
        scale = Scale.of(min(map(min, points)), max(map(max, points)), canvas.height - 1)
        left = max(len(str(value)) for value in scale.ticks) + 2
        legend = min(WIDEST_NAME, max(map(cell_len, self._names))) + max(len(str(total)) for total in points[-1]) + 4
        width = max(1, canvas.width - left - legend - 2)
        across = [left + 1 + round(width * deal / (len(points) - 1)) for deal in range(len(points))]
        for value in scale.ticks:
            canvas.text(left - 2 - len(str(value)), scale.row(value), str(value), muted)
            canvas.text(left, scale.row(value), "┄" * (across[-1] - left), faint)
        for y in range(scale.rows):
            canvas.text(left - 1, y, "│", muted)
        labelled = -LABEL_STEP
        for deal, x in enumerate(across):
            if deal and (x - labelled >= LABEL_STEP or deal == len(points) - 1):
                canvas.text(x - len(str(deal)) + 1, scale.rows, str(deal), muted)
                labelled = x
        self._paint_lines(canvas, palette, across, points, scale)
        self._paint_names(canvas, palette, across[-1] + 2, scale)

    def _ink(self, palette: Palette, seat: int) -> Style:
        return style(getattr(palette, COLOURS[seat % len(COLOURS)]), palette.felt, True)

    def _paint_lines(
        self, canvas: Canvas, palette: Palette, across: Sequence[int], points: Sequence[Sequence[int]], scale: Scale
    ) -> None:
        """Straight lines from deal to deal; then a sign for each total, those of equal totals side by side."""
        dots = Dots()
        for seat in range(len(self._names)):
            places = [(x * ACROSS, scale.dot(point[seat])) for x, point in zip(across, points, strict=True)]
            for start, end in pairwise(places):
                dots.draw_line(start, end, self._ink(palette, seat))
        dots.put_on(canvas, ascii_only=self.look.ascii)
        for x, point in list(zip(across, points, strict=True))[1:]:
            here: Counter[int] = Counter()
            for seat, total in enumerate(point):
                y = scale.row(total)
                if here[y] < SIDE_BY_SIDE:
                    canvas.text(x - here[y], y, SIGNS[seat % len(SIGNS)], self._ink(palette, seat))
                here[y] += 1

    def _paint_names(self, canvas: Canvas, palette: Palette, x: int, scale: Scale) -> None:
        last = self._totals[-1]
        seats = sorted(range(len(self._names)), key=lambda seat: (-last[seat], seat))
        rows = apart([scale.row(last[seat]) for seat in seats], canvas.height)
        for seat, y in zip(seats, rows, strict=True):
            total = str(last[seat])
            room = min(WIDEST_NAME, canvas.width - x - len(total) - 3)
            text = f"{SIGNS[seat % len(SIGNS)]} {shorten(self._names[seat], room)} {total}"
            canvas.text(x, y, text, self._ink(palette, seat))


@dataclass(frozen=True, slots=True)
class Scale:
    """Where totals lie: round values a few rows apart, the highest on the first row and the lowest on the last."""

    low: int
    high: int
    rows: int
    ticks: tuple[int, ...]

    @classmethod
    def of(cls, low: int, high: int, rows: int) -> Scale:
        """A scale that holds totals from `low` to `high`."""
        most = max(2, (rows - 1) // (ROWS_A_TICK if rows <= MANY_ROWS else 2 * ROWS_A_TICK))
        for step in STEPS:
            first, last = low // step * step, max(low // step * step + step, -(-high // step) * step)
            if (last - first) // step <= most:
                break
        ticks = range(first, last + 1, step)
        # As many rows from value to value, whichever they are.
        apart = max(1, (rows - 1) // (len(ticks) - 1))
        return cls(first, last, min(rows, apart * (len(ticks) - 1) + 1), tuple(ticks))

    def _share(self, total: int) -> float:
        """How far down a total lies, in rows."""
        return (self.high - total) / (self.high - self.low) * (self.rows - 1)

    def row(self, total: int) -> int:
        """The row of a total."""
        return round(self._share(total))

    def dot(self, total: int) -> int:
        """The row of dots of a total: those of a value on the axis are in the middle of its row."""
        return max(0, round(self._share(total) * DOWN + DOWN / 2 - 0.5))


def apart(rows: Sequence[int], height: int) -> list[int]:
    """Move rows, given from the top down, so that no two are the same and none is beyond `height`."""
    placed: list[int] = []
    for row in rows:
        placed.append(max(row, placed[-1] + 1 if placed else 0))
    lowest = height
    for index in reversed(range(len(placed))):
        placed[index] = lowest = min(placed[index], lowest - 1)
    return placed
