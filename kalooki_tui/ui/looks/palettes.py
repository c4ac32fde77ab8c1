"""The colours of the table: a palette for each theme and each number of colours that a terminal may have.

A palette made for many colours is no palette for few: what was a step from felt to bar becomes one colour, and a text
on it is gone. So each theme has three, the lesser ones made of colours that such a terminal has. `scripts/contrast.py`
measures them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Final


class Depth(StrEnum):
    """How many colours a terminal shows."""

    TRUE = "true"
    MANY = "256"
    FEW = "16"


def why_not_drawn(environ: Mapping[str, str]) -> str:
    """Tell why a terminal shows no screen, by its name, in a sentence; empty where it shows one."""
    name = environ.get("TERM", "").strip().lower()
    if name not in ("", "dumb", "unknown"):
        return ""
    return f"This terminal cannot draw a screen: {f'it calls itself {name}' if name else 'it has no name'} (TERM)."


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the table, as ``#rrggbb``. A field `card_red` is the theme variable ``card-red``."""

    felt: str
    """The table."""
    felt_deep: str
    """Bars and questions that lie lower than the felt."""
    tile: str
    """The tile of a seat whose turn it is not."""
    felt_raised: str
    """The tile of the seat whose turn it is; what the pointer is over."""
    felt_line: str
    """Thin lines and empty places on the felt."""
    on_felt: str
    on_felt_muted: str
    greyed: str
    """Commands that are not open."""
    gold: str
    """Attention on the felt: turn, calls, cursor."""
    card: str
    card_edge: str
    """The thin line where a card overlaps the next."""
    card_shade: str
    """The side of a pile of cards, the ground of a court card's picture."""
    card_chosen: str
    card_hover: str
    card_lit: str
    """A meld that takes the chosen cards."""
    card_staged: str
    """A meld put together but not yet laid."""
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
    """A card nobody may take."""
    back: str
    back_weave: str
    back_edge: str
    success: str
    error: str

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Palette:
        """The palette of a theme's variables; those missing are the default theme's, of full depth."""
        found = {**FELT.variables(), **variables}
        return cls(**{field.name: found[field.name.replace("_", "-")] for field in fields(cls)})

    def variables(self) -> dict[str, str]:
        """The palette as theme variables."""
        return {field.name.replace("_", "-"): getattr(self, field.name) for field in fields(self)}


FELT: Final = Palette(
    felt="#0e4a38",
    felt_deep="#0a3a2b",
    tile="#0a3a2b",
    felt_raised="#145c44",
    felt_line="#2c6b56",
    on_felt="#f3f1e7",
    on_felt_muted="#b2d2c4",
    greyed="#86ad9c",
    gold="#f5c451",
    card="#f8f3e6",
    card_edge="#b9ae92",
    card_shade="#eadfc4",
    card_chosen="#ffe08a",
    card_hover="#fffdf7",
    card_lit="#d9f2c4",
    card_staged="#cfe0d2",
    card_red="#c1121f",
    card_ink="#17181c",
    card_green="#0f6b2f",
    card_blue="#1450b8",
    card_yellow="#755300",
    card_gold="#7f5000",
    gilt="#d39a1c",
    card_muted="#7d7767",
    back="#2b4394",
    back_weave="#4a64bd",
    back_edge="#8fa3e0",
    success="#7bd88f",
    error="#ff8a7a",
)
MIDNIGHT: Final = Palette(
    felt="#161c30",
    felt_deep="#0f1424",
    tile="#0f1424",
    felt_raised="#28345a",
    felt_line="#3a4670",
    on_felt="#e8eaf4",
    on_felt_muted="#a2abcb",
    greyed="#7d87ab",
    gold="#ffcb6b",
    card="#e9e4d8",
    card_edge="#a39d8d",
    card_shade="#d6cdb9",
    card_chosen="#ffdb8c",
    card_hover="#f7f3ea",
    card_lit="#c8e6c0",
    card_staged="#c9d3ea",
    card_red="#a80d25",
    card_ink="#14161d",
    card_green="#0d5f2d",
    card_blue="#1747a6",
    card_yellow="#6c4c00",
    card_gold="#734800",
    gilt="#c08a18",
    card_muted="#746e60",
    back="#6a2340",
    back_weave="#943a5f",
    back_edge="#d694b1",
    success="#8fd9a8",
    error="#ff8095",
)
PAPER: Final = Palette(
    felt="#e6dfcc",
    felt_deep="#d8cfb6",
    tile="#d8cfb6",
    felt_raised="#f4efe0",
    felt_line="#b7ab8b",
    on_felt="#26221b",
    on_felt_muted="#5c5340",
    greyed="#7b7158",
    gold="#824600",
    card="#fffefa",
    card_edge="#a89d82",
    card_shade="#efe7d3",
    card_chosen="#ffe596",
    card_hover="#ffffff",
    card_lit="#d4f0bd",
    card_staged="#dbe7f2",
    card_red="#b90e1c",
    card_ink="#16171b",
    card_green="#0c662b",
    card_blue="#144cb0",
    card_yellow="#7d5800",
    card_gold="#8a5600",
    gilt="#d99a10",
    card_muted="#8b8473",
    back="#35508f",
    back_weave="#5670b3",
    back_edge="#243a70",
    success="#1f6b34",
    error="#a3121f",
)
CONTRAST: Final = Palette(
    felt="#000000",
    felt_deep="#000000",
    tile="#000000",
    felt_raised="#00315c",
    felt_line="#9a9a9a",
    on_felt="#ffffff",
    on_felt_muted="#d6d6d6",
    greyed="#a8a8a8",
    gold="#ffe600",
    card="#ffffff",
    card_edge="#000000",
    card_shade="#dcdcdc",
    card_chosen="#ffe600",
    card_hover="#e4f1ff",
    card_lit="#a8ff9e",
    card_staged="#b8dcff",
    card_red="#a80000",
    card_ink="#000000",
    card_green="#005a1e",
    card_blue="#0033aa",
    card_yellow="#5c4100",
    card_gold="#5a3a00",
    gilt="#b07a00",
    card_muted="#5f5f5f",
    back="#0038b8",
    back_weave="#3f74ff",
    back_edge="#ffffff",
    success="#7dff8a",
    error="#ff8f8f",
)

# Of 256 colours: those of the cube (00 5f 87 af d7 ff for red, green and blue) and the greys between them.
FELT_256: Final = Palette(
    felt="#005f00",
    felt_deep="#1c1c1c",
    tile="#1c1c1c",
    felt_raised="#005f5f",
    felt_line="#5f875f",
    on_felt="#ffffff",
    on_felt_muted="#afd7af",
    greyed="#87af87",
    gold="#ffd75f",
    card="#ffffd7",
    card_edge="#afaf87",
    card_shade="#eeeeee",
    card_chosen="#ffff87",
    card_hover="#ffffff",
    card_lit="#d7ffaf",
    card_staged="#d7ffff",
    card_red="#af0000",
    card_ink="#121212",
    card_green="#005f00",
    card_blue="#005faf",
    card_yellow="#5f5f00",
    card_gold="#875f00",
    gilt="#d7af00",
    card_muted="#767676",
    back="#00005f",
    back_weave="#5f5fd7",
    back_edge="#87afff",
    success="#afff87",
    error="#ffaf87",
)
MIDNIGHT_256: Final = replace(
    FELT_256,
    felt="#00005f",
    felt_deep="#121212",
    tile="#121212",
    felt_raised="#005f87",
    felt_line="#5f5f87",
    on_felt="#eeeeee",
    on_felt_muted="#afafd7",
    greyed="#8787af",
    back="#5f005f",
    back_weave="#af5f87",
    back_edge="#d787af",
    error="#ff8787",
)
PAPER_256: Final = replace(
    FELT_256,
    felt="#d7d7af",
    felt_deep="#ffffd7",
    tile="#ffffd7",
    felt_raised="#ffd787",
    felt_line="#87875f",
    on_felt="#121212",
    on_felt_muted="#585858",
    greyed="#767676",
    gold="#875f00",
    card="#ffffff",
    card_edge="#afaf87",
    back="#005f87",
    back_weave="#5f87af",
    back_edge="#00005f",
    success="#005f00",
    error="#af0000",
)
CONTRAST_256: Final = replace(
    FELT_256,
    felt="#000000",
    felt_deep="#000000",
    tile="#000000",
    felt_raised="#005f87",
    felt_line="#9e9e9e",
    on_felt_muted="#d0d0d0",
    greyed="#b2b2b2",
    gold="#ffff00",
    card="#ffffff",
    card_edge="#000000",
    card_shade="#eeeeee",
    card_chosen="#ffff00",
    card_hover="#d7ffff",
    card_lit="#afffaf",
    card_staged="#d7ffff",
    card_red="#870000",
    card_ink="#000000",
    card_blue="#0000af",
    card_gold="#5f5f00",
    gilt="#af8700",
    card_muted="#626262",
    back="#0000af",
    back_weave="#5f87ff",
    back_edge="#ffffff",
    success="#87ff87",
    error="#ff8787",
)

# Of 16 colours each terminal has its own idea. On a white card only black, red, blue and magenta can be read on all of
# them: green is magenta here, yellow blue.
FELT_16: Final = Palette(
    felt="#000000",
    felt_deep="#000000",
    tile="#000000",
    felt_raised="#0000aa",
    felt_line="#aaaaaa",
    on_felt="#ffffff",
    on_felt_muted="#aaaaaa",
    greyed="#aaaaaa",
    gold="#ffff55",
    card="#ffffff",
    card_edge="#000000",
    card_shade="#ffffff",
    card_chosen="#ffff55",
    card_hover="#ffffff",
    card_lit="#55ffff",
    card_staged="#ffff55",
    card_red="#aa0000",
    card_ink="#000000",
    card_green="#aa00aa",
    card_blue="#0000aa",
    card_yellow="#0000aa",
    card_gold="#aa00aa",
    gilt="#aa5500",
    card_muted="#555555",
    back="#5555ff",
    back_weave="#0000aa",
    back_edge="#5555ff",
    success="#55ff55",
    error="#ff5555",
)
MIDNIGHT_16: Final = replace(
    FELT_16,
    felt="#0000aa",
    felt_deep="#0000aa",
    tile="#0000aa",
    felt_raised="#000000",
    felt_line="#aaaaaa",
    back="#aa00aa",
    back_weave="#ff55ff",
    back_edge="#ff55ff",
    error="#ff5555",
)
PAPER_16: Final = replace(
    FELT_16,
    felt="#aaaaaa",
    felt_deep="#ffffff",
    tile="#ffffff",
    felt_raised="#ffff55",
    felt_line="#555555",
    on_felt="#000000",
    on_felt_muted="#000000",
    greyed="#555555",
    gold="#0000aa",
    back="#0000aa",
    back_weave="#5555ff",
    back_edge="#0000aa",
    success="#0000aa",
    error="#aa0000",
)
CONTRAST_16: Final = replace(FELT_16, felt_line="#ffffff", back="#0000aa", back_weave="#5555ff", back_edge="#ffffff")


@dataclass(frozen=True, slots=True)
class Colours:
    """A theme as far as colours go."""

    dark: bool
    palettes: Mapping[Depth, Palette]


def _colours(dark: bool, true: Palette, many: Palette, few: Palette) -> Colours:
    return Colours(dark, {Depth.TRUE: true, Depth.MANY: many, Depth.FEW: few})


#: The themes by name, the default one first.
BUILT_IN: Final[Mapping[str, Colours]] = {
    "kalooki-felt": _colours(True, FELT, FELT_256, FELT_16),
    "kalooki-midnight": _colours(True, MIDNIGHT, MIDNIGHT_256, MIDNIGHT_16),
    "kalooki-paper": _colours(False, PAPER, PAPER_256, PAPER_16),
    "kalooki-contrast": _colours(True, CONTRAST, CONTRAST_256, CONTRAST_16),
}
DARK: Final = "kalooki-felt"
LIGHT: Final = "kalooki-paper"
