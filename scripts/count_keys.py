"""Count the keys that people at one keyboard press in a round: python scripts/count_keys.py --deals 10

Everybody draws and throws what the club player would, by the key of the card's rank; nobody calls. A round is a turn of
each person. Lay-downs, the look at the start of a deal and its end are counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections import Counter
from typing import Final

from kalooki_tui.cards import ACE, JOKER, RANK, Card
from kalooki_tui.desk.plan import MatchPlan, Speed
from kalooki_tui.engine.actions import Discard, Draw, EndTurn, Lay, Source
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.players.lawful import plain_action
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens import unasked
from kalooki_tui.ui.screens.passing import PassScreen
from kalooki_tui.ui.screens.table import TableScreen
from scripts.keyboard import Keyboard, Thinks

NAMES: Final = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay")
RANK_KEYS: Final = "A234567890JQK"
MOST_STEPS: Final = 20_000


class Counted:
    """A table of people, and the keys they press by what these are for."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.keys: Counter[str] = Counter()
        self.turns = 0
        self._player = make_player("club", "keys")

    async def press(self, what: str, *keys: str) -> None:
        """Press keys that are there for something."""
        self.keys[what] += len(keys)
        await self.keyboard.press(*keys)

    async def play(self, deals: int) -> None:
        """Play until that many deals are over."""
        over = 0
        for _ in range(MOST_STEPS):
            screen = self.keyboard.app.screen
            if isinstance(screen, PassScreen) and screen.hears:
                await self.press("looks" if screen.name == "first-look" else "turn", screen.goes_on)
            elif screen.name == "deal-over":
                over += 1
                await self.press("deals", "enter")
                if over == deals:
                    return
            elif isinstance(screen, TableScreen) and screen.is_mounted and screen.desk.is_asked:
                await self._move(screen)
            elif screen.name in ("match-over", "fault"):
                return
            else:
                await self.keyboard.settle(0.001)
        raise RuntimeError(f"the deals do not end: {self.keyboard.app.screen}")

    async def _move(self, screen: TableScreen) -> None:
        view = screen.desk.view
        action = self._player.decide(view).action
        if not isinstance(action, Draw | Discard | Lay | EndTurn):
            action = plain_action(view)
        if isinstance(action, Draw):
            await self.press("turn", "t" if action.source is Source.DISCARD else "d")
        elif isinstance(action, Lay):
            await self.press("laying", "L", "enter")
        elif isinstance(action, Discard):
            self.turns += 1
            await self._throw(screen, action.card)
        else:
            self.turns += view.phase is Phase.PLAY
            await self.press("turn", "e")

    async def _throw(self, screen: TableScreen, card: Card) -> None:
        key = "asterisk" if card == JOKER else RANK_KEYS[RANK[card] - ACE]
        for _ in range(12):
            await self.press("turn", key)
            if screen.hand.named_card == card:
                break
        await self.press("turn", "x")


async def count(people: int, deals: int, seed: int) -> Counted:
    """Play deals of the Jamaican game."""
    seats = parse_seats(NAMES[:people])
    app = KalookiApp(MatchPlan(seats=seats, seed=seed, speed=Speed.INSTANT), "table", Thinks())
    async with app.run_test(size=(80, 24)) as pilot:
        counted = Counted(Keyboard(pilot))
        await counted.play(deals)
    return counted


def main() -> None:
    """Count, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    unasked.QUIET_SECONDS = 0.0
    keys: Counter[str] = Counter()
    turns, left, seed = 0, arguments.deals, arguments.seed
    while left > 0:
        # A match has nine deals.
        now = min(left, 9)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["KALOOKI_HOME"] = folder
            counted = asyncio.run(count(arguments.people, now, seed))
        keys, turns, left, seed = keys + counted.keys, turns + counted.turns, left - now, seed + 1
    rounds = turns / arguments.people
    print(f"{arguments.deals} deals, {rounds:.1f} rounds of {arguments.people} people, keys: {dict(keys)}")
    print(f"{keys['turn'] / rounds:.1f} keys a round; {sum(keys.values()) / rounds:.1f} with everything else")


if __name__ == "__main__":
    main()
