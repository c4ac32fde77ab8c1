"""Why AI seats moved as they did in a match that has been played.

A record holds what was done, not why. But an AI seat decides by its view and its seed alone: asked again, it says why.
Where it would do something else today, the reason cannot be had, and no other is made up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from kalooki_tui.desk.study.stepping import PastDeal
from kalooki_tui.desk.table.ai_seats import Thinks
from kalooki_tui.notation.actions import print_action
from kalooki_tui.players import decide_without_core
from kalooki_tui.players.processes.thinker import WorkerLost
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import player_seed


class Reasons:
    """Of one match: who sat there, its seed if its deals come of one, and who thinks for the AI seats."""

    def __init__(self, seats: Sequence[SeatPlan], seed: int | None, thinker: Thinks) -> None:
        self._seats, self._seed, self._thinker = seats, seed, thinker
        self._found: dict[tuple[int, int], str] = {}

    def known(self, deal: int, number: int) -> str | None:
        """What has been found out about a step; None before it has been."""
        return self._found.get((deal, number))

    async def find(self, deal: int, past: PastDeal, number: int) -> str:
        """Why the step of that number was made, or why that cannot be had; a sentence."""
        if (deal, number) not in self._found:
            self._found[deal, number] = await self._ask(past, number)
        return self._found[deal, number]

    def give_up(self, deal: int, number: int) -> None:
        """The seat cannot be asked about that step."""
        self._found[deal, number] = "The reason is not known: the seat could not be asked again."

    async def _ask(self, past: PastDeal, number: int) -> str:
        action = past.action(number)
        if action is None:
            return "The cards have been dealt: nobody has done anything yet."
        plan = self._seats[action.seat]
        if plan.is_human:
            return f"{plan.name} is a person."
        if plan.is_outside:
            return f"A program plays {plan.name}, and gives no reasons."
        if self._seed is None:
            return f"The record has no seed, so {plan.name} cannot be asked again."
        view = past.before(number).view(action.seat)
        if view.actor != action.seat:
            return f"{plan.name} did this out of turn, and cannot be asked again."
        seed = player_seed(self._seed, action.seat)
        try:
            decision = await self._thinker.decide(plan.level, seed, view)
        except WorkerLost:
            decision = await asyncio.to_thread(decide_without_core, plan.level, seed, view)
        if decision.action != action:
            today = print_action(decision.action, view.names, view.rules.faces)
            return f"The reason is not known: asked again, the seat would play {today!r}."
        if not decision.reason:
            return f"{plan.name}: no reason is given for this step."
        return f"{plan.name}: {decision.reason.rstrip('.')}."
