"""How messages of every room put counts, quotations, and signs that a terminal may lack."""

from __future__ import annotations

from typing import Final

LONGEST_QUOTE: Final = 40
"""Characters of a text that a message shows."""

_STAND_INS: Final = (
    ("♠♥♦♣★☻▸◂▾▴▲△▼▽", "SHDC*@><v^^^vV"),
    ("●○■□◆◇✕✓·•▮▯¤…", "*o#=+%x+..#_$~"),
    ("–—−×→←↑↓", "---x><^v"),
    ("▏▕▐▌│┃┊─━┄┼┤├┴└┌┐┘╭╮╰╯╵╷╱╲╳", "||##||:-=-++++++++++++'./\\X"),
    ("█▀▄░▒▓▁▂▃▅▆▇▔▖▗▘▝▙▟▛▜▚▞", "#\"_.:#___==#-..''LJF7\\/"),
    ("‿⁀‾", "un-"),
)
#: ASCII stand-in of each glyph the app draws.
ASCII: Final[dict[str, str]] = {
    glyph: stand_in for glyphs, stand_ins in _STAND_INS for glyph, stand_in in zip(glyphs, stand_ins, strict=True)
}
ASCII_TABLE: Final = str.maketrans(ASCII)


def counted(count: int, what: str) -> str:
    """How many of something there are: ``1 line``, ``2 lines``."""
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def quote(text: str) -> str:
    """The text in quotes, shortened and escaped, so that a message stays one readable line."""
    return repr(text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…")


def escaped(text: str) -> str:
    """The text with every character escaped that would not print as itself.

    A file's name may hold line breaks, commands for the terminal, or marks that turn the order of letters round.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def as_ascii(text: str) -> str:
    """The text with ASCII stand-ins for the glyphs there are, and question marks for other characters."""
    return text.translate(ASCII_TABLE).encode("ascii", "replace").decode("ascii")
