"""Themes of the app, which name the colours of the table as theme variables.

`$card-red` and its like may be used in stylesheets and in `Content` styles once the app returns `DEFAULTS` from
`get_theme_variable_defaults`. Widgets that draw cell by cell take them as a `Palette`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from textual.app import App
from textual.theme import Theme

from kalooki_tui.tui.looks.palettes import BUILT_IN, DARK, FELT, LIGHT, Colours, Depth, Palette

__all__ = ["DEFAULTS", "DEFAULT_THEME", "THEMES", "Palette", "depth_of", "make_theme", "register", "usual_theme"]

#: The default theme's variables: what an app returns from `get_theme_variable_defaults`.
DEFAULTS: Final[dict[str, str]] = {**FELT.variables(), "dim": "60%"}


def make_theme(name: str, colours: Colours, depth: Depth) -> Theme:
    palette = colours.palettes[depth]
    return Theme(
        name=name,
        primary=palette.gold,
        secondary=palette.back_weave,
        accent=palette.gold,
        warning=palette.gold,
        error=palette.error,
        success=palette.success,
        foreground=palette.on_felt,
        background=palette.felt,
        surface=palette.felt_deep,
        panel=palette.felt_deep,
        dark=colours.dark,
        variables={
            **palette.variables(),
            # What lies under a question: fewer colours have no darker shade of each.
            "dim": "60%" if depth is Depth.TRUE else "0%",
            "footer-background": palette.felt_deep,
            "footer-key-foreground": palette.gold,
            "footer-description-foreground": palette.on_felt,
            # The marked row of every list, with the keyboard and without: its words keep their own colours, and all of
            # those can be read on this ground.
            "block-cursor-background": palette.felt_raised,
            "block-cursor-foreground": palette.on_felt,
            "block-cursor-blurred-background": palette.felt_raised,
            "block-cursor-blurred-foreground": palette.on_felt,
            "block-cursor-blurred-text-style": "bold",
            "block-hover-background": palette.felt_raised,
            "scrollbar": palette.felt_line,
            "scrollbar-hover": palette.on_felt_muted,
            "scrollbar-active": palette.gold,
            "scrollbar-background": palette.felt,
            "scrollbar-background-hover": palette.felt,
            "scrollbar-background-active": palette.felt,
            "scrollbar-corner-color": palette.felt,
        },
    )


THEMES: Final[tuple[Theme, ...]] = tuple(make_theme(name, colours, Depth.TRUE) for name, colours in BUILT_IN.items())
DEFAULT_THEME: Final = DARK


def depth_of(console: Console) -> Depth:
    return {"truecolor": Depth.TRUE, "256": Depth.MANY}.get(console.color_system or "", Depth.FEW)


def usual_theme(environ: Mapping[str, str]) -> str:
    """Return the theme of a player who has chosen none: a light one on a light background.

    Terminals that tell set COLORFGBG to numbers of the 16 colours, the last one the background's.
    """
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in ("7", "15") else DARK


def register(app: App[Any], depth: Depth = Depth.TRUE, own: Mapping[str, Colours] | None = None) -> None:
    """Register the themes, the player's own too, and put the default one on."""
    for name, colours in {**BUILT_IN, **(own or {})}.items():
        app.register_theme(make_theme(name, colours, depth))
    app.theme = DEFAULT_THEME
    for name in set(app.available_themes) - {*BUILT_IN, *(own or {})}:
        app.unregister_theme(name)  # the framework's own: they know nothing of felt and cards
