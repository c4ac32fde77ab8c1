"""Why seats moved as they did in a match that has been played: the fact that speaks for each step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kalooki_tui.coach.reasons import reason_of
from kalooki_tui.desk.study.stepping import PastDeal
from kalooki_tui.table.seats import SeatPlan


class Reasons:
    """Of one match, by who sat there."""

    def __init__(self, seats: Sequence[SeatPlan]) -> None:
        self._seats = seats
        self._found: dict[tuple[int, int], str] = {}

    def known(self, deal: int, number: int) -> str | None:
        """What has been found out about a step; None before it has been."""
        return self._found.get((deal, number))

    async def find(self, deal: int, past: PastDeal, number: int) -> str:
        """Why the step of that number was made; a sentence."""
        if (deal, number) not in self._found:
            self._found[deal, number] = await asyncio.to_thread(self._why, past, number)
        return self._found[deal, number]

    def give_up(self, deal: int, number: int) -> None:
        """Nothing can be said of that step."""
        self._found[deal, number] = "The reason for this step is not known."

    def _why(self, past: PastDeal, number: int) -> str:
        action = past.action(number)
        if action is None:
            return "The cards have been dealt: nobody has done anything yet."
        name = self._seats[action.seat].name
        view = past.before(number).view(action.seat)
        if view.actor != action.seat:
            return f"{name} did this out of turn."
        return reason_of(view, action) or f"{name} had nothing to choose."
