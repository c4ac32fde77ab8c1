"""Stock, flip and discard pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual import events
from textual.message import Message

from kalooki_tui.engine.view import View
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, shorten, style
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL, Brush, card_face, card_text, draw_back, draw_empty
from kalooki_tui.wording import counted

#: Cards for each visible layer of a pile.
CARDS_A_LAYER: Final = 18
MOST_LAYERS: Final = 3


def layers(count: int) -> int:
    """Return how many layers a pile of `count` cards shows below its top card, 0 to 3."""
    return min(MOST_LAYERS, max(0, (count + CARDS_A_LAYER - 2) // CARDS_A_LAYER))


class PilesView(CanvasWidget):
    DEFAULT_CSS = "PilesView { height: 6; width: 26; }"
    HOVERS = True
    _view: View | None = None

    @dataclass
    class PileClicked(Message):
        pile: str
        """stock, flip or discard."""

    def show(self, view: View) -> None:
        self._view = view
        self.repaint_for((view.stock, view.discard, view.pile, view.dead, view.flip, view.rules.faces))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        if self._view is None:
            return
        names = ["stock", "discard"] if self._view.flip is None else ["stock", "flip", "discard"]
        count = len(names)
        fitting = (
            card for card in (HUGE, LARGE) if canvas.height >= card[1] + 2 and canvas.width >= count * (card[0] + 2)
        )
        size = next(fitting, (SMALL[0], max(1, min(SMALL[1] + 1, canvas.height - 2))))
        pitch = min(size[0] + MOST_LAYERS + 4, canvas.width // count)
        depth = max(0, min(MOST_LAYERS, pitch - size[0] - 1))
        brush = Brush(palette, self._view.rules.faces, self.look)
        for place, name in enumerate(names):
            self._paint_pile(canvas, brush, self._view, name, place * pitch, size, depth)

    def _paint_pile(
        self, canvas: Canvas, brush: Brush, view: View, name: str, x: int, size: tuple[int, int], depth: int
    ) -> None:
        palette, room = brush.palette, size[0] + depth
        label = style(palette.on_felt_muted, palette.felt, underline=self.hovered == name)
        number = f"STOCK {view.stock}"
        fits = len(number) <= room
        flip = shorten(view.rules.ruleset.vocabulary.flip.upper(), room)
        title = {"stock": number if fits else "STOCK", "flip": flip, "discard": "DISCARD"}[name]
        canvas.mark(x, 0, size[0], size[1] + 2, name)
        dead = name == "discard" and view.dead
        if dead and view.discard is not None:
            title, label = "DEAD", style(palette.gold, palette.felt, True)
        canvas.text(x, 0, title, label)
        cards, line, side = {
            "stock": (view.stock, palette.back_edge, palette.back),
            "flip": (0, palette.card_edge, palette.card_shade),
            "discard": (0 if view.discard is None else view.pile, palette.card_edge, palette.card_shade),
        }[name]
        # The sides of the cards below the top one, to its right and under it.
        (width, height), below = size, min(depth, layers(cards))
        canvas.fill(x + width, 1, below, height, style(line, side), "▏")
        if below:
            canvas.text(x, 1 + height, "▔" * (width + below), style(line, palette.felt))
        card = view.flip if name == "flip" else view.discard
        if view.stock == 0 if name == "stock" else card is None:
            draw_empty(canvas, x, 1, brush, size, "empty", target=name)
        elif name == "stock":
            draw_back(canvas, x, 1, brush, size, target=name)
            if not fits:
                canvas.centred(1 + size[1] // 2, f" {view.stock} ", style(palette.card, palette.back, True), x, size[0])
        elif card is not None:
            ground = palette.card_shade if dead else palette.card_hover if self.hovered == name else palette.card
            canvas.stamp(x, 1, card_face(card, brush, size, ground=ground, muted=dead), name)

    def tip(self, target: Target) -> str | None:
        view = self._view
        assert view is not None
        if target == "stock":
            draws = " A click draws the top one." if view.stock else ""
            return f"Stock: {counted(view.stock, 'card')} face down.{draws}"
        if target == "flip":
            return f"The {view.rules.ruleset.vocabulary.flip}. A click takes it as your draw."
        if view.discard is None:
            return "Discards: none."
        top = f"Discards: {counted(view.pile, 'card')}, {card_text(view.discard, view.rules.faces)} on top."
        if view.dead:
            return f"{top} Dead: nobody may take it any more."
        return f"{top} A click takes or calls it; with a card chosen in your turn, it throws that card."

    def on_click(self, event: events.Click) -> None:
        pile = self.target_at(event)
        if pile is not None:
            self.post_message(self.PileClicked(pile))
