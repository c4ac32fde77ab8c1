"""Play in a terminal of each kind and make a picture of what it is sent: docs/terminals/*.png. Needs tmux.

The table is opened by the command line, as a player opens it, in a window of tmux with the variables of the terminal.
What tmux then holds is what the terminal would show; the sixteen colours are drawn as terminals have them.
"""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from scripts.make_screenshots import as_png

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "terminals"
COLUMNS: Final = 80
ROWS: Final = 24
SECONDS: Final = 30
READY: Final = "Your turn"
"""What the screen says when it is the player's turn."""
PLAY: Final = (
    *("play", "--ruleset", "jamaican", "--seed", "3"),
    *("--seat", "Ann", "--seat", "ai:club", "--seat", "ai:club", "--seat", "ai:club"),
)
DARK: Final = (0, 0, 0)
GREY: Final = (170, 170, 170)
NORMAL: Final = [DARK, (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), GREY]
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


def shown(terminal: Terminal) -> str:
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
    """Draw the screen as PNG."""
    console = Console(width=COLUMNS, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    # As one text: what a line leaves switched on counts for the next.
    console.print(Text.from_ansi(screen.rstrip("\n")), no_wrap=True, overflow="crop")
    theme = TerminalTheme(DARK, GREY, NORMAL, BRIGHT)
    as_png(console.export_svg(title=name, theme=theme), FOLDER / f"{name}.png")


def main() -> None:
    """Make the pictures named on the command line, or all of them."""
    FOLDER.mkdir(exist_ok=True)
    for terminal in TERMINALS:
        if not sys.argv[1:] or terminal.name in sys.argv[1:]:
            picture(shown(terminal), terminal.name)
            print(f"docs/terminals/{terminal.name}.png")


if __name__ == "__main__":
    main()
