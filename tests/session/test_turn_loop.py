from __future__ import annotations

import random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.session.plan import AskCalls, MatchPlan
from kalooki_tui.session.turn_loop import HeldReasons, WhenAsked, brings_nearer, wants_asking
from kalooki_tui.solver import useful_cards
from tests.tui import samples

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


RULES: Final = samples.view().rules
RACE: Final = replace(RULES, settings=replace(RULES.settings, race=True))


@pytest.mark.parametrize(
    ("discard", "changes", "asked"),
    [
        ("2C", {}, [True, False, False]),
        ("10C", {}, [True, True, False]),
        ("2C", {"rules": RACE}, [True, True, False]),
        ("2C", {"turn": 0}, [True, True, True]),
    ],
    ids=["a useless card", "a useful card", "in a race nobody is left out for the hand", "on my turn"],
)
def test_who_is_asked_by_each_setting(discard: str, changes: dict[str, Any], asked: list[bool]) -> None:
    view = samples.view(discard=discard, **{**WINDOW, **changes})  # type: ignore[arg-type]
    assert [wants_asking(view, ask) for ask in AskCalls] == asked


def test_of_several_people_whose_turn_it_is_may_be_left_out_as_others_are() -> None:
    mine = {"phase": Phase.CALL_WINDOW, "turn": 0, "actor": 0, "melds": ()}
    useless, useful = samples.view(discard="2C", **mine), samples.view(discard="10C", **mine)  # type: ignore[arg-type]
    several = [WhenAsked(MatchPlan(ask_several=ask)) for ask in AskCalls]
    assert [one.wants(useless) for one in several] == [True, False, False]
    assert [one.wants(useful) for one in several] == [True, True, False]


def test_who_has_laid_has_no_contract_to_come_nearer_to() -> None:
    laid = (HasLaid.EARLIER, HasLaid.NO, HasLaid.NO, HasLaid.NO)
    assert not brings_nearer(samples.view(discard="10C", laid=laid, **WINDOW))  # type: ignore[arg-type]


def test_what_was_chosen_at_set_up_goes_with_the_person_to_the_seat_drawn() -> None:
    plan = MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club"]), ask_each={"Bob": AskCalls.TURN})
    asking = WhenAsked(plan, ["Bob", "Ada", "Ann"])
    assert [asking.of(seat) for seat in range(3)] == [AskCalls.TURN, AskCalls.ALWAYS, AskCalls.ALWAYS]


VIEW = samples.view()
QUEEN, SIX = samples.cards("QS 6H")


def after(held: HeldReasons, before: int, event: happened.Event, reason: str = "") -> None:
    if reason:
        held.hold(event.seat, reason)  # type: ignore[union-attr]
    held.happened(before, (event,), VIEW.names, VIEW.rules)


def test_a_reason_names_its_step_is_of_the_next_alone_and_is_forgotten_with_it() -> None:
    # A line names the step and why it was made.
    held = HeldReasons()
    after(held, 3, happened.Drew(1, Source.DISCARD, QUEEN), "Q♠ made a new meld.")
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ("Bob takes the discard Q♠: Q♠ made a new meld.",)
    # A reason is that of its own seat and of the next step only.
    held = HeldReasons()
    held.hold(1, "no matter why")
    after(held, 3, happened.Called(2, QUEEN))
    after(held, 4, happened.Discarded(1, SIX))
    assert held.lines == ()
    # What is taken back and what was before the deal is forgotten.
    held = HeldReasons()
    after(held, 3, happened.Discarded(1, SIX), "6♥ is of no use")
    after(held, 5, happened.Discarded(2, QUEEN), "Q♠ is of no use")
    after(held, 4, happened.Discarded(0, SIX))
    assert [line.split()[0] for line in held.lines] == ["Bob"]
    after(held, 30, happened.Dealt(2, 1, 0, 1, SIX))
    assert held.lines == ()
