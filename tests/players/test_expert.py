"""What the expert does otherwise than the club player."""

from __future__ import annotations

import pytest

from kalooki_tui.cards import make_card
from kalooki_tui.engine.actions import Call, Draw, Group, Kind, Lay, Pass, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import CallAllowed
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.players import expert, make_player
from kalooki_tui.players.club import Club
from kalooki_tui.players.memory import remember, unseen_copies
from kalooki_tui.players.plans import prospect
from kalooki_tui.solver.effort import Effort
from tests.players.simulate import new_deal, rules_for
from tests.solver.hands import CROWDED_HAND, CROWDED_TABLE

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def three_sets() -> list[int]:
    """A complete contract for the first Jamaican deal."""
    return [make_card(suit, rank) for rank in (4, 8, 11) for suit in (CLUBS, HEARTS, SPADES)]


def seat_one(phase: Phase, hand: list[int]) -> Deal:
    """The first Jamaican deal of three seats, seat 1 to act with `hand`."""
    deal = new_deal(rules_for("jamaican", 3), 1, 1)
    deal.asked = []
    deal.phase, deal.turn, deal.actor = phase, 1, 1
    deal.hands[1] = hand
    return deal


def test_with_the_contract_complete_takes_a_card_that_can_be_laid() -> None:
    deal = seat_one(Phase.DRAW, [*three_sets(), make_card(DIAMONDS, 2), make_card(DIAMONDS, 13)])
    deal.pile[-1] = make_card(DIAMONDS, 8)
    decision = make_player("expert", "1").decide(deal.view(1))
    assert decision.action == Draw(1, Source.DISCARD)
    assert decision.reason == "8♦ can be laid or tacked in this turn"
    assert make_player("club", "1").decide(deal.view(1)).action == Draw(1, Source.STOCK)


def test_with_the_contract_complete_leaves_a_card_that_goes_nowhere() -> None:
    deal = seat_one(Phase.DRAW, [*three_sets(), make_card(DIAMONDS, 2), make_card(DIAMONDS, 13)])
    deal.pile[-1] = make_card(DIAMONDS, 6)
    assert make_player("expert", "1").decide(deal.view(1)).action == Draw(1, Source.STOCK)


def test_bends_with_tacks_onto_the_melds_of_others() -> None:
    spare = [make_card(DIAMONDS, 13), make_card(SPADES, 9), make_card(CLUBS, 6)]
    deal = seat_one(Phase.PLAY, [*three_sets(), *spare])
    kings = tuple(make_card(suit, 13) for suit in (CLUBS, HEARTS, SPADES))
    run = tuple(make_card(SPADES, rank) for rank in (5, 6, 7, 8))
    ruleset = deal.rules.ruleset
    deal.melds = [make_meld(ruleset, 2, Group(kings, Kind.SET)), make_meld(ruleset, 2, Group(run, Kind.RUN))]
    deal.laid[2] = HasLaid.EARLIER
    player = make_player("expert", "1")
    first = player.decide(deal.view(1))
    assert isinstance(first.action, Lay)
    assert first.reason == "the whole hand can be played: this bends the table"
    deal.apply(first.action)
    while deal.actor == 1:
        deal.apply(player.decide(deal.view(1)).action)
    assert deal.out == 1
    assert deal.bent


@pytest.mark.parametrize(("calls", "action"), [(0, Call), (2, Call), (3, Pass)])
def test_calls_what_only_opens_more_ways_while_it_has_calls(calls: int, action: type[Call | Pass]) -> None:
    pairs = [make_card(suit, rank) for rank in (4, 8, 11) for suit in (CLUBS, HEARTS)]
    deal = new_deal(rules_for("jamaican", 3), 1, 1)
    seat = deal.asked[0]
    deal.hands[seat] = [*pairs, make_card(SPADES, 13), make_card(SPADES, 2), make_card(DIAMONDS, 6)]
    deal.history += [CallAllowed(0, seat, make_card(HEARTS, 10), True)] * calls
    deal.calls[seat] = calls
    deal.pile[-1] = make_card(DIAMONDS, 2)
    assert isinstance(make_player("expert", "1").decide(deal.view(seat)).action, action)
    assert make_player("club", "1").decide(deal.view(seat)).action == Pass(seat)


def crowded(phase: Phase, hand: str) -> Deal:
    """The ninth Jamaican deal; two seats have laid four runs each, and seat 1 holds a contract full of neighbours."""
    deal = new_deal(rules_for("jamaican", 3), 9, 1)
    faces = deal.rules.faces
    deal.asked = []
    deal.phase, deal.turn, deal.actor = phase, 1, 1
    deal.hands[1] = list(parse_cards(hand, faces))
    deal.melds = [
        make_meld(deal.rules.ruleset, owner, Group(parse_cards(cards, faces), Kind.RUN))
        for owner, melds in ((0, CROWDED_TABLE[0]), (2, CROWDED_TABLE[1]))
        for cards in melds
    ]
    deal.laid[0] = deal.laid[2] = HasLaid.EARLIER
    return deal


@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.PLAY])
def test_where_a_turn_has_too_many_ways_the_plan_is_cut_short_and_the_club_player_is_followed(
    phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts: list[Effort] = []

    def noted(steps: int) -> Effort:
        efforts.append(Effort(steps))
        return efforts[-1]

    monkeypatch.setattr(expert, "Effort", noted)
    view = crowded(phase, CROWDED_HAND).view(1)
    decision = make_player("expert", "1").decide(view)
    assert any(effort.is_spent for effort in efforts)
    assert all(effort.left > -1_000 for effort in efforts)
    assert decision.action == make_player("club", "1").decide(view).action


def test_calls_freely_where_two_sets_are_asked_for_and_no_more_runs() -> None:
    rules = rules_for("jamaican", 3)
    freely = [
        number
        for number in range(1, 10)
        if expert.Expert("1").enough_to_call(new_deal(rules, number, 1).view(0)) == expert.CALL_GAIN
    ]
    assert freely == [1, 2, 5, 6, 7]


def test_looks_less_far_ahead_than_the_club_player() -> None:
    deal = new_deal(rules_for("jamaican", 3), 2, 1)
    deal.asked = []
    deal.phase, deal.turn, deal.actor = Phase.PLAY, 1, 1
    view = deal.view(1)
    unseen = unseen_copies(view, remember(view))
    for player, horizon in ((expert.Expert("1"), 6.0), (Club("1"), 12.0)):
        found = prospect(view.rules, view.contract, view.hand, unseen, horizon)
        shares = {one.card: one.share for one in player.weigh_throws(view)}
        assert any(shares.values())
        assert shares == {card: found.keep.get(card, 0.0) / found.worth for card in shares}
