"""AI seats and programs at a sitting: who thinks for them, how long a move is shown, how fast they are in a race."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from kalooki_tui.desk.setup.plan import Speed
from kalooki_tui.desk.words.telling import log_line
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Pass, Refuse, Swap, Tack
from kalooki_tui.engine.events import Dealt, Event
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.players import decide_without_core, without_core
from kalooki_tui.players.processes.thinker import WorkerLost
from kalooki_tui.players.protocol import Decision

if TYPE_CHECKING:
    from kalooki_tui.desk.table.sitting import Sitting
    from kalooki_tui.table.table import Driver

#: Seconds after which an AI seat's move is shown, at natural speed.
NATURAL_SECONDS: Final[dict[type, float]] = {
    Pass: 0.12,
    Call: 0.9,
    Allow: 0.9,
    Refuse: 0.9,
    Draw: 0.7,
    Lay: 1.4,
    Tack: 0.9,
    Swap: 1.2,
    Discard: 0.9,
}
OTHER_SECONDS: Final = 0.7
SPEED_FACTOR: Final = {Speed.INSTANT: 0.0, Speed.BRISK: 0.3, Speed.NATURAL: 1.0}


class Thinks(Protocol):
    """Who decides for the AI seats: `players.thinker.Thinker`, or a stand-in in tests."""

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat."""
        ...


class AiSeats:
    """The seats of a sitting that no person plays."""

    def __init__(self, sitting: Sitting, driver_of: Callable[[], Driver], thinker: Thinks) -> None:
        """`driver_of`: the driver of the table there is now; one that was taken back has another."""
        self._sitting, self._driver_of, self._thinker = sitting, driver_of, thinker
        self._is_without_core = False
        """Whether the process that thinks was lost twice over one decision."""

    async def move(self, seat: int) -> None:
        """Let a seat make its move, when it is due; a move that came too late for its moment is not made."""
        sitting = self._sitting
        revision, started = sitting.revision, monotonic()
        view = self._driver_of().table.view(seat)
        decision = await self._decide(seat)
        why = await self._why(view, decision.action)
        await self._pace(decision.action, started)
        if revision == sitting.revision and seat not in sitting.asked:  # its person may have come back
            self._take(seat, decision, why)

    async def race(self, seats: Sequence[int], people: Sequence[int]) -> None:
        """Let seats call by their reaction times (D4), until somebody has called."""
        sitting = self._sitting
        started, window, driver = monotonic(), sitting.moment, self._driver_of()
        for reaction, seat in driver.reactions(seats):
            view = driver.table.view(seat)
            decision = await self._decide(seat)
            why = await self._why(view, decision.action)
            await self._react(started, reaction, people)
            await sitting.wait_paused()
            if self._driver_of() is not driver or seat in sitting.asked:
                return
            self._take(seat, decision, why)
            if sitting.moment != window:
                return  # it has called: the others are not asked any more

    async def _why(self, view: View, action: Action) -> str:
        """The fact that speaks for the move, where somebody will read it."""
        if not self._sitting.explains:
            return ""
        # A table that explains nothing is drawn without the coach.
        from kalooki_tui.coach.reasons import reason_of

        return await asyncio.to_thread(reason_of, view, action)

    def _take(self, seat: int, decision: Decision, why: str) -> None:
        if why:
            self._sitting.explain(seat, why)
        self._driver_of().take(seat, decision)

    async def _decide(self, seat: int) -> Decision:
        driver = self._driver_of()
        table, programs = driver.table, driver.programs
        plan, view = table.plans[seat], table.view(seat)
        if seat in programs:
            return await asyncio.to_thread(programs[seat].decide, view)
        seed, level = table.player_seed(seat), self._sitting.stand_ins.get(seat, plan.level)
        level = without_core(level) if self._is_without_core else level
        try:
            return await self._thinker.decide(level, seed, view)
        except WorkerLost:
            self._is_without_core = True
            return await asyncio.to_thread(decide_without_core, level, seed, view)

    async def _pace(self, action: Action, started: float) -> None:
        """Wait until the move is due; a person's action meanwhile ends the wait."""
        sitting = self._sitting
        revision = sitting.revision
        seconds = NATURAL_SECONDS.get(type(action), OTHER_SECONDS) * SPEED_FACTOR[sitting.speed]
        await asyncio.sleep(max(0.0, started + seconds - monotonic()))
        await sitting.wait_paused(revision)

    async def _react(self, started: float, reaction: float, people: Sequence[int]) -> None:
        """Wait out a reaction time: at natural speed while a person may still call, else nobody could be faster."""
        sitting = self._sitting
        while True:
            sitting.changed.clear()
            contested = any(self._driver_of().table.match.legal(seat) for seat in people)
            factor = SPEED_FACTOR[Speed.NATURAL if contested else sitting.speed]
            left = started + reaction * factor - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(sitting.changed.wait(), left)


class HeldReasons:
    """The reasons of one deal, as far as its steps are in effect."""

    def __init__(self) -> None:
        self._coming: tuple[int, str] | None = None
        """The seat that moves next, and why."""
        self._told: list[tuple[int, str]] = []
        """The events of the deal before a step, and what is told of it."""

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each reason, oldest first; to be shown to nobody before the deal is over."""
        return tuple(line for _, line in self._told)

    def hold(self, seat: int, reason: str) -> None:
        """The seat will move now, for this reason."""
        self._coming = (seat, reason) if reason else None

    def happened(self, before: int, events: Sequence[Event], names: Sequence[str], rules: Rules) -> None:
        """Something happened at the table, after so many events of the deal; what was taken back is forgotten."""
        coming, self._coming = self._coming, None
        if any(isinstance(event, Dealt) for event in events):
            self._told.clear()
            return
        self._told = [one for one in self._told if one[0] < before]
        if coming is None or not events or getattr(events[0], "seat", None) != coming[0]:
            return
        line = log_line(events[0], names, rules)
        if line is not None:
            self._told.append((before, f"{line.text}: {coming[1]}"))
