"""How the app bears a review of a whole match: python -m scripts.measure_review_screen [--ruleset jamaican] [--seed 1]

A match of club players is played, its review opened in the app (without a terminal), and keys pressed while it counts
in its other process. Printed are the seconds to the first answer, to all deals by value and to the end, the longest
and the median time from a key to its effect, and the memory of both processes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from textual.pilot import Pilot

from kalooki_tui.playouts import why_not
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.recorder import record
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.table.table import Table, TableSetup
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.review import ReviewPage

PATIENCE = 3600.0


def match_lines(ruleset: str, seed: int) -> list[str]:
    """The record of a match of four club players."""
    resolved = resolve(load_ruleset(ruleset), (), 4)
    table = Table.open(TableSetup(resolved, parse_seats(["ai:club"] * 4), seed, settings=make_settings(resolved, {})))
    lines: list[str] = []
    record(table, lines.append)
    play_match(table)
    return lines


def memory(process: int | None) -> float:
    """Megabytes that a process holds."""
    if process is None:
        return 0.0
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def press(pilot: Pilot[None]) -> float:
    """Seconds from a key until all it led to is done."""
    before = time.monotonic()
    await pilot.press("down")
    return time.monotonic() - before


async def measure(lines: list[str]) -> None:
    """Open the review and press keys until it is finished."""
    app = KalookiApp()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        started = time.monotonic()
        app.show_review(lines)
        first = all_by_value = None
        keys: list[float] = []
        worker = 0.0
        while time.monotonic() - started < PATIENCE:
            await asyncio.sleep(0.2)
            page = app.screen
            if not isinstance(page, ReviewPage) or not page.found:
                continue
            now = time.monotonic() - started
            if first is None:
                first = now
                print(f"first answer: {first:.1f} s", flush=True)
            if all_by_value is None and len(page.found) > 1:
                all_by_value = now
                print(f"all deals by value: {all_by_value:.1f} s", flush=True)
            if why_not() or len(page._done) == len(page.found):
                break
            keys.append(await press(pilot))
            if app._reckoner is not None:
                worker = max(worker, memory(app._reckoner.process))
        print(f"end: {time.monotonic() - started:.0f} s, {len(page.found)} deals")
        idle = [await press(pilot) for _ in range(100)]
        times = keys or [0.0]
        print(f"keys: {len(keys)}, median {median(times) * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")
        print(f"once nothing is counted: median {median(idle) * 1000:.0f} ms, longest {max(idle) * 1000:.0f} ms")
        print(f"memory: app {memory(os.getpid()):.0f} MB, the process that counts {worker:.0f} MB")


def main() -> None:
    """Read the command line, play, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    lines = match_lines(chosen.ruleset, chosen.seed)
    with tempfile.TemporaryDirectory() as home:
        os.environ["KALOOKI_HOME"] = home
        asyncio.run(measure(lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
