"""The plan for the open hand: when it is looked for, and what would fill the place of a card that it lacks."""

import pytest

from kalooki_tui.cards import FRENCH, JOKER
from kalooki_tui.desk.table import desk as desk_module
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.moves import lack_text
from kalooki_tui.solver.witness import Lacking, nearest_plan
from tests.ui.samples import cards, view


def test_a_lacking_card_is_named_as_narrowly_as_it_can_be() -> None:
    assert lack_text(Lacking(0, cards("9D JK")), FRENCH) == "9♦"
    assert lack_text(Lacking(0, cards("10C 10H")), FRENCH) == "10"
    assert lack_text(Lacking(0, (JOKER,)), FRENCH) == "★"


def test_slots_shown_at_once_wait_for_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[object] = []
    monkeypatch.setattr(desk_module, "nearest_plan", lambda *hand: looked_for.append(hand) or nearest_plan(*hand))

    def held() -> list[int]:
        return [slot.held for slot in desk.slots(at_once=True)]

    desk = Desk(view(), lambda _: None)
    desk.open(view())
    none = [0] * len(held())
    assert held() == none
    assert not desk.has_plan
    assert not looked_for
    desk.slots()
    found = held()
    assert found != none
    assert desk.has_plan
    # Another hand: the plan known last serves until its own is found.
    desk.open(view(hand="AS KD QD JD 9C 8C 7C 5H 5D 2S"))
    assert not desk.has_plan
    assert held() == found
    # Another deal, or nobody's hand.
    desk.open(view(deal=4))
    assert not any(held())
    desk.plan()
    desk.close(view())
    assert desk.has_plan
    assert not any(held())
    assert len(looked_for) == 2
