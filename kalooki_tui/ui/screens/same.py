"""A table whose cards others play too: at its end results are compared."""

from __future__ import annotations

import asyncio

from kalooki_tui.desk.plan import MatchPlan
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.table.table import Table
from kalooki_tui.ui.playing.prompts import TableStage
from kalooki_tui.ui.screens.table import TableScreen


class SameStage(TableStage):
    """What the flow asks; the end of the match leads to the results."""

    def __init__(self, screen: SameScreen) -> None:
        super().__init__(screen)
        self._same = screen

    async def match_over(self) -> None:
        """The results of everybody who has played these cards."""
        self._same.show_results()
        # The screen goes, and with it the flow that waits here.
        await asyncio.Event().wait()


class SameScreen(TableScreen):
    """The table of one of several people who play the same cards."""

    def __init__(self, plan: MatchPlan, table: Table, live: LiveMatch) -> None:
        super().__init__(plan, table, live)
        self._duplicate = live.duplicate
        self.stage = SameStage(self)

    def show_results(self) -> None:
        """Compare."""
        self.game.show_same(self._duplicate)
