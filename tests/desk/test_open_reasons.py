"""Reasons of AI seats in a teaching match: told to the one person there, without a card that nobody else sees."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kalooki_tui.cards import KINDS_OF_CARD
from kalooki_tui.desk.desk import face_down
from kalooki_tui.desk.open_reasons import open_reason
from kalooki_tui.desk.plan import MatchPlan
from kalooki_tui.engine.actions import Action, Call, Discard, Draw, Lay, Pass, Source
from kalooki_tui.engine.events import Laid
from kalooki_tui.players import make_player
from kalooki_tui.table.driving import Driver, Kind
from kalooki_tui.table.seats import parse_seats
from tests.ui import samples

VIEW = face_down(replace(samples.view("jamaican"), flip=None))
SEVEN = VIEW.discard
assert SEVEN is not None


@pytest.mark.parametrize(
    ("text", "action", "told"),
    [
        ("Q♦ goes with little in hand", Discard(1, 24), "Q♦ goes with little in hand"),
        (
            "Q♦ is in 4% of the ways to the contract, 8♣ in 22%",
            Discard(1, 24),
            "Q♦ is in 4% of the ways to the contract",
        ),
        ("Q♦ is likelier than 10♠ to become part", Discard(1, 24), "Q♦ is likelier than another card to become part"),
        ("the contract is complete, 4 cards will stay", Lay(1, ()), "the contract is complete, 4 cards will stay"),
        ("with 7♥ the contract is 2 cards away", Call(1), "with 7♥ the contract is 2 cards away"),
        ("7♥ helps no more than ★", Draw(1, Source.DISCARD), "7♥ helps no more than another card"),
        ("7♥ helps less", Draw(1, Source.STOCK), "another card helps less"),
    ],
)
def test_cards_in_the_hand_are_left_out(text: str, action: Action, told: str) -> None:
    assert open_reason(text, action, VIEW) == told


@pytest.mark.parametrize("ruleset", ["jamaican", "kooky", "tuluki"])
def test_no_reason_of_a_played_deal_names_a_hidden_card(ruleset: str) -> None:
    levels = ("ai:novice", "ai:club") if ruleset == "tuluki" else ("ai:novice", "ai:club", "ai:expert")
    seats = [f"{name}={level}" for name, level in zip(("Ann", "Bob", "Cat"), levels, strict=False)]
    table = MatchPlan(ruleset=ruleset, seats=parse_seats(seats), seed=2).open()
    driver = Driver(table, people=(), programs={})
    faces = table.match.rules.faces
    pattern = re.compile(
        "|".join(sorted((re.escape(faces.symbol(card)) for card in range(KINDS_OF_CARD)), key=len)[::-1])
    )
    told = 0
    for _ in range(400):
        wait = driver.advance()
        if wait.kind is not Kind.SEAT or told > 60:
            break
        seat = wait.seats[0]
        decision = make_player(table.plans[seat].level, table.player_seed(seat)).decide(table.view(seat))
        view = face_down(table.view(0))
        text = open_reason(decision.reason, decision.action, view) if decision.reason else ""
        before = len(view.history)
        driver.take(seat, decision.action)
        if text and not isinstance(decision.action, Pass):
            told += 1
            seen = {card for card in (view.discard, view.flip) if card is not None}
            seen |= {decision.action.card} if isinstance(decision.action, Discard) else set()
            for event in tuple(table.match.deal.history)[before:]:
                seen |= set(event.cards) if isinstance(event, Laid) else set()
            assert set(pattern.findall(text)) <= {faces.symbol(card) for card in seen}, (decision, text)
    assert told > 10
