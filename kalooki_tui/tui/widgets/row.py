"""Cards in a row, and the pictures of the glossary: what is right and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.cards import FRENCH, JOKER, RANK, SUIT, Card, Faces, make_card
from kalooki_tui.coach.clauses import Picture
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, style
from kalooki_tui.tui.widgets.faces import SMALL, Brush, card_face, draw_back, draw_cards, draw_empty
from kalooki_tui.tui.widgets.hand import MARGIN


class CardRow(CanvasWidget):
    DEFAULT_CSS = "CardRow { height: 4; }"
    cards: tuple[Card, ...] = ()
    faces: Faces = FRENCH
    _card_size = SMALL

    def show(self, cards: Sequence[Card], faces: Faces) -> None:
        self.cards, self.faces = tuple(cards), faces
        self.repaint_for((self.cards, faces.name))

    def step(self, columns: int, size: tuple[int, int]) -> int:
        """Return the columns from one card of that size to the next, in a row of so many."""
        room = columns - 2 * MARGIN - size[0]
        return min(size[0] - 1, room // max(1, len(self.cards) - 1))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        step, size = self.step(canvas.width, self._card_size), self._card_size
        draw_cards(canvas, MARGIN, 0, self.cards, Brush(palette, self.faces, self.look), size, step)


class LeftRow(CardRow):
    """Cards left in a hand when a deal is over, as large as there is room for."""

    GROUND = "felt_deep"

    def show_as(self, size: tuple[int, int]) -> None:
        """Draw cards of this size; with a height of one row, side by side on a line."""
        self._card_size = size
        self.styles.height = size[1]
        self.repaint()


SIZE: Final = (6, 3)
STEP: Final = 5
BETWEEN: Final = 4


class PictureRow(CanvasWidget):
    DEFAULT_CSS = "PictureRow { height: 3; margin: 0 0 1 2; }"
    GROUND = "felt_deep"

    def __init__(self, pictures: Sequence[Picture], faces: Faces) -> None:
        super().__init__()
        self._pictures, self._faces = tuple(pictures), faces

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        brush, x = Brush(palette, self._faces, self.look), 0
        for picture in self._pictures:
            x = self._put(canvas, x, picture, brush) + BETWEEN

    def _put(self, canvas: Canvas, x: int, picture: Picture, brush: Brush) -> int:
        palette = brush.palette
        for index, card in enumerate(picture.cards):
            stands_for = _stands_for(picture.cards, index)
            canvas.stamp(x, 0, card_face(card, brush, SIZE, muted=picture.dead, stands_for=stands_for))
            x += STEP
        for card in picture.lacks:
            draw_empty(canvas, x + 1, 0, brush, (SIZE[0] - 1, SIZE[1]), self._faces.symbol(card), at_top=True)
            x += STEP
        x += SIZE[0] - STEP
        ink = style(palette.gold, palette.felt_deep, True)
        for card in picture.add:
            x = canvas.text(x + 1, 1, "+", ink) + 1
            canvas.stamp(x, 0, card_face(card, brush, SIZE))
            x += SIZE[0]
        if picture.back:
            x = canvas.text(x + 1, 1, "+", ink) + 1
            draw_back(canvas, x, 0, brush, SIZE)
            x += SIZE[0]
        if picture.wrong:
            x = canvas.text(x + 1, 1, "✕ no", style(palette.error, palette.felt_deep, True))
        return x


def _stands_for(cards: Sequence[Card], index: int) -> Card | None:
    """Return the card that a joker stands for in a run; None for other cards, and in a set."""
    naturals = [(place, card) for place, card in enumerate(cards) if card != JOKER]
    if cards[index] != JOKER or len({SUIT[card] for _, card in naturals}) != 1:
        return None
    place, card = naturals[0]
    return make_card(SUIT[card], RANK[card] + index - place)
