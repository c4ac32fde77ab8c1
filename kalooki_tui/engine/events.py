"""Events: one value for each fact. `public()` of an event holds nothing that only one seat may know (V1, V2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, overload

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import MOST_SEATS, Kind, Source


class Event(Struct, frozen=True):
    """Fact of a match; its kinds are the classes below."""


class SeatEvent(Event, frozen=True):
    """Fact about a seat: most often its action."""

    seat: int


class Dealt(Event, frozen=True):
    """Start of a deal: `attempt` counts from 1 and grows with each void deal of the same contract."""

    deal: int
    attempt: int
    dealer: int
    turn: int
    card: Card


class CutMade(SeatEvent, frozen=True):
    """Cut of the dealer; nobody may know the number of cards in the packet (B1)."""

    count: int | None
    exact: bool


class Passed(SeatEvent, frozen=True):
    """Pass of a seat that could have called."""


class Called(SeatEvent, frozen=True):
    """Call of `card`."""

    card: Card


class CallAllowed(SeatEvent, frozen=True):
    """Taking of the called card by `caller`; `seat` is the turn seat; `asked`: it could have refused."""

    caller: int
    card: Card
    asked: bool


class CallRefused(SeatEvent, frozen=True):
    """Taking of the called card (the discard, or Tuluki's flip) by the turn seat as its draw."""

    caller: int
    card: Card
    source: Source


class PenaltyCard(SeatEvent, frozen=True):
    """Card that the caller took from the stock; its face is the caller's alone."""

    card: Card | None


class Drew(SeatEvent, frozen=True):
    """Draw of the turn seat; a stock card's face is its own alone."""

    source: Source
    card: Card | None


class Flipped(Event, frozen=True):
    """Turning up of the top of Tuluki's stock; `given`: a joker, drawn by the turn seat at once (U2)."""

    card: Card
    given: int | None


class Laid(SeatEvent, frozen=True):
    """Laying of a meld, number `meld` on the table; `first`: part of the first lay-down."""

    meld: int
    kind: Kind
    cards: tuple[Card, ...]
    first: bool


class Tacked(SeatEvent, frozen=True):
    """Adding of cards to a meld; `now` is the meld's cards after it."""

    meld: int
    cards: tuple[Card, ...]
    now: tuple[Card, ...]


class Swapped(SeatEvent, frozen=True):
    """Swap of `card` for a joker; `freed`: what went to the seat's hand, a joker or a wild card (K9, K10, H7)."""

    meld: int
    card: Card
    now: tuple[Card, ...]
    freed: Card | None


class Discarded(SeatEvent, frozen=True):
    """Discard."""

    card: Card


class TurnEnded(SeatEvent, frozen=True):
    """End of a turn without a discard (D8)."""


class Challenged(SeatEvent, frozen=True):
    """Challenge; `found`: over-calls not charged before; `already`: all were charged before."""

    target: int
    found: int
    already: bool


class Charged(SeatEvent, frozen=True):
    """Penalty points (or a bonus, below zero) for a seat; `clause` says for what."""

    points: int
    clause: str


class DroppedOut(SeatEvent, frozen=True):
    """Exit of a seat from the deal; its cards lie at the bottom of the discard pile (F3)."""

    cards: tuple[Card, ...] | None


class Reshuffled(Event, frozen=True):
    """Reuse of the discard pile as stock; `stock` is its order, top first, and nobody's to know."""

    size: int
    stock: tuple[Card, ...] | None


class WentOut(SeatEvent, frozen=True):
    """Empty hand; `bent`: in the turn of its first lay-down."""

    bent: bool


class AddedOn(SeatEvent, frozen=True):
    """End of a seat's part in the final add-on (G5)."""


class Voided(Event, frozen=True):
    """Void deal: nobody scores (S3)."""

    deal: int
    attempt: int
    turns: int | None = None
    """Turns of each seat without a lay-down (D33); None: the stock has run out."""


class Scored(Event, frozen=True):
    """Score of the deal: cards left, points added (penalties included), running totals."""

    out: int | None
    bent: bool
    doubled: bool
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class PassedOver(Event, frozen=True):
    """Passing over of a contract after void deals; penalties alone were scored (D15, D23)."""

    deal: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Paid(Event, frozen=True):
    """Movement of counters: `changes` by seat, and the rest to the pool (P1-P4)."""

    reason: str
    changes: tuple[int, ...]
    pool: int


class Eliminated(SeatEvent, frozen=True):
    """Total of a seat over the limit (P3)."""


class BoughtIn(SeatEvent, frozen=True):
    """Buy-in of an eliminated seat at `total` (P3)."""

    total: int


class SeatLeft(SeatEvent, frozen=True):
    """Refusal of an eliminated seat to buy in."""


class MatchOver(Event, frozen=True):
    """Result of the match (G6, D29, P4)."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


#: Drawing from the stock as everybody sees it, by seat: the one event of nearly every turn that hides something.
_DREW_STOCK: Final = tuple(Drew(seat, Source.STOCK, None) for seat in range(MOST_SEATS))


#: How the events that hold something hidden look without it.
_PUBLIC: Final[dict[type, Callable[[Any], Event]]] = {
    Drew: lambda event: _DREW_STOCK[event.seat] if event.source is Source.STOCK else event,
    PenaltyCard: lambda event: PenaltyCard(event.seat, None),
    Reshuffled: lambda event: Reshuffled(event.size, None),
    DroppedOut: lambda event: DroppedOut(event.seat, None),
    CutMade: lambda event: CutMade(event.seat, None, event.exact),
}


def public(event: Event) -> Event:
    """Return the event without what only one seat, or nobody, may know (V2, B1)."""
    hide = _PUBLIC.get(type(event))
    return event if hide is None else hide(event)


class History(Sequence[Event]):
    """Events that a list holds now. The list may grow, since a deal only ever adds to it; this does not."""

    __slots__ = ("_events", "_size", "fold")

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._size = len(events)
        self.fold: Any = None
        """Fold of the events, kept here by `public_of`."""

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(index, slice):
            return tuple(self._events[place] for place in range(*index.indices(self._size)))
        return self._events[range(self._size)[index]]

    def __iter__(self) -> Iterator[Event]:
        return islice(self._events, self._size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        if self._size != other._size:
            return False
        return self._events is other._events or all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[History], tuple[list[Event]]]:
        # To another process go these events, and not what the list has grown by since.
        return History, (list(self),)

    def __repr__(self) -> str:
        return f"History({list(self)!r})"
