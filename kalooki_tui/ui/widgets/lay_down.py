"""A lay-down to look at: its melds side by side, in the largest cards for which there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.geometry import Size

from kalooki_tui.cards import Faces
from kalooki_tui.engine.melds import Meld
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.faces import HUGE, LARGE, SMALL, Brush
from kalooki_tui.ui.widgets.fan import MARGIN
from kalooki_tui.ui.widgets.melds import draw_meld
from kalooki_tui.ui.widgets.spread import Form, steps

#: The best form first: rows of the screen from which on it may be chosen, and lines of melds.
FORMS: Final = (
    (Form(HUGE, 9), 60, 1),
    (Form(LARGE, 6), 46, 1),
    (Form(SMALL, 5), 30, 1),
    (Form((6, 3), 4), 0, 1),
    (Form((6, 2), 4, gap=0), 0, 2),
)
#: Columns between two melds, at most and at least.
GAPS: Final = (4, 1)


class LayDownView(Painted):
    """Melds: in the middle with words above them and a free row below, or by themselves at the left."""

    DEFAULT_CSS = """
    LayDownView { height: auto; width: 100%; }
    """
    GROUND = "felt_deep"

    def __init__(self, words: str, melds: Sequence[Meld], faces: Faces) -> None:
        super().__init__()
        self._words, self._melds, self._faces = words, tuple(melds), faces

    def _width(self, melds: Sequence[Meld], form: Form, gap: int) -> int:
        return sum(sum(steps(meld, self._faces, form)) + gap for meld in melds) - gap

    def _chosen(self, width: int, height: int) -> tuple[Form, int, list[tuple[Meld, ...]]]:
        """How the melds are drawn on a screen of that height, the columns between them, and those of each line."""
        for form, rows, lines in FORMS:
            for gap in GAPS:
                half = -(-len(self._melds) // lines)
                parted = [self._melds[first : first + half] for first in range(0, len(self._melds), half)]
                if height >= rows and all(self._width(line, form, gap) <= width for line in parted):
                    return form, gap, parted
        return form, gap, parted

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The cards, and where there are words these and a free row."""
        form, _, lines = self._chosen(width, viewport.height)
        return (2 if self._words else 0) + len(lines) * form.size[1]

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        words = shorten(self._words, canvas.width)
        canvas.centred(0, words, style(palette.on_felt_muted, palette.felt_deep))
        form, gap, lines = self._chosen(canvas.width, self.app.size.height)
        brush = Brush(palette, self._faces, self.look)
        top = 1 if self._words else 0
        for row, line in enumerate(lines):
            x = max(0, (canvas.width - self._width(line, form, gap)) // 2) if self._words else MARGIN
            for meld in line:
                x = draw_meld(canvas, brush, meld, x, top + row * form.size[1], form, palette.card) + gap
