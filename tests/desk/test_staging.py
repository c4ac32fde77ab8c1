"""Melds put forward stay as long as the hand holds their cards and they may be laid."""

from __future__ import annotations

from dataclasses import replace

from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.engine.actions import Group, Kind
from tests.ui import samples

EIGHTS = Group(samples.cards("8S 8H 8D"), Kind.SET)
NINES = Group(samples.cards("9S 9H 9D"), Kind.SET)


def test_a_meld_goes_back_when_a_card_of_it_has_left_the_hand_and_the_others_stay() -> None:
    view = samples.view(hand="8S 8H 8D 9S 9H 9D 4S", may_lay=True)
    desk = Desk(view, lambda action: None)
    desk.open(view)
    desk.staged = [EIGHTS, NINES]
    desk.open(replace(view, hand=(*EIGHTS.cards, *NINES.cards)))
    assert desk.staged == [EIGHTS, NINES]
    desk.open(replace(view, hand=(*EIGHTS.cards[1:], *NINES.cards)))
    assert desk.staged == [NINES]
    desk.open(replace(view, may_lay=False))
    assert desk.staged == []


def test_two_melds_of_the_same_cards_need_them_twice() -> None:
    view = samples.view(hand="8S 8H 8D 8S 8H 8D", may_lay=True)
    desk = Desk(view, lambda action: None)
    desk.open(view)
    desk.staged = [EIGHTS, EIGHTS]
    desk.open(view)
    assert desk.staged == [EIGHTS, EIGHTS]
    desk.open(replace(view, hand=EIGHTS.cards))
    assert desk.staged == [EIGHTS]
