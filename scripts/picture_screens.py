"""Make pictures of every screen at three sizes and with few colours, on one page side by side: build/screens/.

For the eye of whoever changes a screen; nothing compares them. What is too faint to be read is listed. Words on the
command line choose screens by their names, sizes (any: `132x43`) and kinds of terminal (`true`, `256`, `16`, `none`).
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from kalooki_tui.ui.game_app import GameApp
from kalooki_tui.ui.looks.palettes import BUILT_IN, DARK, Depth
from kalooki_tui.ui.screens import question
from scripts.contrast import Fault, screen_faults, wear
from scripts.hosted_scenes import FURTHER, HOSTED
from scripts.make_screenshots import Pictured, Scene, Thinks, as_png, is_planned, until
from scripts.screen_scenes import SCREENS

FOLDER: Final = Path(__file__).resolve().parents[1] / "build" / "screens"
SIZES: Final = ((80, 24), (120, 36), (200, 50))
NONE: Final = "none"
"""A terminal without colours."""
KINDS: Final = (*Depth, NONE)
Size = tuple[int, int]


@asynccontextmanager
async def shown(scene: Scene, size: Size) -> AsyncIterator[tuple[Pilot[None], GameApp]]:
    """The app with the screen of a scene."""
    if scene.act is None:
        async with {**HOSTED, **FURTHER}[scene.name](Thinks(), size) as (pilot, hosted):
            yield pilot, hosted
        return
    app = Pictured(scene.position, scene.people, notes=scene.name == "note")
    async with app.run_test(size=size) as pilot:
        await scene.act(pilot, app)
        await until(pilot, lambda: getattr(app.screen, "hears", True) and is_planned(app))
        yield pilot, app


async def pictures(scene: Scene, size: Size, kinds: Sequence[str]) -> tuple[dict[str, str], list[Fault]]:
    """A screen as SVG for each kind of terminal, and what is too faint: marked rows and fields with the focus too."""
    made: dict[str, str] = {}
    faults: list[Fault] = []
    async with shown(scene, size) as (pilot, app):
        own = app.theme
        name = own if own in BUILT_IN else DARK
        for kind in kinds:
            depth = Depth.TRUE if kind == NONE else Depth(kind)
            if depth is not Depth.TRUE:
                await wear(pilot, app, name, depth)
            for screen in app.screen_stack:
                screen.styles.background = None
            await pilot.pause(0.1)
            where = f"{scene.name} {size[0]}x{size[1]} {kind}"
            made[kind] = app.export_screenshot(title=where)
            # What lies dimmed under a question is not what is to be read.
            for screen in app.screen_stack:
                screen.styles.background = "transparent" if screen.is_modal else None
            await pilot.pause()
            faults += screen_faults(app, BUILT_IN[name].palettes[depth], depth, where)
    return made, faults


def draw(scene: Scene, size: Size, kinds: Sequence[str]) -> list[Fault]:
    """Draw a screen for each kind of terminal."""
    faults: list[Fault] = []
    # Whether there are colours is read once, when the app begins.
    for some in ([kind for kind in kinds if kind != NONE], [kind for kind in kinds if kind == NONE]):
        if some:
            with tempfile.TemporaryDirectory() as home:
                os.environ["KALOOKI_HOME"] = home
                os.environ.pop("NO_COLOR", None)
                if NONE in some:
                    os.environ["NO_COLOR"] = "1"
                made, found = asyncio.run(pictures(scene, size, some))
            faults += found
            for kind, svg in made.items():
                as_png(svg, FOLDER / file_of(scene, size, kind))
                print(FOLDER / file_of(scene, size, kind), flush=True)
    return faults


def file_of(scene: Scene, size: Size, kind: str) -> str:
    """The name of a picture."""
    return f"{scene.name}-{size[0]}x{size[1]}-{kind}.png"


def page(scenes: Sequence[Scene], sizes: Sequence[Size], kinds: Sequence[str]) -> str:
    """The page that shows them: a row a screen and kind of terminal, its sizes side by side."""
    rows = []
    for scene in scenes:
        for kind in kinds:
            files = [file_of(scene, size, kind) for size in sizes]
            images = "".join(f'<img src="{file}" title="{file}">' for file in files)
            rows.append(f"<h2>{scene.name}, {kind}</h2><div>{images}</div>")
    look = "body{background:#222;color:#eee;font:14px sans-serif}div{display:flex;gap:8px;align-items:start}"
    style = f"<style>{look}img{{max-width:33%}}</style>"
    return "\n".join(["<!doctype html><title>Screens</title>", style, *rows, ""])


def main() -> None:
    """Make the pictures asked for, or all of them."""
    words = sys.argv[1:]
    question.QUIET_SECONDS = 0.0
    FOLDER.mkdir(parents=True, exist_ok=True)
    scenes = [scene for scene in SCREENS if scene.name in words] or SCREENS
    asked = [size for word in words if (size := re.fullmatch(r"(\d+)x(\d+)", word))]
    sizes = [(int(size[1]), int(size[2])) for size in asked] or SIZES
    kinds = [kind for kind in KINDS if kind in words] or KINDS
    unknown = {*words} - {size[0] for size in asked} - {*KINDS} - {one.name for one in SCREENS}
    if unknown:
        raise SystemExit(f"There is no screen {', '.join(sorted(unknown))}: {' '.join(one.name for one in SCREENS)}")
    faults = [fault for scene in scenes for size in sizes for fault in draw(scene, size, kinds)]
    (FOLDER / "index.html").write_text(page(scenes, sizes, kinds), encoding="utf-8")
    for fault in faults:
        print(fault)
    print(f"{len(faults)} too faint; the page is {FOLDER / 'index.html'}")


if __name__ == "__main__":
    main()
