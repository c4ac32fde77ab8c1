"""A table whose cards others play too: at its end results are compared."""

from __future__ import annotations

from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.desk.table.place import Place
from kalooki_tui.ui import ways
from kalooki_tui.ui.playing.prompts import TableStage
from kalooki_tui.ui.screens.table import TableScreen


class SameStage(TableStage):
    """What the place is asked; the end of the match leads to the results."""

    def __init__(self, screen: SameScreen) -> None:
        super().__init__(screen)
        self._same = screen

    async def match_over(self) -> None:
        """The results of everybody who has played these cards."""
        self._same.show_results()


class SameScreen(TableScreen):
    """The table of one of several people who play the same cards."""

    def __init__(self, plan: MatchPlan, place: Place) -> None:
        super().__init__(plan, place)
        self.stage = SameStage(self)

    def show_results(self) -> None:
        """Compare."""
        self.app.go(ways.SameCards(self.sitting.duplicate))
