"""A deal as one seat may know it (§13): a separate value without hidden cards, not a filter in front of the state."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kalooki_tui.cards import Card
    from kalooki_tui.engine.actions import Action, End
    from kalooki_tui.engine.events import History
    from kalooki_tui.engine.melds import Meld
    from kalooki_tui.engine.rules import Rules
    from kalooki_tui.rulesets.model import Contract


class Phase(StrEnum):
    """Phases of a deal (§2)."""

    CUT = "cut"
    CALL_WINDOW = "call-window"
    DECISION = "decision"
    FLIP_WINDOW = "flip-window"
    FLIP_DECISION = "flip-decision"
    DRAW = "draw"
    PLAY = "play"
    ADD_ON = "add-on"
    BUY_IN = "buy-in"
    OVER = "over"


class HasLaid(StrEnum):
    NO = "no"
    THIS_TURN = "this-turn"
    EARLIER = "earlier"


class View(Struct, frozen=True):
    """Table as `seat` may see it. Tuples with one entry a seat are in clockwise order from seat 0."""

    seat: int
    names: tuple[str, ...]
    rules: Rules
    deal: int
    attempt: int
    contract: Contract
    dealer: int
    turn: int
    phase: Phase
    actor: int | None
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    laid: tuple[HasLaid, ...]
    calls: tuple[int, ...] | None
    """Successful calls so far; None under the penalties referee (D23)."""
    bend_forbidden: bool
    melds: tuple[Meld, ...]
    discard: Card | None
    """Top of the discard pile; None if no card of it is face up."""
    discarded_by: int | None
    """Seat that threw it; None: nobody (D2)."""
    pile: int
    dead: bool
    """Nobody may call or take the top discard (C4, D8)."""
    flip: Card | None
    caller: int | None
    stock: int
    reshuffles: int
    out: int | None
    in_deal: tuple[bool, ...]
    """False: eliminated, or dropped out of the deal (F3, P3)."""
    totals: tuple[int, ...]
    penalties: tuple[int, ...]
    """Points charged so far in this deal, a cut's bonus included."""
    money: tuple[int, ...]
    pool: int
    buy_ins: tuple[int, ...]
    eliminated: tuple[bool, ...]
    history: History
    legal: tuple[Action, ...]
    """Actions open to this seat; lays, cuts, chains of tacks and uses of a freed joker are not listed."""
    may_lay: bool
    """This seat may lay, if it has the melds; `permissions.why_no_lay` says why not."""
    may_add: bool
    """This seat may tack and swap, if it has the cards; `additions.reach_of` lists the ways."""
    added: tuple[tuple[tuple[int, End], int], ...]
    """Cards added in this turn to the ends of runs, by meld and end (K6)."""
    may_challenge: tuple[int, ...]
    drawn: Card | None = None
    """Discard that the turn seat has drawn in this turn and may not throw (H5), or has still to use (H6)."""
