"""People at the places of a sitting, without a screen: each answers as the club player would."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from kalooki_tui.desk.table.place import Ask, Place, Question
from kalooki_tui.engine.actions import Allow, BuyIn, Call, Cut, Pass
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from kalooki_tui.players.protocol import Decision


class InThisProcess:
    """Thinks for AI seats here, and at once."""

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """What the level decides."""
        return make_player(level, seed).decide(view)


class ClubFront:
    """Shows nothing; whoever sits here plays as the club player does. It sees hands by its place alone."""

    def __init__(self, place: Place, level: str = "club") -> None:
        self.place = place
        self.events: list[Event] = []
        self.asked: list[Question] = []
        self.notices: list[str] = []
        self.heard: list[tuple[str, str]] = []
        self.taken: list[str] = []
        self._players = {seat: make_player(level, f"person {seat}") for seat in place.here}

    def decide(self, seat: int) -> Any:
        """The action of a person here."""
        return self._players[seat].decide(self.place.view(seat)).action

    def calls(self, seat: int) -> bool:
        """Whether a person here, asked at once with others, would call."""
        view = self.place.view(seat)
        asked = replace(view, actor=seat, legal=(Pass(seat), Call(seat)))
        return isinstance(self._players[seat].decide(asked).action, Call)

    async def answer(self, question: Question) -> Any:
        """What the club player would answer."""
        self.asked.append(question)
        match question.ask:
            case Ask.TURN:
                assert self.place.act(self.decide(question.seats[0])) is None
                await asyncio.Event().wait()  # with the move the question has lost its moment
            case Ask.CALLERS:
                return next((seat for seat in question.seats if self.calls(seat)), None)
            case Ask.DECISION:
                return isinstance(self.decide(question.seats[0]), Allow)
            case Ask.CUT:
                action = self.decide(question.seats[0])
                assert isinstance(action, Cut)
                return action.count
            case Ask.BUY_IN:
                return isinstance(self.decide(question.seats[0]), BuyIn)
            case Ask.GO_ON:
                return self.place.public.attempt < 3
        return None

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        """Remember what was told."""
        self.events += events

    def taken_back(self, words: str) -> None:
        """Remember what was told."""
        self.taken.append(words)

    def hear(self, notice: str) -> None:
        """Remember what was told."""
        self.notices.append(notice)

    def said(self, who: str, words: str) -> None:
        """Remember it."""
        self.heard.append((who, words))

    def reseated(self, words: str) -> None:
        """Play for whoever is here now."""
        self.notices.append(words)
        for seat in self.place.here:
            self._players.setdefault(seat, make_player("club", f"person {seat}"))

    def show_missing(self) -> None:
        """Remember nothing: the sitting knows it."""

    def show_trouble(self, words: str) -> None:
        """Remember what was told."""
        self.notices.append(words)


async def play_out(*fronts: ClubFront) -> None:
    """Serve these places until the match is over."""
    tasks = [asyncio.ensure_future(front.place.serve(front)) for front in fronts]
    over = asyncio.ensure_future(_result(fronts))
    try:
        done, _ = await asyncio.wait({*tasks, over}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (*tasks, over):
            task.cancel()


async def _result(fronts: tuple[ClubFront, ...]) -> None:
    while not all(any(asked.ask is Ask.RESULT for asked in front.asked) for front in fronts):
        await asyncio.sleep(0.001)
