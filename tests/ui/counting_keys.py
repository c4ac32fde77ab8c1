"""Counts the keys that people at one keyboard press for their turns, who know no more than the screen tells them.

Everybody draws and throws what the club player would, by the key of the card's rank, or at once where the cursor is on
it; nobody calls. Keys for lay-downs, for the look at the start of a deal and at its end are not counted.
"""

from __future__ import annotations

from typing import Final

from kalooki_tui.cards import ACE, JOKER, RANK, Card
from kalooki_tui.engine.actions import Discard, Draw, EndTurn, Lay, Source
from kalooki_tui.engine.view import Phase
from kalooki_tui.players import make_player
from kalooki_tui.players.open_actions import plain_action
from kalooki_tui.ui.screens.passing import PassScreen
from kalooki_tui.ui.screens.table import TableScreen
from tests.drivers.keyboard import Keyboard
from tests.ui.conftest import app_at_table, plan
from tests.ui.openings import running

RANK_KEYS: Final = "A234567890JQK"
MOST_STEPS: Final = 20_000


class Counted:
    """A table of people, the turns they had, and the keys they pressed for them."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.turns = self.keys = 0
        self._player = make_player("club", "keys")

    async def play(self) -> None:
        """Play until a deal is over."""
        for _ in range(MOST_STEPS):
            screen = self.keyboard.app.screen
            if isinstance(screen, PassScreen) and screen.is_heard:
                self.keys += screen.name != "first-look"
                await self.keyboard.press(screen.goes_on)
            elif isinstance(screen, TableScreen) and screen.is_mounted and screen.desk.is_asked:
                await self._move(screen)
            elif screen.name == "decision":
                await self.keyboard.press("a")
            elif screen.name == "deal-over":
                return
            else:
                await self.keyboard.settle(0.001)
        raise RuntimeError(f"the deal does not end: {self.keyboard.app.screen}")

    async def _press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.keyboard.press(*keys)

    async def _move(self, screen: TableScreen) -> None:
        view = screen.desk.view
        action = self._player.decide(view).action
        if not isinstance(action, Draw | Discard | Lay | EndTurn):
            action = plain_action(view)
        if isinstance(action, Draw):
            await self._press("t" if action.source is Source.DISCARD else "d")
        elif isinstance(action, Lay):
            await self.keyboard.press("L", "enter")
        elif isinstance(action, Discard):
            self.turns += 1
            await self._throw(screen, action.card)
        else:
            self.turns += view.phase is Phase.PLAY
            await self._press("e")

    async def _throw(self, screen: TableScreen, card: Card) -> None:
        key = "asterisk" if card == JOKER else RANK_KEYS[RANK[card] - ACE]
        for _ in range(12):
            if screen.hand.cursor_card == card:
                break
            await self._press(key)
        history = len(screen.desk.view.history)
        await self._press("x")
        if screen.desk.seat is not None and len(screen.desk.view.history) == history:
            await self._press("x")  # it was asked for again


async def count(*people: str) -> Counted:
    """Play a deal of the Jamaican game."""
    async with running(app_at_table(plan(*people, ruleset="jamaican", seed=1))) as (pilot, _):
        counted = Counted(Keyboard(pilot))
        await counted.play()
    return counted
