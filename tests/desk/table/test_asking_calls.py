"""Which calls one person is asked about: with the default none that brings the contract nearer is missed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import pytest

from kalooki_tui.cards import JOKER, KINDS_OF_CARD
from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.desk.table.flow import WhenAsked, asked_each, brings_nearer, wants_asking
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.solver import useful_cards
from kalooki_tui.table.seats import parse_seats
from tests.ui import samples

WINDOW: Final = {"phase": Phase.CALL_WINDOW, "turn": 1, "actor": 0, "melds": ()}


@pytest.mark.parametrize("seed", range(6))
def test_exactly_the_cards_that_bring_the_contract_nearer_are_asked_about(seed: int) -> None:
    chance = random.Random(seed)
    hand = tuple(chance.choices(range(JOKER), k=11))
    view = samples.view(**WINDOW)  # type: ignore[arg-type]
    asked = set()
    for card in range(KINDS_OF_CARD):
        now = replace(view, hand=hand, discard=card)
        if wants_asking(now, AskCalls.HELPS):
            asked.add(card)
    assert asked == set(useful_cards(view.rules, view.contract, hand)[1])
    assert len(asked) < 2 * KINDS_OF_CARD / 3


def test_always_and_not_until_my_turn() -> None:
    useless = samples.view(discard="2C", **WINDOW)  # type: ignore[arg-type]
    useful = samples.view(discard="10C", **WINDOW)  # type: ignore[arg-type]
    assert [wants_asking(useless, ask) for ask in AskCalls] == [True, False, False]
    assert [wants_asking(useful, ask) for ask in AskCalls] == [True, True, False]


def test_in_a_race_nobody_is_left_out_for_what_the_hand_is() -> None:
    rules = samples.view().rules
    race = replace(rules, settings=replace(rules.settings, race=True))
    useless = samples.view(discard="2C", **WINDOW, rules=race)  # type: ignore[arg-type]
    assert [wants_asking(useless, ask) for ask in AskCalls] == [True, True, False]


def test_on_my_turn_i_am_asked_whatever_the_setting() -> None:
    view = samples.view(discard="2C", phase=Phase.CALL_WINDOW, turn=0, actor=0)
    assert all(wants_asking(view, ask) for ask in AskCalls)


def test_of_several_people_whose_turn_it_is_may_be_left_out_as_others_are() -> None:
    mine = {"phase": Phase.CALL_WINDOW, "turn": 0, "actor": 0, "melds": ()}
    useless, useful = samples.view(discard="2C", **mine), samples.view(discard="10C", **mine)  # type: ignore[arg-type]
    assert [WhenAsked(ask).wants(useless) for ask in AskCalls] == [True, False, False]
    assert [WhenAsked(ask).wants(useful) for ask in AskCalls] == [True, True, False]


def test_who_has_laid_has_no_contract_to_come_nearer_to() -> None:
    laid = (HasLaid.EARLIER, HasLaid.NO, HasLaid.NO, HasLaid.NO)
    assert not brings_nearer(samples.view(discard="10C", laid=laid, **WINDOW))  # type: ignore[arg-type]


def test_what_was_chosen_at_set_up_goes_with_the_person_to_the_seat_drawn() -> None:
    plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club"]), ask_each={"Bob": AskCalls.TURN})
    assert asked_each(plan, ["Bob", "Ada", "Ann"]) == {0: AskCalls.TURN}
