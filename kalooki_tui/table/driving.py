"""The steps of a match one after another, shared by the screen, headless runs and plain text.

The driver knows the order of steps and applies the answers. How a seat is asked, and how long a move is shown, is up
to its caller.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from kalooki_tui.engine.actions import Call, Pass
from kalooki_tui.engine.moments import AFTER_DEAL, WINDOWS, may_call
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import View
from kalooki_tui.players.processes.outside import OutsidePlayer
from kalooki_tui.players.protocol import Decision
from kalooki_tui.table.table import Moment, Table

#: Shortest and longest reaction time of an AI seat where calls go to whoever is first (D4), in seconds.
REACTION_SECONDS: Final = (0.8, 3.0)


class Kind(Enum):
    """Kinds of next steps."""

    SEAT = auto()
    """One seat, `seats[0]`, decides."""
    CALLERS = auto()
    """These people are asked at once which of them calls, as Tuluki's turn seat is, alone, about the card before it;
    `answer_callers` takes the answer."""
    RACE = auto()
    """These seats may call, and the first to do so gets the card (D4)."""
    END_OF_DEAL = auto()
    """The end of a deal is shown."""
    GO_ON = auto()
    """People are asked whether a contract that was void again is dealt again or passed over (D15, D32)."""
    DEAL = auto()
    """`deal` goes on to the next deal."""
    RESULT = auto()
    """`tell_result` tells the programs how the match has ended."""
    WRITING = auto()
    """A step is still being written down; nothing is known of what comes after it."""
    OVER = auto()
    """Nothing: the match is over."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The next step of the match, and the seats it concerns."""

    kind: Kind
    seats: tuple[int, ...] = ()


class Driver:
    """Says what a match waits for. `people` are the seats asked in person, `programs` those played by a program.

    `strict`: a refused move of an AI seat is an error, else the first move open to it is made in its place.
    """

    def __init__(
        self,
        table: Table,
        *,
        people: Collection[int] = (),
        programs: Mapping[int, OutsidePlayer] | None = None,
        strict: bool = False,
    ) -> None:
        self.table = table
        self.programs = dict(programs or {})
        self._people = frozenset(people)
        self._strict = strict
        self._shown: tuple[int, int] | None = None
        """The deal, and the attempt at it, whose end has been shown."""
        self._told = False
        """Whether the programs know the result."""
        self._answers: dict[int, bool | None] = {}
        """Whether people who were asked at once call, when it is their turn to be asked; None: they were not asked."""
        self._answered: Moment | None = None
        """The window these answers belong to."""
        self._notices: set[str] = set()
        """Notices of players' decisions that have been shown."""

    def advance(self) -> Wait:
        """Do what needs nobody, and say what does. The end of a deal and the result come up once."""
        while self._take_answer():
            pass
        match, deal = self.table.match, self.table.match.deal
        if match is not self.table.ahead:
            return Wait(Kind.WRITING)
        if match.finished and not self._told:
            self._told = True
            return Wait(Kind.RESULT)
        if match.phase in AFTER_DEAL and self._shown != (deal.number, deal.attempt):
            self._shown = (deal.number, deal.attempt)
            return Wait(Kind.END_OF_DEAL)
        if match.finished:
            return Wait(Kind.OVER)
        if match.actor is None:
            return Wait(Kind.GO_ON if match.asks_to_go_on and self._people else Kind.DEAL)
        return self._decision(match.actor)

    def _decision(self, seat: int) -> Wait:
        match = self.table.match
        if match.phase in WINDOWS and match.rules.settings.race:
            return Wait(Kind.RACE, tuple(other for other in range(len(match.names)) if match.legal(other)))
        several = len(self._people) > 1 and seat in self._people
        if match.phase in WINDOWS and several:
            return Wait(Kind.CALLERS, tuple(filter(self._people.__contains__, callers(self.table.view(seat), seat))))
        return Wait(Kind.SEAT, (seat,))

    def ask(self, people: Collection[int]) -> None:
        """From now on these seats are asked in person."""
        self._people = frozenset(people)

    # What becomes of answers

    def take(self, seat: int, decision: Decision) -> None:
        """Apply a computer player's decision; its notice is shown once in a match.

        A program that is refused is asked again; after its third refusal the novice plays for it, and the table says
        so. An AI seat is never refused, but for a fault in it.

        Raises:
            Refused: an AI seat was, and the driver is strict.
        """
        if decision.notice and decision.notice not in self._notices:
            self._notices.add(decision.notice)
            self.table.tell(decision.notice)
        try:
            self.table.apply(decision.action)
        except Refused as refused:
            program = self.programs.get(seat)
            if program is not None and not program.failed:
                program.refused(refused.refusal)
            elif self._strict:
                raise
            else:
                name, why = self.table.match.names[seat], refused.refusal.message
                self.table.tell(f"{name} made a move that was refused ({why}); another move is made instead.")
                self.table.apply(self.table.view(seat).legal[0])

    def answer_callers(self, answers: Mapping[int, bool | None]) -> None:
        """Take what people asked at once have answered: whether each calls, None who did not want to be asked.

        AI seats between them are still asked in their places (D30).
        """
        self._answers = dict(answers)
        self._answered = self.table.moment

    def _take_answer(self) -> bool:
        """Apply what a person has answered who is asked now; whether there was something."""
        if self._answers and self._answered != self.table.moment:
            self._answers.clear()
        seat = self.table.match.actor
        if seat is None or seat not in self._answers or self.table.match is not self.table.ahead:
            return False
        calls = self._answers.pop(seat)
        with suppress(Refused):  # then the seat is asked again
            self.table.apply(Call(seat) if calls else Pass(seat), asked=calls is not None)
        return True

    def deal(self) -> None:
        """Go on to the next deal; where nobody can be asked no contract is dealt again for ever (D15, D32)."""
        match = self.table.match
        if not self._people and match.is_void_for_good:
            self.table.pass_over()
        if not self.table.ahead.finished:
            self.table.next_deal()

    def go_on(self, *, again: bool) -> None:
        """Deal a void contract again, or pass it over and go on."""
        if not again:
            self.table.pass_over()
        if not self.table.ahead.finished:
            self.table.next_deal()

    def tell_result(self) -> None:
        """Tell the programs the result; each has a second to end by itself."""
        match = self.table.match
        for program in self.programs.values():
            program.finish(match.names, match.winners, match.totals)

    def close(self) -> None:
        """End the programs."""
        for program in self.programs.values():
            program.close()

    def reactions(self, seats: Collection[int]) -> list[tuple[float, int]]:
        """The reaction times of AI seats in a race, in seconds, and the seats, in order.

        Drawn from the deal's seed, so that a replay gives the same order.
        """
        deal, seed = self.table.match.deal, self.table.match.setup.seed
        stream = f"{seed}/deal {deal.number}.{deal.attempt}/reaction {len(deal.history)}"
        return sorted((random.Random(f"{stream}/{seat}").uniform(*REACTION_SECONDS), seat) for seat in seats)


def callers(view: View, first: int) -> tuple[int, ...]:
    """Seats still asked whether they call, in the order in which they are, from `first` on (C2, C5, C9, D30)."""
    if view.rules.ruleset.draw.offer == "flip":
        return (first,)
    count = len(view.names)
    seats = [(view.turn + step) % count for step in range(1, count)]
    return tuple(seat for seat in seats[seats.index(first) :] if seat != view.discarded_by and may_call(view, seat))
