"""Podium at the end of a match: the first three places as steps; beside them, where there is room, all places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from textual.geometry import Size

from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, shorten, style

#: Columns from which on all places stand beside the steps.
BESIDE: Final = 106
#: Columns of a step, at least and at most, and between the steps and what is beside them.
STEP: Final = (14, 24)
GAP: Final = 6
#: Rows of the steps, the highest first; above each stands a name.
HEIGHTS: Final = (6, 4, 3)
#: Which step stands where, from the left.
ORDER: Final = (1, 0, 2)
#: Ground and ink of each step.
GROUNDS: Final = (("gold", "felt_deep"), ("on_felt_muted", "felt_deep"), ("felt_raised", "on_felt"))
#: Rows above the steps: the headline and a free one.
HEAD: Final = 2


class Stand(Struct, frozen=True):
    """Place, and what is written on its step."""

    place: int
    name: str
    words: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


class Podium(CanvasWidget):
    """Winner, steps, other places."""

    DEFAULT_CSS = "Podium { height: auto; width: 100%; }"
    GROUND = "felt_deep"

    def __init__(self, headline: str, stands: Sequence[Stand], places: Sequence[Stand], heads: Sequence[str]) -> None:
        """`stands`: those of the steps and below, the winner first; `places`: all seats, under these `heads`."""
        super().__init__()
        self._headline, self._stands = headline, tuple(stands)
        self._places, self._heads = tuple(places), tuple(heads)

    def is_beside(self, width: int) -> bool:
        """Tell whether all places stand beside the steps at that width."""
        return bool(self._heads) and width >= BESIDE

    def _others(self, width: int) -> list[str]:
        if self.is_beside(width):
            return []
        lines: list[str] = []
        for stand in self._stands[len(HEIGHTS) :]:
            one = f"{stand.place} {stand.name}  {stand.words[0] if stand.words else ''}".rstrip()
            if lines and cell_len(lines[-1]) + cell_len(one) + 3 <= width:
                lines[-1] += f" · {one}"
            else:
                lines.append(one)
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        steps = max(HEIGHTS[0] + 1, len(self._places) + 1 if self.is_beside(width) else 0)
        others = len(self._others(width))
        return HEAD + steps + (others + 1 if others else 0) + 1

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        gold = style(palette.gold, palette.felt_deep, True)
        canvas.centred(0, shorten(f"★ {self._headline} ★", canvas.width - 1), gold)
        beside = self.is_beside(canvas.width)
        table = self._name_width + sum(len(head) + 2 for head in self._heads) + GAP if beside else 0
        wide = max(STEP[0], min(STEP[1], (canvas.width - table) // len(HEIGHTS)))
        count = min(len(self._stands), len(HEIGHTS))
        x = (canvas.width - (count * wide + table)) // 2
        for rank in ORDER:
            if rank < count:
                self._paint_step(canvas, palette, x, wide, rank)
                x += wide
        if beside:
            self._paint_places(canvas, palette, x + GAP)
        for row, line in enumerate(self._others(canvas.width), HEAD + HEIGHTS[0] + 2):
            canvas.centred(row, shorten(line, canvas.width - 1), style(palette.on_felt, palette.felt_deep))

    def _paint_step(self, canvas: Canvas, palette: Palette, x: int, wide: int, rank: int) -> None:
        stand, height = self._stands[rank], HEIGHTS[rank]
        ground, ink = (getattr(palette, name) for name in GROUNDS[rank])
        top = HEAD + 1 + HEIGHTS[0] - height
        name = shorten(stand.name, wide - 1)
        canvas.centred(top - 1, name, style(palette.on_felt, palette.felt_deep, True), x, wide)
        canvas.fill(x, top, wide, height, style(ink, ground))
        for row, words in enumerate((str(stand.place), *stand.words), top + (1 if rank == 0 else 0)):
            canvas.centred(row, shorten(words, wide - 1), style(ink, ground, row == top or rank == 0), x, wide)

    @property
    def _name_width(self) -> int:
        return 4 + max((min(STEP[0], cell_len(place.name)) for place in self._places), default=0)

    def _paint_places(self, canvas: Canvas, palette: Palette, left: int) -> None:
        rows = [("", "", self._heads), *((str(one.place), one.name, one.cells) for one in self._places)]
        top = HEAD + max(0, HEIGHTS[0] + 1 - len(rows))
        for row, (place, name, cells) in enumerate(rows):
            first = row == 0 or place == "1"
            ink = style(palette.gold if first else palette.on_felt, palette.felt_deep, first)
            canvas.text(left, top + row, f"{place:>2}  {shorten(name, STEP[0])}", ink)
            x = left + self._name_width
            for head, cell in zip(self._heads, cells, strict=True):
                x = canvas.text(x, top + row, f"{cell:>{len(head) + 2}}", ink)
