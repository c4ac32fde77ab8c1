"""Events: one value for each fact. `public()` of an event holds nothing that only one seat may know (V1, V2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import MOST_SEATS, Kind, Source


class Dealt(Struct, frozen=True):
    """A deal began: `attempt` counts from 1 and grows with each void deal of the same contract."""

    deal: int
    attempt: int
    dealer: int
    turn: int
    card: Card
    """The card turned up."""


class CutMade(Struct, frozen=True):
    """The dealer cut a packet; how many cards it held is nobody's to know (B1)."""

    seat: int
    count: int | None
    exact: bool


class Passed(Struct, frozen=True):
    """A seat did not call."""

    seat: int


class Called(Struct, frozen=True):
    """A seat called `card`."""

    seat: int
    card: Card


class CallAllowed(Struct, frozen=True):
    """`caller` took the called card; `seat` is the turn seat; `asked`: it could have refused."""

    seat: int
    caller: int
    card: Card
    asked: bool


class CallRefused(Struct, frozen=True):
    """The turn seat took the called card (the discard, or Tuluki's flip) as its draw."""

    seat: int
    caller: int
    card: Card
    source: Source


class PenaltyCard(Struct, frozen=True):
    """The caller took a card from the stock; its face is the caller's alone."""

    seat: int
    card: Card | None


class Drew(Struct, frozen=True):
    """The turn seat drew; a stock card's face is its own alone."""

    seat: int
    source: Source
    card: Card | None


class Flipped(Struct, frozen=True):
    """Tuluki: the top of the stock was turned up; `given`: a joker, drawn by the turn seat at once (U2)."""

    card: Card
    given: int | None


class Laid(Struct, frozen=True):
    """A seat laid a meld, number `meld` on the table; `first`: part of its first lay-down."""

    seat: int
    meld: int
    kind: Kind
    cards: tuple[Card, ...]
    first: bool


class Tacked(Struct, frozen=True):
    """A seat added cards to a meld; `now` is the meld's cards after it."""

    seat: int
    meld: int
    cards: tuple[Card, ...]
    now: tuple[Card, ...]


class Swapped(Struct, frozen=True):
    """A seat put `card` in a joker's place; `freed`: the joker went to the seat's hand (K9, K10)."""

    seat: int
    meld: int
    card: Card
    now: tuple[Card, ...]
    freed: bool


class Discarded(Struct, frozen=True):
    """A seat threw a card."""

    seat: int
    card: Card


class TurnEnded(Struct, frozen=True):
    """A seat ended its turn without a discard (D8)."""

    seat: int


class Challenged(Struct, frozen=True):
    """A seat challenged another; `found`: over-calls not charged before; `already`: all were charged before."""

    seat: int
    target: int
    found: int
    already: bool


class Charged(Struct, frozen=True):
    """Penalty points (or a bonus, below zero) for a seat; `clause` says for what."""

    seat: int
    points: int
    clause: str


class DroppedOut(Struct, frozen=True):
    """A seat is out of the deal; its cards lie at the bottom of the discard pile (F3)."""

    seat: int
    cards: tuple[Card, ...] | None


class Reshuffled(Struct, frozen=True):
    """The discard pile became the stock; `stock` is its order, top first, and nobody's to know."""

    size: int
    stock: tuple[Card, ...] | None


class WentOut(Struct, frozen=True):
    """A hand is empty; `bent`: in the turn of its first lay-down."""

    seat: int
    bent: bool


class AddedOn(Struct, frozen=True):
    """A seat ended its part in the final add-on (G5)."""

    seat: int


class Voided(Struct, frozen=True):
    """The deal is void: nobody scores (S3)."""

    deal: int
    attempt: int
    turns: int | None = None
    """So many turns of each seat have gone by without a lay-down (D33); None: the stock has run out."""


class Scored(Struct, frozen=True):
    """The deal is scored: cards left, points added (penalties included), running totals."""

    out: int | None
    bent: bool
    doubled: bool
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class PassedOver(Struct, frozen=True):
    """The table passed a contract over after void deals; penalties alone were scored (D15, D23)."""

    deal: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Paid(Struct, frozen=True):
    """Counters moved: `changes` by seat, and what went to the pool (P1-P4)."""

    reason: str
    changes: tuple[int, ...]
    pool: int


class Eliminated(Struct, frozen=True):
    """A seat's total went over the limit (P3)."""

    seat: int


class BoughtIn(Struct, frozen=True):
    """An eliminated seat bought in again at `total` (P3)."""

    seat: int
    total: int


class SeatLeft(Struct, frozen=True):
    """An eliminated seat did not buy in."""

    seat: int


class MatchOver(Struct, frozen=True):
    """The match has its result (G6, D29, P4)."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


Event: TypeAlias = (
    Dealt
    | CutMade
    | Passed
    | Called
    | CallAllowed
    | CallRefused
    | PenaltyCard
    | Drew
    | Flipped
    | Laid
    | Tacked
    | Swapped
    | Discarded
    | TurnEnded
    | Challenged
    | Charged
    | DroppedOut
    | Reshuffled
    | WentOut
    | AddedOn
    | Voided
    | Scored
    | PassedOver
    | Paid
    | Eliminated
    | BoughtIn
    | SeatLeft
    | MatchOver
)


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
