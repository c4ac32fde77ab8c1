"""The strip above the hand: events since the last turn of the person whose hand is open."""

from __future__ import annotations

from collections.abc import Collection

from kalooki_tui.desk.table.recap import NOBODY, Told, fitting
from kalooki_tui.engine.view import View
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style


class RecapView(Painted):
    """Who did what, oldest first, on two rows; empty right after one's own turn."""

    DEFAULT_CSS = """
    RecapView { height: 2; }
    """
    GROUND = "felt_deep"

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self._together: Collection[int] = NOBODY

    @property
    def told(self) -> list[Told]:
        """Its words, as far as there is room."""
        if self._view is None:
            return []
        return fitting(self._view, max(20, self.size.width), max(1, self.size.height), together=self._together)

    def show(self, view: View | None, together: Collection[int] = NOBODY) -> None:
        """Show the view's seat the events it has missed; None: no hand is open, and nothing is shown.

        `together`: the seats of people at this keyboard.
        """
        self._view, self._together = view, together
        self.repaint_for(None if view is None else (view.seat, view.deal, view.attempt, len(view.history)))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground = palette.felt_deep
        name, text = style(palette.gold, ground, True), style(palette.on_felt, ground)
        x, y, room = 3, 0, canvas.width - 1
        told = self.told
        if told:
            canvas.text(1, 0, "▸", style(palette.on_felt_muted, ground))
        for index, one in enumerate(told):
            words = [(one.name, name)] if one.name else []
            end = " ·" if index < len(told) - 1 and one.text != "…" else ""
            words += [(word, text) for word in f"{one.text}{end}".split()]
            for word, ink in words:
                left = x == 3
                if not left and x + 1 + len(word) > room and y < canvas.height - 1:
                    x, y, left = 3, y + 1, True
                x = canvas.text(x if left else x + 1, y, shorten(word, room - x), ink)
