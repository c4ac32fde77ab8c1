"""How long from a key to what it changes on the screen, with the match written down and without.

    python -m benchmarks.key_to_screen [--keys 300]

The app runs without a terminal, so the time a terminal takes to show what it is sent is not in the figures. A cursor
move is the anchor: it touches no rule and no disk.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable

from textual import events
from textual.pilot import Pilot

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.view import Phase
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.plan import MatchPlan, Speed
from kalooki_tui.ui.screens.table import TableScreen


class Stopwatch:
    """Tells when the app has next drawn something."""

    def __init__(self, app: KalookiApp) -> None:
        self.drawn = asyncio.Event()
        draw = app._display

        def display(*arguments: object) -> None:
            draw(*arguments)  # type: ignore[arg-type]
            self.drawn.set()

        app._display = display  # type: ignore[method-assign]

    async def press(self, app: KalookiApp, key: str) -> float | None:
        """Milliseconds until the first drawing after the key; None if nothing is drawn."""
        self.drawn.clear()
        start = time.perf_counter()
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        try:
            await asyncio.wait_for(self.drawn.wait(), 2)
        except TimeoutError:
            return None
        return 1000 * (time.perf_counter() - start)


async def settle(pilot: Pilot[object], done: Callable[[], bool]) -> None:
    """Let the app come to rest."""
    for _ in range(2000):
        await pilot.pause(0.005)
        if done():
            return
    raise RuntimeError("the app did not come to rest")


def my_move(app: KalookiApp, *phases: Phase) -> bool:
    """Whether the person's seat is to act in one of the phases, with the table on top."""
    screen = app.screen
    return isinstance(screen, TableScreen) and screen.desk.is_asked and screen.desk.view.phase in phases


async def measure(keys: int, *, journal: bool) -> dict[str, list[float]]:
    """Milliseconds by what was done: cursor moves, draws from the stock, discards."""
    plan = MatchPlan(seats=parse_seats(("Ann", "ai:novice", "ai:novice")), seed=3, speed=Speed.INSTANT)
    app = KalookiApp(plan, "home")
    found: dict[str, list[float]] = {"cursor": [], "draw": [], "discard": []}
    async with app.run_test(size=(80, 24)) as pilot:
        if journal:
            app.play(plan)
        else:
            app.play_table(plan, plan.open())
        watch = Stopwatch(app)
        while len(found["discard"]) < keys:
            await settle(pilot, lambda: not isinstance(app.screen, TableScreen) or app.screen.desk.is_asked)
            if my_move(app, Phase.DRAW):
                await keep(found["draw"], watch.press(app, "d"))
            elif my_move(app, Phase.PLAY):
                await discard(app, pilot, watch, found)
            elif isinstance(app.screen, TableScreen):
                await watch.press(app, "p")
            else:
                # A question, or a deal that is over.
                await pilot.press("a" if app.screen.id == "decision" else "enter")
            await pilot.pause(0.01)
    return found


async def discard(app: KalookiApp, pilot: Pilot[object], watch: Stopwatch, found: dict[str, list[float]]) -> None:
    """Move the cursor, and throw the card it comes to; a joker is not thrown, and not timed."""
    await pilot.press("escape", "right")
    for key in ("right", "left"):
        await keep(found["cursor"], watch.press(app, key))
        await pilot.pause(0.01)
    screen = app.screen
    assert isinstance(screen, TableScreen)
    await watch.press(app, "x")
    await pilot.pause(0.01)
    if screen.hand.cursor_card != JOKER:
        await keep(found["discard"], watch.press(app, "x"))


async def keep(times: list[float], pressed: object) -> None:
    """Keep a time that was measured."""
    taken = await pressed  # type: ignore[misc]
    if taken is not None:
        times.append(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time keys to the screen.")
    parser.add_argument("--keys", type=int, default=30)
    arguments = parser.parse_args()
    print(f"{'':22}{'median':>10}{'p99':>10}{'keys':>7}{'x anchor':>10}")
    anchor = None
    with tempfile.TemporaryDirectory() as home:
        os.environ["KALOOKI_HOME"] = home
        for journal in (False, True):
            found = asyncio.run(measure(arguments.keys, journal=journal))
            for name, times in found.items():
                times.sort()
                median, high = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
                anchor = anchor or median
                label = f"{name}{', written down' if journal else ''}"
                print(f"{label:22}{median:7.1f} ms{high:7.1f} ms{len(times):7}{median / anchor:10.2f}")


if __name__ == "__main__":
    main()
