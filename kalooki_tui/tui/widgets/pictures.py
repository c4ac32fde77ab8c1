"""Middle of a large card: pips, court figures, numerals, the joker's star."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from rich.style import Style

from kalooki_tui.cards import JOKER, RANK, SUIT, Card, Faces
from kalooki_tui.tui.widgets.canvas import Canvas, shorten, wrapped

#: Rows of the field that pictures are drawn on; its columns are counted from the card's middle.
FIELD_ROWS: Final = 7
#: Rows of a card from which on its picture is drawn larger.
HUGE_ROWS: Final = 11

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
        (" •-• ", " sss "),
        ("▟▛ ▜▙", "rr rr"),
        ("─ ◆ ─", "g r g"),
        ("▜▙ ▟▛", "rr rr"),
        (" •-• ", " sss "),
        ("▗▛▀▀▘", "grrrr"),
    ),
    12: (
        ("▗▙█▟▖", "ggggg"),
        ("▐•~•▌", "rsssr"),
        ("▟▙▄▟▙", "rrgrr"),
        ("─ ◆ ─", "g r g"),
        ("▜▛▀▜▛", "rrgrr"),
        ("▐•~•▌", "rsssr"),
        ("▝▛█▜▘", "ggggg"),
    ),
    13: (
        ("▙▄█▄▟", "ggggg"),
        ("▐•_•▌", "rsssr"),
        ("▟█▓█▙", "rrgrr"),
        ("─ ◆ ─", "g r g"),
        ("▜█▓█▛", "rrgrr"),
        ("▐•‾•▌", "rsssr"),
        ("▛▀█▀▜", "ggggg"),
    ),
}

#: Upper halves of the same figures, nine cells wide, and the row in the middle; the lower half is the upper one turned.
HUGE_COURTS: Final[dict[int, tuple[tuple[str, str], ...]]] = {
    11: (
        ("  ▗▄▄▄▄▟▘", "  rrrrrgg"),
        ("  ▐• •▌▘ ", "  gsssgg "),
        ("  ▐ - ▌  ", "  gsssg  "),
        ("▗▟█▙▄▟█▙▖", "rrrrgrrrr"),
        ("██▓ ◆ ▓██", "rrg r grr"),
    ),
    12: (
        (" ▗▙▟█▙▟▖ ", " ggggggg "),
        (" ▟▌• •▐▙ ", " rrsssrr "),
        (" █▙ ~ ▟█ ", " rrsssrr "),
        ("▗▟▛▙▄▟▜▙▖", "rrrgggrrr"),
        ("█▓█ ◆ █▓█", "rgr r rgr"),
    ),
    13: (
        (" ▙▟▙█▟▙▟ ", " ggggggg "),
        (" ▐▌• •▐▌ ", " rrsssrr "),
        ("  █▄_▄█  ", "  rrsrr  "),
        ("▟██▓█▓██▙", "rrrgrgrrr"),
        ("█▓█ ◆ █▓█", "rgr r rgr"),
    ),
}
#: What a glyph becomes when the card is turned by half.
TURNED: Final = str.maketrans("▗▖▝▘▄▀▌▐▙▜▟▛_", "▘▝▖▗▀▄▐▌▜▙▛▟‾")

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
KOOKY_FACE: Final = (
    "       ",
    " ▟▀▀▀▙ ",
    "▐ • • ▌",
    "▐  ▄  ▌",
    "▐ ╰─╯ ▌",
    " ▜▄▄▄▛ ",
    "       ",
)
HUGE_STAR: Final = (
    "           ",
    "     █     ",
    "    ▟█▙    ",
    "    ███    ",
    "▀█████████▀",
    "  ▀█████▀  ",
    "   █████   ",
    "  ▟██▀██▙  ",
    "  ▀▘   ▝▀  ",
)

#: Signs of five half rows, each from the left.
FONT: Final[dict[str, str]] = {
    "A": ".#. #.# ### #.# #.#", "B": "##. #.# ##. #.# ##.", "C": ".## #.. #.. #.. .##", "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###", "F": "### #.. ##. #.. #..", "G": ".## #.. #.# #.# .##", "H": "#.# #.# ### #.# #.#",
    "I": "### .#. .#. .#. ###", "J": "..# ..# ..# #.# .#.", "K": "#.# #.# ##. #.# #.#", "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#", "N": "#..# ##.# #.## #..# #..#", "O": ".#. #.# #.# #.# .#.",
    "P": "##. #.# ##. #.. #..", "Q": ".##. #..# #..# #.#. .#.#", "R": "##. #.# ##. #.# #.#", "S": ".## #.. .#. ..# ##.",
    "T": "### .#. .#. .#. .#.", "U": "#.# #.# #.# #.# ###", "V": "#.# #.# #.# #.# .#.",
    "W": "#...# #...# #.#.# ##.## #...#", "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# .#. .#. .#.", "Z": "### ..# .#. #.. ###",
    "0": "### #.# #.# #.# ###", "1": ".#. ##. .#. .#. ###", "2": "### ..# ### #.. ###", "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#", "5": "### #.. ### ..# ###", "6": "### #.. ### #.# ###", "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###", "9": "### #.# ### ..# ###", " ": ".. .. .. .. ..", "?": "##. ..# .#. ... .#.",
    "!": "# # # . #", "'": "# # . . .", "-": "... ... ### ... ...", ".": ". . . . #",
}  # fmt: skip
_BLOCKS: Final = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}


def turned(drawing: str) -> str:
    """Return a row of a figure as it is seen on the card turned by half."""
    return drawing[::-1].translate(TURNED)


def court(rank: int, height: int) -> tuple[tuple[str, str], ...]:
    """Return the figure of a court card for a card of that height: rows of glyphs, and colours of each cell."""
    if height < HUGE_ROWS:
        return COURTS[rank]
    *upper, middle = HUGE_COURTS[rank]
    return (*upper, middle, *((turned(drawing), colours[::-1]) for drawing, colours in reversed(upper)))


def pips(rank: int, height: int) -> tuple[tuple[int, int], ...]:
    """Return row on the card, and column from its middle, of each pip of a card of that height."""
    top, spread = (height - FIELD_ROWS) // 2, 1 if height >= HUGE_ROWS else 0
    return tuple((top + row, column + spread * ((column > 0) - (column < 0))) for row, column in PIPS[rank])


def draw_picture(
    canvas: Canvas, card: Card, faces: Faces, ink: Style, parts: Mapping[str, Style], *, named: bool, words: bool
) -> None:
    """Draw the middle of a large card. `named`: a joker has its word at its edge.

    `parts`: how what figures are coloured as is drawn, and the joker's star; `words` stand in the pictures' place for a
    terminal that has letters only.
    """
    middle, top = canvas.width // 2, (canvas.height - FIELD_ROWS) // 2
    rank = RANK[card]
    if card == JOKER:
        _draw_joker(canvas, faces, ink, parts["star"], named=named, words=words)
    elif faces.names_suits:
        name = faces.suit_names[SUIT[card]]
        for row, drawn in enumerate(in_dots(faces.rank_name(rank)), top + 2):
            canvas.text(middle - len(drawn) // 2, row, drawn, ink)
        canvas.text(middle - len(name) // 2, top + 5, name, ink)
    elif rank in COURTS and words:
        canvas.text(middle - len(COURT_NAMES[rank]) // 2, top + 3, COURT_NAMES[rank], ink)
    elif rank in COURTS:
        symbol, figure = faces.suit_symbols[SUIT[card]], court(rank, canvas.height)
        for row, (drawing, colours) in enumerate(figure, (canvas.height - len(figure)) // 2):
            for column, (character, colour) in enumerate(zip(drawing, colours, strict=True), -(len(drawing) // 2)):
                ink = parts["r" if colour == " " else colour]
                canvas.text(middle + column, row, symbol if character == "◆" else character, ink)
    else:
        for row, column in pips(rank, canvas.height):
            canvas.text(middle + column, row, faces.suit_symbols[SUIT[card]], ink)


def _draw_joker(canvas: Canvas, faces: Faces, ink: Style, star: Style, *, named: bool, words: bool) -> None:
    drawn = KOOKY_FACE if faces.names_suits else STAR if canvas.height < HUGE_ROWS else HUGE_STAR
    word = "KOOKY" if faces.names_suits else "JOKER"
    for row, letter in enumerate(word if named else "", 1):
        canvas.text(1, row, letter, ink)
    for row, drawing in enumerate(() if words else drawn, (canvas.height - len(drawn)) // 2):
        canvas.text(3 + (canvas.width - 4 - len(drawing)) // 2, row, drawing, star)


def in_dots(text: str) -> list[str]:
    """Write signs of `FONT` in three rows."""
    glyphs = [FONT[sign].split() for sign in text]
    rows = [".".join(glyph[row] for glyph in glyphs) for row in range(5)]
    return half_blocks([[dot == "#" for dot in row] for row in (*rows, "." * len(rows[0]))])


def half_blocks(rows: Sequence[Sequence[bool]]) -> list[str]:
    return [
        "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def qr_code(text: str) -> str:
    """Draw a QR code in half blocks, dark on light, with its margin; empty without segno."""
    try:
        import segno
    except ImportError:
        return ""
    rows = [list(map(bool, row)) for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return "\n".join(half_blocks([[not is_dark for is_dark in row] for row in rows]))


def large(text: str, width: int) -> str:
    """Write a text in letters of three rows, or as it is if it does not fit."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)).upper()
    rows = in_dots(plain) if all(sign in FONT for sign in plain) else []
    return shorten(text, width) if not rows or max(map(len, rows)) > width else "\n".join(map(str.rstrip, rows))


def beneath(words: str, width: int) -> str:
    """Return two rows for below the letters, the first empty if one row of words will do."""
    first, *others = wrapped(words, max(1, width), "") or ("",)
    return "\n".join([first, shorten(" ".join(others), width)] if others else ["", first])
