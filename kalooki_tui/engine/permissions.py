"""Actions that the moment allows a seat, regardless of its cards, by a deal's state or a seat's view of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kalooki_tui.cards import Card
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.wording import does, whose

#: Phases in which seats are asked whether they call.
WINDOWS = (Phase.CALL_WINDOW, Phase.FLIP_WINDOW)
#: Phases in which the turn seat decides on a call.
DECISIONS = (Phase.DECISION, Phase.FLIP_DECISION)
#: Phases that are about Tuluki's flip (U1-U3).
FLIPS = (Phase.FLIP_WINDOW, Phase.FLIP_DECISION)
#: Phases after a deal: nobody plays.
AFTER_DEAL = (Phase.OVER, Phase.BUY_IN)
#: Phases in which melds are laid and added to.
PLAYING = (Phase.PLAY, Phase.ADD_ON)


class Seen(Protocol):
    @property
    def rules(self) -> Rules: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def contract(self) -> Contract: ...
    @property
    def dealer(self) -> int: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def actor(self) -> int | None: ...
    @property
    def laid(self) -> Sequence[HasLaid]: ...
    @property
    def calls(self) -> Sequence[int] | None: ...
    @property
    def drawn(self) -> Card | None: ...
    @property
    def in_deal(self) -> Sequence[bool]: ...
    @property
    def history(self) -> Sequence[Event]: ...


def next_seat(in_deal: Sequence[bool], seat: int) -> int:
    """Return the next seat in the deal, clockwise; the seat itself if there is no other."""
    count = len(in_deal)
    return next((other for step in range(1, count) if in_deal[other := (seat + step) % count]), seat)


def has_laid(table: Seen, seat: int) -> bool:
    return table.laid[seat] is not HasLaid.NO


def may_take(table: Seen, seat: int) -> bool:
    """Check that the seat, in its turn, may draw anything but the stock, and so refuse a call (C1, C6, D17)."""
    return table.laid[seat] is HasLaid.NO or table.rules.ruleset.draw.laid_seat == "either"


def may_call(table: Seen, seat: int) -> bool:
    """Check that the seat has a call left and may use it on some card (C5, C9)."""
    calls, made = table.rules.ruleset.calls, table.calls
    return (
        table.in_deal[seat]
        and (table.laid[seat] is HasLaid.NO or calls.laid_seat)
        and (table.rules.penalties or made is None or made[seat] < calls.limit)
    )


def owes(table: Seen) -> bool:
    """Check that the turn seat has still to put the discard that it has drawn on the table (H6)."""
    return table.drawn is not None and table.rules.ruleset.draw.must_use


def cards_to_keep(table: Seen, seat: int, bend_forbidden: bool) -> int:
    """Return the fewest cards that a lay, tack or swap must leave in the seat's hand (G1, F2, H9)."""
    if table.phase is Phase.ADD_ON or table.contract.whole:
        return 0
    if bend_forbidden and table.laid[seat] is not HasLaid.EARLIER:
        return 2
    return 1 if table.rules.ruleset.discard.last_card == "discard" else 0


def is_playing(table: Seen, seat: int) -> bool:
    """Check that it is the seat's turn to lay, tack and swap, or its part in the final add-on (T1, G5)."""
    return seat == table.turn and table.phase in PLAYING


def may_tack_or_swap(table: Seen, seat: int) -> bool:
    """Check that the seat could tack and swap now if it holds the cards (L9, G5, H4)."""
    return is_playing(table, seat) and adds_now(table, seat)


def adds_now(table: Seen, seat: int) -> bool:
    """Check that the seat has laid, where tacking has to wait for the next turn in an earlier one (L9, H4)."""
    return table.laid[seat] is HasLaid.EARLIER or (has_laid(table, seat) and table.rules.ruleset.lay.same_turn_tack)


def may_lay(table: Seen, seat: int) -> bool:
    """Check that the seat could lay melds now if it holds them (L1, L8, G5)."""
    return is_playing(table, seat) and (not has_laid(table, seat) or table.rules.ruleset.lay.further_melds)


def why_no_lay(table: Seen, seat: int) -> Refusal | None:
    """Return why the seat could lay nothing now even with the cards for it, or None (T1, T2, L8)."""
    if not is_playing(table, seat):
        return not_now(table, seat, "lay").refusal
    if not may_lay(table, seat):
        return Refusal("lay.further", "L8", "In this game no further melds may be laid after the contract.")
    return None


def why_no_addition(table: Seen, seat: int, verb: str) -> Refusal | None:
    """Return why the seat could not tack, or swap, now even with the cards for it, or None (T1, T2, L9, H4)."""
    if verb == "swap" and not table.rules.ruleset.has_swaps:
        return Refusal(
            "swap.none", "H12", f"A {table.rules.ruleset.vocabulary.joker} stays where it lies in this game."
        )
    if not is_playing(table, seat):
        return not_now(table, seat, verb).refusal
    if not has_laid(table, seat):
        code, doing = ("tack.not-laid", "tacking") if verb == "tack" else ("swap.not-laid", "swapping")
        return Refusal(code, "L9", f"{table.names[seat]} must lay the contract before {doing}.")
    if not adds_now(table, seat):
        name = table.names[seat]
        why = f"{does(name, 'have')} laid in this turn and can {verb} from the next one on."
        return Refusal("tack.same-turn" if verb == "tack" else "swap.same-turn", "H4", why)
    return None


def not_now(table: Seen, seat: int, verb: str) -> Refused:
    """Return the refusal of an action that only the turn seat takes, at a moment of its own."""
    name = table.names[seat]
    if table.actor is None:
        return refuse("turn.wrong-phase", "T1", "The deal is over.")
    asked = table.dealer if table.phase is Phase.CUT else table.turn
    if seat != asked:
        return refuse("turn.not-yours", "T2", f"It is {whose(table.names[asked])} turn.")
    return refuse("turn.wrong-phase", "T1", f"{name} cannot {verb} now: {_WAITING[table.phase]}.")


_WAITING = {
    Phase.CUT: "the dealer cuts first",
    Phase.CALL_WINDOW: "the calls come first",
    Phase.FLIP_WINDOW: "the call of the flip comes first",
    Phase.DECISION: "a call waits to be allowed or refused",
    Phase.FLIP_DECISION: "a call of the flip waits to be allowed or refused",
    Phase.DRAW: "the turn begins with a draw",
    Phase.PLAY: "this turn's card has been drawn",
    Phase.ADD_ON: "only adding on is left in this deal",
    Phase.BUY_IN: "the seats that went out are buying in or leaving",
    Phase.OVER: "the deal is over",
}
