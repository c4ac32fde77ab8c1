"""All hands of a table at once, each on a line of its own: for those who watch, or step through a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalooki_tui.cards import FRENCH, Card, Faces, suit_first
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.faces import HUGE, LARGE, SMALL, Brush, draw_card, draw_inline

#: Cells before the cards.
NAME: Final = 9
#: Cards of a long hand, which are to be told apart by this many columns each.
LONG: Final = 16
STEP: Final = 4
#: Rows of a screen that is not low.
HIGH: Final = 32
#: Of a card: its size, and the free rows below it. The best first.
FORMS: Final = (
    (HUGE, 1), (LARGE, 1), ((7, 5), 1), (SMALL, 1), (SMALL, 0), ((6, 3), 1), ((6, 3), 0),
    ((6, 2), 1), ((6, 2), 0), ((4, 1), 0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandsLayout:
    """How hands lie: cards of one size, in one column or two."""

    size: tuple[int, int]
    gap: int
    columns: int
    lines: int

    @property
    def height(self) -> int:
        """Rows of all of them."""
        return self.lines * (self.size[1] + self.gap)


def rows_for_hands(height: int) -> int:
    """Rows that hands may take of a screen: a third, and more where the melds have room all the same."""
    return height // 3 if height < HIGH else height * 4 // 9


def hands_layout(seats: int, width: int, height: int) -> HandsLayout:
    """The largest cards in which the hands of that many seats fit `width` × `height` cells; else the smallest."""
    found = HandsLayout(FORMS[-1][0], 0, 1, seats)
    for size, gap in FORMS:
        for columns in (1, 2):
            found = HandsLayout(size, gap, columns, -(-seats // columns))
            wide = width // columns - NAME - size[0] >= (LONG - 1) * STEP
            if wide and found.height <= height:
                return found
    return found


class HandsView(Painted):
    """Hands face up; hidden while there are none to show."""

    DEFAULT_CSS = """
    HandsView { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._hands: tuple[tuple[str, tuple[Card, ...]], ...] = ()
        self._turn = 0
        self._faces: Faces = FRENCH

    def show(self, hands: Sequence[tuple[str, Sequence[Card]]], turn: int, faces: Faces, size: tuple[int, int]) -> None:
        """Show hands by their names, in a screen of that size; with none, be gone and know no card any more."""
        self._hands = tuple((name, tuple(sorted(cards, key=suit_first))) for name, cards in hands)
        self._turn, self._faces = turn, faces
        self.display = bool(hands)
        if hands:
            self.styles.height = hands_layout(len(hands), size[0], rows_for_hands(size[1])).height
            self.repaint()
        else:
            self.forget_drawing()

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        layout = hands_layout(len(self._hands), canvas.width, canvas.height)
        brush = Brush(palette, self._faces, self.look)
        wide = canvas.width // layout.columns
        # One step for all, so that cards stand below one another.
        most = max(len(cards) for _, cards in self._hands)
        step = min(layout.size[0] - 1, max(1, (wide - NAME - 1 - layout.size[0]) // max(1, most - 1)))
        for seat, (name, cards) in enumerate(self._hands):
            x, y = seat // layout.lines * wide, seat % layout.lines * (layout.size[1] + layout.gap)
            ink = style(palette.gold if seat == self._turn else palette.on_felt, palette.felt, True)
            canvas.text(x + 1, y, shorten(("▸" if seat == self._turn else " ") + name, NAME - 2), ink)
            self._paint_cards(canvas, brush, cards, x + NAME, y, step, layout)
            if not cards:
                canvas.text(x + NAME, y, "no cards", style(palette.on_felt_muted, palette.felt))

    def _paint_cards(
        self, canvas: Canvas, brush: Brush, cards: Sequence[Card], x: int, y: int, step: int, layout: HandsLayout
    ) -> None:
        width, height = layout.size
        if height == 1:
            for card in cards:
                x = draw_inline(canvas, x, y, card, brush)
            return
        for index, card in enumerate(cards):
            shown = width if index == len(cards) - 1 else step
            draw_card(canvas, x, y, card, brush, layout.size, shown=shown)
            if layout.gap == 0:
                # Nothing else parts it from the hand below.
                edge = style(brush.palette.card_edge, brush.palette.card)
                canvas.text(x + 1, y + height - 1, "▁" * (width - 1), edge)
            x += step
