"""A deal made again from a view and the hidden cards is the deal itself."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest

from kalooki_tui.engine.actions import Action, Challenge
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.reconstruction import rebuild
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.state import State
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.players import make_player
from tests.players.simulate import new_deal, rules_for

#: Of these a view says nothing, and they are a matter of the shuffle or of a bad lay-down alone.
NOT_SEEN = ("seed", "next_stock", "bad_lay_open")


def rebuilt(deal: Deal, seat: int) -> Deal:
    """The deal again, from the view of `seat` and what it does not see."""
    return rebuild(deal.view(seat), deal.hands, deal.stock, deal.pile, deal.face_down, deal.seed)


def check_same(deal: Deal, seat: int) -> None:
    """See that the deal made again is the same, field by field."""
    again = rebuilt(deal, seat)
    for field in fields(State):
        if field.name not in NOT_SEEN:
            assert getattr(again, field.name) == getattr(deal, field.name), field.name


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("ruleset", "seats", "number", "referee"),
    [
        ("jamaican", 4, 9, Referee.STRICT),
        ("jamaican", 3, 2, Referee.PENALTIES),
        ("air-jamaica", 3, 5, Referee.PENALTIES),
        ("baby", 4, 2, Referee.STRICT),
        ("trinidad", 4, 3, Referee.PENALTIES),
        ("trinidad", 5, 7, Referee.PENALTIES),
        ("kalookie-40", 3, 1, Referee.STRICT),
        ("kooky", 4, 8, Referee.PENALTIES),
        ("tuluki", 2, 2, Referee.STRICT),
    ],
)
def test_every_moment_can_be_made_again_and_goes_on_alike(
    ruleset: str, seats: int, number: int, referee: Referee
) -> None:
    rules = rules_for(ruleset, seats, referee)
    for seed in (1, 2):
        deal = new_deal(rules, number, seed)
        dice = random.Random(f"{ruleset}/{seed}")
        players = [make_player("club", f"{seat}") for seat in range(seats)]
        twin: Deal | None = None
        while deal.actor is not None:
            check_same(deal, dice.randrange(seats))
            action = chosen(deal, players[deal.actor].decide(deal.view(deal.actor)).action, dice)
            twin = rebuilt(deal, deal.actor)
            assert twin.apply(action) == deal.apply(action)
        assert twin is not None
        assert twin.points == deal.points


def chosen(deal: Deal, action: Action, dice: random.Random) -> Action:
    """The player's action, or now and then a challenge of anybody."""
    assert deal.actor is not None
    targets = deal.view(deal.actor).may_challenge
    if targets and dice.random() < 0.03:
        return Challenge(deal.actor, dice.choice(targets))
    legal = deal.legal()
    return dice.choice(legal) if legal and dice.random() < 0.1 else action


def test_in_the_final_add_on_the_seats_to_come_are_asked() -> None:
    deal = new_deal(rules_for("kooky", 4), 1, 3)
    deal.asked = []
    deal.phase, deal.turn, deal.actor = Phase.PLAY, 2, 2
    deal.laid = [HasLaid.EARLIER, HasLaid.NO, HasLaid.EARLIER, HasLaid.EARLIER]
    card = next(card for card in deal.hands[2] if card != 52)
    deal.hands[2] = [card]
    deal.apply(next(action for action in deal.legal() if getattr(action, "card", None) == card))
    assert deal.phase is Phase.ADD_ON
    assert deal.asked == [3, 0]
    check_same(deal, 0)
    deal.apply(deal.legal(3)[-1])
    assert deal.asked == [0]
    check_same(deal, 1)


def test_between_deals_there_is_nothing_to_make_again() -> None:
    deal = new_deal(rules_for("jamaican", 3), 1, 1)
    deal.phase = Phase.OVER
    with pytest.raises(ValueError, match="no deal is being played"):
        rebuilt(deal, 0)
