"""Whole deals at several screens: no screen shows a card that its place knows nothing of.

    python -m lab.leaks 100

Each screen's bytes go through a terminal emulator, and what it shows is read after every step. People decide as club
players do; every card on a screen must be in their own hand, or have been seen by everybody.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from time import monotonic
from unittest.mock import patch

from kalooki_tui.engine.permissions import AFTER_DEAL
from kalooki_tui.hosting.apps import GuestApp
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.players import make_player
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session import turn_loop
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.table import TableScreen
from tests.hosting.tables import Terminal, hosting, leaked
from tests.property.tables import RULESETS

NAMES = ("Ann", "Bob", "Cat", "Dee")
#: Seconds for one deal.
MOST = 240.0


def act(app: GuestApp) -> None:
    """Make the move that is waited for as the club player would, whatever asks for it; read what is only told."""
    table = next((one for one in app.screen_stack if isinstance(one, TableScreen)), None)
    if table is not None and (table.state.is_asked or app.screen is not table):
        for view in map(table.client.view, table.client.here):
            if view.legal and view.phase not in AFTER_DEAL:
                table.client.act(make_player("club", f"person {view.seat}").decide(view).action)
                return
    if isinstance(app.screen, GameScreen) and app.screen.lies_over:
        app.simulate_key("enter")


async def play(ruleset: str, seed: int) -> tuple[int, int]:
    """Play one deal; how many screens were read, and how many showed what they must not."""
    counts = load_ruleset(ruleset).seat_counts
    seats = next(number for number in (3 + seed % 2, 4, 3, 2) if number in counts)
    read = wrong = 0
    async with hosting(*(f"{name}@" for name in NAMES[:seats]), ruleset=ruleset, seed=seed) as host:
        terminals = [Terminal(host, Guest(name, f"key of {name}")) for name in NAMES[:seats]]
        for terminal in terminals:
            await terminal.until("You have a seat.")
        host.begin_match()
        for terminal in terminals:
            await terminal.until("'s hand")
        began = monotonic()
        while monotonic() - began < MOST:
            for terminal in terminals:
                app = terminal.screen._app
                if isinstance(app, GuestApp):
                    app.call_later(act, app)
            await asyncio.sleep(0.03)
            for terminal in terminals:
                if terminal.farewell:
                    raise AssertionError(f"{ruleset} {seed}: a screen has ended: {terminal.farewell}")
                read += 1
                found = leaked(terminal)
                if found:
                    wrong += 1
                    print(f"{ruleset} {seed}: {sorted(found)} on\n{terminal.text}", flush=True)
            if terminals[0].client.public.phase in AFTER_DEAL:
                break
    return read, wrong


async def main_async(deals: int, first: int) -> None:
    """Deals of all rulesets in turn."""
    read = wrong = 0
    for number in range(first, first + deals):
        more, bad = await play(RULESETS[number % len(RULESETS)], 7000 + number)
        read, wrong = read + more, wrong + bad
        print(
            f"{number + 1 - first} deals: {read} screens read, {wrong} with a card that they must not show", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", type=int)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    asked = parser.parse_args()
    question.QUIET_SECONDS = 0.0
    with (
        tempfile.TemporaryDirectory() as home,
        patch.dict(os.environ, KALOOKI_HOME=home),
        patch.object(turn_loop, "WINDOW", 0.0),
    ):
        asyncio.run(main_async(asked.deals, asked.first))


if __name__ == "__main__":
    main()
