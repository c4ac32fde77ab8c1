"""How long from a key to what it changes on the screen, with the match written down and without.

    python -m benchmarks.key_to_screen [--keys 300]

The app runs without a terminal, so the time a terminal takes to show what it is sent is not in the figures. A cursor
move is the anchor: it touches no rule and no disk. Beside the time passed stands the processor time that this program
took of it, with all its threads: where the two differ, other programs had the machine, or the disk was waited for.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Final

from textual import events

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.thinker import Thinker
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens.table import TableScreen

#: Seconds between keys. Textual draws at most sixty frames a second, so a key pressed sooner would wait for the next.
BETWEEN: Final = 0.05


@dataclass(frozen=True, slots=True)
class Taken:
    """What a key took until the screen showed it, in milliseconds."""

    passed: float
    processor: float


#: Seconds after which a key is taken to have changed nothing on the screen.
LONGEST: Final = 0.3


class Stopwatch:
    """Tells when the app has next drawn something."""

    def __init__(self, app: KalookiApp) -> None:
        self.drawn = asyncio.Event()
        self._at = (0.0, 0.0)
        """When that was: by the clock, and in the program's processor time; what comes after it is not waited for."""
        draw = app._display

        def display(*arguments: object) -> None:
            draw(*arguments)  # type: ignore[arg-type]
            if not self.drawn.is_set():
                self._at = time.perf_counter(), time.process_time()
                self.drawn.set()

        app._display = display  # type: ignore[method-assign, assignment]

    async def press(self, app: KalookiApp, key: str) -> Taken | None:
        """What it took until the first drawing after the key; None if nothing is drawn."""
        await asyncio.sleep(BETWEEN)
        self.drawn.clear()
        start, busy = time.perf_counter(), time.process_time()
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        try:
            await asyncio.wait_for(self.drawn.wait(), LONGEST)
        except TimeoutError:
            return None
        return Taken(1000 * (self._at[0] - start), 1000 * (self._at[1] - busy))


async def settle(done: Callable[[], bool]) -> None:
    """Let the app come to rest."""
    for _ in range(2000):
        await asyncio.sleep(0.01)
        if done():
            return
    raise RuntimeError("the app did not come to rest")


def my_move(app: KalookiApp, *phases: Phase) -> bool:
    """Whether the person's seat is to act in one of the phases, with the table on top."""
    screen = app.screen
    return isinstance(screen, TableScreen) and screen.state.is_asked and screen.state.view.phase in phases


async def measure(keys: int, *, journal: bool) -> dict[str, list[Taken]]:
    """Times by what was done: cursor moves, cards chosen, draws from the stock, calls passed, discards."""
    plan = MatchPlan(seats=parse_seats(("Ann", "ai:novice", "ai:novice")), seed=3, speed=Speed.INSTANT)
    app = KalookiApp()
    found: dict[str, list[Taken]] = {"cursor": [], "choose": [], "draw": [], "pass": [], "discard": []}
    async with app.run_test(size=(80, 24)):
        if journal:
            app.go(routes.new_match(plan))
        else:
            app.go(routes.at_table(plan, unwritten(plan.open())))
        await settle(lambda: isinstance(app.screen, TableScreen) and app.screen.is_mounted)
        watch = Stopwatch(app)
        while len(found["discard"]) < keys:
            await settle(lambda: not isinstance(app.screen, TableScreen) or app.screen.state.is_asked)
            if my_move(app, Phase.DRAW):
                await keep(found["draw"], watch.press(app, "d"))
            elif my_move(app, Phase.PLAY):
                await discard(app, watch, found)
            elif isinstance(app.screen, TableScreen) or app.screen.name == "call":
                await keep(found["pass"], watch.press(app, "p"))
            else:  # another question, or a deal that is over
                await watch.press(app, "a" if app.screen.name == "decision" else "enter")
    return found


async def discard(app: KalookiApp, watch: Stopwatch, found: dict[str, list[Taken]]) -> None:
    """Move the cursor, and throw the first card that is no joker."""
    screen = app.screen
    assert isinstance(screen, TableScreen)
    place = next(place for place, card in enumerate(screen.hand.shown) if card != JOKER)
    screen.hand.move_cursor(place)
    there, back = ("right", "left") if place + 1 < len(screen.hand.shown) else ("left", "right")
    for key in (there, back):
        await keep(found["cursor"], watch.press(app, key))
    await keep(found["choose"], watch.press(app, "x"))
    await keep(found["discard"], watch.press(app, "x"))


class Watched(Thinker):
    """Says whether it is thinking."""

    is_busy = False

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        """The decision of an AI seat."""
        self.is_busy = True
        try:
            return await super().decide(level, seed, view)
        finally:
            self.is_busy = False


async def measure_beside_masters(keys: int) -> list[Taken]:
    """Times of cursor moves while a master decides."""
    plan = MatchPlan(seats=parse_seats(("Ann", *["ai:master"] * 3)), seed=3, speed=Speed.INSTANT)
    thinker = Watched()
    app = KalookiApp(thinker=thinker)
    found: list[Taken] = []
    moves = cycle(("right", "left"))
    async with app.run_test(size=(80, 24)):
        app.go(routes.at_table(plan, unwritten(plan.open())))
        await settle(lambda: isinstance(app.screen, TableScreen) and app.screen.is_mounted)
        watch = Stopwatch(app)
        while len(found) < keys:
            screen = app.screen
            if not isinstance(screen, TableScreen):
                await watch.press(app, "a" if screen.id == "decision" else "enter")
            elif my_move(app, Phase.CALL_WINDOW):
                await watch.press(app, "p")
            elif my_move(app, Phase.DRAW):
                await watch.press(app, "d")
            elif my_move(app, Phase.PLAY):
                await discard(app, watch, {"cursor": [], "choose": [], "discard": []})
            else:
                was_busy = thinker.is_busy
                taken = await watch.press(app, next(moves))
                if taken is not None and was_busy and thinker.is_busy:
                    found.append(taken)
    return found


async def keep(times: list[Taken], pressed: Awaitable[Taken | None]) -> None:
    """Keep a time that was measured."""
    taken = await pressed
    if taken is not None:
        times.append(taken)


def middle_and_high(times: list[float]) -> tuple[float, float]:
    times.sort()
    return statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]


def main() -> None:
    parser = argparse.ArgumentParser(description="Time keys to the screen.")
    parser.add_argument("--keys", type=int, default=30)
    arguments = parser.parse_args()
    print(f"{'':22}{'median':>10}{'p99':>10}{'processor':>12}{'p99':>10}{'keys':>7}{'x anchor':>10}")
    anchor = None
    with tempfile.TemporaryDirectory() as home:
        os.environ["KALOOKI_HOME"] = home
        for journal in (False, True):
            found = asyncio.run(measure(arguments.keys, journal=journal))
            found["any key"] = [taken for times in found.values() for taken in times]
            for name, times in found.items():
                median, high = middle_and_high([taken.passed for taken in times])
                busy, busy_high = middle_and_high([taken.processor for taken in times])
                anchor = anchor or busy
                label = f"{name}{', written down' if journal else ''}"
                print(
                    f"{label:22}{median:7.1f} ms{high:7.1f} ms{busy:9.1f} ms{busy_high:7.1f} ms{len(times):7}"
                    f"{busy / anchor:10.2f}"
                )
        beside = asyncio.run(measure_beside_masters(4 * arguments.keys))
        for name, values in (
            ("passed", [taken.passed for taken in beside]),
            ("processor", [taken.processor for taken in beside]),
        ):
            median, high = middle_and_high(values)
            figures = f"{median:.1f} ms, p99 {high:.1f} ms, longest {max(values):.1f} ms"
            print(f"cursor while a master thinks, {name}: {figures}, {len(values)} keys")


if __name__ == "__main__":
    main()
