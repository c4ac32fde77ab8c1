"""A Trinidad seat that drops out of the deal, and its cards, which nobody sees again (F3, D23, V2)."""

from __future__ import annotations

import pytest

from kalooki_tui.cards import make_card
from kalooki_tui.engine.actions import DISCARD, DRAW_DISCARD, DRAW_STOCK, PASS, Challenge
from kalooki_tui.engine.events import DroppedOut
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase
from tests.property.tables import card_count, start_match, whole_deck


def after_the_turned_up_card_is_taken() -> tuple[Match, int]:
    """The first turn seat has taken the only card of the pile; the match and the seat."""
    match = start_match("trinidad", 4, 3, Referee.PENALTIES)
    while match.phase is Phase.CALL_WINDOW:
        match.apply(PASS[match.actor])
    seat = match.deal.turn
    match.apply(DRAW_DISCARD[seat])
    return match, seat


def test_with_an_empty_pile_the_next_seat_draws_from_the_stock_and_no_dropped_card_is_ever_seen() -> None:
    match, loser = after_the_turned_up_card_is_taken()
    deal, following = match.deal, (loser + 1) % 4
    deal.hands[loser] = [make_card(2, 5)] * 12
    match.apply(Challenge(loser, following))
    assert DroppedOut(loser, None) in match.view(loser).history
    assert (match.phase, match.actor, deal.turn) == (Phase.DRAW, following, following)
    assert match.legal(following) == [DRAW_STOCK[following]]
    assert all(match.view(seat).discard is None for seat in range(4))
    match.apply(DRAW_STOCK[following])
    thrown = deal.hands[following][0]
    match.apply(DISCARD[following][thrown])
    assert (match.phase, match.view(loser).discard) == (Phase.CALL_WINDOW, thrown)
    # Who has dropped out challenges nobody.
    assert match.view(loser).may_challenge == ()
    assert len(match.view((loser + 2) % 4).may_challenge) == 2
    with pytest.raises(Refused) as refused:
        match.apply(Challenge(loser, (loser + 2) % 4))
    assert refused.value.refusal.code == "challenge.closed"
    while match.phase is Phase.CALL_WINDOW:
        match.apply(PASS[match.actor])
    match.apply(DRAW_DISCARD[deal.turn])
    assert deal.pile
    assert all(match.view(other).discard is None for other in range(4))


def test_a_reshuffle_takes_the_dropped_hand_and_leaves_the_top_discard() -> None:
    match, loser = after_the_turned_up_card_is_taken()
    hand = match.deal.hands[loser][:]
    match.apply(Challenge(loser, (loser + 1) % 4))
    deal = match.deal
    deal.hands[(loser + 2) % 4] += deal.stock
    deal.stock = []
    match.apply(DRAW_STOCK[deal.turn])
    assert (deal.reshuffles, deal.void, deal.pile) == (1, False, [])
    assert sorted([*deal.stock, deal.hands[deal.turn][-1]]) == sorted(hand)
    thrown = deal.hands[deal.turn][0]
    match.apply(DISCARD[deal.turn][thrown])
    assert match.view(loser).discard == thrown
    assert card_count(deal) == whole_deck(match.rules)
