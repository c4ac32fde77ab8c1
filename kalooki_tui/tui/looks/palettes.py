"""Colours of the table: a palette for each theme and each number of colours that a terminal may have.

A palette made for many colours is no palette for few: what was a step from felt to bar becomes one colour, and a text
on it is gone. So each theme has three, the lesser ones made of colours that such a terminal has. `scripts/contrast.py`
measures them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from rich.cells import split_graphemes
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from kalooki_tui.wording import ASCII_TABLE

if TYPE_CHECKING:
    from kalooki_tui.storage.player.settings_file import PlayerSettings


class Depth(StrEnum):
    TRUE = "true"
    MANY = "256"
    FEW = "16"


def why_not_drawn(environ: Mapping[str, str]) -> str:
    """Return why the terminal named shows no screen; empty where it shows one."""
    name = environ.get("TERM", "").strip().lower()
    if name not in ("", "dumb", "unknown"):
        return ""
    return f"This terminal cannot draw a screen: {f'it calls itself {name}' if name else 'it has no name'} (TERM)."


class Palette(Struct, frozen=True):
    """Colours of the table, as ``#rrggbb``. A field `card_red` is the theme variable ``card-red``."""

    felt: str
    felt_deep: str
    """Bars and questions that lie lower than the felt."""
    tile: str
    """Tile of a seat whose turn it is not."""
    felt_raised: str
    """Tile of the seat whose turn it is; what the pointer is over."""
    felt_line: str
    """Thin lines and empty places on the felt."""
    on_felt: str
    on_felt_muted: str
    greyed: str
    gold: str
    """Attention on the felt: turn, calls, cursor."""
    card: str
    card_edge: str
    """Thin line where a card overlaps the next."""
    card_shade: str
    """Side of a pile of cards, ground of a court card's picture."""
    card_chosen: str
    card_hover: str
    card_lit: str
    """Meld that takes the chosen cards."""
    card_staged: str
    """Meld put together but not yet laid."""
    card_red: str
    card_ink: str
    card_green: str
    card_blue: str
    card_yellow: str
    card_gold: str
    """Jokers, and what they stand for."""
    gilt: str
    """Crowns and the joker's star, where nothing has to be read."""
    card_muted: str
    """Card nobody may take."""
    back: str
    back_weave: str
    back_edge: str
    success: str
    error: str

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Palette:
        """Return the palette of a theme's variables; those missing are the default theme's, of full depth."""
        found = {**FELT.variables(), **variables}
        return cls(**{name: found[name.replace("_", "-")] for name in cls.__struct_fields__})

    def variables(self) -> dict[str, str]:
        return {name.replace("_", "-"): getattr(self, name) for name in self.__struct_fields__}


class Colours(Struct, frozen=True):
    dark: bool
    palettes: Mapping[Depth, Palette]


#: Whether each theme is dark; the default one comes first.
THEMES: Final = {"kalooki-felt": True, "kalooki-midnight": True, "kalooki-paper": False, "kalooki-contrast": True}
DARK: Final = "kalooki-felt"
LIGHT: Final = "kalooki-paper"


def _read_built_in() -> dict[str, Colours]:
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        name: Colours(
            dark,
            {depth: Palette(**{field: colours[column] for field, colours in tables[depth].items()}) for depth in Depth},
        )
        for column, (name, dark) in enumerate(THEMES.items())
    }


BUILT_IN: Final[Mapping[str, Colours]] = _read_built_in()
FELT: Final = BUILT_IN[DARK].palettes[Depth.TRUE]


def stylesheet() -> str:
    """Return the themes as variables of a page; the ground of a card is `paper`, as cards have a width."""
    themes = dict(zip(("felt", "midnight", "paper", "contrast"), BUILT_IN.values(), strict=True))
    rules = {}
    for name, colours in themes.items():
        variables = {**colours.palettes[Depth.TRUE].variables(), "paper": colours.palettes[Depth.TRUE].card}
        del variables["card"]
        rules[name] = "".join(f"--{key}:{colour};" for key, colour in variables.items())
    chosen = "".join(f':root[data-theme="{name}"]{{{rule}}}' for name, rule in rules.items())
    return (
        f":root{{{rules['felt']}}}@media (prefers-color-scheme:light){{:root{{{rules['paper']}}}}}"
        f"@media (prefers-contrast:more){{:root{{{rules['contrast']}}}}}{chosen}"
    )


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
    # Of a sign of several characters the row keeps as many cells; of a letter with marks the letter is left.
    signs = ((text[start], cells) for start, _, cells in split_graphemes(text)[0])
    return "".join(first if cells == 1 and first.isascii() else "?" * cells for first, cells in signs)


DEFAULT_LOOK: Final = Look()
