"""What a sitting tells and asks its places, and what a front end does with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Protocol, TypeAlias

from kalooki_tui.engine.events import Event
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.table.table import Moment


class Ask(Enum):
    """What a place is asked, and the answer."""

    SEATS = auto()
    """The match begins: show who sits where."""
    DEAL = auto()
    """A deal begins."""
    LOOK = auto()
    """Nothing has been done in the deal: people who share the place may look at their hands."""
    TURN = auto()
    """A move of `seats[0]`, made by `Place.act`; an answer has the place asked again."""
    CALLERS = auto()
    """Which of `seats` calls the card: the seat, or None for nobody."""
    DECISION = auto()
    """Whether `seats[0]` allows the call."""
    CUT = auto()
    """How many cards `seats[0]` cuts."""
    BUY_IN = auto()
    """Whether `seats[0]`, eliminated, buys in."""
    GO_ON = auto()
    """Whether a void contract is dealt again, or else passed over (D15)."""
    CONSENT = auto()
    """Whether the people of `seats` let somebody elsewhere take back a step; `words` say which.

    It is asked beside all else: whoever is to move may do so first.
    """
    END_OF_DEAL = auto()
    """Show the end of a deal, until somebody goes on."""
    RESULT = auto()
    """Show the end of the match."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a place is asked, and about which of its seats."""

    ask: Ask
    seats: tuple[int, ...] = ()
    seconds: int = 0
    """How long there is to answer at a table with a clock; 0: as long as it takes."""
    words: str = ""
    """What is asked, where that is not plain from the table."""


@dataclass(slots=True)
class AskedAtOnce:
    """People who are asked at once, until all have answered."""

    moment: Moment
    seats: tuple[int, ...]
    is_hidden: bool
    """Whether nobody may see yet who has answered: whoever is not asked at all answers at once."""
    given: dict[int, bool | None] = field(default_factory=dict)
    """What seats have answered; None: their people did not want to be asked."""
    seconds: int = 0
    """How long the others still have; 0: as long as it takes."""

    @property
    def missing(self) -> tuple[int, ...]:
        """Whom the table waits for, as everybody may know it."""
        return self.seats if self.is_hidden else tuple(seat for seat in self.seats if seat not in self.given)

    def has_answered(self, seat: int | None) -> bool:
        """Say whether a seat has answered about a card."""
        return seat in self.given and self.moment.phase in WINDOWS


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """A question that waits for its answer. The future is cancelled when the question has lost its moment."""

    question: Question
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Front(Protocol):
    """What shows a place to its people: a screen, lines of text, or a stand-in in tests."""

    async def answer(self, question: Question) -> Any:
        """The answer; cancelled where the question has lost its moment."""

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        """Something happened; the events are public."""

    def taken_back(self, words: str) -> None:
        """A step was taken back."""

    def hear(self, notice: str) -> None:
        """Something about the table itself."""

    def said(self, who: str, words: str) -> None:
        """Somebody at this place or another has said something."""

    def reseated(self, words: str) -> None:
        """A seat has another name or another player; perhaps other people are here now."""

    def show_missing(self) -> None:
        """Show whom the table waits for now, and what has been answered here."""

    def show_trouble(self, words: str) -> None:
        """Why the match is not being saved; empty: it is again."""


Message: TypeAlias = Callable[[Front], object]
"""What a sitting tells a place: a call of one of the methods of whatever shows it."""
