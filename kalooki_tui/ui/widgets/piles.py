"""Stock, flip and discard pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from textual import events
from textual.message import Message

from kalooki_tui.cards import FRENCH, Card, Faces
from kalooki_tui.engine.view import View
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, Target, shorten, style
from kalooki_tui.ui.widgets.faces import HUGE, LARGE, SMALL, Brush, card_text, draw_back, draw_card, draw_empty
from kalooki_tui.wording import counted

#: Cards for each visible layer of a pile.
CARDS_A_LAYER: Final = 18
MOST_LAYERS: Final = 3


def layers(count: int) -> int:
    """How many layers a pile of `count` cards shows below its top card, 0 to 3."""
    return min(MOST_LAYERS, max(0, (count + CARDS_A_LAYER - 2) // CARDS_A_LAYER))


class PilesView(Painted):
    """The piles side by side: stock, flip (if there is one), discard."""

    DEFAULT_CSS = """
    PilesView { height: 6; width: 26; }
    """

    HOVERS = True

    @dataclass
    class PileClicked(Message):
        """A pile was clicked."""

        pile: str
        """stock, flip or discard."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.faces: Faces = FRENCH
        self._stock = 0
        self._pile = 0
        self._discard: Card | None = None
        self._flip: Card | None = None
        self._flip_word = "flip"
        self._dead = False

    def show(self, view: View) -> None:
        """Show the piles of a view."""
        self.faces = view.rules.faces
        self._flip_word = view.rules.ruleset.vocabulary.flip
        self.set_piles(view.stock, view.discard, view.pile, dead=view.dead, flip=view.flip)

    def set_piles(
        self, stock: int, discard: Card | None, pile: int, *, dead: bool = False, flip: Card | None = None
    ) -> None:
        """Show piles: cards in the stock, top discard, cards in the discard pile."""
        self._stock, self._discard, self._pile = stock, discard, pile
        self._dead, self._flip = dead, flip
        self.repaint_for((stock, discard, pile, dead, flip, self.faces))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        brush = Brush(palette, self.faces, self.look)
        names = ["stock", "discard"] if self._flip is None else ["stock", "flip", "discard"]
        count = len(names)
        fitting = (
            card for card in (HUGE, LARGE) if canvas.height >= card[1] + 2 and canvas.width >= count * (card[0] + 2)
        )
        size = next(fitting, (SMALL[0], max(1, min(SMALL[1] + 1, canvas.height - 2))))
        pitch = min(size[0] + MOST_LAYERS + 4, canvas.width // count)
        depth = max(0, min(MOST_LAYERS, pitch - size[0] - 1))
        for place, name in enumerate(names):
            self._paint_pile(canvas, brush, name, place * pitch, size, depth)

    def _paint_pile(self, canvas: Canvas, brush: Brush, name: str, x: int, size: tuple[int, int], depth: int) -> None:
        palette = brush.palette
        label = style(palette.on_felt_muted, palette.felt, underline=self.hovered == name)
        counted = f"STOCK {self._stock}"
        fits = len(counted) <= size[0] + depth
        flip = shorten(self._flip_word.upper(), size[0] + depth)
        title = {"stock": counted if fits else "STOCK", "flip": flip, "discard": "DISCARD"}[name]
        canvas.mark(x, 0, size[0], size[1] + 2, name)
        if name == "discard" and self._dead and self._discard is not None:
            canvas.text(x, 0, "DEAD", style(palette.gold, palette.felt, True))
        else:
            canvas.text(x, 0, title, label)
        if name == "stock":
            _paint_depth(
                canvas, x, 1, size, min(depth, layers(self._stock)), palette.back_edge, palette.back, palette.felt
            )
            if self._stock:
                draw_back(canvas, x, 1, brush, size, target=name)
                if not fits:
                    number = f" {self._stock} "
                    ink = style(palette.card, palette.back, True)
                    canvas.text(x + (size[0] - len(number)) // 2, 1 + size[1] // 2, number, ink)
            else:
                draw_empty(canvas, x, 1, brush, size, "empty", target=name)
            return
        card = self._flip if name == "flip" else self._discard
        if card is None:
            draw_empty(canvas, x, 1, brush, size, "empty", target=name)
            return
        if name == "discard":
            _paint_depth(
                canvas, x, 1, size, min(depth, layers(self._pile)), palette.card_edge, palette.card_shade, palette.felt
            )
        dead = name == "discard" and self._dead
        ground = palette.card_shade if dead else palette.card_hover if self.hovered == name else palette.card
        draw_card(canvas, x, 1, card, brush, size, ground=ground, muted=dead, target=name)

    def tip(self, target: Target) -> str | None:
        """How many cards a pile has, and what a click on it does."""
        if target == "stock":
            return f"Stock: {counted(self._stock, 'card')} face down. A click draws the top one."
        if target == "flip":
            return f"The {self._flip_word}. A click takes it as your draw."
        if self._discard is None:
            return "Discards: none."
        top = f"Discards: {counted(self._pile, 'card')}, {card_text(self._discard, self.faces)} on top."
        if self._dead:
            return f"{top} Dead: nobody may take it any more."
        return f"{top} A click takes or calls it; with a card chosen in your turn, it throws that card."

    def on_click(self, event: events.Click) -> None:
        pile = self.target_at(event)
        if pile is not None:
            self.post_message(self.PileClicked(pile))


def _paint_depth(
    canvas: Canvas, x: int, y: int, size: tuple[int, int], count: int, line: str, side: str, felt: str
) -> None:
    """Draw the sides of the cards below the top one, to its right and under it."""
    width, height = size
    for layer in range(count):
        for row in range(height):
            canvas.text(x + width + layer, y + row, "▏", style(line, side))
    if count:
        canvas.text(x, y + height, "▔" * (width + count), style(line, felt))
