"""What is printed in the middle of a large card: pips, court figures, numerals, the joker's star."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.style import Style

from kalooki_tui.cards import JOKER, RANK, SUIT, Card, Faces
from kalooki_tui.ui.widgets.canvas import Canvas

#: Rows of the field that pictures are drawn on; its columns are counted from the card's middle.
FIELD_ROWS: Final = 7

_SIDES: Final = (-2, 2)


def _pairs(*rows: int) -> tuple[tuple[int, int], ...]:
    return tuple((row, side) for row in rows for side in _SIDES)


#: Row and column of each pip of the ranks 1 to 10, as they are printed on a French card.
PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((3, 0),),
    2: ((0, 0), (6, 0)),
    3: ((0, 0), (3, 0), (6, 0)),
    4: _pairs(0, 6),
    5: (*_pairs(0, 6), (3, 0)),
    6: _pairs(0, 3, 6),
    7: (*_pairs(0, 3, 6), (1, 0)),
    8: (*_pairs(0, 3, 6), (1, 0), (5, 0)),
    9: (*_pairs(0, 2, 4, 6), (3, 0)),
    10: (*_pairs(0, 2, 4, 6), (1, 0), (5, 0)),
}

# Court figures are five cells wide; below each picture, what each cell is coloured as:
# g gold, r robe (the suit's colour), s skin, space ground.
COURTS: Final[dict[int, tuple[tuple[str, str], ...]]] = {
    11: (
        ("▗▄▄▟▘", "rrrrg"),
        (" •‿• ", " sss "),
        ("▟▛ ▜▙", "rr rr"),
        ("─ ⬧ ─", "g r g"),
        ("▜▙ ▟▛", "rr rr"),
        (" •⁀• ", " sss "),
        ("▗▛▀▀▘", "grrrr"),
    ),
    12: (
        ("▗▙█▟▖", "ggggg"),
        ("▐•‿•▌", "rsssr"),
        ("▟▙▄▟▙", "rrgrr"),
        ("─ ⬧ ─", "g r g"),
        ("▜▛▀▜▛", "rrgrr"),
        ("▐•⁀•▌", "rsssr"),
        ("▝▛█▜▘", "ggggg"),
    ),
    13: (
        ("▙▄█▄▟", "ggggg"),
        ("▐•_•▌", "rsssr"),
        ("▟█▓█▙", "rrgrr"),
        ("─ ⬧ ─", "g r g"),
        ("▜█▓█▛", "rrgrr"),
        ("▐•‾•▌", "rsssr"),
        ("▛▀█▀▜", "ggggg"),
    ),
}

COURT_NAMES: Final[dict[int, str]] = {11: "JACK", 12: "QUEEN", 13: "KING"}
STAR: Final = (
    "       ",
    "   █   ",
    "  ▐█▌  ",
    "▀█████▀",
    "  ███  ",
    " ▟▛ ▜▙ ",
    "       ",
)

#: Numerals three cells wide and five half rows high.
NUMERALS: Final[dict[str, tuple[str, ...]]] = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", " ##", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "A": ("###", "# #", "###", "# #", "# #"),
}


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """Styles of a picture's parts."""

    robe: Style
    gold: Style
    skin: Style
    star: Style
    words: bool = False
    """Words in the pictures' place, for a terminal that has letters only."""


def draw_picture(
    canvas: Canvas, x: int, y: int, size: tuple[int, int], card: Card, faces: Faces, ink: Style, parts: PictureStyle
) -> None:
    """Draw the middle of a large card whose top left cell is (x, y)."""
    width, height = size
    middle, top = x + width // 2, y + (height - FIELD_ROWS) // 2
    if card == JOKER:
        _draw_joker(canvas, x, y, middle, top, faces, ink, parts)
    elif faces.name == "colours":
        _draw_numeral(canvas, middle, top, faces.rank_name(RANK[card]), ink)
        canvas.text(middle - len(faces.suit_names[SUIT[card]]) // 2, top + 5, faces.suit_names[SUIT[card]], ink)
    elif RANK[card] in COURTS and parts.words:
        name = COURT_NAMES[RANK[card]]
        canvas.text(middle - len(name) // 2, top + 3, name, ink)
    elif RANK[card] in COURTS:
        _draw_court(canvas, middle, top, card, faces, parts)
    else:
        for row, column in PIPS[RANK[card]]:
            canvas.text(middle + column, top + row, faces.suit_symbols[SUIT[card]], ink)


def _draw_court(canvas: Canvas, middle: int, top: int, card: Card, faces: Faces, parts: PictureStyle) -> None:
    styles = {"g": parts.gold, "r": parts.robe, "s": parts.skin, " ": parts.robe}
    symbol = faces.suit_symbols[SUIT[card]]
    for row, (drawing, colours) in enumerate(COURTS[RANK[card]]):
        for column, (character, colour) in enumerate(zip(drawing, colours, strict=True)):
            canvas.text(middle - 2 + column, top + row, symbol if character == "⬧" else character, styles[colour])


def _draw_joker(
    canvas: Canvas, x: int, y: int, middle: int, top: int, faces: Faces, ink: Style, parts: PictureStyle
) -> None:
    word = "KOOKY" if faces.name == "colours" else "JOKER"
    for row, letter in enumerate(word):
        canvas.text(x + 1, y + 1 + row, letter, ink)
    if not parts.words:
        for row, drawing in enumerate(STAR):
            canvas.text(middle - 2, top + row, drawing, parts.star)


def _draw_numeral(canvas: Canvas, middle: int, top: int, text: str, ink: Style) -> None:
    width = 4 * len(text) - 1
    for place, character in enumerate(text):
        rows = (*NUMERALS[character], "   ")
        for row in range(3):
            upper, lower = rows[2 * row], rows[2 * row + 1]
            for column in range(3):
                block = {"##": "█", "# ": "▀", " #": "▄", "  ": " "}[upper[column] + lower[column]]
                canvas.text(middle - width // 2 + 4 * place + column, top + 2 + row, block, ink)
