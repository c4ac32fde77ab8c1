"""Running totals by deal: a bar for each seat at first, and once there are deals enough a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size

from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.banner import ACROSS, DOWN, Dots
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, shorten, style

#: A sign for each seat, so that no colour is needed to tell the lines apart.
SIGNS: Final = "●■▲◆○□△◇▼▽✕"
#: Palette names of the colours of lines that are not one's own.
COLOURS: Final = ("on_felt", "success", "error", "on_felt_muted")
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
#: Deals from which on lines tell more than bars.
LINES_FROM: Final = 3
#: Seats from which on only one's own line is thick and has its sign at every total.
MANY_SEATS: Final = 5
#: What the bars' signs mean: in the first deal there is nothing before it.
BAR_MEANS: Final = "█ just now"
BARS_MEAN: Final = f"▒ before · {BAR_MEANS}"
#: Rows of a chart: at least, and at most unless there are more names than that, or rows that nothing else has.
ROWS: Final = (8, 10)
MOST_ROWS: Final = 20


class ScoreChart(CanvasWidget):
    """Totals after each deal, a line for each seat; the best, which is the lowest, is the lowest line."""

    DEFAULT_CSS = "ScoreChart { height: auto; }"
    GROUND = "felt_deep"
    _names: tuple[str, ...] = ()
    _totals: tuple[tuple[int, ...], ...] = ()
    _own = 0
    _starts: tuple[int, ...] = ()
    grown = 0
    """Rows more than it asks for, or fewer."""

    def show(
        self, names: Sequence[str], totals: Sequence[Sequence[int]], own: int = 0, starts: Sequence[int] = ()
    ) -> None:
        """Show each seat's running total after every deal played: `totals[deal][seat]`; `own` is to stand out.

        `starts`: what each began with; empty: nothing.
        """
        self._names = tuple(names)
        self._totals = tuple(tuple(row) for row in totals)
        self._own, self._starts = own, tuple(starts) or (0,) * len(names)
        self.refresh(layout=True)
        self.repaint()

    @property
    def _has_lines(self) -> bool:
        return len(self._totals) >= LINES_FROM

    def grow(self, rows: int) -> None:
        """Take so many rows that nothing else has, as far as they help; give up some, if that makes all fit."""
        asked = self.asked(self.app.size) - 1
        least, most = max(ROWS[0], len(self._names)) - asked, MOST_ROWS - asked
        rows = min(rows, most) if self._has_lines and rows >= least else 0
        # No more than the axis has a use for: its values are whole rows apart.
        rows = next(
            (more for more in range(rows, 0, -1) if self._scale(asked + more).rows == asked + more), min(rows, 0)
        )
        if rows != self.grown:
            self.grown = rows
            self.refresh(layout=True)

    def _scale(self, rows: int) -> Scale:
        points = [self._starts, *self._totals]
        return Scale.of(min(map(min, points)), max(map(max, points)), rows)

    def asked(self, viewport: Size) -> int:
        """Return the rows it asks for: one a seat and one below; a chart with lines is no lower than can be read."""
        least = max(ROWS[0], min(ROWS[1], viewport.height // 3)) if self._has_lines else 0
        return max(least, len(self._names)) + 1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.asked(viewport) + self.grown

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        if not self._totals:
            return
        if self._has_lines:
            self._paint_chart(canvas, palette)
        else:
            self._paint_bars(canvas, palette)

    def _paint_bars(self, canvas: Canvas, palette: Palette) -> None:
        """Draw a bar for each seat, the lowest total first: what the last deal added is solid."""
        before, last = (self._starts, *self._totals)[-2:]
        name = min(WIDEST_NAME, max(map(cell_len, self._names)))
        number = max(len(str(total)) for total in last)
        low, high = min(0, *last, *before), max(1, *last, *before)
        room = max(1, canvas.width - name - number - 6)
        zero = round(-low / (high - low) * room)
        order = sorted(range(len(self._names)), key=lambda seat: (last[seat], seat))
        for y, seat in enumerate(order):
            ink = style(palette.gold if seat == self._own else palette.on_felt, palette.felt_deep, seat == self._own)
            canvas.text(1, y, shorten(self._names[seat], name), ink)
            canvas.text(name + 2, y, f"{last[seat]:>{number}}", ink)
            left = name + number + 4
            end, start = (zero + round(total / (high - low) * room) for total in (last[seat], before[seat]))
            colour = style(self._line_colour(palette, seat), palette.felt_deep)
            canvas.text(left + min(zero, end), y, "▒" * abs(end - zero), colour)
            canvas.text(left + min(start, end), y, "█" * abs(end - start), colour)
        muted = style(palette.on_felt_muted, palette.felt_deep)
        canvas.text(name + number + 4, len(order), BARS_MEAN if before != self._starts else BAR_MEANS, muted)

    def _paint_chart(self, canvas: Canvas, palette: Palette) -> None:
        muted, faint = style(palette.on_felt_muted, palette.felt_deep), style(palette.felt_line, palette.felt_deep)
        points = [self._starts, *self._totals]
        scale = self._scale(canvas.height - 1)
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

    def _line_colour(self, palette: Palette, seat: int) -> str:
        if seat == self._own:
            return palette.gold
        found: str = getattr(palette, COLOURS[(seat - (seat > self._own)) % len(COLOURS)])
        return found

    def _ink(self, palette: Palette, seat: int) -> Style:
        stands_out = seat == self._own or len(self._names) < MANY_SEATS
        return style(self._line_colour(palette, seat), palette.felt_deep, stands_out)

    def _paint_lines(
        self, canvas: Canvas, palette: Palette, across: Sequence[int], points: Sequence[Sequence[int]], scale: Scale
    ) -> None:
        """Draw straight lines from deal to deal; then a sign for each total, those of equal totals side by side.

        With many seats one's own line alone is thick and has signs; the others have theirs at their ends, by the names.
        """
        dots, many = Dots(), len(self._names) >= MANY_SEATS
        seats = sorted(range(len(self._names)), key=lambda seat: seat == self._own)
        for seat in seats:
            places = [(x * ACROSS, scale.dot(point[seat])) for x, point in zip(across, points, strict=True)]
            for start, end in pairwise(places):
                thick = (0, 1) if many and seat == self._own else (0,)
                for down in thick:
                    dots.draw_line((start[0], start[1] + down), (end[0], end[1] + down), self._ink(palette, seat))
        dots.put_on(canvas, ascii_only=self.look.ascii)
        is_roomy = across[-1] - across[0] >= LABEL_STEP * (len(points) - 1)
        for x, point in list(zip(across, points, strict=True))[1:]:
            here: Counter[int] = Counter()
            for seat in seats[::-1]:
                y = scale.row(point[seat])
                at_end = x == across[-1]
                if here[y] < SIDE_BY_SIDE and (at_end or (is_roomy and (seat == self._own or not many))):
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


class Scale(Struct, frozen=True):
    """Scale of totals: round values a few rows apart, the highest on the first row and the lowest on the last."""

    low: int
    high: int
    rows: int
    ticks: tuple[int, ...]

    @classmethod
    def of(cls, low: int, high: int, rows: int) -> Scale:
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
        return (self.high - total) / (self.high - self.low) * (self.rows - 1)

    def row(self, total: int) -> int:
        return round(self._share(total))

    def dot(self, total: int) -> int:
        """Return the row of dots of a total: those of a value on the axis are in the middle of its row."""
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
