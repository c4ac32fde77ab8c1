"""The app's themes. Besides Textual's own colours each names the colours of the table as theme variables.

`$card-red` and its like may be used in stylesheets and in `Content` styles once the app returns `DEFAULTS` from
`get_theme_variable_defaults`. Widgets that draw cell by cell take them as a `Palette`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from textual.app import App
from textual.theme import Theme


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the table, as ``#rrggbb``. A field `card_red` is the theme variable ``card-red``."""

    felt: str
    """The table."""
    felt_deep: str
    """Bars and tiles that lie lower than the felt."""
    felt_raised: str
    """The tile of the seat whose turn it is; what the pointer is over."""
    felt_line: str
    """Thin lines and empty places on the felt."""
    on_felt: str
    on_felt_muted: str
    gold: str
    """What wants attention on the felt: turn, calls, cursor."""
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

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Palette:
        """The palette of a theme's variables; those missing are the default theme's."""
        names = (field.name for field in fields(cls))
        return cls(**{name: variables.get(key := name.replace("_", "-"), DEFAULTS[key]) for name in names})

    def variables(self) -> dict[str, str]:
        """The palette as theme variables."""
        return {field.name.replace("_", "-"): getattr(self, field.name) for field in fields(self)}


FELT: Final = Palette(
    felt="#0e4a38",
    felt_deep="#0a3a2b",
    felt_raised="#145c44",
    felt_line="#2c6b56",
    on_felt="#f3f1e7",
    on_felt_muted="#b2d2c4",
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
    card_muted="#8d8777",
    back="#2b4394",
    back_weave="#4a64bd",
    back_edge="#8fa3e0",
)
MIDNIGHT: Final = Palette(
    felt="#161c30",
    felt_deep="#0f1424",
    felt_raised="#28345a",
    felt_line="#3a4670",
    on_felt="#e8eaf4",
    on_felt_muted="#a2abcb",
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
    card_muted="#857f70",
    back="#6a2340",
    back_weave="#943a5f",
    back_edge="#d694b1",
)
PAPER: Final = Palette(
    felt="#e6dfcc",
    felt_deep="#d8cfb6",
    felt_raised="#f4efe0",
    felt_line="#b7ab8b",
    on_felt="#26221b",
    on_felt_muted="#5c5340",
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
)
CONTRAST: Final = Palette(
    felt="#000000",
    felt_deep="#000000",
    felt_raised="#00315c",
    felt_line="#9a9a9a",
    on_felt="#ffffff",
    on_felt_muted="#d6d6d6",
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
)

#: The default theme's variables: what an app returns from `get_theme_variable_defaults`.
DEFAULTS: Final[dict[str, str]] = FELT.variables()


def _theme(name: str, palette: Palette, *, dark: bool, success: str, error: str) -> Theme:
    return Theme(
        name=name,
        primary=palette.gold,
        secondary=palette.back_weave,
        accent=palette.gold,
        warning=palette.gold,
        error=error,
        success=success,
        foreground=palette.on_felt,
        background=palette.felt,
        surface=palette.felt_deep,
        panel=palette.felt_deep,
        dark=dark,
        variables={
            **palette.variables(),
            "footer-background": palette.felt_deep,
            "footer-key-foreground": palette.gold,
            "footer-description-foreground": palette.on_felt,
            "block-cursor-background": palette.gold,
            "block-cursor-foreground": palette.felt_deep,
            "scrollbar": palette.felt_line,
            "scrollbar-hover": palette.on_felt_muted,
            "scrollbar-active": palette.gold,
            "scrollbar-background": palette.felt,
            "scrollbar-background-hover": palette.felt,
            "scrollbar-background-active": palette.felt,
            "scrollbar-corner-color": palette.felt,
        },
    )


THEMES: Final[tuple[Theme, ...]] = (
    _theme("kalooki-felt", FELT, dark=True, success="#7bd88f", error="#ff8a7a"),
    _theme("kalooki-midnight", MIDNIGHT, dark=True, success="#8fd9a8", error="#ff8095"),
    _theme("kalooki-paper", PAPER, dark=False, success="#1f6b34", error="#a3121f"),
    _theme("kalooki-contrast", CONTRAST, dark=True, success="#7dff8a", error="#ff8f8f"),
)
DEFAULT_THEME: Final = THEMES[0].name


def register(app: App[Any]) -> None:
    """Make the themes known to an app and put the default one on."""
    for theme in THEMES:
        app.register_theme(theme)
    app.theme = DEFAULT_THEME
