"""One whole turn planned at once: the lay-down, tacks and swaps that leave least in the hand, and whether it goes out.

No other seat acts between a seat's draw and its discard, so its view alone answers, and what answers is a list of
actions that the rules have taken one by one. Going out is asked first of every choice: nothing else matters as much
(G1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import DISCARD, Action, Lay, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.endings import is_doubled
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.club import Club
from kalooki_tui.players.open_actions import is_open, least_left
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.seat import with_blank_cards
from kalooki_tui.solver import Laydown, best_lay_of
from kalooki_tui.solver.effort import Effort
from kalooki_tui.solver.lay import goes_out

#: Steps that planning one whole turn may take: some 40 ms, where most turns take less than one.
TURN_EFFORT: Final = 4_000


def next_step(view: View) -> Decision | None:
    """What a seat that has laid does next on the way to the least; None: nothing more goes onto the table.

    Where the plan is not known to be the best one, and does not go out, it is the club player's next step.
    """
    if view.may_lay and _may_plan(view):
        effort = Effort(TURN_EFFORT)
        found = best_lay_of(view, with_table=True, laid=True, effort=effort)
        out = found is not None and goes_out(view.rules, found.left)
        if found is not None and (out or not effort.is_spent):
            step = Lay(view.seat, found.groups) if found.groups else found.tacks[0]
            if isinstance(step, Tack):
                # One card at a time: only such tacks are listed as open, and the next is planned anew.
                step = Tack(step.seat, step.cards[:1], step.meld, step.end)
            if is_open(view, step):
                return Decision(step)
    return Club("coach").shed(view)


def _may_plan(view: View) -> bool:
    """Whether what one turn has done so far does not limit what it may still do (K6, K10)."""
    ruleset = view.rules.ruleset
    return ruleset.tack.end_limit is None and ruleset.swap != "use-at-once"


#: Steps that looking for a way out may take: some 40 ms, where most hands take less than one.
OUT_EFFORT: Final = 4_000


@dataclass(frozen=True, slots=True)
class WayOut:
    """How a seat goes out in this turn."""

    actions: tuple[Action, ...]
    """In order, to the last discard if there is one."""
    doubled: bool
    """Whether what the others hold then counts double (G4)."""


def way_out(view: View, first: Action | None = None) -> WayOut | None:
    """How the seat goes out in this turn, `first` taken before anything else; None where it cannot.

    `first` is what gives the seat the open card: drawing it, or refusing it to a caller.
    """
    deal = with_blank_cards(view)
    if first is not None:
        deal.apply(first)
    if deal.actor != view.seat or deal.phase is not Phase.PLAY:
        return None
    seen = deal.view(view.seat)
    if not (seen.may_lay or seen.may_add) or least_left(seen) > 1:
        return None  # bending is forbidden (F2), or another seat's turn
    found = _most(seen, seen.hand) or Laydown((), seen.hand, 0)
    if not goes_out(seen.rules, found.left):
        return None
    lays = [Lay(seen.seat, found.groups)] if found.groups else []
    throws = [DISCARD[seen.seat][card] for card in found.left]
    start = () if first is None else (first,)
    for steps in ([*lays, *found.tacks, *throws], [*found.tacks, *lays, *throws]):
        after = _after(deal.clone(), steps)
        if after is not None and after.out == seen.seat:
            return WayOut((*start, *steps), is_doubled(after))
    return None


def goes_out_with(view: View, hand: Sequence[Card]) -> bool:
    """Whether the seat could go out in one turn of its own with this hand, as the table lies."""
    found = _most(view, hand)
    return found is not None and goes_out(view.rules, found.left)


def would_double(view: View) -> bool:
    """Whether the others' points would count double if the seat laid and went out in one turn, as things are (G4)."""
    others = any(has_laid(view, seat) for seat in range(len(view.names)) if seat != view.seat)
    doubling = view.rules.ruleset.score.doubling
    return doubling == "bend" or (doubling == "first-bend" and not others)


def _most(view: View, hand: Sequence[Card]) -> Laydown | None:
    return best_lay_of(view, hand, with_table=True, effort=Effort(OUT_EFFORT))


def _after(deal: Deal, steps: Sequence[Action]) -> Deal | None:
    """The deal after these steps; None where the rules refuse one."""
    try:
        for step in steps:
            deal.apply(step)
    except Refused:
        return None
    return deal
