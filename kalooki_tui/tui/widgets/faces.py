"""Drawing one card: a whole card of any size, a card on a line of text, a back, an empty place.

A card is solid ground without box lines; a thin edge at its left shows where it overlaps the card before. The index
in the corner always names rank and suit, so no colour is the only sign of anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from rich.style import Style
from textual.content import Content

from kalooki_tui.cards import FRENCH, JOKER, RANK, SUIT, Card, Faces
from kalooki_tui.tui.looks.palettes import DEFAULT_LOOK, Look
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets import pictures
from kalooki_tui.tui.widgets.canvas import Canvas, Target, style

#: Sizes of a card in cells: width and height.
HUGE: Final = (15, 11)
LARGE: Final = (11, 7)
SMALL: Final = (7, 4)
EDGE: Final = "▏"

#: Palette names of the suits' colours on a card, in the order of their numbers.
TWO_COLOURS: Final = ("card_ink", "card_red", "card_red", "card_ink")
FOUR_COLOURS: Final = ("card_green", "card_blue", "card_red", "card_ink")
DECK_COLOURS: Final = ("card_red", "card_ink", "card_yellow", "card_green")
#: Of a deck whose suits are colours: the ground of each card's band, and what is written on it.
BANDS: Final = (("card_red", "card"), ("card_ink", "card"), ("gilt", "card_ink"), ("card_green", "card"))


def suit_colour(card: Card, faces: Faces, look: Look) -> str:
    """Return the name of the palette's colour that a card is printed in."""
    if card == JOKER:
        return "card_gold"
    if faces.name == "colours":
        return DECK_COLOURS[SUIT[card]]
    return (FOUR_COLOURS if look.four_colours else TWO_COLOURS)[SUIT[card]]


class Brush(Struct, frozen=True):
    """Palette, deck and look to draw cards with."""

    palette: Palette
    faces: Faces = FRENCH
    look: Look = DEFAULT_LOOK

    def colour(self, card: Card) -> str:
        found: str = getattr(self.palette, suit_colour(card, self.faces, self.look))
        return found

    def ink(self, card: Card, ground: str) -> Style:
        return style(self.colour(card), ground, True)

    def band(self, card: Card, ground: str) -> Style:
        """Return the style of a card's index: on a band where suits are colours, else as all its print."""
        if not has_band(card, self.faces):
            return self.ink(card, ground)
        below, ink = BANDS[SUIT[card]]
        return style(getattr(self.palette, ink), getattr(self.palette, below), True)

    def edge(self, ground: str) -> Style:
        return style(self.palette.card_edge, ground)


def has_band(card: Card, faces: Faces) -> bool:
    return faces.names_suits and card != JOKER


def _marked(card: Card, faces: Faces, look: Look) -> str:
    if has_band(card, faces):
        ground, ink = (name.replace("_", "-") for name in BANDS[SUIT[card]])
        return f"bold ${ink} on ${ground}"
    return f"bold ${suit_colour(card, faces, look).replace('_', '-')} on $card"


def card_text(card: Card, faces: Faces, stands_for: Card | None = None) -> str:
    """Return a card on a line of text: ``5♣``, ``★``, ``★Q♠`` for a joker as a queen, ``2♥=Q♠`` for a two."""
    if stands_for is None:
        return faces.symbol(card)
    return faces.symbol(card) + ("" if card == JOKER else "=") + faces.symbol(stands_for)


def card_content(card: Card, faces: Faces = FRENCH, look: Look = DEFAULT_LOOK) -> Content:
    """Return a card for labels, prompts and tables: card colours on card ground, a space at either side."""
    text = card_text(card, faces)
    if has_band(card, faces):
        text = f"{text} {faces.suit_names[SUIT[card]]}"
    return Content.styled(f" {text} ", _marked(card, faces, look))


def cards_content(cards: tuple[Card, ...] | list[Card], faces: Faces = FRENCH, look: Look = DEFAULT_LOOK) -> Content:
    """Return cards side by side, a thin edge between them."""
    edge = Content.styled(EDGE, "$card-edge on $card")
    parts: list[Content] = []
    for card in cards:
        parts += [edge, Content.styled(card_text(card, faces), _marked(card, faces, look))]
    return Content("").join(parts) + (Content.styled(" ", "on $card") if parts else Content(""))


def draw_inline(
    canvas: Canvas,
    x: int,
    y: int,
    card: Card,
    brush: Brush,
    *,
    ground: str | None = None,
    stands_for: Card | None = None,
    text: str | None = None,
    target: Target = None,
) -> int:
    """Draw a card one row high, edge first, and return the x after it. `text` replaces what is written."""
    ground = ground or brush.palette.card
    x = canvas.text(x, y, EDGE, brush.edge(ground), target)
    return canvas.text(x, y, text or card_text(card, brush.faces, stands_for), brush.band(card, ground), target)


def draw_cards(
    canvas: Canvas,
    x: int,
    y: int,
    cards: Sequence[Card],
    brush: Brush,
    size: tuple[int, int],
    step: int,
    *,
    edged: bool = False,
) -> int:
    """Draw cards from left to right, the last one whole, and return the x after them; in one row side by side.

    Args:
        step: columns from one to the next.
        edged: with a line below: nothing else parts them from what is there.
    """
    if size[1] == 1:
        for card in cards:
            x = draw_inline(canvas, x, y, card, brush)
        return x
    for index, card in enumerate(cards):
        shown = size[0] if index == len(cards) - 1 else step
        canvas.stamp(x, y, card_face(card, brush, size, shown=shown))
        if edged:
            canvas.text(x + 1, y + size[1] - 1, "▁" * (shown - 1), brush.edge(brush.palette.card))
        x += shown
    return x


@lru_cache(maxsize=512)
def card_face(
    card: Card,
    brush: Brush,
    size: tuple[int, int] = SMALL,
    *,
    shown: int | None = None,
    ground: str | None = None,
    stands_for: Card | None = None,
    muted: bool = False,
) -> Canvas:
    """Draw a card on a canvas of its own, to be stamped on others: a hand of cards is drawn again with every key.

    Args:
        size: width and height in cells; from `LARGE` on with pips and pictures.
        shown: cells at the left that the next card will leave uncovered; the index is made to fit them.
        ground: colour of the card, if not the palette's.
        stands_for: what a joker, or a wild card, in a run stands for.
        muted: printed in one pale colour: a card nobody may take.
    """
    (width, height), palette, faces = size, brush.palette, brush.faces
    shown, ground = min(shown or width, width), ground or palette.card
    ink = style(palette.card_muted, ground) if muted else brush.ink(card, ground)
    canvas = Canvas(width, height, style(palette.card_ink, ground))
    canvas.fill(0, 0, 1, height, brush.edge(ground), EDGE)
    is_large = width >= LARGE[0] and height >= LARGE[1]
    if is_large:
        shade, gilt = (ground if muted else palette.card_shade), (palette.card_muted if muted else palette.gilt)
        parts = {
            "r": style(palette.card_muted if muted else brush.colour(card), shade),
            "g": style(gilt, shade, True),
            "s": style(palette.card_ink, shade),
            "star": style(gilt, ground),
        }
        pictures.draw_picture(canvas, card, faces, ink, parts, named=stands_for is None, words=brush.look.ascii)
    if has_band(card, faces):
        _draw_band(canvas, card, faces, ink, ink if muted else brush.band(card, ground), shown)
    elif is_large:
        _draw_tall_index(canvas, card, faces, ink, shown, stands_for)
    else:
        _draw_index(canvas, card, faces, ink, shown, stands_for)
    return canvas


def fills_edge(card: Card, faces: Faces, size: tuple[int, int], shown: int) -> bool:
    """Tell whether a rank of two signs begins on the edge: beside pips, or where few cells are in sight."""
    is_large = size[0] >= LARGE[0] and size[1] >= LARGE[1]
    return card != JOKER and len(faces.rank_name(RANK[card])) >= (2 if is_large else shown)


def _draw_index(canvas: Canvas, card: Card, faces: Faces, ink: Style, shown: int, stands_for: Card | None) -> None:
    """Draw the index of a small card: on one row where it fits, else the suit below the rank."""
    width, height = canvas.width, canvas.height
    text = card_text(card, faces, stands_for)
    if card == JOKER or len(text) < shown or height == 1:
        canvas.text(1, 0, text[: max(1, width - 1)], ink)
    else:
        rank = faces.rank_name(RANK[card])
        canvas.text(1 if len(rank) < shown else 0, 0, rank, ink)
        canvas.text(1, 1, faces.suit_symbols[SUIT[card]], ink)
        _draw_meaning(canvas, faces, ink, shown, stands_for)
    if height >= 4 and width // 2 < shown:
        middle = faces.joker_symbol if card == JOKER else faces.suit_symbols[SUIT[card]]
        canvas.text(width // 2, height // 2, middle, ink)
    if height >= 3 and width >= 6 and shown == width and (card == JOKER or len(text) < width - 1):
        canvas.text(width - 1 - len(text), height - 1, text, ink)


def _draw_meaning(canvas: Canvas, faces: Faces, ink: Style, shown: int, stands_for: Card | None) -> None:
    """Write below a wild card's index what it stands for (H7)."""
    if stands_for is not None and canvas.height > 2:
        text = faces.symbol(stands_for)
        canvas.text(1, 2, f"={text}" if len(text) + 1 < shown else text[: shown - 1], ink)


def _draw_tall_index(canvas: Canvas, card: Card, faces: Faces, ink: Style, shown: int, stands_for: Card | None) -> None:
    """Draw the indexes of a large card: suit below rank at the top left, above it at the bottom right."""
    width, height = canvas.width, canvas.height
    if card == JOKER:
        canvas.text(1, 0, card_text(card, faces, stands_for), ink)
        canvas.text(width - 2, height - 1, faces.joker_symbol, ink)
        return
    rank, suit = faces.rank_name(RANK[card]), faces.suit_symbols[SUIT[card]]
    # Where the next card leaves all but one column in sight, both signs of a ten are.
    right = width - 1 - len(rank) if shown == width - 1 else width - 2
    canvas.text(1 if len(rank) == 1 else 0, 0, rank, ink)
    canvas.text(1, 1, suit, ink)
    _draw_meaning(canvas, faces, ink, shown, stands_for)
    canvas.text(right, height - 1, rank, ink)
    canvas.text(width - 2, height - 2, suit, ink)


def _draw_band(canvas: Canvas, card: Card, faces: Faces, ink: Style, band: Style, shown: int) -> None:
    """Draw a card's index on a band in its suit's colour; below it the colour's name, whole or not at all."""
    width, height = canvas.width, canvas.height
    rank, suit, name = faces.rank_name(RANK[card]), faces.suit_symbols[SUIT[card]], faces.suit_names[SUIT[card]]
    text = rank + suit if len(rank + suit) < shown or height == 1 else rank
    canvas.fill(1, 0, width - 1, 1, band)
    canvas.text(1, 0, text[: max(1, width - 1)], band)
    if height > 1 and text == rank:
        canvas.text(1, 1, suit, ink)
    if height > 1 and len(name) < shown and height < LARGE[1]:
        canvas.text(1, max(1, height // 2), name, ink)
    elif height > 1 and len(name) < shown:
        canvas.fill(1, height - 1, width - 1, 1, band)
        if shown == width:
            canvas.text(width - 1 - len(text), height - 1, text, band)


def draw_back(
    canvas: Canvas, x: int, y: int, brush: Brush, size: tuple[int, int] = SMALL, *, target: Target = None
) -> None:
    width, height = size
    palette = brush.palette
    weave = style(palette.back_weave, palette.back)
    for row in range(height):
        pattern = ("╱╲" if row % 2 == 0 else "╲╱") * width
        canvas.text(x, y + row, pattern[:width], weave, target)
    canvas.fill(x, y, 1, height, style(palette.back_edge, palette.back), EDGE)


def draw_empty(
    canvas: Canvas,
    x: int,
    y: int,
    brush: Brush,
    size: tuple[int, int],
    text: str = "",
    *,
    at_top: bool = False,
    target: Target = None,
) -> None:
    """Draw an empty place on the felt; `at_top`: its text stands where an index does."""
    width, height = size
    palette = brush.palette
    line = style(palette.felt_line, palette.felt)
    canvas.fill(x, y, width, height, line, target=target)
    if height == 1:
        canvas.text(x, y, "┄" * width, line)
    else:
        canvas.text(x, y, "╭" + "┄" * (width - 2) + "╮", line)
        for row in range(1, height - 1):
            canvas.text(x, y + row, "┊", line)
            canvas.text(x + width - 1, y + row, "┊", line)
        canvas.text(x, y + height - 1, "╰" + "┄" * (width - 2) + "╯", line)
    text = text[: width - 2]
    place = (x + 1, y) if at_top else (x + (width - len(text)) // 2, y + height // 2)
    canvas.text(*place, text, style(palette.on_felt_muted, palette.felt))
