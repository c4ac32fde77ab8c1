"""The log's sentences: whoever is called You is spoken to, in every verb."""

from __future__ import annotations

from typing import Final

import pytest

from kalooki_tui.desk.words import log_line, step_words
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Discard, Kind, Source, Tack
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.rulesets.loader import resolve

NAMES: Final = ("You", "Bea", "Cy")
RULES: Final = make_rules(resolve("jamaican"), 3)
FIVE, SIX, JACK = RULES.faces.symbol(4), RULES.faces.symbol(5), RULES.faces.symbol(10)
SIXES: Final = (5, 5, 5)

SENTENCES: Final[list[tuple[Event, str | None]]] = [
    (happened.Dealt(1, 1, 0, 1, 4), f"You deal and turn up {FIVE}; Bea begins"),
    (happened.Dealt(1, 1, 1, 0, 4), f"Bea deals and turns up {FIVE}; you begin"),
    (happened.CutMade(0, 20, True), "You cut: exactly right"),
    (happened.Passed(0), None),
    (happened.Called(0, 4), f"You call {FIVE}"),
    (happened.CallAllowed(0, 1, 4, True), f"You allow: Bea takes {FIVE} and a penalty card"),
    (happened.CallAllowed(1, 0, 4, True), f"Bea allows: you take {FIVE} and a penalty card"),
    (happened.CallAllowed(1, 0, 4, False), f"You take {FIVE} and a penalty card"),
    (happened.CallRefused(0, 1, 4, Source.DISCARD), f"You refuse and take {FIVE}"),
    (happened.CallRefused(1, 0, 4, Source.DISCARD), f"Bea refuses and takes {FIVE}"),
    (happened.PenaltyCard(0, None), None),
    (happened.Drew(0, Source.STOCK, None), "You draw from the stock"),
    (happened.Drew(0, Source.DISCARD, 4), f"You take the discard {FIVE}"),
    (happened.Flipped(4, 0), f"The flip is {FIVE}: you get it"),
    (happened.Laid(0, 0, Kind.SET, SIXES, True), f"You lay m1 {SIX} {SIX} {SIX}"),
    (happened.Tacked(0, 1, (10,), (10,)), f"You tack {JACK} on m2"),
    (happened.Swapped(0, 0, 4, SIXES, True), f"You swap {FIVE} into m1 and free its joker"),
    (happened.Swapped(1, 0, 4, SIXES, True), f"Bea swaps {FIVE} into m1 and frees its joker"),
    (happened.Discarded(0, 4), f"You discard {FIVE}"),
    (happened.TurnEnded(0), "You have nothing to discard"),
    (happened.Challenged(0, 1, 2, False), "You challenge Bea: 2 too many"),
    (happened.Challenged(1, 0, 0, True), "Bea challenges you: charged before"),
    (happened.Charged(0, 50, "F1"), "You are charged 50 points"),
    (happened.Charged(0, -50, "B1"), "You score -50"),
    (happened.DroppedOut(0, None), "You are out of the deal"),
    (happened.Reshuffled(40, None), "The discards are shuffled: 40 cards in the stock"),
    (happened.WentOut(0, False), "You go out!"),
    (happened.WentOut(0, True), "You go out and bend the table!"),
    (happened.WentOut(1, True), "Bea goes out and bends the table!"),
    (happened.AddedOn(0), "You are done"),
    (happened.Voided(1, 1), "The stock ran out twice: the deal is void"),
    (happened.Voided(1, 1, 200), "Nobody has laid in 200 turns of each seat: the deal is void"),
    (happened.Scored(0, False, False, (), (), ()), None),
    (happened.PassedOver(2, (), ()), "Contract 2 is passed over"),
    (happened.Paid("call-up", (2, -1, -1), 0), "Counters (call-up): You +2, Bea -1, Cy -1"),
    (happened.Eliminated(0), "You are eliminated"),
    (happened.BoughtIn(0, 90), "You buy in again at 90"),
    (happened.SeatLeft(0), "You leave the match"),
    (happened.MatchOver((0,), ()), None),
]


@pytest.mark.parametrize(
    ("event", "sentence"), SENTENCES, ids=lambda value: value if isinstance(value, str) else type(value).__name__
)
def test_every_verb_of_a_sentence_about_you_is_in_the_second_person(event: Event, sentence: str | None) -> None:
    line = log_line(event, NAMES, RULES)
    assert (None if line is None else line.text) == sentence


def test_no_kind_of_event_is_left_out() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(Event.__args__)


def test_what_is_taken_back_is_said_with_its_owner_and_without_a_card() -> None:
    assert step_words(Discard(0, 4), NAMES, RULES) == "your discard"
    assert step_words(Tack(1, (4,), 0), NAMES, RULES) == f"{NAMES[1]}'s {RULES.ruleset.vocabulary.tack}"
