"""What looks silly is seen, and valued beside what is sensible."""

from __future__ import annotations

import re
import sys

import pytest

from kalooki_tui.engine.actions import ALLOW, CALL, DISCARD, DRAW_DISCARD, DRAW_STOCK, PASS, REFUSE, Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.cards import parse_cards
from lab import laughable, measure_paces
from tests.players.simulate import new_deal, rules_for

PAIRS = "4C 4H 8C 8H JC JH 5S 3D"
"""For three sets."""


def about(phase: Phase, hand: str, discard: str, number: int = 1) -> Deal:
    """A Jamaican deal of three seats, seat 1 to act with that hand about that discard."""
    deal = new_deal(rules_for("jamaican", 3), number, 1)
    faces = deal.rules.faces
    deal.phase, deal.turn, deal.actor, deal.asked = phase, 1, 1, []
    deal.hands[1] = list(parse_cards(hand, faces))
    (deal.pile[-1],) = parse_cards(discard, faces)
    deal.caller = 0 if phase is Phase.DECISION else None
    return deal


def seen(deal: Deal, *actions: Action) -> list[tuple[str, Action, Action]]:
    """What is silly about the actions of seat 1: the kind, what it did, what would have been sensible."""
    watch = laughable.Watch()
    found: list[tuple[str, Action, Action]] = []
    for action in actions:
        found += [(one.kind, one.done, one.sensible) for one in watch.look(deal.clone(), action)]
        deal.apply(action)
    return found


def throw(card: str) -> Action:
    return DISCARD[1][parse_cards(card, rules_for("jamaican", 3).faces)[0]]


@pytest.mark.parametrize(
    ("phase", "having", "sensible", "kind"),
    [
        pytest.param(Phase.DRAW, DRAW_DISCARD[1], DRAW_STOCK[1], "taken and thrown", id="taken"),
        pytest.param(Phase.DECISION, REFUSE[1], ALLOW[1], "refused and thrown", id="refused"),
    ],
)
def test_a_card_that_is_had_and_thrown_is_seen(phase: Phase, having: Action, sensible: Action, kind: str) -> None:
    assert seen(about(phase, PAIRS, "KD"), having, throw("KD")) == [(kind, having, sensible)]
    assert seen(about(phase, PAIRS, "KD"), having, throw("3D")) == []


def test_a_meld_that_is_broken_is_seen_with_the_throw_that_keeps_it() -> None:
    hand = "JH QH KH AH 2C 7S 9D 5C 4S 10S 6D"
    ((kind, _, sensible),) = seen(about(Phase.PLAY, hand, "KD", number=4), throw("QH"))
    assert kind == "meld broken"
    assert sensible not in [throw(card) for card in ("JH", "QH", "KH", "AH")]
    assert seen(about(Phase.PLAY, hand, "KD", number=4), throw("2C")) == []


def asked_about(hand: str, discard: str, number: int = 1) -> Deal:
    """A Jamaican deal that has just begun, the first seat that may call holding that hand."""
    deal = new_deal(rules_for("jamaican", 3), number, 1)
    assert deal.actor is not None
    deal.hands[deal.actor] = list(parse_cards(hand, deal.rules.faces))
    (deal.pile[-1],) = parse_cards(discard, deal.rules.faces)
    return deal


def test_a_call_of_a_useless_card_and_a_pass_of_one_that_opens_much_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = asked_about(PAIRS, "KD").actor
    assert seat is not None
    assert seen(asked_about(PAIRS, "KD"), CALL[seat]) == [("idle call", CALL[seat], PASS[seat])]
    assert seen(asked_about(PAIRS, "8D"), CALL[seat]) == []
    assert seen(asked_about(PAIRS, "KD"), PASS[seat]) == []
    # A fourth pair brings three sets no nearer, but six more cards help.
    fourth = asked_about(PAIRS.replace("5S", "KS"), "KD")
    assert seen(fourth.clone(), PASS[seat]) == []
    monkeypatch.setattr(laughable, "MANY", 6)
    assert seen(fourth, PASS[seat]) == [("opening not called", PASS[seat], CALL[seat])]


def test_both_studies_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(laughable, "STOCKS", 2)
    monkeypatch.setattr(measure_paces, "VALUED", 4)
    monkeypatch.setattr(sys, "argv", ["laughable", "--ruleset", "baby", "--deals", "2", "--levels", "novice"])
    laughable.main()
    assert capsys.readouterr().out.startswith("novice, 2 deals:\n")
    monkeypatch.setattr(sys, "argv", ["measure_paces", "--ruleset", "baby", "--decisions", "3", "--worlds", "4", "8"])
    measure_paces.main()
    first, *paces = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"baby: \d decisions of \d+ deals, of which [\d.]+ a deal are played on; .*", first)
    assert [line.split()[0] for line in paces] == ["4", "8"]
