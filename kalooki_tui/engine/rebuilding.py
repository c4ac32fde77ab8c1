"""A deal made again from what one seat sees of it and a guess at what it does not see."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.cards import Card
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import (
    AddedOn,
    CallAllowed,
    Challenged,
    Charged,
    CutMade,
    Dealt,
    Discarded,
    DroppedOut,
    Event,
    Flipped,
    Passed,
    TurnEnded,
    WentOut,
)
from kalooki_tui.engine.moments import AFTER_DEAL, has_laid
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
    """The deal that looks like `view` to its seat, with these hidden cards; it goes on like any other.

    `hands`: one a seat; `stock` and `pile`: the top last; `face_down`: cards at the bottom of the pile that nobody
    sees; `seed` names the random stream of a reshuffle to come. What neither the view nor its events say is as usual:
    no bad lay-down waits to be charged (F1a).

    Raises:
        ValueError: the deal is over, or what it cannot be in play for: seats are buying in.
    """
    if view.phase in AFTER_DEAL:
        raise ValueError("no deal is being played: there are no hidden cards")
    standing = Standing(view.totals, view.money, view.buy_ins, view.eliminated, view.pool)
    deal = Deal.blank(
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
    for event in view.history:
        _note(deal, event)
    deal.bend_forbidden[view.seat] = view.bend_forbidden
    deal.asked = _asked(deal)
    return deal


def _note(deal: Deal, event: Event) -> None:
    """Put down what a public event says and a view does not."""
    infractions = deal.rules.ruleset.infractions
    match event:
        case CallAllowed(caller=caller):
            deal.calls[caller] += 1
        case CutMade(seat=seat, exact=True):
            deal.bonus[seat] = deal.rules.ruleset.dealer_cut_bonus or 0
            deal.penalties[seat] -= deal.bonus[seat]
        case Challenged(target=target, found=found) if found > 0:
            deal.found[target] += found
            if infractions and infractions.over_call and infractions.over_call.forbids_bend:
                deal.bend_forbidden[target] = True
        case Charged(seat=seat, clause="F1") if infractions and infractions.bad_lay:
            deal.bend_forbidden[seat] = deal.bend_forbidden[seat] or infractions.bad_lay.forbids_bend
        case WentOut(bent=bent):
            deal.bent = bent
        case _:
            pass


def _asked(deal: Deal) -> list[int]:
    """Seats still to be asked (D30, U3, G5)."""
    if deal.phase is Phase.CALL_WINDOW:
        passed = _passed(deal)
        return [seat for seat in who_may_call(deal) if seat not in passed]
    if deal.phase is Phase.FLIP_WINDOW:
        return [deal.left_of(deal.turn)]
    if deal.phase is Phase.ADD_ON and deal.out is not None:
        done = {event.seat for event in deal.history if isinstance(event, AddedOn)}
        others = [seat for seat in deal.clockwise_from(deal.out) if seat != deal.out and has_laid(deal, seat)]
        return [seat for seat in others if seat not in done and deal.hands[seat]]
    return []


def _passed(deal: Deal) -> set[int]:
    """Seats that have passed the card that lies open, since the turn began."""
    passed: set[int] = set()
    in_deal, turn = [not gone for gone in deal.standing.eliminated], deal.turn
    for event in deal.history:
        match event:
            case Dealt():
                turn = event.turn
            case Passed(seat=seat):
                passed.add(seat)
            case Discarded() | TurnEnded():
                passed, turn = set(), _left_of(turn, in_deal)
            case DroppedOut(seat=seat):
                in_deal[seat] = False
                if seat == turn:
                    # The next seat's turn begins with the same card, and all are asked again (D23).
                    passed, turn = set(), _left_of(turn, in_deal)
            case Flipped():
                passed = set()
            case _:
                pass
    return passed


def _left_of(seat: int, in_deal: Sequence[bool]) -> int:
    count = len(in_deal)
    return next(
        other for other in ((seat + step) % count for step in range(1, count + 1)) if in_deal[other] or other == seat
    )
