"""How long from the command to the first screen, against an app of the framework that shows one word.

    python -m benchmarks.start [--times 20]

Every start is a process of its own in a pseudo-terminal, timed until the word that is looked for is drawn. The runs
take turns, so that a busy machine is as busy for each; processor time, which other programs disturb less, is given
beside the time passed. The anchor is the smallest Textual app: what it takes, every program that draws with Textual
takes.

Home is opened by somebody new and by somebody who has settings and a match of theirs on disk. The lines without a
screen have the bare interpreter as their anchor.
"""

from __future__ import annotations

import argparse
import compileall
import os
import pty
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

MINIMAL: Final = """
from textual.app import App
from textual.widgets import Label
class Minimal(App):
    def compose(self):
        yield Label("it stands")
Minimal().run()
"""
SIZE: Final = (100, 30)
"""Columns and rows of the pseudo-terminal."""
LONGEST: Final = 30.0
"""Seconds after which a start is taken to have failed."""
SEQUENCE: Final = re.compile(rb"\x1b\[[0-9;:?<>=]*[a-zA-Z]|\x1b[\]P].*?(?:\x07|\x1b\\)|\x1b[=>]", re.DOTALL)
"""What is sent to a terminal without being seen."""
KALOOKI: Final = (sys.executable, "-m", "kalooki_tui")
SEATS: Final = ("--seat", "Ann", "--seat", "ai:club", "--seat", "ai:club", "--seat", "ai:club")


@dataclass(frozen=True)
class Start:
    """A command, the text that says that it has started (empty: its end does), and the start it is compared with."""

    name: str
    command: tuple[str, ...]
    seen: str = ""
    anchor: str = ""
    at_most: float | None = None
    """The ratio that it is meant to keep to."""
    used: bool = False
    """Whether the player has settings and a match already."""


STARTS: Final = (
    Start("minimal app", (sys.executable, "-c", MINIMAL), "it stands"),
    Start("home, somebody new", KALOOKI, "New match", "minimal app", 1.6),
    Start("home, with matches", KALOOKI, "New match", "minimal app", 1.6, used=True),
    Start(
        "table", (*KALOOKI, "play", "--ruleset", "jamaican", *SEATS, "--seed", "3"), "three threes", "minimal app", 2.0
    ),
    Start("bare interpreter", (sys.executable, "-c", "pass")),
    Start("kalooki --version", (*KALOOKI, "--version"), anchor="bare interpreter"),
    Start("kalooki rules", (*KALOOKI, "rules"), anchor="bare interpreter"),
)


class Took(NamedTuple):
    """Milliseconds of one start."""

    passed: float
    processor: float


def timed(start: Start, home: Path) -> Took:
    """How long one start takes.

    Raises:
        RuntimeError: it ended, or was silent, before the text was seen.
    """
    environment = {**os.environ, "KALOOKI_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    begun = time.perf_counter()
    if not start.seen:
        with subprocess.Popen(start.command, env=environment, stdout=subprocess.DEVNULL) as running:
            _, code, used = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(code)
        if running.returncode:
            raise RuntimeError(f"{start.name} ended with {running.returncode}")
        return Took(1000 * (time.perf_counter() - begun), 1000 * (used.ru_utime + used.ru_stime))
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(start.command[0], start.command, environment)
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    try:
        wait_for(start, terminal, begun)
        passed = 1000 * (time.perf_counter() - begun)
    finally:
        # The leader of its session, and with it the processes that it has started.
        os.killpg(process, signal.SIGKILL)
        os.close(terminal)
        used = os.wait4(process, 0)[2]
    return Took(passed, 1000 * (used.ru_utime + used.ru_stime))


def wait_for(start: Start, terminal: int, begun: float) -> None:
    """Read what is drawn until the text is among it."""
    drawn = b""
    while time.perf_counter() - begun < LONGEST:
        if select.select([terminal], [], [], 1)[0]:
            try:
                drawn += os.read(terminal, 65536)
            except OSError:
                break
            if start.seen.encode() in SEQUENCE.sub(b"", drawn):
                return
    raise RuntimeError(f"{start.name}: {start.seen!r} is not to be seen in {SEQUENCE.sub(b'', drawn)[-500:]!r}")


def make_used(home: Path) -> None:
    """A folder of somebody who has begun a match."""
    timed(next(start for start in STARTS if start.name == "table"), home)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time starts of the program.")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", help="only the starts that have this in their names, and their anchors")
    arguments = parser.parse_args()
    wanted = [start for start in STARTS if not arguments.only or arguments.only in start.name]
    wanted = [start for start in STARTS if start in wanted or start.name in {one.anchor for one in wanted}]
    compileall.compile_dir(Path(__file__).parents[1] / "kalooki_tui", quiet=1)
    times: dict[str, list[Took]] = {start.name: [] for start in wanted}
    with tempfile.TemporaryDirectory() as folder:
        used = Path(folder) / "used"
        make_used(used)
        # The first round reads everything from the disk, and does not count.
        for number in range(arguments.times + 1):
            for start in wanted:
                home = Path(folder) / f"new-{number}"
                took = timed(start, used if start.used else home)
                shutil.rmtree(home, ignore_errors=True)
                if number:
                    times[start.name].append(took)
    passed = {name: [one.passed for one in found] for name, found in times.items()}
    processor = {name: [one.processor for one in found] for name, found in times.items()}
    heads = f"{'median':>10}{'best':>10}{'x anchor':>10}{'processor':>11}{'x anchor':>10}{'at most':>9}"
    print(f"{'':19}{heads}   ({arguments.times} starts each)")
    for start in wanted:
        line = f"{start.name:19}{statistics.median(passed[start.name]):7.0f} ms{min(passed[start.name]):7.0f} ms"
        line += ratio(passed, start) + f"{statistics.median(processor[start.name]):8.0f} ms" + ratio(processor, start)
        print(line + ("" if start.at_most is None else f"{start.at_most:9.1f}"))


def ratio(times: dict[str, list[float]], start: Start) -> str:
    """The median as a multiple of the anchor's."""
    if not start.anchor:
        return f"{'':10}"
    return f"{statistics.median(times[start.name]) / statistics.median(times[start.anchor]):10.2f}"


if __name__ == "__main__":
    main()
