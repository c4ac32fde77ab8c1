"""Drives a match: asks whose decision it is, paces AI seats, tells the stage what everybody may see.

The flow holds the table; the stage (the screen) gets views and public events from it and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Protocol, TypeVar

from kalooki_tui.desk.asking import wants_asking
from kalooki_tui.desk.plan import AskCalls, Speed
from kalooki_tui.engine.actions import (
    Action,
    Allow,
    BuyIn,
    Call,
    Cut,
    Discard,
    Draw,
    Lay,
    Leave,
    Pass,
    Refuse,
    Swap,
    Tack,
)
from kalooki_tui.engine.events import Event, public
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import decide_without_core, without_core
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.table.driving import Driver, Kind
from kalooki_tui.table.headless import outside_player
from kalooki_tui.table.table import WINDOWS, Moment, Step, Table
from kalooki_tui.values import dataclass

DECISIONS: Final = (Phase.DECISION, Phase.FLIP_DECISION)

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


Answer = TypeVar("Answer")


class Thinks(Protocol):
    """Who decides for the AI seats: `players.thinker.Thinker`, or a stand-in in tests."""

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat."""
        ...


@dataclass(frozen=True, slots=True)
class Caller:
    """The answer of several people: who calls; None: nobody."""

    seat: int | None
    asked: bool = True
    """False: none of them wanted to be asked."""


class Stage(Protocol):
    """What the flow asks of the screen."""

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        """Something happened; the events are public."""

    def reason(self, seat: int, decision: Decision) -> None:
        """Why an AI seat moves as it will now."""

    async def opened(self) -> None:
        """The match begins: show who sits where."""

    async def dealt(self) -> None:
        """A deal begins."""

    async def first_look(self) -> None:
        """At the start of a deal, before anything is done: let several people look at their hands."""

    async def reveal(self, seat: int) -> None:
        """Show this person's hand, behind the curtain first where there is one."""

    def ask(self, seat: int) -> None:
        """It is this person's move, by the keys of the table."""

    def run_clock(self, seat: int) -> None:
        """Where whoever is first gets the card: give one person among AI seats so long to call, then pass."""

    async def ask_callers(self, seats: tuple[int, ...]) -> Caller:
        """Which of these people calls the card, if any."""
        ...

    async def ask_decision(self, seat: int) -> bool:
        """Whether the turn seat allows the call."""
        ...

    async def ask_cut(self, seat: int) -> int:
        """How many cards the packet holds."""
        ...

    async def ask_buy_in(self, seat: int) -> bool:
        """Whether an eliminated seat buys in."""
        ...

    async def ask_go_on(self) -> bool:
        """After void deals: deal again (True) or pass the contract over (D15)."""
        ...

    async def deal_over(self) -> None:
        """Show the end of a deal."""

    async def match_over(self) -> None:
        """Show the end of the match."""


class Flow:
    """One match being played."""

    def __init__(
        self,
        table: Table,
        thinker: Thinks,
        stage: Stage,
        speed: Speed = Speed.NATURAL,
        *,
        ask_calls: AskCalls = AskCalls.ALWAYS,
        opened: bool = False,
    ) -> None:
        self.table = table
        self.speed = speed
        self.ask_calls = ask_calls
        """Which calls one person alone with AI seats is asked about."""
        self.paused = False
        """Whether somebody has stopped the AI seats."""
        self.totals: list[tuple[int, ...]] = []
        """Running totals after each deal scored or passed over."""
        self._thinker = thinker
        self._stage = stage
        self._changed = asyncio.Event()
        self._revision = 0
        self._opened = opened
        """Whether everybody has been shown who sits where."""
        self._held = self._stands = False
        self.last_seat: int | None = None
        """Who made the last step, as far as this flow has seen."""
        self._asked: dict[asyncio.Task[Any], Moment] = {}
        """Questions that lie open, and the decision each belongs to."""
        programs = {seat: outside_player(table, seat) for seat, plan in enumerate(table.plans) if plan.is_outside}
        self._is_without_core = False
        """Whether the process that thinks was lost twice over one decision."""
        self.driver = Driver(table, people=table.humans, programs=programs)
        table.listen(self._on_step)

    # What the screen asks

    def view(self, seat: int) -> View:
        """What a person's seat may know."""
        return self.table.view(seat)

    def act(self, action: Action, *, asked: bool = True) -> Refusal | None:
        """A person's action: taken, or refused with the reason. Not `asked`: a pass that is made for the person."""
        try:
            self.table.apply(action, asked=asked)
        except Refused as refused:
            return refused.refusal
        return None

    def why_not(self, action: Action) -> Refusal | None:
        """Why an action would be refused; nothing changes."""
        return self.table.match.why_not(action)

    def set_paused(self, paused: bool) -> None:
        """Let AI seats wait, or go on."""
        self.paused = paused
        self._wake()

    @property
    def is_held(self) -> bool:
        """Whether a step was taken back, and nothing has happened since."""
        return self._held

    @property
    def waits(self) -> bool:
        """Whether AI seats and clocks wait: somebody has stopped them, or a step was taken back."""
        return self.paused or self._stands

    def ask_again(self) -> None:
        """The hand that lay open has been covered: the same person is asked once more."""
        self._wake()

    def hold(self) -> None:
        """Let AI seats wait until a person has acted."""
        self._held = self._stands = True

    # The match

    async def run(self) -> None:
        """Play from where the match stands to its result."""
        if not self._opened:
            self._opened = True
            await self._stage.opened()
            await self._stage.dealt()
        while await self._step():
            pass
        await self._stage.match_over()

    def close(self) -> None:
        """End the programs at outside seats."""
        self.driver.close()

    async def _step(self) -> bool:
        """Do what the match waits for; whether it goes on."""
        await self._stage.first_look()
        wait = self.driver.advance()
        match wait.kind:
            case Kind.SEAT if self.table.is_human(wait.seats[0]):
                await self._person(wait.seats[0])
            case Kind.SEAT:
                await self._ai(wait.seats[0])
            case Kind.CALLERS:
                answer = await self._answer(self._stage.ask_callers(wait.seats))
                if answer is not None:
                    self.driver.answer_callers(wait.seats, answer.seat, asked=answer.asked)
            case Kind.RACE:
                await self._race(wait.seats)
            case Kind.END_OF_DEAL:
                await self._stage.deal_over()
            case Kind.GO_ON:
                again = await self._answer(self._stage.ask_go_on())
                if again is not None:
                    self.driver.go_on(again=again)
                    await self._dealt()
            case Kind.DEAL:
                self.driver.deal()
                await self._dealt()
            case Kind.RESULT:
                await asyncio.to_thread(self.driver.tell_result)
        return wait.kind is not Kind.OVER

    async def _dealt(self) -> None:
        if not self.table.match.finished:
            await self._stage.dealt()

    def _is_asked(self, seat: int) -> bool:
        """Whether a person in a call window is asked; after a step was taken back always."""
        return self._held or len(self.table.humans) > 1 or wants_asking(self.table.view(seat), self.ask_calls)

    async def _person(self, seat: int) -> None:
        phase, stage = self.table.match.phase, self._stage
        if phase in WINDOWS and not self._is_asked(seat):
            self.act(Pass(seat), asked=False)
            return
        if phase in DECISIONS:
            await stage.reveal(seat)
            allowed = await self._answer(stage.ask_decision(seat))
            if allowed is not None:
                self.act(Allow(seat) if allowed else Refuse(seat))
        elif phase is Phase.CUT:
            count = await self._answer(stage.ask_cut(seat))
            if count is not None:
                self.act(Cut(seat, count))
        elif phase is Phase.BUY_IN:
            buys = await self._answer(stage.ask_buy_in(seat))
            if buys is not None:
                self.act(BuyIn(seat) if buys else Leave(seat))
        else:
            await stage.reveal(seat)
            self._changed.clear()
            stage.ask(seat)
            await self._changed.wait()

    async def _answer(self, question: Coroutine[Any, Any, Answer], moment: Moment | None = None) -> Answer | None:
        """What is answered; None, and the question is taken down, where its decision has passed meanwhile.

        The decision is the one that stands, if no other `moment` is given.
        """
        moment = moment or self.table.moment
        if moment != self.table.moment:
            question.close()
            return None
        task = asyncio.ensure_future(question)
        self._asked[task] = moment
        try:
            await asyncio.wait({task})
            answer = None if task.cancelled() else task.result()
            return answer if self.table.moment == moment else None
        finally:
            del self._asked[task]
            task.cancel()

    async def _ai(self, seat: int) -> None:
        revision, started = self._revision, monotonic()
        decision = await self._decide(seat)
        await self._pace(decision.action, started)
        if revision == self._revision:
            self._apply_ai(seat, decision)

    async def _decide(self, seat: int) -> Decision:
        plan, view = self.table.plans[seat], self.table.view(seat)
        if seat in self.driver.programs:
            return await asyncio.to_thread(self.driver.programs[seat].decide, view)
        seed = self.table.player_seed(seat)
        level = without_core(plan.level) if self._is_without_core else plan.level
        try:
            return await self._thinker.decide(level, seed, view)
        except WorkerLost:
            self._is_without_core = True
            return await asyncio.to_thread(decide_without_core, level, seed, view)

    async def _pace(self, action: Action, started: float) -> None:
        """Wait until the move is due; a person's action meanwhile ends the wait."""
        revision = self._revision
        seconds = NATURAL_SECONDS.get(type(action), OTHER_SECONDS) * SPEED_FACTOR[self.speed]
        await asyncio.sleep(max(0.0, started + seconds - monotonic()))
        await self._wait_paused(revision)

    async def _wait_paused(self, revision: int | None = None) -> None:
        """Wait while AI seats are to, or until something has happened since that revision."""
        revision = self._revision if revision is None else revision
        while self.waits and revision == self._revision:
            self._changed.clear()
            await self._changed.wait()

    def _apply_ai(self, seat: int, decision: Decision) -> None:
        if decision.reason:
            self._stage.reason(seat, decision)
        self.driver.take(seat, decision)

    async def _race(self, seats: tuple[int, ...]) -> None:
        """Calls by the first key pressed (D4): people have their keys, AI seats their reaction times."""
        people = tuple(filter(self.table.is_human, seats))
        others = [seat for seat in seats if seat not in people]
        window = self.table.moment
        racing = [asyncio.ensure_future(self._answer(self._race_ai(others, people), window))]
        if people:
            racing.append(asyncio.ensure_future(self._answer(self._race_people(people), window)))
        try:
            # Whoever calls ends the window, and with it what the others were asked.
            await asyncio.gather(*racing)
        finally:
            for one in racing:
                one.cancel()

    async def _race_people(self, people: tuple[int, ...]) -> None:
        if len(self.table.humans) > 1:
            moment = self.table.moment
            answer = await self._stage.ask_callers(people)
            caller = answer.seat
            for seat in people:
                if self.table.moment == moment and (caller is None or seat == caller):
                    self.act(Pass(seat) if caller is None else Call(seat), asked=answer.asked)
            return
        if not self._is_asked(people[0]):
            self.act(Pass(people[0]), asked=False)
            return
        await self._stage.reveal(people[0])
        self._stage.ask(people[0])
        self._stage.run_clock(people[0])
        while self.table.view(people[0]).legal and self.table.match.phase in WINDOWS:
            self._changed.clear()
            await self._changed.wait()

    async def _race_ai(self, seats: list[int], people: tuple[int, ...]) -> None:
        started, window = monotonic(), self.table.moment
        for reaction, seat in self.driver.reactions(seats):
            decision = await self._decide(seat)
            await self._react(started, reaction, people)
            await self._wait_paused()
            self._apply_ai(seat, decision)
            if self.table.moment != window:
                return  # it has called: the others are not asked any more

    async def _react(self, started: float, reaction: float, people: tuple[int, ...]) -> None:
        """Wait out a reaction time: at natural speed while a person may still call, else nobody could be faster."""
        while True:
            self._changed.clear()
            contested = any(self.table.match.legal(seat) for seat in people)
            factor = SPEED_FACTOR[Speed.NATURAL if contested else self.speed]
            left = started + reaction * factor - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)

    def _on_step(self, step: Step) -> None:
        self._revision += 1
        if step.asked:
            self.last_seat = None if step.action is None else step.action.seat
        if self._held:
            self._held = self._stands = False
        moment = self.table.moment
        for task, asked in self._asked.items():
            if asked != moment:
                task.cancel()
        self._stage.told(tuple(map(public, step.events)), step.refusal)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
