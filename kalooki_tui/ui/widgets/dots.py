"""Straight lines in cells: eight dots to a cell, as braille letters have them; in ASCII, one point to a cell."""

from __future__ import annotations

from rich.style import Style

from kalooki_tui.ui.widgets.canvas import Canvas

#: Dots of a cell: two columns of four rows.
ACROSS, DOWN = 2, 4
#: Bit of the dot in each column and row of a braille letter.
_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BLANK = 0x2800


def line(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """The dots of the straight line from one dot to another."""
    across, down = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(down), 1)
    return [
        (start[0] + round(across * step / steps), start[1] + round(down * step / steps)) for step in range(steps + 1)
    ]


class Dots:
    """Dots gathered for cells. A cell has one ink: lines that share cells have every other one."""

    def __init__(self) -> None:
        self._bits: dict[tuple[int, int], int] = {}
        self._inks: dict[tuple[int, int], list[Style]] = {}

    def draw_line(self, start: tuple[int, int], end: tuple[int, int], ink: Style) -> None:
        """A straight line; places are counted in dots."""
        for x, y in line(start, end):
            cell = x // ACROSS, y // DOWN
            self._bits[cell] = self._bits.get(cell, 0) | _BITS[x % ACROSS][y % DOWN]
            inks = self._inks.setdefault(cell, [])
            if ink not in inks:
                inks.append(ink)

    def put_on(self, canvas: Canvas, *, ascii_only: bool) -> None:
        for (x, y), bits in self._bits.items():
            inks = self._inks[x, y]
            canvas.text(x, y, "." if ascii_only else chr(_BLANK + bits), inks[x % len(inks)])
