"""Client of a session: one screen with its people, the questions it is asked, and what it may know.

Messages and questions wait in its own queue until its front end takes them, so that a slow or failing front end holds
up nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Call, Discard, Pass
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Moment, Table
from kalooki_tui.presenter.commands import not_open
from kalooki_tui.presenter.prompts import answer_words
from kalooki_tui.presenter.turn_state import WRITING, face_down
from kalooki_tui.storage.journal import MatchJournal

if TYPE_CHECKING:
    from kalooki_tui.engine.match import Match
    from kalooki_tui.match.seating import SeatPlan
    from kalooki_tui.session.match_session import MatchSession


class QuestionKind(Enum):
    SEATS = auto()
    DEAL = auto()
    LOOK = auto()
    """Look at hands before anything is done in the deal: asked where several people share a screen."""
    TURN = auto()
    """Move of `seats[0]`, made by `Client.act`; an answer has the client asked again."""
    CALLERS = auto()
    """Seat out of `seats` that calls the card; None: nobody."""
    DECISION = auto()
    """True if `seats[0]` allows the call."""
    CUT = auto()
    """Number of cards that `seats[0]` cuts."""
    BUY_IN = auto()
    """True if `seats[0]`, eliminated, buys in."""
    GO_ON = auto()
    """True if a void contract is dealt again, False if it is passed over (D15)."""
    CONSENT = auto()
    """True if the people of `seats` let somebody elsewhere take back the step in `words`."""
    END_OF_DEAL = auto()
    RESULT = auto()


class Question(Struct, frozen=True):
    ask: QuestionKind
    seats: tuple[int, ...] = ()
    seconds: int = 0
    """Time to answer; 0: unlimited."""
    words: str = ""
    """Text of the question, where the table does not show it."""


@dataclass(slots=True)
class AskedAtOnce:
    """Group of people who are asked at the same time, until all have answered."""

    moment: Moment
    seats: tuple[int, ...]
    is_hidden: bool
    """True while nobody may see who has answered: those who are not asked at all answer at once."""
    given: dict[int, bool | None] = field(default_factory=dict)
    """Answers by seat; None: that person did not want to be asked."""
    seconds: int = 0
    """Time left for the others; 0: unlimited."""

    @property
    def missing(self) -> tuple[int, ...]:
        return self.seats if self.is_hidden else tuple(seat for seat in self.seats if seat not in self.given)

    def has_answered(self, seat: int | None) -> bool:
        return seat in self.given and self.moment.phase in WINDOWS


class PendingQuestion(Struct, frozen=True, eq=False):
    """Question that waits for its answer; the future is cancelled when its moment has passed."""

    question: Question
    answer: asyncio.Future[Any] = msgspec.field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Front(Protocol):
    """Front end of a client: a screen, lines of text, or a stand-in in tests."""

    async def answer(self, question: Question) -> Any:
        """Return the answer; cancelled when the question's moment has passed."""

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        """Show what happened; all events are public."""

    def taken_back(self, words: str) -> None: ...

    def hear(self, notice: str) -> None: ...

    def said(self, who: str, words: str) -> None: ...

    def reseated(self, words: str) -> None:
        """Show that a seat has another name or player; perhaps other people are here now."""

    def show_missing(self) -> None:
        """Show who has not answered yet."""

    def show_trouble(self, words: str) -> None:
        """Show why the match is not being saved; empty: it is again."""


Message: TypeAlias = Callable[[Front], object]
"""Call of one of the front end's methods."""


class TakeBack(Struct, frozen=True):
    why: str = ""
    """Reason against it; empty: allowed."""
    step: Action | None = None
    seats: tuple[int, ...] | None = None
    """Whose last step it is, if others have acted or seen something since; None: the match's last."""
    asks: tuple[int, ...] = ()


#: Commands that only show something, or leave.
READS: Final = frozenset(("settings", "rules", "words", "scores", "last-round", "note-away", "help", "quit"))
#: Commands that only somebody who plays can give, whoever hosts.
PLAYS: Final = frozenset(("hosted-say", "agree", "disagree"))
#: Commands that change or read the whole match, which is the host's, and what a guest is told.
HOSTS: Final[Mapping[str, str]] = {
    "speed": "Only the host changes how fast AI seats move.",
    "reseat": "Only the host changes who plays.",
    "review": "Only the host can review the match: it is saved there.",
}
LOOKS_ON: Final = "Whoever looks on can only watch and read."


class NotHere(Exception):
    """Request for what belongs to a seat whose person does not sit at this client (V2)."""


class Client:
    """Screen at a session; `here` are the seats of its people, none for an onlooker."""

    def __init__(
        self, session: MatchSession, table_of: Callable[[], Table], live: MatchJournal, here: Sequence[int]
    ) -> None:
        self.session = session
        self._table_of, self._live = table_of, live
        self.is_host = not session.clients
        self._looked = -1
        """Revision at which a person last looked at the own hand out of turn."""
        self.here = tuple(here)
        self._messages: deque[PendingQuestion | Message] = deque()
        self._came = asyncio.Event()
        self._front: Front | None = None
        self._posed: list[PendingQuestion] = []
        """Questions without an answer, also those still in the queue."""
        self._answering: set[asyncio.Task[None]] = set()

    def view(self, seat: int) -> View:
        """Return what the person of a seat may know; raise NotHere if nobody here plays it."""
        self._check(seat)
        view = self._table_of().view(seat)
        # All may speak up under H3, and nobody is offered it before they are asked.
        waits = view.phase in WINDOWS and view.actor != seat and not view.rules.settings.race
        return replace(view, legal=()) if waits or self.answer_of(seat) is not None else view

    def answer_of(self, seat: int) -> bool | None:
        """Return whether somebody here who was asked with others calls; None: no answer yet."""
        asked = self.session.asked_at_once
        return bool(asked.given[seat]) if asked is not None and asked.has_answered(seat) else None

    def _why_answered(self, action: Action) -> Refusal | None:
        if not isinstance(action, Call | Pass) or self.answer_of(action.seat) is None:
            return None
        return not_open("C2", answer_words(self.view(action.seat), self.session.asked_at_once))

    @property
    def public(self) -> View:
        return face_down(self._table_of().view(0))

    @property
    def is_shared(self) -> bool:
        return len(self.here) > 1

    def open_hands(self) -> list[tuple[int, tuple[Card, ...]]]:
        """Return hands that everybody sees: of AI seats where nobody plays or in a lesson, of all where one teaches."""
        table = self._table_of()
        if self.session.is_taught:
            shown = range(len(table.plans)) if self.session.hands_are_open else ()
            return [(seat, table.view(seat).hand) for seat in shown]
        if table.people and not self.session.opens_hands:
            return []
        return [(seat, table.view(seat).hand) for seat in range(len(table.plans)) if not table.is_human(seat)]

    def _check(self, seat: int) -> None:
        if seat not in self.here:
            raise NotHere(f"seat {seat} is not at this place")

    def why_not_allowed(self, command: str) -> str:
        """Return why nobody here may ever give the command; empty: they may."""
        return why_not_allowed(command, is_host=self.is_host, plays=bool(self.here))

    def allowed(self, commands: Iterable[str]) -> set[str]:
        return {command for command in commands if not self.why_not_allowed(command)}

    def act(self, *actions: Action) -> Refusal | None:
        """Take actions until one is refused; raise NotHere for a seat that sits elsewhere."""
        if self.session.is_writing:
            return not_open("", WRITING)
        for action in actions:
            self._check(action.seat)
            refusal = self._why_answered(action) or self._table_of().attempt(action)
            self.take_messages()
            if refusal is not None:
                return refusal
        return None

    def why_not(self, action: Action) -> Refusal | None:
        self._check(action.seat)
        return self._why_answered(action) or self._table_of().match.why_not(action)

    def comes_back(self, action: Discard) -> bool:
        self._check(action.seat)
        return self.session.comes_back(action)

    def note_look(self, seat: int) -> None:
        self._check(seat)
        self._looked = self.session.revision

    def may_take_back(self, seat: int | None = None) -> TakeBack:
        """Find what may be taken back by a seat, or with None by anybody here, and who must agree."""
        looked = seat is None and self._looked == self.session.revision
        return self.session.may_take_back(self, seat, looked=looked)

    def undo(self, seat: int | None = None) -> str:
        """Take back the last step of anybody here, or of a seat, or ask who must agree; return why not."""
        found = self.may_take_back(seat)
        why = found.why or (self.session.ask_back(self, found) if found.asks else self.session.undo())
        self.take_messages()
        return why

    def take_back_passes(self) -> bool:
        """Have people asked again who have just passed; return whether that was the last step."""
        found = self.may_take_back()
        may = not found.why and not found.asks and isinstance(found.step, Pass)
        were_taken_back = may and self.session.take_back_passes()
        self.take_messages()
        return were_taken_back

    def say(self, words: str) -> str:
        return self.session.say(self, words)

    def reseat(self, seat: int, plan: SeatPlan) -> str:
        """Give a seat another name or player, a person being one here; return why not."""
        why = WRITING if self.session.is_writing else self.session.reseat(self, seat, plan)
        self.take_messages()
        return why

    def decisions(self) -> list[tuple[str, list[tuple[View, Action]]]]:
        """Return names, views and actions of the people here in this deal, in a teaching match."""
        if not self._live.teaching:
            return []
        return [(self.session.names[seat], [*self._live.decisions(seat).values()]) for seat in self.here]

    def shown_match(self) -> Match:
        """Return a copy of the match with all its cards, in a teaching match; raise NotHere elsewhere."""
        if not (self._live.teaching and self.is_host):
            raise NotHere("the cards of this match are not shown")
        return self._table_of().match.clone()

    def kept_order(self, seat: int) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """Return the order of a hand as last kept, and the bundle of each card; empty: never kept."""
        self._check(seat)
        return self._live.hand(seat)

    def keep_order(self, seat: int, cards: Sequence[Card], bundles: Sequence[int]) -> None:
        self._check(seat)
        self._live.keep_hand(seat, cards, bundles)

    def leave(self) -> None:
        self.session.leave(self)

    def ask(self, question: Question) -> asyncio.Future[Any]:
        """Put a question; the caller cancels the answer when its moment has passed."""
        posed = PendingQuestion(question)
        self._posed.append(posed)
        posed.answer.add_done_callback(lambda _: self._posed.remove(posed))
        self.tell(posed)
        return posed.answer

    def notice(self, words: str) -> None:
        self.tell(lambda front: front.hear(words))

    def tell(self, message: PendingQuestion | Message) -> None:
        self._messages.append(message)
        self._came.set()

    def fail(self, error: Exception) -> None:
        def raised(front: Front) -> None:
            raise error

        self.tell(raised)

    def close(self) -> None:
        for posed in [*self._posed]:
            posed.answer.cancel()

    async def serve(self, front: Front) -> None:
        """Deliver messages and questions to `front` until cancelled; a fault of `front` is raised here."""
        self._front = front
        self._messages.extendleft(reversed([posed for posed in self._posed if posed not in self._messages]))
        self._came.set()
        self.session.begin()
        try:
            while True:
                await self._came.wait()
                self.take_messages()
        finally:
            self._front = None
            for task in self._answering:
                task.cancel()

    def take_messages(self) -> None:
        self._came.clear()
        while self._messages and self._front is not None:
            message = self._messages.popleft()
            if isinstance(message, PendingQuestion):
                task = asyncio.get_running_loop().create_task(self._answer(self._front, message))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)
                message.answer.add_done_callback(lambda _, task=task: task.cancel())  # type: ignore[misc]
            else:
                message(self._front)

    async def _answer(self, front: Front, posed: PendingQuestion) -> None:
        if posed.answer.done():
            return  # withdrawn before anybody has taken it up: it speaks of a table that is no more
        try:
            value = await front.answer(posed.question)
        except Exception as error:  # noqa: BLE001 - it is the front end's, and raised where that is served
            self.fail(error)
        else:
            if not posed.answer.done():
                posed.answer.set_result(value)


def client_of(seat: int, clients: Sequence[Client]) -> Client | None:
    return next((client for client in clients if seat in client.here), None)


def why_not_allowed(command: str, *, is_host: bool, plays: bool) -> str:
    """Return why somebody may not give a command; empty: they may. The host is the first client."""
    if command in READS:
        return ""
    if not plays and (command in PLAYS or not is_host):
        return LOOKS_ON
    return "" if is_host else HOSTS.get(command, "")
