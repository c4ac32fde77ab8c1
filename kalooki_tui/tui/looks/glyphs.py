"""Choices about drawing, and ASCII stand-ins that a filter puts in the place of glyphs as the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from kalooki_tui.wording import ASCII_TABLE

if TYPE_CHECKING:
    from kalooki_tui.storage.player.settings import PlayerSettings


class Look(Struct, frozen=True):
    ascii: bool = False
    four_colours: bool = False
    """Clubs green and diamonds blue, so that no two suits share a colour."""
    reduced_motion: bool = False


def look_from(settings: PlayerSettings) -> Look:
    return Look(settings.ascii, settings.four_colour, settings.reduced_motion)


class AsciiFilter(LineFilter):
    """Filter that replaces glyphs with their stand-ins, and other characters with a question mark."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(_plain(text), style, control) for text, style, control in segments]


def _plain(text: str) -> str:
    text = text.translate(ASCII_TABLE)
    if text.isascii():
        return text
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in text)


DEFAULT_LOOK: Final = Look()
