"""Make the animated demo of the README, docs/demo.gif: a deal of Baby Kalooki played by keys in a minute.

Needs Pillow, the extra `demo`, which nothing else here needs; `make demo` installs it into a folder of its own.
The cards come from a seed and the player does what the club player would, so every run plays the same deal.
"""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace
from PIL import Image
from textual.pilot import Pilot

from kalooki_tui.presenter.prompts import NOTES
from kalooki_tui.session.plan import AskCalls, Speed, plan_of
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.table import TableScreen
from scripts.pictures import as_png
from scripts.scenes import own_home
from tests.drivers.keyboard import Keyboard, Thinks
from tests.drivers.people import People

FILE: Final = Path(__file__).resolve().parents[1] / "docs" / "demo.gif"
SIZE: Final = (80, 24)
WIDTH: Final = 720
COLOURS: Final = 128
SHORT, LONG, END = 1100, 2600, 6000
"""Milliseconds a picture stands."""
MOST: Final = 70
"""Pictures; then it ends, whatever happens."""
SEED: Final = 5


class Filmed(KalookiApp):
    """The app without notes about rules, which come once and would be read in no demo."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.settings_file.settings = replace(self.settings, notes_seen=list(NOTES), reduced_motion=True)


class Film(Keyboard):
    """A keyboard that takes a picture after every key, or run of keys, that has changed the screen."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        super().__init__(pilot)
        self.pictures: list[tuple[str, int]] = []

    def take(self, milliseconds: int = SHORT) -> None:
        drawn = self.app.export_screenshot(title="Kalooki")
        if not self.pictures or self.pictures[-1][0] != drawn:
            self.pictures.append((drawn, milliseconds))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await super().press(key)
            await self.pilot.pause(0.05)
            self.take()

    async def burst(self, *keys: str) -> None:
        """Press keys at once, and take one picture."""
        if keys:
            await super().burst(*keys)
            await self.pilot.pause(0.05)
            self.take()


async def opening() -> list[tuple[str, int]]:
    app = Filmed(None, Thinks())
    async with app.run_test(size=SIZE) as pilot:
        film = Film(pilot)
        await film.settle(0.3)
        film.take(LONG)
        await film.press("n")
        return [(drawn, LONG) for drawn, _ in film.pictures]


async def deal(seed: int = SEED) -> list[tuple[str, int]]:
    """A deal from its first card to the score."""
    plan = plan_of("baby", ["Ann", "ai:club", "ai:club", "ai:club"], seed, ())
    app = Filmed(routes.new_match(replace(plan, speed=Speed.INSTANT, ask_calls=AskCalls.HELPS)), Thinks())
    async with app.run_test(size=SIZE) as pilot:
        film = Film(pilot)
        people = People(film, seed, asides=0.0)
        hinted = False
        while len(film.pictures) < MOST:
            screen = people.screen
            if type(screen).__name__ == "DealOverScreen":
                await film.settle(0.5)
                film.take(END)
                break
            if isinstance(screen, TableScreen) and screen.state.is_asked and not hinted:
                hinted = True
                await film.settle(0.3)
                film.take(LONG)
                await film.press("g", "h", "h")
            await people.step()
        return film.pictures


def drawn(svg: str) -> Image.Image:
    image = Image.open(io.BytesIO(as_png(svg))).convert("RGB")
    return image.resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.LANCZOS)


def main() -> None:
    question.QUIET_SECONDS = 0.0
    pictures: list[tuple[str, int]] = []
    for part in (opening, deal):
        with own_home():
            pictures += asyncio.run(part())
    images = [drawn(svg) for svg, _ in pictures]
    # One palette for all, from all of them: what is red on few pictures is red all the same.
    together = Image.new("RGB", (WIDTH, images[0].height * len(images)))
    for number, image in enumerate(images):
        together.paste(image, (0, images[0].height * number))
    palette = together.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [milliseconds for _, milliseconds in pictures]
    frames[0].save(FILE, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)
    print(f"{FILE}: {len(frames)} pictures, {sum(times) / 1000:.0f} s, {FILE.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
