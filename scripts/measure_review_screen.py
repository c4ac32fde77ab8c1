"""How the app bears a review of a whole match: python -m scripts.measure_review_screen [--ruleset jamaican] [--seed 1]

A match of club players is played, its review opened in the app (without a terminal), and keys pressed while it counts
in its other process. Printed are the seconds to the first answer, to all deals by value and to the end, the longest
and the median time from a key until the screen has been painted anew, the longest time for which the app could hear no
key at all (and its processor time then), and the memory of both processes. `--seconds` ends it earlier.
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

from textual import events

from kalooki_tui.playouts import why_not
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.recorder import record
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.table.table import Table, TableSetup
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.review import ReviewPage

PATIENCE = 3600.0
#: Seconds between two looks at the app, and between two keys.
STEP = 0.005
PAUSE = 0.2


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


class Keys:
    """Presses keys and waits for their effect on the page.

    Not by the pilot's `press`, which waits until the process has been idle for some time, or for a second.
    """

    def __init__(self, app: KalookiApp) -> None:
        self._app, self._done = app, asyncio.Event()
        marks = ReviewPage.mark

        def mark(page: ReviewPage, step: int) -> None:
            marks(page, step)
            page.call_after_refresh(self._done.set)

        ReviewPage.mark = mark  # type: ignore[method-assign]

    async def press(self) -> float:
        """Seconds from a key until the page has been painted."""
        self._done.clear()
        before = time.monotonic()
        event = events.Key("down", None)
        event.set_sender(self._app)
        assert self._app._driver is not None
        self._app._driver.send_message(event)
        await asyncio.wait_for(self._done.wait(), PATIENCE)
        return time.monotonic() - before


class Standstill:
    """The longest time for which the app's loop stood still, and the processor time of that."""

    def __init__(self) -> None:
        self.longest = self.spent = 0.0

    async def watch(self) -> None:
        """Look until it is cancelled."""
        while True:
            before, spent = time.monotonic(), time.process_time()
            await asyncio.sleep(STEP)
            late = time.monotonic() - before - STEP
            if late > self.longest:
                self.longest, self.spent = late, time.process_time() - spent


async def measure(lines: list[str], seconds: float) -> None:
    """Open the review and press keys until it is finished."""
    app = KalookiApp()
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        keys, still = Keys(app), Standstill()
        watching = asyncio.create_task(still.watch())
        started = time.monotonic()
        app.show_review(lines)
        first = all_by_value = None
        times: list[float] = []
        worker = 0.0
        while time.monotonic() - started < seconds:
            await asyncio.sleep(STEP if first is None else PAUSE)
            page = app.screen
            if not isinstance(page, ReviewPage) or not page.found:
                continue
            now = time.monotonic() - started
            if first is None:
                first = now
                print(f"first answer: {first:.2f} s", flush=True)
            if all_by_value is None and len(page.found) > 1:
                all_by_value = now
                print(f"all deals by value: {all_by_value:.1f} s", flush=True)
            if why_not() or len(page._done) == len(page.found):
                break
            times.append(await keys.press())
            if app._reckoner is not None:
                worker = max(worker, memory(app._reckoner.process))
        print(f"end: {time.monotonic() - started:.0f} s, {len(page._done)} deals played out")
        print(f"longest standstill: {still.longest * 1000:.0f} ms, processor time {still.spent * 1000:.0f} ms")
        watching.cancel()
        idle = [await keys.press() for _ in range(100)]
        tell("keys while it counts", times or [0.0])
        tell("keys once nothing is counted", idle)
        print(f"memory: app {memory(os.getpid()):.0f} MB, the process that counts {worker:.0f} MB")


def tell(name: str, times: list[float]) -> None:
    """How long keys took."""
    print(f"{name}: {len(times)}, median {median(times) * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")


def main() -> None:
    """Read the command line, play, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=PATIENCE)
    chosen = parser.parse_args()
    lines = match_lines(chosen.ruleset, chosen.seed)
    with tempfile.TemporaryDirectory() as home:
        os.environ["KALOOKI_HOME"] = home
        asyncio.run(measure(lines, chosen.seconds))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
