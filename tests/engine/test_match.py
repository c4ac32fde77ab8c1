"""What goes on between deals: who deals, void deals, passing over, the result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import (
    ALLOW,
    CALL,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    LEAVE,
    PASS,
    BuyIn,
    Challenge,
    Cut,
    Leave,
)
from kalooki_tui.engine.events import DroppedOut, PassedOver, Voided
from kalooki_tui.engine.match import Match, MatchSetup, draw_seats, highest_score
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.loader import load_ruleset, make_settings

NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kit")


def start(ruleset_id: str, seats: int, seed: int = 1, referee: Referee = Referee.STRICT, **changes: object) -> Match:
    ruleset = load_ruleset(ruleset_id)
    rules = make_rules(ruleset, seats, referee, make_settings(ruleset, changes))
    return Match.start(MatchSetup(rules, NAMES[:seats], seed))


def to_draw(match: Match) -> int:
    """Pass every call; the turn seat."""
    while match.phase is Phase.CALL_WINDOW:
        assert match.actor is not None
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


def test_the_first_dealer_is_drawn_from_the_seed() -> None:
    dealers = {seed: start("jamaican", 4, seed).deal.dealer for seed in range(40)}
    assert set(dealers.values()) == {0, 1, 2, 3}
    assert dealers == {seed: start("jamaican", 4, seed).deal.dealer for seed in range(40)}


def test_the_deal_passes_to_the_left_and_its_left_begins() -> None:
    match = start("jamaican", 4)
    dealer = match.deal.dealer
    go_out(match)
    match.next_deal()
    assert match.deal.dealer == (dealer + 1) % 4
    assert match.deal.turn == (dealer + 2) % 4
    assert match.deal.number == 2


def test_a_void_deal_is_dealt_again_by_the_same_dealer() -> None:
    match = start("jamaican", 4)
    first = match.deal
    make_void(match)
    match.next_deal()
    assert (match.deal.number, match.deal.attempt) == (first.number, 2)
    assert (match.deal.dealer, match.totals) == (first.dealer, (0, 0, 0, 0))
    assert match.deal.hands != first.hands


def test_three_void_deals_in_a_row_put_the_question() -> None:
    match = start("jamaican", 4)
    asked = []
    for _ in range(3):
        make_void(match)
        asked.append(match.asks_to_go_on)
        if not match.asks_to_go_on:
            match.next_deal()
    assert asked == [False, False, True]


def test_passing_over_scores_penalties_alone() -> None:
    match = start("air-jamaica", 4, referee=Referee.PENALTIES, dealer_cut=True)
    exact = 4 * match.deal.contract.cards
    dealer = match.deal.dealer
    match.apply(Cut(dealer, exact))
    match.deal.penalties[2] = 50
    assert match.view(0).penalties[dealer] == (0 if dealer == 2 else -50)
    make_void(match)
    events = match.pass_over()
    assert events == [PassedOver(1, (0, 0, 50, 0), (0, 0, 50, 0))]
    match.next_deal()
    assert match.deal.number == 2
    assert match.deal.standing.totals == (0, 0, 50, 0)


def test_penalties_outlive_a_void_deal_and_a_bonus_does_not() -> None:
    match = start("air-jamaica", 3, referee=Referee.PENALTIES, dealer_cut=True)
    match.apply(Cut(match.deal.dealer, 3 * match.deal.contract.cards))
    match.deal.penalties[1] = 50
    make_void(match)
    match.next_deal()
    assert match.phase is Phase.CUT
    assert match.view(0).penalties == (0, 50, 0)


def test_a_contract_is_dealt_again_as_often_as_the_setting_says() -> None:
    match = start("jamaican", 3, max_redeals=2)
    dealt = [(match.deal.number, match.deal.attempt)]
    for _ in range(4):
        make_void(match)
        match.next_deal()
        dealt.append((match.deal.number, match.deal.attempt))
    assert dealt == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    assert not match.asks_to_go_on


def test_nothing_is_passed_over_without_a_void_deal_and_people_are_asked_before_a_match_by_elimination_ends() -> None:
    match = start("jamaican", 3)
    with pytest.raises(Refused):
        match.pass_over()
    go_out(match)
    with pytest.raises(Refused):
        match.pass_over()
    forty = start("kalookie-40", 3, max_redeals=1)
    for attempt in range(1, 5):
        assert forty.deal.attempt == attempt
        make_void(forty)
        assert forty.asks_to_go_on == (attempt > 1)
        forty.next_deal()


def test_lowest_total_wins_and_equal_ones_share() -> None:
    match = start("baby", 3)
    for number in (1, 2, 3):
        out = go_out(match)
        assert match.finished is (number == 3)
        assert match.deal.points[out] == 0
        if number < 3:
            match.next_deal()
    assert match.winners == tuple(seat for seat in range(3) if match.totals[seat] == min(match.totals))
    with pytest.raises(Refused):
        match.next_deal()


@pytest.mark.parametrize(
    ("points", "totals", "last_dealer", "next_dealer"),
    [
        ([10, 40, 20], (10, 40, 20), 0, 1),
        ([40, 40, 0], (100, 90, 0), 2, 0),
        ([40, 40, 0], (90, 90, 0), 0, 1),
        ([40, 40, 40], (90, 90, 90), 1, 2),
    ],
)
def test_kookys_next_dealer(points: list[int], totals: tuple[int, ...], last_dealer: int, next_dealer: int) -> None:
    assert highest_score(points, totals, last_dealer) == next_dealer


def test_kookys_winner_begins_the_next_deal() -> None:
    match = start("kooky", 3)
    assert match.deal.turn == 0
    out = go_out(match)
    expected = highest_score(match.deal.points, match.totals, match.deal.dealer)
    match.next_deal()
    assert (match.deal.turn, match.deal.dealer) == (out, expected)


def test_seats_are_drawn_and_everybody_gets_one() -> None:
    orders = {draw_seats(NAMES[:4], seed) for seed in range(60)}
    assert len(orders) > 10
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)


def test_kalookie_40_eliminates_asks_and_pays() -> None:
    match = start("kalookie-40", 3)
    total = sum(match.standing.money) + match.standing.pool
    assert match.standing.pool == 30
    seat = to_draw(match)
    others = [other for other in range(3) if other != seat]
    match.deal.standing = match.deal.standing.__class__(
        totals=tuple(149 if other in others else 0 for other in range(3)),
        money=match.standing.money,
        buy_ins=match.standing.buy_ins,
        eliminated=match.standing.eliminated,
        pool=match.standing.pool,
    )
    go_out(match)
    # Both others go over 150 at once: one seat is left, nobody is asked, the winner takes the pool (D12, P4).
    assert match.finished
    assert match.winners == (seat,)
    assert match.standing.pool == 0
    assert sum(match.standing.money) == total


def test_kalookie_40_buys_in_at_the_highest_total() -> None:
    match = start("kalookie-40", 3)
    seat = to_draw(match)
    loser = (seat + 1) % 3
    totals = tuple(149 if other == loser else 20 for other in range(3))
    standing = match.deal.standing
    match.deal.standing = standing.__class__(totals, standing.money, standing.buy_ins, standing.eliminated, 30)
    go_out(match)
    assert match.phase is Phase.BUY_IN
    assert match.actor == loser
    with pytest.raises(Refused):
        match.apply(Leave(seat))
    match.apply(BuyIn(loser))
    assert match.totals[loser] == max(match.totals[other] for other in range(3) if other != loser)
    assert match.standing.buy_ins[loser] == 1
    assert match.standing.pool == 40
    match.next_deal()
    assert match.deal.in_deal == [True, True, True]


def test_a_card_left_on_top_by_a_seat_that_dropped_out_is_not_called_by_its_thrower() -> None:
    match = start("trinidad", 4, referee=Referee.PENALTIES)
    first = to_draw(match)
    match.apply(DRAW_STOCK[first])
    match.apply(DISCARD[first][match.deal.hands[first][0]])
    second = to_draw(match)
    match.apply(DRAW_STOCK[second])
    match.apply(DISCARD[second][match.deal.hands[second][0]])
    third = to_draw(match)
    match.apply(DRAW_DISCARD[third])
    events = match.apply(Challenge(third, first))
    assert any(isinstance(event, DroppedOut) and event.seat == third for event in events)
    assert match.deal.discarded_by == first
    refusal = match.why_not(CALL[first])
    assert refusal is not None
    assert refusal.code == "call.own-discard"


@pytest.mark.parametrize(("ruleset_id", "seats"), [("jamaican", 4), ("trinidad", 11), ("kalookie-40", 2), ("kooky", 6)])
def test_the_deck_is_as_large_as_the_rules_say(ruleset_id: str, seats: int) -> None:
    match = start(ruleset_id, seats)
    dealt = sum(map(len, match.deal.hands)) + len(match.deal.stock) + len(match.deal.pile)
    assert match.rules.deck_size == dealt


@pytest.mark.parametrize(("names", "first"), [(("Ann", "Bob"), 0), (NAMES[:4], 0), (NAMES[:3], 3), (NAMES[:3], -1)])
def test_a_match_needs_a_name_for_each_seat_and_a_seat_that_begins(names: tuple[str, ...], first: int) -> None:
    rules = make_rules(load_ruleset("jamaican"), 3)
    with pytest.raises(ValueError, match="seat"):
        MatchSetup(rules, names, 1, first)


def test_the_dealer_moves_on_after_a_contract_passed_over() -> None:
    match = start("jamaican", 4)
    dealer = match.deal.dealer
    make_void(match)
    match.pass_over()
    match.next_deal()
    assert (match.deal.number, match.deal.dealer, match.deal.turn) == (2, (dealer + 1) % 4, (dealer + 2) % 4)


def test_in_kooky_the_penalties_passed_over_name_the_dealer_and_the_first_turn_stays() -> None:
    match = start("kooky", 4, referee=Referee.PENALTIES)
    dealer, first = match.deal.dealer, match.deal.turn
    charged = (dealer + 2) % 4
    match.deal.penalties[charged] = 50
    make_void(match)
    match.pass_over()
    match.next_deal()
    assert (match.deal.number, match.deal.dealer, match.deal.turn) == (2, charged, first)


def test_in_kooky_the_left_neighbour_deals_after_a_contract_passed_over_that_cost_nobody_anything() -> None:
    match = start("kooky", 4)
    dealer, first = match.deal.dealer, match.deal.turn
    make_void(match)
    match.pass_over()
    match.next_deal()
    assert (match.deal.dealer, match.deal.turn) == ((dealer + 1) % 4, first)


def test_a_void_deal_keeps_the_penalties_and_lifts_the_ban_on_bending() -> None:
    match = start("jamaican", 4, referee=Referee.PENALTIES)
    match.deal.penalties[1] = 50
    match.deal.bend_forbidden[1] = True
    match.deal.calls[1], match.deal.found[1] = 4, 1
    make_void(match)
    match.next_deal()
    deal = match.deal
    assert (deal.penalties[1], deal.bend_forbidden[1], deal.calls[1], deal.found[1]) == (50, False, 0, 0)


def test_a_call_that_makes_the_deal_void_counts_as_made() -> None:
    match = start("jamaican", 4)
    deal = match.deal
    caller = match.actor
    assert caller is not None
    deal.reshuffles, deal.pile, deal.stock = 1, deal.stock + deal.pile, []
    match.apply(CALL[caller])
    match.apply(ALLOW[deal.turn])
    assert deal.void
    assert deal.calls[caller] == 1


def test_only_seats_eliminated_in_the_deal_just_ended_are_asked_and_once() -> None:
    match = start("kalookie-40", 5, max_buy_ins=3)
    for number in range(3):
        seat = to_draw(match)
        gone = next(other for other in range(5) if other != seat and match.deal.in_deal[other])
        match.deal.standing = replace(match.standing, totals=tuple(151 if other == gone else 0 for other in range(5)))
        go_out(match)
        assert match.buying == [gone]
        match.apply(LEAVE[gone])
        assert match.buying == []
        assert match.finished is False
        assert sum(match.standing.eliminated) == number + 1
        match.next_deal()


def test_in_tuluki_the_card_turned_up_is_the_dealers_discard() -> None:
    match = start("tuluki", 2)
    dealer, other = match.deal.dealer, 1 - match.deal.dealer
    assert match.deal.discarded_by == dealer
    assert match.legal(dealer) == []
    with pytest.raises(Refused) as caught:
        match.apply(CALL[dealer])
    assert (caught.value.refusal.code, caught.value.refusal.clause) == ("call.own-discard", "C2")
    match.apply(CALL[other])
    assert match.deal.calls[other] == 1


def test_seats_are_named_clockwise_and_those_out_of_the_deal_left_out() -> None:
    deal = start("jamaican", 5).deal
    assert deal.clockwise_from(3) == [3, 4, 0, 1, 2]
    deal.in_deal[0] = deal.in_deal[3] = False
    assert deal.clockwise_from(3) == [4, 1, 2]
    assert deal.left_of(4) == 1
