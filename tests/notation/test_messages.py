import json
import random
from functools import cache

import pytest

from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Drew, Event, PenaltyCard
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.action_text import parse_answer
from kalooki_tui.notation.messages import ask_message, hello_message, seen_by
from kalooki_tui.players import make_player
from tests.property.tables import redeal_hidden, start_match


@cache
def spy(ruleset: str, seats: int, referee: Referee) -> list[tuple[Match, int, str]]:
    """A match of novices with, at each decision, a copy of the match, the seat asked and the message it would get."""
    match = start_match(ruleset, seats, 11, referee, cut=True)
    players = [make_player("novice", f"spy {seat}") for seat in range(seats)]
    moments: list[tuple[Match, int, str]] = []
    deals = 0
    while not match.finished and deals < 2:
        seat = match.actor
        if seat is None:
            match.next_deal()
            deals += 1
            continue
        view = match.view(seat)
        moments.append((match.clone(), seat, json.dumps(ask_message(view, match.deal.history))))
        match.apply(players[seat].decide(view).action)
    return moments


@pytest.mark.parametrize("referee", list(Referee))
@pytest.mark.parametrize(("ruleset", "seats"), [("jamaican", 4), ("tuluki", 2), ("trinidad", 3), ("kooky", 3)])
def test_no_message_changes_with_the_hidden_cards(ruleset: str, seats: int, referee: Referee) -> None:
    dice = random.Random(1)
    moments = spy(ruleset, seats, referee)
    assert len(moments) > 100
    dealt = [moment for moment in moments if moment[0].deal.pile]  # before the cut nothing is
    for match, seat, message in dice.sample(dealt, 60):
        again = redeal_hidden(match, seat, dice)
        assert json.dumps(ask_message(again.view(seat), again.deal.history)) == message


@pytest.mark.parametrize("referee", list(Referee))
def test_calls_are_told_by_the_strict_referee_only(referee: Referee) -> None:
    message = json.loads(spy("jamaican", 3, referee)[5][2])
    assert all(("calls" in seat) == (referee is Referee.STRICT) for seat in message["seats"])


def test_every_option_is_an_answer_that_is_accepted() -> None:
    asked = set()
    for match, seat, text in random.Random(2).sample(spy("air-jamaica", 4, Referee.PENALTIES), 80):
        message = json.loads(text)
        asked.add(message["ask"])
        for option in message["options"]:
            action = parse_answer(option, seat, match.names, match.rules.faces)
            assert match.why_not(action) is None
    assert {"call", "draw", "play", "decide"} <= asked


def test_an_ask_holds_what_the_reference_says() -> None:
    match = start_match("jamaican", 3, 5)
    seat = match.actor
    faces = match.rules.faces
    message = ask_message(match.view(seat), match.deal.history)
    names = "ask deal contract hand discard stock table seats turn dealer phase options events"
    assert list(message) == names.split()
    assert message["ask"] == "call"
    assert message["contract"] == {"sets": 3, "runs": 0}
    assert message["hand"] == faces.texts(match.deal.hands[seat])
    assert message["discard"] == faces.text(match.deal.pile[-1])
    assert message["stock"] == len(match.deal.stock)
    assert message["options"] == ["pass", "call"]
    assert message["seats"][0] == {"name": "A", "cards": 9, "calls": 0, "laid": False, "total": 0}
    hello = hello_message(match.view(seat))
    assert hello["rules"]["id"] == "jamaican"
    assert hello["settings"]["max_redeals"] is None


def test_melds_points_and_money_are_told() -> None:
    moments = spy("kalookie-40", 3, Referee.STRICT)
    message = next(json.loads(text) for _, _, text in moments if json.loads(text)["table"])
    assert message["contract"] == {"points": 40}
    assert message["pool"] == 30
    assert message["seats"][0]["money"] == -10
    assert set(message["table"][0]) == {"meld", "owner", "kind", "cards"}
    assert message["table"][0]["meld"] == "m1"


@pytest.mark.parametrize("event", [Drew(1, Source.STOCK, 5), PenaltyCard(1, 5)])
def test_a_seat_sees_the_cards_it_drew_itself(event: Event) -> None:
    assert seen_by(1, event) == event
    assert seen_by(0, event).card is None  # type: ignore[union-attr]
