"""Events: one value for each fact. `public()` of an event holds nothing that only one seat may know (V1, V2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import MOST_SEATS, Kind, Source


class Event(Struct, frozen=True):
    """A fact of a match; each kind of it is a class below."""


class SeatEvent(Event, frozen=True):
    """A fact about a seat: most often what it did."""

    seat: int


class Dealt(Event, frozen=True):
    """A deal began: `attempt` counts from 1 and grows with each void deal of the same contract."""

    deal: int
    attempt: int
    dealer: int
    turn: int
    card: Card
    """The card turned up."""


class CutMade(SeatEvent, frozen=True):
    """The dealer cut a packet; how many cards it held is nobody's to know (B1)."""

    count: int | None
    exact: bool


class Passed(SeatEvent, frozen=True):
    """A seat did not call."""


class Called(SeatEvent, frozen=True):
    """A seat called `card`."""

    card: Card


class CallAllowed(SeatEvent, frozen=True):
    """`caller` took the called card; `seat` is the turn seat; `asked`: it could have refused."""

    caller: int
    card: Card
    asked: bool


class CallRefused(SeatEvent, frozen=True):
    """The turn seat took the called card (the discard, or Tuluki's flip) as its draw."""

    caller: int
    card: Card
    source: Source


class PenaltyCard(SeatEvent, frozen=True):
    """The caller took a card from the stock; its face is the caller's alone."""

    card: Card | None


class Drew(SeatEvent, frozen=True):
    """The turn seat drew; a stock card's face is its own alone."""

    source: Source
    card: Card | None


class Flipped(Event, frozen=True):
    """Tuluki: the top of the stock was turned up; `given`: a joker, drawn by the turn seat at once (U2)."""

    card: Card
    given: int | None


class Laid(SeatEvent, frozen=True):
    """A seat laid a meld, number `meld` on the table; `first`: part of its first lay-down."""

    meld: int
    kind: Kind
    cards: tuple[Card, ...]
    first: bool


class Tacked(SeatEvent, frozen=True):
    """A seat added cards to a meld; `now` is the meld's cards after it."""

    meld: int
    cards: tuple[Card, ...]
    now: tuple[Card, ...]


class Swapped(SeatEvent, frozen=True):
    """A seat put `card` in a joker's place; `freed`: the joker went to the seat's hand (K9, K10)."""

    meld: int
    card: Card
    now: tuple[Card, ...]
    freed: bool


class Discarded(SeatEvent, frozen=True):
    """A seat threw a card."""

    card: Card


class TurnEnded(SeatEvent, frozen=True):
    """A seat ended its turn without a discard (D8)."""


class Challenged(SeatEvent, frozen=True):
    """A seat challenged another; `found`: over-calls not charged before; `already`: all were charged before."""

    target: int
    found: int
    already: bool


class Charged(SeatEvent, frozen=True):
    """Penalty points (or a bonus, below zero) for a seat; `clause` says for what."""

    points: int
    clause: str


class DroppedOut(SeatEvent, frozen=True):
    """A seat is out of the deal; its cards lie at the bottom of the discard pile (F3)."""

    cards: tuple[Card, ...] | None


class Reshuffled(Event, frozen=True):
    """The discard pile became the stock; `stock` is its order, top first, and nobody's to know."""

    size: int
    stock: tuple[Card, ...] | None


class WentOut(SeatEvent, frozen=True):
    """A hand is empty; `bent`: in the turn of its first lay-down."""

    bent: bool


class AddedOn(SeatEvent, frozen=True):
    """A seat ended its part in the final add-on (G5)."""


class Voided(Event, frozen=True):
    """The deal is void: nobody scores (S3)."""

    deal: int
    attempt: int
    turns: int | None = None
    """So many turns of each seat have gone by without a lay-down (D33); None: the stock has run out."""


class Scored(Event, frozen=True):
    """The deal is scored: cards left, points added (penalties included), running totals."""

    out: int | None
    bent: bool
    doubled: bool
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class PassedOver(Event, frozen=True):
    """The table passed a contract over after void deals; penalties alone were scored (D15, D23)."""

    deal: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Paid(Event, frozen=True):
    """Counters moved: `changes` by seat, and what went to the pool (P1-P4)."""

    reason: str
    changes: tuple[int, ...]
    pool: int


class Eliminated(SeatEvent, frozen=True):
    """A seat's total went over the limit (P3)."""


class BoughtIn(SeatEvent, frozen=True):
    """An eliminated seat bought in again at `total` (P3)."""

    total: int


class SeatLeft(SeatEvent, frozen=True):
    """An eliminated seat did not buy in."""


class MatchOver(Event, frozen=True):
    """The match has its result (G6, D29, P4)."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


#: Drawing from the stock as everybody sees it, by seat: the one event of nearly every turn that hides something.
_DREW_STOCK: Final = tuple(Drew(seat, Source.STOCK, None) for seat in range(MOST_SEATS))


def _public_draw(event: Drew) -> Event:
    return _DREW_STOCK[event.seat] if event.source is Source.STOCK else event


#: How the events that hold something hidden look without it.
_PUBLIC: Final[dict[type, Callable[[Any], Event]]] = {
    Drew: _public_draw,
    PenaltyCard: lambda event: PenaltyCard(event.seat, None),
    Reshuffled: lambda event: Reshuffled(event.size, None),
    DroppedOut: lambda event: DroppedOut(event.seat, None),
    CutMade: lambda event: CutMade(event.seat, None, event.exact),
}


def public(event: Event) -> Event:
    """The event without what only one seat, or nobody, may know (V2, B1)."""
    hide = _PUBLIC.get(type(event))
    return event if hide is None else hide(event)
