"""Turn loop of a match: what it waits for is asked of people, or thought out by AI seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Cut, Discard, Lay, Leave, Pass, Refuse, Swap, Tack
from kalooki_tui.engine.events import Dealt, Event, SeatEvent
from kalooki_tui.engine.permissions import DECISIONS, WINDOWS, has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.headless import outside_player
from kalooki_tui.match.live_match import Driver, Moment, Table, WaitKind
from kalooki_tui.players import PlayerChoice, decide_without_core, without_core
from kalooki_tui.players.seat import called_nearer
from kalooki_tui.players.thinker import WorkerLost
from kalooki_tui.presenter.prompts import card_in_question
from kalooki_tui.presenter.sentences import log_line
from kalooki_tui.session.client import Client, Question, QuestionKind, client_of
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.solver import distance

if TYPE_CHECKING:
    from kalooki_tui.session.match_session import MatchSession


ASK_WORDS: Final = {
    AskCalls.ALWAYS: "about every call you could make",
    AskCalls.HELPS: "about calls that bring the contract nearer",
    AskCalls.TURN: "about no calls before your turn",
}
#: The same for one of several people.
SEVERAL_WORDS: Final = {
    AskCalls.ALWAYS: "always",
    AskCalls.HELPS: "when it brings me nearer",
    AskCalls.TURN: "not in this deal",
}


def wants_asking(view: View, ask: AskCalls) -> bool:
    """Return whether the view's seat is asked in a call window; on its own turn it always is.

    In a race, whoever is left out passes while the others' clocks run. That must not tell them of the hand, so the
    worth of the card does not count there.
    """
    return view.turn == view.seat or _is_wanted(view, ask)


def _is_wanted(view: View, ask: AskCalls) -> bool:
    if called_nearer(view):
        return False  # the card goes to the other whatever this seat says (H3)
    helps = ask is AskCalls.HELPS and (view.rules.settings.race or brings_nearer(view))
    return ask is AskCalls.ALWAYS or helps


def brings_nearer(view: View) -> bool:
    """Return whether the card in question shortens the way from the hand to its contract.

    A call does not where every card that it brings has to be laid too (H9).
    """
    card, _ = card_in_question(view)
    if card is None or has_laid(view, view.seat) or view.contract.whole:
        return False
    now = distance(view.rules, view.contract, view.hand)
    return now > 0 and distance(view.rules, view.contract, (*view.hand, card)) < now


class WhenAsked:
    """Choices of several people at the table, kept with the match; by default, by name, those of the set-up."""

    def __init__(self, plan: MatchPlan, names: Sequence[str] = (), kept: Mapping[str, object] | None = None) -> None:
        self._usual = plan.ask_several
        self._each = {seat: plan.ask_each[name] for seat, name in enumerate(names) if name in plan.ask_each}
        known = {seat: value for seat, value in (kept or {}).items() if seat.isdigit() and value in set(AskCalls)}
        self._chosen = {int(seat): AskCalls(str(value)) for seat, value in known.items()}

    def of(self, seat: int) -> AskCalls:
        return self._chosen.get(seat, self._each.get(seat, self._usual))

    def choose(self, seat: int, ask: AskCalls) -> None:
        self._chosen[seat] = ask

    def begin_deal(self) -> None:
        """Drop what was chosen for one deal."""
        self._chosen = {seat: ask for seat, ask in self._chosen.items() if ask is not AskCalls.TURN}

    def to_keep(self) -> dict[str, str]:
        return {str(seat): ask.value for seat, ask in self._chosen.items()}

    def wants(self, view: View) -> bool:
        """Return whether this person, on the own turn too, wants to be asked about the card."""
        return _is_wanted(view, self.of(view.seat))


#: Seconds after which an AI seat's move is shown, at natural speed.
NATURAL_SECONDS: Final[dict[type, float]] = {
    Pass: 0.12, Lay: 1.4, Swap: 1.2, **dict.fromkeys((Call, Allow, Refuse, Tack, Discard), 0.9)
}  # fmt: skip
OTHER_SECONDS: Final = 0.7
SPEED_FACTOR: Final = {Speed.INSTANT: 0.0, Speed.BRISK: 0.3, Speed.NATURAL: 1.0}


class Thinks(Protocol):
    """Brain of the AI seats: `players.thinker.Thinker`, or a stand-in in tests."""

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice: ...


class HeldReasons:
    def __init__(self) -> None:
        self._coming: tuple[int, str] | None = None
        """Seat that moves next, and its reason."""
        self._told: list[tuple[int, str]] = []
        """Number of events before a step, and its line."""

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for _, line in self._told)

    def hold(self, seat: int, reason: str) -> None:
        self._coming = (seat, reason) if reason else None

    def happened(self, before: int, events: Sequence[Event], names: Sequence[str], rules: Rules) -> None:
        """Note events after the first `before` of the deal; what was taken back is forgotten."""
        coming, self._coming = self._coming, None
        if any(isinstance(event, Dealt) for event in events):
            self._told.clear()
            return
        self._told = [one for one in self._told if one[0] < before]
        if coming is None or not events or not isinstance(events[0], SeatEvent) or events[0].seat != coming[0]:
            return
        line = log_line(events[0], names, rules)
        if line is not None:
            self._told.append((before, f"{line.text}: {coming[1]}"))


#: Questions that only show something: who plays makes no difference to them.
SHOWN: Final = frozenset({QuestionKind.SEATS, QuestionKind.DEAL, QuestionKind.END_OF_DEAL, QuestionKind.RESULT})
#: In the place of an answer: its question has lost its moment, or its client has gone.
WITHDRAWN: Final = object()
#: Seconds that the others have for the end of a deal once the host has gone on.
GOING_ON: Final = 20.0
#: Seconds after which a deal's banner, which goes by itself in three, is not waited for where something lies over it.
BANNER: Final = 4.0
#: Seconds that a window for calls lasts at least where several screens are asked, so that nobody can tell a person who
#: thought about it from one who does not want to be asked.
WINDOW: Final = 0.5
#: Seconds between two looks at a clock.
TICK: Final = 0.1
#: The answer of somebody whose time runs out, where there is a clock, and what they are told.
SILENCE: Final[Mapping[QuestionKind, tuple[Any, str]]] = {
    QuestionKind.CALLERS: (None, "Your time is over: you have let the card go."),
    QuestionKind.DECISION: (True, "Your time is over: the call is allowed."),
}


#: What a person is asked in a phase, where it is no move at the table, and the action that an answer comes to.
_ANSWERS: Final[Mapping[Phase, tuple[QuestionKind, Callable[[int, Any], Action]]]] = {
    Phase.CUT: (QuestionKind.CUT, Cut),
    Phase.BUY_IN: (QuestionKind.BUY_IN, lambda seat, buys: BuyIn(seat) if buys else Leave(seat)),
    **dict.fromkeys(DECISIONS, (QuestionKind.DECISION, lambda seat, allows: Allow(seat) if allows else Refuse(seat))),
}


class TurnLoop:
    def __init__(self, session: MatchSession, clients: Sequence[Client], thinker: Thinks, table: Table) -> None:
        self._session, self._clients = session, clients
        self._thinker, self._is_without_core = thinker, False
        """True once the thinking process was lost twice over one decision."""
        self._open: dict[asyncio.Future[Any], tuple[Moment, Question | None]] = {}
        """Open answers, the decision each belongs to, and its question; None: a race."""
        self._is_begun = False
        self._looked: tuple[int, int] | None = None
        """Deal and attempt at whose start people could look at their hands."""
        self._table = table
        self.driver = self._driver()

    def sit_down(self, table: Table) -> None:
        self.driver.close()
        self._table = table
        self.driver = self._driver()

    def _driver(self) -> Driver:
        table = self._table
        programs = {seat: outside_player(table, seat) for seat, plan in enumerate(table.plans) if plan.is_outside}
        return Driver(table, people=self._session.asked, programs=programs)

    async def run(self) -> None:
        """Play to the result; a fault is told to every client, and the next `run` goes on from there."""
        try:
            if not self._is_begun:
                self._is_begun = True
                await self._show(QuestionKind.SEATS)
                await self._dealt()
            while await self._step():
                pass
            if self._clients[0].here:
                await asyncio.gather(*(self._ask(client, QuestionKind.RESULT) for client in self._clients))
            else:
                await self._show(QuestionKind.RESULT)
                self._session.when_read()
        except Exception as error:  # noqa: BLE001 - whatever went wrong, people get a sentence and keep the match
            for client in self._clients:
                client.fail(error)

    def ask_people(self) -> None:
        """Ask again: somebody else plays a seat."""
        self.driver.ask(self._session.asked)
        for answer, (_, question) in [*self._open.items()]:
            if question is None or question.ask not in SHOWN:
                answer.cancel()

    def withdraw(self, *, all_of_them: bool = False) -> None:
        moment, view = self._session.moment, self._table.view
        for answer, (asked, question) in [*self._open.items()]:
            turn = question.seats if question is not None and question.ask is QuestionKind.TURN else ()
            # Who has passed has moved, though the window is the same for the others.
            if all_of_them or asked != moment or any(not view(seat).legal for seat in turn):
                answer.cancel()

    async def _step(self) -> bool:
        session = self._session
        await self._first_look()
        await session.written()
        wait = self.driver.advance()
        match wait.kind:
            case WaitKind.SEAT if wait.seats[0] in session.asked:
                await self._person(wait.seats[0])
            case WaitKind.SEAT:
                await self._move(wait.seats[0])
            case WaitKind.CALLERS:
                await self._callers(wait.seats)
            case WaitKind.RACE:
                await self._race(wait.seats)
            case WaitKind.END_OF_DEAL:
                session.note_totals()
                await self._show(QuestionKind.END_OF_DEAL)
            case WaitKind.GO_ON:
                again = await self._ask(self._clients[0], QuestionKind.GO_ON)
                if again is not WITHDRAWN:
                    self.driver.deal(again=again)
                    await self._dealt()
            case WaitKind.DEAL:
                self.driver.deal()
                await self._dealt()
            case WaitKind.RESULT:
                await asyncio.to_thread(self.driver.tell_result)
        return wait.kind is not WaitKind.OVER

    async def _dealt(self) -> None:
        await self._session.written()
        if not self._session.is_finished:
            self._session.asking.begin_deal()
            await self._show(QuestionKind.DEAL)

    async def _show(self, ask: QuestionKind) -> None:
        """Show something to everybody until the host and all who play have gone on.

        The host is waited for, except by a banner, which goes by itself; then the others have some time. At a host
        without a seat, a key or whoever goes on first ends the wait. Onlookers hold up nobody.
        """
        shown = {client: asyncio.ensure_future(self._ask(client, ask)) for client in self._clients}
        host, *_ = shown
        others = {client: one for client, one in shown.items() if client.here and client is not host}
        try:
            if ask is QuestionKind.DEAL and len(shown) > 1 and not self._session.is_taught:
                await asyncio.wait([shown[host], *others.values()], timeout=BANNER)
                return
            if not host.here and others:
                await self._gone_on(ask, others, key=shown[host])
                return
            await asyncio.wait([shown[host]])
            if others:
                await self._gone_on(ask, others)
        finally:
            for one in shown.values():
                one.cancel()

    async def _gone_on(
        self, ask: QuestionKind, shown: Mapping[Client, asyncio.Future[Any]], *, key: asyncio.Future[Any] | None = None
    ) -> None:
        """Wait for these clients some seconds, or with `key`, a key at the common table, from the first answer on."""
        session, left, is_begun = self._session, GOING_ON, key is None
        seats = [seat for client in shown for seat in client.here]
        waits = session.ask_at_once(seats, is_hidden=False) if ask is QuestionKind.END_OF_DEAL else None
        try:
            while left > 0 and (pending := {one for one in shown.values() if not one.done()}):
                await asyncio.wait(
                    pending | ({key} if key else set()), timeout=TICK, return_when=asyncio.FIRST_COMPLETED
                )
                if key is not None and key.done():
                    return
                gone = {client: one for client, one in shown.items() if one.done()}
                is_begun = is_begun or any(one.result() is not WITHDRAWN for one in gone.values())
                left -= TICK if is_begun else 0.0
                seconds = ceil(left) if is_begun else 0
                answers = {seat: True for client in gone for seat in client.here}
                if waits is not None and (seconds != waits.seconds or answers.keys() != waits.given.keys()):
                    waits.seconds = seconds
                    session.note_answers(waits, answers)
        finally:
            if waits is not None:
                session.end_asking()

    async def _first_look(self) -> None:
        """Let people who share a screen look at their hands before the first call (without calls, C10, never)."""
        match = self._table.match
        deal, history = match.deal, match.deal.history
        this = deal.number, deal.attempt
        is_fresh = bool(history) and isinstance(history[-1], Dealt) and match.phase is not Phase.CUT
        if self._looked == this or not is_fresh or not match.rules.ruleset.calls.limit:
            return
        await self._session.written()
        self._looked = this
        await asyncio.gather(*(self._ask(client, QuestionKind.LOOK) for client in self._clients if client.is_shared))

    # Asking

    async def _ask(self, client: Client, ask: QuestionKind, *seats: int, moment: Moment | None = None) -> Any:
        """Return the answer; `WITHDRAWN` if the decision at `moment`, by default the present one, has passed."""
        session, now = self._session, self._session.moment
        moment = moment or now
        if moment != now or not self._sit_at(client, seats):
            return WITHDRAWN
        # There is a clock only where others at their own screens wait. A race has one of its own.
        others, race = len(self._clients) > 1 and not client.is_shared, self._table.match.rules.settings.race
        seconds = session.answer_seconds if others and ask in SILENCE and not race else 0
        question = Question(ask, seats, seconds)
        answer = client.ask(question)
        self._open[answer] = moment, question
        try:
            if not await answered(answer, seconds, lambda: session.waits):
                silence, words = SILENCE[ask]
                client.notice(words)
                return silence
            await session.written()
            return WITHDRAWN if answer.cancelled() or moment != session.moment else answer.result()
        finally:
            del self._open[answer]
            answer.cancel()

    def _sit_at(self, client: Client, seats: Sequence[int]) -> bool:
        return client in self._clients and set(seats) <= set(client.here)

    async def _client_of(self, seat: int) -> Client | None:
        """Return the client of a seat's person; if nobody sits there, wait for a change and return None."""
        client = client_of(seat, self._clients)
        if client is None and seat in self._session.asked:
            await self._session.change()
        return client

    async def _person(self, seat: int) -> None:
        phase = self._session.moment.phase
        if phase in WINDOWS and not self._wish(seat)():
            self._table.attempt(Pass(seat), asked=False)
            return
        client = await self._client_of(seat)
        if client is None:
            return
        ask, action_of = _ANSWERS.get(phase, (QuestionKind.TURN, None))
        answer = await self._ask(client, ask, seat)
        if action_of is not None and answer is not WITHDRAWN:
            self._table.attempt(action_of(seat, answer))

    def _wish(self, seat: int) -> Callable[[], bool]:
        """Return what finds out whether a person wants to be asked: slow, and independent of the table."""
        session = self._session
        if session.is_held:
            return lambda: True
        view = self._table.view(seat)
        if len(session.people) > 1:
            return partial(session.asking.wants, view)
        return partial(wants_asking, view, session.ask_calls)

    async def _callers(self, seats: Sequence[int]) -> None:
        """Ask all clients at once who calls; the rules order their answers (C2, D30)."""
        asked = self._session.ask_at_once(seats, is_hidden=len(self._clients) > 1)
        by_client: dict[Client, tuple[int, ...]] = {}
        for seat in (seat for seat in seats if seat not in asked.given):
            client = await self._client_of(seat)
            if client is None:
                return
            by_client[client] = (*by_client.get(client, ()), seat)

        async def answer(client: Client, here: tuple[int, ...]) -> bool:
            answers = await self._who_calls(client, here, asked.moment)
            # Whoever comes back is asked again at once, whether or not the others have answered by then.
            while answers is None and asked.moment == self._session.moment and {*here} <= {*self._session.asked}:
                again = await self._client_of(here[0])
                if again is not None:
                    if not self._sit_at(again, here):
                        break
                    answers = await self._who_calls(again, here, asked.moment)
            if answers is not None:
                self._session.note_answers(asked, answers)
            return answers is not None

        async def hide() -> None:
            if asked.is_hidden:
                await asyncio.sleep(WINDOW)
                asked.is_hidden = False
                self._session.note_answers(asked, {})

        *found, _ = await asyncio.gather(*(answer(client, here) for client, here in by_client.items()), hide())
        if all(found):
            self.driver.answer_callers(asked.given)

    async def _who_calls(self, client: Client, seats: tuple[int, ...], moment: Moment) -> dict[int, bool | None] | None:
        """Return whether each of these people calls; None: not asked. No dict: the moment has passed."""
        for seat in seats:
            if await asyncio.to_thread(self._wish(seat)):
                caller, left = await self._ask(client, QuestionKind.CALLERS, *seats, moment=moment), seats
                # At one screen the first to speak is asked for; whoever sits nearer may speak up now (H3).
                nearest = self._session.rules.ruleset.calls.order == "nearest" and not self._session.rules.settings.race
                while nearest and caller in left[1:]:
                    left = left[: left.index(caller)]
                    nearer = await self._ask(client, QuestionKind.CALLERS, *left, moment=moment)
                    if nearer is None:
                        break
                    caller = nearer
                return None if caller is WITHDRAWN else {seat: seat == caller for seat in seats}
        await self._session.written()
        is_current = moment == self._session.moment and self._sit_at(client, seats)
        return dict.fromkeys(seats) if is_current else None

    async def _race(self, seats: Sequence[int]) -> None:
        """Let the first key pressed call (D4): people have their keys, AI seats their reaction times."""
        session, window = self._session, self._session.moment
        people = tuple(seat for seat in seats if seat in session.asked)
        others = [seat for seat in seats if seat not in people]
        racing: list[Coroutine[Any, Any, None]] = [self._ai_race(others, people)]
        if len(session.people) == 1:
            racing += [self._race_alone(seat, window) for seat in people]
        else:
            clients = [(client, tuple(seat for seat in people if seat in client.here)) for client in self._clients]
            racing += [self._race_client(client, here, window) for client, here in clients if here]
        tasks = [asyncio.ensure_future(one) for one in racing]
        self._open |= dict.fromkeys(tasks, (window, None))
        try:
            # Whoever calls ends the window, and with it what the others were asked.
            await asyncio.wait(tasks)
            for task in tasks:
                if not task.cancelled():
                    task.result()
        finally:
            for task in tasks:
                del self._open[task]
                task.cancel()

    async def _race_client(self, client: Client, seats: tuple[int, ...], window: Moment) -> None:
        answers = await self._who_calls(client, seats, window) or {}
        caller = next((seat for seat, calls in answers.items() if calls), None)
        for seat, calls in answers.items():
            if self._session.moment == window and caller in (None, seat):
                self._table.attempt(Call(seat) if calls else Pass(seat), asked=calls is not None)

    async def _race_alone(self, seat: int, window: Moment) -> None:
        session = self._session
        if not self._wish(seat)():
            self._table.attempt(Pass(seat), asked=False)
            await session.written()
        while session.moment == window and self._table.view(seat).legal:
            client = await self._client_of(seat)
            if client is not None:
                await self._ask(client, QuestionKind.TURN, seat, moment=window)

    # AI seats

    async def _move(self, seat: int) -> None:
        session = self._session
        revision, started = session.revision, monotonic()
        view = self.driver.table.view(seat)
        decision = await self._decide(seat)
        why = await self._why(view, decision.action)
        seconds = NATURAL_SECONDS.get(type(decision.action), OTHER_SECONDS) * SPEED_FACTOR[session.speed]
        decided = session.revision
        await asyncio.sleep(max(0.0, started + seconds - monotonic()))
        await session.wait_paused(decided)
        if revision == session.revision and seat not in session.asked:  # its person may have come back
            self._take(seat, decision, why)

    async def _ai_race(self, seats: Sequence[int], people: Sequence[int]) -> None:
        """Let seats call by their reaction times (D4), until somebody has called."""
        session = self._session
        started, window, driver = monotonic(), session.moment, self.driver
        for reaction, seat in driver.reactions(seats):
            view = driver.table.view(seat)
            decision = await self._decide(seat)
            why = await self._why(view, decision.action)
            await self._react(started, reaction, people)
            await session.wait_paused()
            if self.driver is not driver or seat in session.asked:
                return
            self._take(seat, decision, why)
            if session.moment != window:
                return  # it has called: the others are not asked any more

    async def _why(self, view: View, action: Action) -> str:
        if not self._session.explains:
            return ""
        # A table that explains nothing is drawn without the coach.
        from kalooki_tui.coach.rated_advice import reason_of

        return await asyncio.to_thread(reason_of, view, action)

    def _take(self, seat: int, decision: PlayerChoice, why: str) -> None:
        if why:
            self._session.explain(seat, why)
        self.driver.take(seat, decision)

    async def _decide(self, seat: int) -> PlayerChoice:
        table, programs = self._table, self.driver.programs
        plan, view = table.plans[seat], table.view(seat)
        if seat in programs:
            return await asyncio.to_thread(programs[seat].decide, view)
        seed, level = table.player_seed(seat), self._session.stand_ins.get(seat, plan.level)
        level = without_core(level) if self._is_without_core else level
        try:
            return await self._thinker.decide(level, seed, view)
        except WorkerLost:
            self._is_without_core = True
            return await asyncio.to_thread(decide_without_core, level, seed, view)

    async def _react(self, started: float, reaction: float, people: Sequence[int]) -> None:
        """Wait out a reaction time, at natural speed only while a person may still call."""
        session = self._session
        while True:
            session.changed.clear()
            contested = any(self.driver.table.match.legal(seat) for seat in people)
            factor = SPEED_FACTOR[Speed.NATURAL if contested else session.speed]
            left = started + reaction * factor - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(session.changed.wait(), left)


async def answered(answer: asyncio.Future[Any], seconds: float, waits: Callable[[], bool]) -> bool:
    """Wait for an answer at most `seconds` (0: no clock), not counting pauses; return whether it came."""
    if not seconds:
        await asyncio.wait({answer})
    while seconds > 0 and not answer.done():
        await asyncio.wait({answer}, timeout=TICK)
        seconds -= 0 if waits() else TICK
    return answer.done()
