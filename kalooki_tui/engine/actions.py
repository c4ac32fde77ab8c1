"""The actions of a seat. Seats are numbers from 0, clockwise; melds on the table are numbers from 0 (`m1` is 0)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import KINDS_OF_CARD, Card

MOST_SEATS: Final = 11


class Kind(StrEnum):
    """Kinds of meld (§1)."""

    SET = "set"
    RUN = "run"


class End(StrEnum):
    """Ends of a run."""

    LOW = "low"
    HIGH = "high"


class Source(StrEnum):
    """Places to draw a card from."""

    STOCK = "stock"
    DISCARD = "discard"
    FLIP = "flip"


class Group(Struct, frozen=True):
    """Cards put forward as one meld, in order; `kind` None: a set if it can be one, else a run."""

    cards: tuple[Card, ...]
    kind: Kind | None = None


class Action(Struct, frozen=True):
    """Action of a seat; its kinds are the classes below."""

    seat: int


class Draw(Action, frozen=True):
    """Draw of the turn's card (C1; the flip: U4)."""

    source: Source


class Call(Action, frozen=True):
    """Call of the top discard, or of Tuluki's flip (C2, U1, U3)."""


class Pass(Action, frozen=True):
    """No call (D30)."""


class Allow(Action, frozen=True):
    """Permission for the caller to have the card (C4)."""


class Refuse(Action, frozen=True):
    """Taking of the called card as the turn's draw (C6)."""


class Lay(Action, frozen=True):
    """Melds laid at once (L1, L5, L8)."""

    groups: tuple[Group, ...]


class Tack(Action, frozen=True):
    """Cards added to a meld in this order, all or none (K1-K6); `end` only where the rules leave it open."""

    cards: tuple[Card, ...]
    meld: int
    end: End | None = None


class Swap(Action, frozen=True):
    """Real card put in a joker's place (K7-K10).

    `end`: where the joker goes, or which ace's place is meant (D26), where the rules leave it open.
    `use` and `use_end`, or `lay`: where the freed joker is used (K10).
    `also`: the second card that frees a set's joker, tacked on (H1).
    """

    card: Card
    meld: int
    end: End | None = None
    use: int | None = None
    use_end: End | None = None
    lay: tuple[Group, ...] = ()
    also: Card | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards that leave the hand for the joker's meld."""
        return (self.card,) if self.also is None else (self.card, self.also)


class Discard(Action, frozen=True):
    """Throw of a card, which ends the turn (S1)."""

    card: Card


class EndTurn(Action, frozen=True):
    """End of the turn without a discard (D8)."""


class Challenge(Action, frozen=True):
    """Claim that a seat has called too often (D13)."""

    target: int


class Cut(Action, frozen=True):
    """Dealer's cut of a packet of `count` cards (B1)."""

    count: int


class Done(Action, frozen=True):
    """End of a seat's part in the final add-on (G5)."""


class BuyIn(Action, frozen=True):
    """Payment of the buy-in stake, to stay in the match (P3)."""


class Leave(Action, frozen=True):
    """Choice to stay eliminated (P3)."""


# Actions without much content, made once: legal lists are built tens of thousands of times a second.
DRAW_STOCK: Final = tuple(Draw(seat, Source.STOCK) for seat in range(MOST_SEATS))
DRAW_DISCARD: Final = tuple(Draw(seat, Source.DISCARD) for seat in range(MOST_SEATS))
DRAW_FLIP: Final = tuple(Draw(seat, Source.FLIP) for seat in range(MOST_SEATS))
CALL: Final = tuple(Call(seat) for seat in range(MOST_SEATS))
PASS: Final = tuple(Pass(seat) for seat in range(MOST_SEATS))
ALLOW: Final = tuple(Allow(seat) for seat in range(MOST_SEATS))
REFUSE: Final = tuple(Refuse(seat) for seat in range(MOST_SEATS))
DISCARD: Final = tuple(tuple(Discard(seat, card) for card in range(KINDS_OF_CARD)) for seat in range(MOST_SEATS))
END_TURN: Final = tuple(EndTurn(seat) for seat in range(MOST_SEATS))
DONE: Final = tuple(Done(seat) for seat in range(MOST_SEATS))
BUY_IN: Final = tuple(BuyIn(seat) for seat in range(MOST_SEATS))
LEAVE: Final = tuple(Leave(seat) for seat in range(MOST_SEATS))
