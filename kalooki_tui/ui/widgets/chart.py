"""Running totals by deal, a line for each seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from textual.geometry import Size

from kalooki_tui.ui.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style

#: A sign for each seat, so that no colour is needed to tell the lines apart.
SIGNS: Final = "●■▲◆○□△◇▼▽✕"
#: Palette names of the lines' colours.
COLOURS: Final = ("gold", "on_felt", "success", "error", "on_felt_muted")
NAME: Final = 12


class ScoreChart(Painted):
    """Totals after each deal, a line for each seat; the best, which is the lowest, is the lowest line."""

    DEFAULT_CSS = """
    ScoreChart { height: 12; }
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
        ground = palette.felt
        muted, line = style(palette.on_felt_muted, ground), style(palette.felt_line, ground)
        points = [(0,) * len(self._names), *self._totals]
        low, high = min(map(min, points)), max(1, *map(max, points))
        axis = max(len(str(low)), len(str(high))) + 1
        bottom = canvas.height - 2
        width = max(1, canvas.width - axis - NAME - 6)
        across = [axis + 1 + round(width * deal / max(1, len(points) - 1)) for deal in range(len(points))]

        def row(total: float) -> int:
            return round(bottom * (high - total) / max(1, high - low))

        for value in _ticks(low, high, bottom):
            text = str(value)
            canvas.text(axis - 1 - len(text), row(value), text, muted)
            canvas.text(axis, row(value), "┼" + "┄" * (across[-1] - axis - 1), line)
        for y in range(bottom + 1):
            canvas.text(axis, y, "│", muted)
        for deal, x in enumerate(across):
            if deal and (len(points) < 2 or x - across[deal - 1] >= 2 or deal == len(points) - 1):
                canvas.text(x - len(str(deal)) + 1, bottom + 1, str(deal), muted)
        for seat in range(len(self._names)):
            self._paint_line(canvas, palette, seat, across, [row(point[seat]) for point in points])
        self._paint_names(canvas, palette, across[-1] + 2, row)

    def _paint_line(
        self, canvas: Canvas, palette: Palette, seat: int, across: Sequence[int], rows: Sequence[int]
    ) -> None:
        ink = style(getattr(palette, COLOURS[seat % len(COLOURS)]), palette.felt, True)
        for deal in range(1, len(across)):
            left, right = across[deal - 1], across[deal]
            for x in range(left + 1, right):
                share = (x - left) / (right - left)
                y = round(rows[deal - 1] + (rows[deal] - rows[deal - 1]) * share)
                after = round(rows[deal - 1] + (rows[deal] - rows[deal - 1]) * min(1, (x + 1 - left) / (right - left)))
                if canvas.cells[y][x] in " ┄":
                    canvas.text(x, y, "╱" if after < y else "╲" if after > y else "─", ink)
        for x, y in list(zip(across, rows, strict=True))[1:]:
            canvas.text(x, y, SIGNS[seat % len(SIGNS)], ink)

    def _paint_names(self, canvas: Canvas, palette: Palette, x: int, row: Callable[[float], int]) -> None:
        last = self._totals[-1]
        seats = sorted(range(len(self._names)), key=lambda seat: (-last[seat], seat))
        for seat, y in zip(seats, apart([row(last[seat]) for seat in seats], canvas.height), strict=True):
            ink = style(getattr(palette, COLOURS[seat % len(COLOURS)]), palette.felt, True)
            text = f"{SIGNS[seat % len(SIGNS)]} {shorten(self._names[seat], NAME - 6)} {last[seat]}"
            canvas.text(x, y, text, ink)


def apart(rows: Sequence[int], height: int) -> list[int]:
    """Rows, from the top down, moved so far that no two are the same and none is below the last of `height`."""
    placed: list[int] = []
    for row in rows:
        placed.append(max(row, placed[-1] + 1 if placed else 0))
    lowest = height
    for index in reversed(range(len(placed))):
        placed[index] = lowest = min(placed[index], lowest - 1)
    return placed


def _ticks(low: int, high: int, rows: int) -> list[int]:
    """Round values for the axis, about one every three rows."""
    span = max(1, high - low)
    step = 1
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000):
        if span / step <= max(3, rows // 2):
            break
    first = -(-low // step) * step
    return list(range(first, high + 1, step))
