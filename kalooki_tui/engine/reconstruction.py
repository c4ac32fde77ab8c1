"""Rebuild a deal from one seat's view and a guess at the hidden cards."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.cards import Card
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.permissions import AFTER_DEAL, has_laid
from kalooki_tui.engine.public import Public, public_of
from kalooki_tui.engine.state import Standing
from kalooki_tui.engine.turns import who_may_call
from kalooki_tui.engine.view import Phase, View


def rebuild(
    view: View,
    hands: Sequence[Sequence[Card]],
    stock: Sequence[Card],
    pile: Sequence[Card],
    face_down: int,
    seed: str,
) -> Deal:
    """Rebuild the deal that looks like `view` to its seat, with these hidden cards; it goes on like any other.

    `hands`: one a seat; `stock` and `pile`: the top last; `face_down`: cards at the bottom of the pile that nobody
    sees; `seed` names the random stream of a reshuffle to come. What neither the view nor its events say is as usual:
    no bad lay-down waits to be charged (F1a).

    Raises:
        ValueError: the deal is over, or seats are buying in.
    """
    if view.phase in AFTER_DEAL:
        raise ValueError("no deal is being played: there are no hidden cards")
    standing = Standing(view.totals, view.money, view.buy_ins, view.eliminated, view.pool)
    deal = Deal(
        view.rules, view.names, view.deal, view.dealer, view.turn, seed, attempt=view.attempt, standing=standing
    )
    deal.contract = view.contract
    deal.hands = [list(hand) for hand in hands]
    deal.stock, deal.pile, deal.face_down = list(stock), list(pile), face_down
    deal.phase, deal.actor, deal.caller = view.phase, view.actor, view.caller
    deal.melds, deal.laid, deal.added = list(view.melds), list(view.laid), dict(view.added)
    deal.in_deal, deal.dead, deal.flip = list(view.in_deal), view.dead, view.flip
    deal.discarded_by, deal.reshuffles, deal.out = view.discarded_by, view.reshuffles, view.out
    deal.history = list(view.history)
    deal.penalties = list(view.penalties)
    public = public_of(view)
    # A position tells calls made before it, and its events do not.
    deal.calls = [*(public.calls if view.calls is None else view.calls)]
    deal.found, deal.bent = list(public.found), public.bent
    deal.idle_turns = public.idle_turns
    if public.cut_exactly is not None:
        deal.bonus[public.cut_exactly] = view.rules.ruleset.dealer_cut_bonus or 0
        deal.penalties[public.cut_exactly] -= deal.bonus[public.cut_exactly]
    deal.bend_forbidden = [_may_not_bend(deal, public, seat) for seat in range(len(view.names))]
    deal.bend_forbidden[view.seat] = view.bend_forbidden
    deal.callers = [] if deal.caller is not None else public.callers[:]
    deal.drawn = view.drawn
    deal.asked = _asked(deal, public)
    return deal


def _may_not_bend(deal: Deal, public: Public, seat: int) -> bool:
    """Check that a seat was charged for what forbids it to bend the table (F1, F2)."""
    over_call, bad_lay = deal.rules.charges.over_call, deal.rules.charges.bad_lay
    found = over_call is not None and over_call.forbids_bend and public.found[seat] > 0
    return found or (bad_lay is not None and bad_lay.forbids_bend and seat in public.bad_lays)


def _asked(deal: Deal, public: Public) -> list[int]:
    """Return seats still to be asked (D30, U3, G5)."""
    if deal.phase is Phase.CALL_WINDOW:
        return [seat for seat in who_may_call(deal) if seat not in {*public.passed_now, *public.callers}]
    if deal.phase is Phase.FLIP_WINDOW:
        return [deal.left_of(deal.turn)]
    if deal.phase is Phase.ADD_ON and deal.out is not None:
        others = [seat for seat in deal.clockwise_from(deal.out) if seat != deal.out and has_laid(deal, seat)]
        return [seat for seat in others if seat not in public.added_on and deal.hands[seat]]
    return []
