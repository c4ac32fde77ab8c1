import pytest

from kalooki_tui.cards import make_card
from kalooki_tui.engine.actions import Group, Kind, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.judging import options as turns
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.players.club import Club
from kalooki_tui.solver.effort import Effort
from tests.players.simulate import rules_for, seat_one_at
from tests.solver.hands import CROWDED_HAND, CROWDED_TABLE

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def laid(number: int, hand: list[int], melds: list[tuple[int, tuple[int, ...], Kind]]) -> Deal:
    deal = seat_one_at(Phase.PLAY, "jamaican", number, hand)
    deal.melds = [make_meld(deal.rules.ruleset, owner, Group(cards, kind)) for owner, cards, kind in melds]
    deal.laid = [HasLaid.EARLIER] * 3
    return deal


def test_goes_out_where_the_whole_hand_can_be_played() -> None:
    kings = tuple(make_card(suit, 13) for suit in (CLUBS, HEARTS, SPADES))
    hand = [make_card(DIAMONDS, 13), make_card(CLUBS, 2)]
    decision = turns.next_step(laid(1, hand, [(2, kings, Kind.SET)]).view(1))
    assert decision is not None
    assert isinstance(decision.action, Tack)
    assert decision.action.cards == (make_card(DIAMONDS, 13),)


def test_where_a_turn_has_too_many_ways_the_club_player_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = rules_for("jamaican", 3).faces
    melds = [
        (owner, tuple(parse_cards(cards, faces)), Kind.RUN)
        for owner, table in ((0, CROWDED_TABLE[0]), (2, CROWDED_TABLE[1]))
        for cards in table
    ]
    view = laid(9, list(parse_cards(CROWDED_HAND, faces)), melds).view(1)
    efforts: list[Effort] = []

    def noted(steps: int) -> Effort:
        efforts.append(Effort(steps))
        return efforts[-1]

    monkeypatch.setattr(turns, "Effort", noted)
    decision = turns.next_step(view)
    assert [effort.is_spent for effort in efforts] == [True]
    assert efforts[0].left > -1_000
    usual = Club("1").shed(view)
    assert decision is not None
    assert usual is not None
    assert decision.action == usual.action
