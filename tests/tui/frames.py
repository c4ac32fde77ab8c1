"""What is drawn, as rows and the looks of their cells."""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip

from kalooki_tui.tui.looks.palettes import Palette

Frame: TypeAlias = list[tuple[str, list[str]]]


def painted_text(strips: Iterable[Strip]) -> str:
    """All that is painted, with each piece's style, in one line."""
    return " ".join(f"{piece.text} {piece.style}" for strip in strips for piece in strip)


class Frames:
    """Frames of an app, whose colours are called as its palette calls them."""

    def __init__(self, app: App[None]) -> None:
        palette = Palette.from_variables(app.get_css_variables())
        self.names = {value: name for name, value in reversed(palette.variables().items())}
        self.look_in = cache(self.look_of)

    def frame(self, strips: Iterable[Strip]) -> Frame:
        """The rows, and of each the looks of its cells."""
        return [
            (strip.text, [look for part in strip for look in [self.look_in(part)] * part.cell_length])
            for strip in strips
        ]

    def look_of(self, part: Segment) -> str:
        style = part.style or Style()
        ink, ground = (self.names.get(one.name, "~") if one else "-" for one in (style.color, style.bgcolor))
        signs = "".join(sign for sign in ("bold", "underline", "strike", "reverse", "dim") if getattr(style, sign))
        return f"{ink}/{ground} {signs}".rstrip() if part.text.strip() or style.reverse else ground
