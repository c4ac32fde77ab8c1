"""Make pictures of the running app.

    python -m scripts.pictures [SCENE ...]
    python -m scripts.pictures screens [WORD ...]
    python -m scripts.pictures terminals [NAME ...]

The first makes those in screenshots/ anew, the same on every machine. The second makes every screen at three sizes and
with few colours, on one page side by side: build/screens/. Words choose screens by their names, sizes (any: `132x43`)
and kinds of terminal (`true`, `256`, `16`, `none`). The third shows what terminals of each kind are sent:
docs/terminals/. It needs tmux.

Of the screenshots only that of the review needs the native core, and may differ by a point where that was built
otherwise. Nothing compares the page of all screens; what is too faint to be read there is listed.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import resvg_py
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual.pilot import Pilot

from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.looks.palettes import BUILT_IN, DARK, Depth
from kalooki_tui.tui.screens import question
from scripts.contrast import Fault, screen_faults, wear
from scripts.scenes import BY_CORE, HOSTED, SCENES, SCREENS, Pictured, Scene, is_planned, own_home, until

ROOT: Final = Path(__file__).resolve().parents[1]
SCREENSHOTS: Final = ROOT / "screenshots"
PAGE: Final = ROOT / "build" / "screens"
SIZES: Final = ((80, 24), (120, 36), (200, 50))
NONE: Final = "none"
"""A terminal without colours."""
KINDS: Final = (*Depth, NONE)
Size = tuple[int, int]


@asynccontextmanager
async def shown(scene: Scene, size: Size) -> AsyncIterator[tuple[Pilot[None], GameApp]]:
    """The app with the screen of a scene."""
    if scene.act is None:
        async with HOSTED[scene.name](size) as (pilot, hosted):
            yield pilot, hosted
        return
    app = Pictured(scene.position, scene.people, notes=scene.name == "note")
    async with app.run_test(size=size) as pilot:
        await scene.come(pilot, app)
        # The screen between people looks otherwise until it hears its keys.
        await until(pilot, lambda: getattr(app.screen, "hears", True) and is_planned(app))
        await pilot.pause(0.1)
        yield pilot, app


async def screenshot(scene: Scene) -> str:
    async with shown(scene, scene.size) as (_, app):
        return app.export_screenshot(title="Kalooki")


def as_png(svg: str) -> bytes:
    font = "DejaVu Sans Mono"
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, monospace_family=font, font_family=font))


def make_screenshots(names: Sequence[str]) -> None:
    for scene in (*SCENES, *BY_CORE):
        if not names or scene.name in names:
            with own_home():
                svg = asyncio.run(screenshot(scene))
            (SCREENSHOTS / f"{scene.name}.svg").write_text(svg, encoding="utf-8")
            (SCREENSHOTS / f"{scene.name}.png").write_bytes(as_png(svg))
            print(f"screenshots/{scene.name}.svg")


# Every screen, side by side


async def pictures(scene: Scene, size: Size, kinds: Sequence[str]) -> tuple[dict[str, str], list[Fault]]:
    """A screen as SVG for each kind of terminal, and what is too faint: marked rows and fields with the focus too."""
    made: dict[str, str] = {}
    faults: list[Fault] = []
    async with shown(scene, size) as (pilot, app):
        name = app.theme if app.theme in BUILT_IN else DARK
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
    faults: list[Fault] = []
    # Whether there are colours is read once, when the app begins.
    for some in ([kind for kind in kinds if kind != NONE], [kind for kind in kinds if kind == NONE]):
        if some:
            with own_home():
                os.environ.pop("NO_COLOR", None)
                if NONE in some:
                    os.environ["NO_COLOR"] = "1"
                made, found = asyncio.run(pictures(scene, size, some))
            faults += found
            for kind, svg in made.items():
                file = PAGE / file_of(scene, size, kind)
                file.write_bytes(as_png(svg))
                print(file, flush=True)
    return faults


def file_of(scene: Scene, size: Size, kind: str) -> str:
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


def make_page(words: Sequence[str]) -> None:
    """Make the pictures asked for, or all of them, and their page."""
    PAGE.mkdir(parents=True, exist_ok=True)
    scenes = [scene for scene in SCREENS if scene.name in words] or SCREENS
    asked = [size for word in words if (size := re.fullmatch(r"(\d+)x(\d+)", word))]
    sizes = [(int(size[1]), int(size[2])) for size in asked] or SIZES
    kinds = [kind for kind in KINDS if kind in words] or KINDS
    unknown = {*words} - {size[0] for size in asked} - {*KINDS} - {one.name for one in SCREENS}
    if unknown:
        raise SystemExit(f"There is no screen {', '.join(sorted(unknown))}: {' '.join(one.name for one in SCREENS)}")
    faults = [fault for scene in scenes for size in sizes for fault in draw(scene, size, kinds)]
    (PAGE / "index.html").write_text(page(scenes, sizes, kinds), encoding="utf-8")
    for fault in faults:
        print(fault)
    print(f"{len(faults)} too faint; the page is {PAGE / 'index.html'}")


# Terminals of each kind

TERMINALS_FOLDER: Final = ROOT / "docs" / "terminals"
COLUMNS: Final = 80
ROWS: Final = 24
SECONDS: Final = 30
READY: Final = "Your turn"
"""What the screen says when it is the player's turn."""
PLAY: Final = (
    *("play", "--ruleset", "jamaican", "--seed", "3"),
    *("--seat", "Ann", "--seat", "ai:club", "--seat", "ai:club", "--seat", "ai:club"),
)
BLACK: Final = (0, 0, 0)
GREY: Final = (170, 170, 170)
NORMAL: Final = [BLACK, (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), GREY]
BRIGHT: Final = [(min(255, red + 85), min(255, green + 85), min(255, blue + 85)) for red, green, blue in NORMAL]


@dataclass(frozen=True)
class Terminal:
    """A terminal as a program finds it: its variables, and settings that a player there would choose."""

    name: str
    environment: dict[str, str] = field(default_factory=dict)
    settings: str = ""


TERMINALS: Final = (
    Terminal("truecolor", {"TERM": "xterm-256color", "COLORTERM": "truecolor"}),
    Terminal("256-colours", {"TERM": "xterm-256color"}),
    Terminal("16-colours", {"TERM": "xterm-16color"}),
    Terminal("linux", {"TERM": "linux"}),
    Terminal("screen", {"TERM": "screen"}),
    Terminal("light-background", {"TERM": "xterm-256color", "COLORTERM": "truecolor", "COLORFGBG": "0;15"}),
    Terminal("no-color", {"TERM": "xterm-256color", "NO_COLOR": "1"}),
    Terminal("ascii", {"TERM": "xterm-256color", "LC_ALL": "C", "PYTHONUTF8": "0"}, "ascii = true\n"),
)


def sent_to(terminal: Terminal) -> str:
    """The screen with its colours as escape sequences, once it is the player's turn.

    Raises:
        SystemExit: the table did not come up.
    """
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "settings.toml").write_text('ai_speed = "instant"\nnotes = false\n' + terminal.settings)
        tmux = ("tmux", "-L", f"pictures-{terminal.name}", "-f", "/dev/null")
        unset = "env -u COLORTERM -u NO_COLOR -u COLORFGBG -u TMUX "
        given = shlex.join(f"{name}={value}" for name, value in {"KALOOKI_HOME": home, **terminal.environment}.items())
        order = f"{unset}{given} {shlex.join([sys.executable, '-m', 'kalooki_tui', *PLAY])}"
        subprocess.run([*tmux, "new", "-d", "-x", str(COLUMNS), "-y", str(ROWS), order], check=True)
        try:
            for _ in range(SECONDS * 2):
                time.sleep(0.5)
                plain = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True).stdout
                if READY in plain:
                    time.sleep(1)
                    return subprocess.run(
                        [*tmux, "capture-pane", "-p", "-e", "-N"], capture_output=True, text=True, check=True
                    ).stdout
                if " p " in plain:
                    subprocess.run([*tmux, "send-keys", "p"], check=True)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)
    raise SystemExit(f"{terminal.name}: the table did not come up")


def picture(screen: str, name: str) -> None:
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    # As one text: what a line leaves switched on counts for the next.
    console.print(Text.from_ansi(screen.rstrip("\n")), no_wrap=True, overflow="crop")
    theme = TerminalTheme(BLACK, GREY, NORMAL, BRIGHT)
    (TERMINALS_FOLDER / f"{name}.png").write_bytes(as_png(console.export_svg(title=name, theme=theme)))


def make_terminals(names: Sequence[str]) -> None:
    for terminal in TERMINALS:
        if not names or terminal.name in names:
            picture(sent_to(terminal), terminal.name)
            print(f"docs/terminals/{terminal.name}.png")


def main() -> None:
    """Make what the first word says, screenshots by default."""
    question.QUIET_SECONDS = 0.0
    kind, *words = sys.argv[1:] or [""]
    kinds = {"screens": make_page, "terminals": make_terminals}
    if kind in kinds:
        kinds[kind](words)
    else:
        make_screenshots(sys.argv[1:])


if __name__ == "__main__":
    main()
