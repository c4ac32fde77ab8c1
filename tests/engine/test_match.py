"""What goes on between deals: who deals, void deals, passing over, the result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import make_card
from kalooki_tui.engine.actions import (
    ALLOW,
    BUY_IN,
    CALL,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    LEAVE,
    PASS,
    Challenge,
    Cut,
)
from kalooki_tui.engine.events import DroppedOut, PassedOver, Voided
from kalooki_tui.engine.match import Match, MatchSetup, draw_seats, highest_score
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from tests.moments import there
from tests.property.tables import card_count, start_match, whole_deck

NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kit")


def start(ruleset_id: str, seats: int, seed: int = 1, referee: Referee = Referee.STRICT, **changes: object) -> Match:
    ruleset = load_ruleset(ruleset_id)
    rules = make_rules(ruleset, seats, referee, make_settings(ruleset, changes))
    return Match.start(MatchSetup(rules, NAMES[:seats], seed))


def to_draw(match: Match) -> int:
    """Pass every call; the turn seat."""
    while match.phase is Phase.CALL_WINDOW:
        match.apply(PASS[match.actor])
    assert match.phase is Phase.DRAW
    return match.deal.turn


def make_void(match: Match) -> None:
    """Let the stock run out a second time (S3)."""
    seat = to_draw(match)
    match.deal.pile += match.deal.stock
    match.deal.stock = []
    match.deal.reshuffles = 1
    events = match.apply(DRAW_STOCK[seat])
    assert Voided(match.deal.number, match.deal.attempt) in events


def go_out(match: Match) -> int:
    """Let the turn seat throw its last card, having laid earlier."""
    seat = to_draw(match)
    match.apply(DRAW_STOCK[seat])
    hand = match.deal.hands[seat]
    match.deal.stock += hand[1:]
    match.deal.hands[seat] = [5]
    match.deal.laid[seat] = HasLaid.EARLIER
    match.apply(DISCARD[seat][5])
    return seat


def test_the_first_dealer_and_the_seats_are_drawn_from_the_seed() -> None:
    dealers = {seed: start("jamaican", 4, seed).deal.dealer for seed in range(40)}
    assert set(dealers.values()) == {0, 1, 2, 3}
    assert dealers == {seed: start("jamaican", 4, seed).deal.dealer for seed in range(40)}
    orders = {draw_seats(NAMES[:4], seed) for seed in range(60)}
    assert len(orders) > 10
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)


def test_the_deal_passes_to_the_left_and_in_kooky_the_winner_begins() -> None:
    for ruleset in ("jamaican", "kooky"):
        match = start(ruleset, 4)
        dealer, out = match.deal.dealer, go_out(match)
        worst = highest_score(match.deal.points, match.totals, dealer)
        match.next_deal()
        left = (dealer + 1) % 4, (dealer + 2) % 4
        expected = left if ruleset == "jamaican" else (worst, out)
        assert (match.deal.number, match.deal.dealer, match.deal.turn) == (2, *expected)


def test_a_void_deal_is_dealt_again_and_keeps_nothing_but_the_penalties() -> None:
    match = start("air-jamaica", 4, referee=Referee.PENALTIES, dealer_cut=True)
    match.apply(Cut(match.deal.dealer, 4 * match.deal.contract.cards))
    first = match.deal
    first.penalties[1], first.bend_forbidden[1], first.calls[1], first.found[1] = 50, True, 4, 1
    make_void(match)
    match.next_deal()
    deal = match.deal
    assert (match.phase, deal.number, deal.attempt, deal.dealer) == (Phase.CUT, first.number, 2, first.dealer)
    assert (deal.penalties[1], deal.bend_forbidden[1], deal.calls[1], deal.found[1]) == (50, False, 0, 0)
    assert (match.view(0).penalties, match.totals) == ((0, 50, 0, 0), (0, 0, 0, 0))
    match.apply(Cut(match.deal.dealer, 1))
    assert deal.hands != first.hands


def test_people_are_asked_whether_to_go_on_after_three_void_deals_or_where_a_match_by_elimination_would_end() -> None:
    match, asked = start("jamaican", 4), []
    for _ in range(3):
        make_void(match)
        asked.append(match.asks_to_go_on)
        if not match.asks_to_go_on:
            match.next_deal()
    assert asked == [False, False, True]
    forty = start("kalookie-40", 3, max_redeals=1)
    for attempt in range(1, 5):
        assert forty.deal.attempt == attempt
        make_void(forty)
        assert forty.asks_to_go_on == (attempt > 1)
        forty.next_deal()


def test_a_contract_is_dealt_again_as_often_as_the_setting_says() -> None:
    match = start("jamaican", 3, max_redeals=2)
    dealt = [(match.deal.number, match.deal.attempt)]
    for _ in range(4):
        make_void(match)
        match.next_deal()
        dealt.append((match.deal.number, match.deal.attempt))
    assert dealt == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert not match.asks_to_go_on


def test_passing_over_scores_penalties_alone_and_needs_a_void_deal() -> None:
    match = start("air-jamaica", 4, referee=Referee.PENALTIES, dealer_cut=True)
    dealer = match.deal.dealer
    match.apply(Cut(dealer, 4 * match.deal.contract.cards))
    match.deal.penalties[2] = 50
    assert match.view(0).penalties[dealer] == (0 if dealer == 2 else -50)
    make_void(match)
    assert match.pass_over() == [PassedOver(1, (0, 0, 50, 0), (0, 0, 50, 0))]
    match.next_deal()
    assert (match.deal.number, match.deal.standing.totals) == (2, (0, 0, 50, 0))
    again = start("jamaican", 3)
    for play in (lambda match: None, go_out):
        play(again)
        with pytest.raises(Refused):
            again.pass_over()


@pytest.mark.parametrize(
    ("ruleset", "charged", "deals", "begins"), [("jamaican", None, 1, 2), ("kooky", None, 1, 0), ("kooky", 2, 2, 0)]
)
def test_who_deals_and_begins_after_a_contract_passed_over(
    ruleset: str, charged: int | None, deals: int, begins: int
) -> None:
    """Counted from the dealer before; in Kooky the first turn stays, and penalties name the dealer."""
    match = start(ruleset, 4, referee=Referee.PENALTIES)
    dealer, first = match.deal.dealer, match.deal.turn
    if charged is not None:
        match.deal.penalties[(dealer + charged) % 4] = 50
    make_void(match)
    match.pass_over()
    match.next_deal()
    turn = (dealer + begins) % 4 if ruleset == "jamaican" else first
    assert (match.deal.number, match.deal.dealer, match.deal.turn) == (2, (dealer + deals) % 4, turn)


def test_after_the_last_deal_there_is_none() -> None:
    match = start("baby", 3)
    for number in (1, 2, 3):
        out = go_out(match)
        assert (match.finished, match.deal.points[out]) == (number == 3, 0)
        if number < 3:
            match.next_deal()
    with pytest.raises(Refused):
        match.next_deal()


def test_who_has_bought_in_is_dealt_in_again_and_who_has_not_is_asked_no_more() -> None:
    match = start("kalookie-40", 5, max_buy_ins=3)
    for number, answer in enumerate((LEAVE, BUY_IN, LEAVE)):
        seat = to_draw(match)
        gone = next(other for other in range(5) if other != seat and match.deal.in_deal[other])
        match.deal.standing = replace(match.standing, totals=tuple(151 if other == gone else 0 for other in range(5)))
        go_out(match)
        assert (match.phase, match.buying) == (Phase.BUY_IN, [gone])
        with pytest.raises(Refused):
            match.apply(LEAVE[seat])
        match.apply(answer[gone])
        assert (match.buying, match.finished) == ([], False)
        match.next_deal()
        assert match.deal.in_deal[gone] is (answer is BUY_IN)
        assert sum(match.standing.eliminated) == (1, 1, 2)[number]


@pytest.mark.parametrize(("names", "first"), [(("Ann", "Bob"), 0), (NAMES[:4], 0), (NAMES[:3], 3), (NAMES[:3], -1)])
def test_a_match_needs_a_name_for_each_seat_and_a_seat_that_begins(names: tuple[str, ...], first: int) -> None:
    rules = make_rules(load_ruleset("jamaican"), 3)
    with pytest.raises(ValueError, match="seat"):
        MatchSetup(rules, names, 1, first)


def test_a_call_that_makes_the_deal_void_counts_as_made() -> None:
    match = start("jamaican", 4)
    deal = match.deal
    caller = match.actor
    deal.reshuffles, deal.pile, deal.stock = 1, deal.stock + deal.pile, []
    match.apply(CALL[caller])
    match.apply(ALLOW[deal.turn])
    assert deal.void
    assert deal.calls[caller] == 1


def test_nobody_calls_the_card_that_it_threw_itself() -> None:
    tuluki = start("tuluki", 2)  # where the card turned up counts as the dealer's
    trinidad = start("trinidad", 4, referee=Referee.PENALTIES)
    first = to_draw(trinidad)
    for seat in (first, (first + 1) % 4):
        assert to_draw(trinidad) == seat
        trinidad.apply(DRAW_STOCK[seat])
        trinidad.apply(DISCARD[seat][trinidad.deal.hands[seat][0]])
    third = to_draw(trinidad)
    trinidad.apply(DRAW_DISCARD[third])
    events = trinidad.apply(Challenge(third, first))
    assert any(isinstance(event, DroppedOut) and event.seat == third for event in events)
    for match, thrower in ((tuluki, tuluki.deal.dealer), (trinidad, first)):
        assert match.deal.discarded_by == thrower
        assert CALL[thrower] not in match.legal(thrower)
        refusal = there(match.why_not(CALL[thrower]))
        assert (refusal.code, refusal.clause) == ("call.own-discard", "C2")


def test_seats_are_named_clockwise_and_those_out_of_the_deal_left_out() -> None:
    deal = start("jamaican", 5).deal
    assert deal.clockwise_from(3) == [3, 4, 0, 1, 2]
    deal.in_deal[0] = deal.in_deal[3] = False
    assert deal.clockwise_from(3) == [4, 1, 2]
    assert deal.left_of(4) == 1


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
