"""Cards to look at in one row: what a question is about, what was left in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kalooki_tui.cards import FRENCH, Card, Faces
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted
from kalooki_tui.ui.widgets.faces import SMALL, Brush, draw_card, draw_inline
from kalooki_tui.ui.widgets.fan import MARGIN


class CardRow(Painted):
    """A row of cards, closer together if there are many."""

    DEFAULT_CSS = """
    CardRow { height: 4; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.cards: tuple[Card, ...] = ()
        self.faces: Faces = FRENCH
        self._card_size = SMALL

    def show(self, cards: Sequence[Card], faces: Faces) -> None:
        """Show these cards, in their order."""
        self.cards, self.faces = tuple(cards), faces
        self.repaint_for((self.cards, faces.name))

    def step(self, columns: int, size: tuple[int, int]) -> int:
        """Columns from one card of that size to the next, in a row of so many."""
        room = columns - 2 * MARGIN - size[0]
        return min(size[0] - 1, room // max(1, len(self.cards) - 1))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw them from left to right, the last one whole."""
        brush, (width, height), x = Brush(palette, self.faces, self.look), self._card_size, MARGIN
        if height == 1:
            for card in self.cards:
                x = draw_inline(canvas, x, 0, card, brush)
            return
        step = self.step(canvas.width, self._card_size)
        for index, card in enumerate(self.cards):
            shown = width if index == len(self.cards) - 1 else step
            draw_card(canvas, MARGIN + index * step, 0, card, brush, self._card_size, shown=shown)


class LeftRow(CardRow):
    """The cards left in a hand when a deal is over, as large as there is room for."""

    GROUND = "felt_deep"

    def show_as(self, size: tuple[int, int]) -> None:
        """Draw cards of this size; with a height of one row, side by side on a line."""
        self._card_size = size
        self.styles.height = size[1]
        self.repaint()
