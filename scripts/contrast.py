"""Measure the contrast of every theme in truecolor, 256 and 16 colours, with colours and without.

Colours are taken down to 256 and 16 by rich itself, as in a terminal, and from each pair the ratio of WCAG is made.
First the palettes, pair by pair; then every letter, digit and suit on screens of the running app, among them every list
and menu with a row marked. The exit code is 1
if anything is below its least: 3 for texts and greyed commands, 4.5 for suits and ranks on cards, 3 for all
under NO_COLOR.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from rich.color import Color, ColorSystem
from rich.style import Style
from textual.color import Color as TextualColor
from textual.pilot import Pilot

from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.looks import themes
from kalooki_tui.tui.looks.palettes import BUILT_IN, Depth, Palette
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.question import Finder
from scripts.scenes import LISTS, MENUS, SCENES, Pictured, Scene, finding, own_home

TEXT: Final = 3.0
SUIT: Final = 4.5
SYSTEMS: Final = {Depth.TRUE: ColorSystem.TRUECOLOR, Depth.MANY: ColorSystem.EIGHT_BIT, Depth.FEW: ColorSystem.STANDARD}
CARDS: Final = ("card", "card_shade", "card_chosen", "card_hover", "card_lit", "card_staged")
SUITS: Final = ("card_red", "card_ink", "card_green", "card_blue", "card_yellow", "card_gold")
#: Characters of what stands on a card, at most.
RANK: Final = 3
#: Names of a text's colour and of what it may stand on.
PAIRS: Final = (
    *((text, ground) for ground in ("felt", "felt_deep", "felt_raised") for text in ("success", "error")),
    ("greyed", "felt_deep"),
    *((text, f"felt{part}") for part in ("", "_deep", "_raised") for text in ("on_felt", "on_felt_muted", "gold")),
    *((text, "tile") for text in ("on_felt", "on_felt_muted", "gold")),
    ("card_ink", "gilt"),
    ("felt_deep", "gold"),
    ("card", "back"),
    ("card_muted", "card"),
    ("card_muted", "card_shade"),
    *((suit, ground) for ground in CARDS for suit in SUITS),
)


class Fault(NamedTuple):
    """Something that cannot be read well enough."""

    where: str
    what: str
    ratio: float

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: {self.ratio:.2f}"


@lru_cache(maxsize=4096)
def luminance(colour: Color, depth: Depth, grey: bool) -> float:
    """How bright a colour is on a terminal of that depth, from 0 to 1; `grey`: under NO_COLOR."""
    if grey:
        colour = TextualColor.from_rich_color(colour).monochrome.rich_color
    channels = [channel / 255 for channel in colour.downgrade(SYSTEMS[depth]).get_truecolor()]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(text: Color, ground: Color, depth: Depth, grey: bool = False) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(text, depth, grey), luminance(ground, depth, grey)))
    return (light + 0.05) / (dark + 0.05)


def palette_ratios(palette: Palette, depth: Depth, grey: bool = False) -> Iterator[tuple[str, str, float, float]]:
    """Of each pair: text, ground, ratio, the least that will do."""
    for text, ground in PAIRS:
        measured = ratio(Color.parse(getattr(palette, text)), Color.parse(getattr(palette, ground)), depth, grey)
        yield text, ground, measured, SUIT if text in SUITS and not grey else TEXT


def palette_faults() -> list[Fault]:
    return [
        Fault(f"{name}, {depth} colours{', NO_COLOR' if grey else ''}", f"{text} on {ground}", measured)
        for name, colours in BUILT_IN.items()
        for depth, palette in colours.palettes.items()
        for grey in (False, True)
        for text, ground, measured, least in palette_ratios(palette, depth, grey)
        if measured < least
    ]


def screen_faults(app: GameApp, palette: Palette, depth: Depth, where: str) -> list[Fault]:
    """Letters, digits and suits on the screen that cannot be read well enough."""
    grounds = {getattr(palette, name) for name in CARDS}
    found: dict[tuple[str, str], Fault] = {}
    for strip in app.screen._compositor.render_strips():
        for text, style, _ in strip:
            letters = "".join(character for character in text if character.isalnum() or character in "♠♥♦♣★")
            if not letters or style is None:
                continue
            ink, ground = colours_of(style)
            # With few colours cards have the ground of other things, whose words are longer.
            on_card = ground.get_truecolor().hex in grounds and len(text.strip()) <= RANK
            on_card = on_card and ink.get_truecolor().hex != palette.card_muted
            for grey in (False, True):
                measured = ratio(ink, ground, depth, grey)
                if measured < (SUIT if on_card and not grey else TEXT):
                    key = (ink.name, ground.name)
                    found[key] = Fault(where, f"{text.strip()[:20]!r} ({ink.name} on {ground.name})", measured)
    return [*found.values()]


def colours_of(style: Style) -> tuple[Color, Color]:
    """A style's colours as they are drawn: text and ground."""
    ink, ground = style.color or Color.parse("white"), style.bgcolor or Color.parse("black")
    return (ground, ink) if style.reverse else (ink, ground)


async def wear(pilot: Pilot[None], app: GameApp, name: str, depth: Depth) -> None:
    """Draw the app as on a terminal of that depth."""
    theme = themes.make_theme(f"{name} {depth}", BUILT_IN[name], depth)
    app.register_theme(theme)
    app.theme = theme.name
    await pilot.pause()
    if isinstance(app.screen, Finder):
        # Its lines keep the colours with which they were found.
        await pilot.press("escape")
        await finding(pilot, app)
    # What lies under a question is not what is to be read.
    app.screen.styles.background = "transparent" if app.screen.is_modal else None
    await pilot.pause()


async def scene_faults(scene: Scene, depths: Collection[Depth] = tuple(Depth)) -> list[Fault]:
    """What is too faint on a screen, in every theme: on one of those that there are pictures of, or with a list."""
    faults: list[Fault] = []
    app = Pictured(scene.position, scene.people)
    async with app.run_test(size=scene.size) as pilot:
        await scene.come(pilot, app)
        for name, colours in BUILT_IN.items():
            for depth in depths:
                palette, where = colours.palettes[depth], f"{scene.name}, {name}, {depth} colours"
                await wear(pilot, app, name, depth)
                faults += screen_faults(app, palette, depth, where)
                if scene in (*LISTS, *MENUS) and not has_mark(app, palette):
                    faults.append(Fault(where, "no row is marked", 0))
    return faults


def has_mark(app: KalookiApp, palette: Palette) -> bool:
    """Whether something is written on the ground of a marked row."""
    return any(
        text.strip() and style is not None and colours_of(style)[1].name == palette.felt_raised
        for strip in app.screen._compositor.render_strips()
        for text, style, _ in strip
    )


def show_lowest() -> None:
    print(f"{'theme':<18}{'colours':<9}{'text':>6}{'suits':>7}{'NO_COLOR':>10}")
    for name, colours in BUILT_IN.items():
        for depth, palette in colours.palettes.items():
            rows = [*palette_ratios(palette, depth)]
            text, suits = (min(row[2] for row in rows if row[3] == least) for least in (TEXT, SUIT))
            grey = min(row[2] for row in palette_ratios(palette, depth, grey=True))
            print(f"{name:<18}{depth:<9}{text:>6.2f}{suits:>7.2f}{grey:>10.2f}")


def main() -> None:
    question.QUIET_SECONDS = 0.0
    show_lowest()
    faults = palette_faults()
    for scene in (one for one in (*SCENES, *LISTS) if one.act is not None):
        with own_home():
            faults += asyncio.run(scene_faults(scene))
    for fault in faults:
        print(fault)
    print(f"{len(faults)} too faint")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
