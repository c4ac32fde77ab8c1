"""People at the places of a session, without a screen: each answers as the club player would."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Allow, BuyIn, Call, Cut, Discard, Draw, Pass, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import PlayerChoice, make_player
from kalooki_tui.presenter.sentences import log_lines
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.session.client import Client, Question, QuestionKind
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan, Speed, plan_of
from kalooki_tui.simulation.runner import single_deal
from kalooki_tui.storage.journal import MatchJournal, unwritten
from kalooki_tui.storage.match_store import Store
from tests.moments import there

PEOPLE = ("Ann", "Bob", "Cat")
Answers: TypeAlias = Mapping[QuestionKind, Callable[[], Awaitable[Any]]]


class InThisProcess:
    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        return make_player(level, seed).decide(view)


async def at_once(function: Callable[..., Any], *given: Any) -> Any:
    return function(*given)


async def never() -> None:
    """Answer nothing: help is open, or the person is asleep."""
    await asyncio.Event().wait()


class ClubFront:
    """Shows nothing; whoever sits here plays as the club player does. It sees hands by its place alone."""

    def __init__(self, place: Client, level: str = "club", on: Answers | None = None) -> None:
        self.client, self.on = place, dict(on or {})
        self.events: list[Event] = []
        self.asked: list[Question] = []
        self.notices: list[str] = []
        self.heard: list[tuple[str, str]] = []
        self.taken: list[str] = []
        self.log: list[str] = []
        """All that is asked and told, in words."""
        self._players = {seat: make_player(level, f"person {seat}") for seat in place.here}

    def decide(self, seat: int) -> Any:
        return self._players[seat].decide(self.client.view(seat)).action

    def calls(self, seat: int) -> bool:
        view = self.client.view(seat)
        asked = replace(view, actor=seat, legal=(Pass(seat), Call(seat)))
        return isinstance(self._players[seat].decide(asked).action, Call)

    async def answer(self, question: Question) -> Any:
        self.asked.append(question)
        self.log.append(f"asked: {question.ask} {question.seats} {question.words}".rstrip())
        if question.ask in self.on:
            return await self.on[question.ask]()
        match question.ask:
            case QuestionKind.TURN:
                assert self.client.act(self.decide(question.seats[0])) is None
                await never()  # with the move the question has lost its moment
            case QuestionKind.CALLERS:
                return next((seat for seat in question.seats if self.calls(seat)), None)
            case QuestionKind.DECISION:
                return isinstance(self.decide(question.seats[0]), Allow)
            case QuestionKind.CUT:
                action = self.decide(question.seats[0])
                assert isinstance(action, Cut)
                return action.count
            case QuestionKind.BUY_IN:
                return isinstance(self.decide(question.seats[0]), BuyIn)
            case QuestionKind.GO_ON:
                return self.client.public.attempt < 3
        return None

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        self.events += events
        session = self.client.session
        self.log += [line.text for line in log_lines(events, session.names, session.rules)]

    def taken_back(self, words: str) -> None:
        self.taken.append(words)
        self.log.append(words)

    def hear(self, notice: str) -> None:
        self.notices.append(notice)
        self.log.append(notice)

    def said(self, who: str, words: str) -> None:
        self.heard.append((who, words))
        self.log.append(f"{who}: {words}")

    def reseated(self, words: str) -> None:
        self.hear(words)
        for seat in self.client.here:
            self._players.setdefault(seat, make_player("club", f"person {seat}"))

    def show_missing(self) -> None:
        asked = self.client.session.asked_at_once
        if asked is not None:
            self.log.append(f"missing: {asked.missing}")

    def show_trouble(self, words: str) -> None:
        self.hear(words)


@asynccontextmanager
async def serving(*fronts: ClubFront) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(front.client.serve(front)) for front in fronts]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.001)


async def play_out(*fronts: ClubFront) -> None:
    tasks = [asyncio.ensure_future(front.client.serve(front)) for front in fronts]
    result = until(lambda: all(any(one.ask is QuestionKind.RESULT for one in front.asked) for front in fronts), 240)
    over = asyncio.ensure_future(result)
    try:
        done, _ = await asyncio.wait({*tasks, over}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (*tasks, over):
            task.cancel()


def session_of(
    *seats: str, ruleset: str = "baby", whole: bool = False, options: tuple[str, ...] = (), **others: Any
) -> tuple[Table, MatchSession]:
    """A session at one deal, or a whole match, with nothing written down."""
    game, plans = resolve(load_ruleset(ruleset), options, len(seats)), parse_seats(seats)
    table = Table.open(TableSetup(game if whole else single_deal(game, 1), plans, 3))
    thinker = others.pop("thinker", InThisProcess())
    return table, MatchSession(MatchPlan(seats=plans, speed=Speed.INSTANT, **others), unwritten(table), thinker)


def at_own_screens(*people: str, **others: Any) -> tuple[MatchSession, list[ClubFront]]:
    table, session = session_of(*people, **others)
    return session, [ClubFront(session.sit([seat])) for seat in table.people]


class Hesitates(ClubFront):
    """Makes no move, and says whether others may take theirs back."""

    agrees: bool | None = True
    """None: does not answer."""
    thinks: asyncio.Event | None = None
    """Set when the answer is to be given."""

    def __init__(self, place: Client) -> None:
        moves = dict.fromkeys((QuestionKind.TURN, QuestionKind.CALLERS, QuestionKind.DECISION), never)
        super().__init__(place, on={**moves, QuestionKind.CONSENT: self._consent})

    async def _consent(self) -> bool | None:
        if self.thinks is not None:
            await self.thinks.wait()
        return await never() if self.agrees is None else self.agrees


class ThreePlaces:
    """A match of people at their own screens, in which each does only what the test does."""

    def __init__(self, store: Store, plan: MatchPlan, live: MatchJournal) -> None:
        self.store, self.live, self.session = store, live, MatchSession(plan, live, InThisProcess())
        self.fronts = [Hesitates(self.session.sit([seat])) for seat in range(len(plan.seats))]

    @property
    def match(self) -> Match:
        return self.live.table.match

    def passes(self) -> int:
        seat = there(self.match.actor)
        assert self.fronts[seat].client.act(Pass(seat)) is None
        return seat

    def drawn(self) -> int:
        """Everybody passes, and whose turn it is draws; the seat."""
        while self.match.phase in WINDOWS:
            self.passes()
        seat = there(self.match.actor)
        self.fronts[seat].client.act(Draw(seat, Source.STOCK))
        return seat

    def throws(self, seat: int) -> None:
        card = next(card for card in self.match.deal.hands[seat] if card != JOKER)
        assert self.fronts[seat].client.act(Discard(seat, card)) is None

    def thrown(self) -> int:
        seat = self.drawn()
        self.throws(seat)
        return seat


@asynccontextmanager
async def three_places(*others: str, apart: bool = False) -> AsyncIterator[ThreePlaces]:
    """`others`: people beside the three; `apart`: steps are written by another thread, in a teaching match."""
    plan = plan_of("baby", (*PEOPLE, *others), 3, [])
    with Store.open() as store, store.begin(plan.open(), teaching=apart) as live:
        if apart:
            live.write_apart()
        at = ThreePlaces(store, plan, live)
        async with serving(*at.fronts):
            await until(lambda: all(front.asked for front in at.fronts))
            yield at
