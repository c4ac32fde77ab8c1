"""From cards chosen in any order to melds."""

from __future__ import annotations

import random

import pytest

from kalooki_tui.desk.table.desk import MOST_WAYS, Groups, arrangements
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.notation.cards import parse_cards, parse_group, print_group
from kalooki_tui.rulesets.loader import load_ruleset


def rules_of(ruleset: str) -> Rules:
    """The rules of a match of three or four."""
    return make_rules(load_ruleset(ruleset), 2 if ruleset == "tuluki" else 3)


def ways(cards: str, *others: str, ruleset: str = "jamaican") -> list[Groups] | Refusal:
    """The arrangements of these cards beside those melds."""
    rules = rules_of(ruleset)
    melds = [make_meld(rules.ruleset, 0, parse_group(text, rules.faces)) for text in others]
    return arrangements(rules, rules.contract(1), 0, parse_cards(cards, rules.faces), melds)


def texts(cards: str, *others: str, ruleset: str = "jamaican") -> set[str]:
    """The arrangements as text."""
    found = ways(cards, *others, ruleset=ruleset)
    assert not isinstance(found, Refusal), found
    faces = rules_of(ruleset).faces
    return {" | ".join(print_group(Group(group.cards), faces) for group in groups) for groups in found}


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("5H 5C 5D", {"5C 5D 5H"}),
        ("8C 6C 5C 7C", {"5C 6C 7C 8C"}),
        ("QS AS KS JS", {"JS QS KS AS"}),
        ("3D AD 2D 4D", {"AD 2D 3D 4D"}),
        ("5C 7C JK 8C", {"5C JK 7C 8C"}),
        ("7C 8C 9C JK", {"JK 7C 8C 9C", "7C 8C 9C JK"}),
        ("KH 5C KS 5D KD 5H", {"5C 5D 5H | KD KH KS"}),
        ("5C 5D JK", {"5C 5D JK"}),
    ],
)
def test_cards_in_any_order_are_put_in_order(cards: str, expected: set[str]) -> None:
    assert texts(cards) == expected


def test_a_joker_may_leave_a_card_for_a_set() -> None:
    assert texts("5C 5D 5H 4H JK 6H 7H") == {"5C 5D 5H | 4H JK 6H 7H", "5C 5D JK | 4H 5H 6H 7H"}


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("5C 5D", "set.size"),
        ("5C 6C 7C", "run.size"),
        ("KC AC 2C 3C", "run.wrap"),
        ("9C JK JK", "set.naturals"),
        ("5C 9D QH", "lay.melds"),
        ("2C 9C QC KC", "run.order"),
    ],
)
def test_cards_that_make_no_meld_say_why(cards: str, code: str) -> None:
    found = ways(cards)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_melds_that_are_there_already_count() -> None:
    found = ways("5C 5D 5H", "5S 5C 5D")
    assert isinstance(found, Refusal)
    assert found.clause == "M8"
    assert texts("5C 5D 5H", "5S 5C 5H", ruleset="trinidad") == {"5C 5D 5H"}


@pytest.mark.parametrize("ruleset", ["jamaican", "air-jamaica", "trinidad", "kalookie-40", "kooky"])
def test_every_way_is_of_valid_melds_and_uses_every_card(ruleset: str) -> None:
    rules = rules_of(ruleset)
    chance = random.Random(ruleset)
    several = 0
    for _ in range(40):
        suit = chance.randrange(4)
        low = chance.randint(1, 9)
        run = [suit * 13 + low - 1 + step for step in range(4)]
        rank = chance.randrange(13)
        cards = run + [other * 13 + rank for other in range(3)]
        for _ in range(chance.randint(0, 2)):
            cards[chance.randrange(len(cards))] = 52
        chance.shuffle(cards)
        found = arrangements(rules, rules.contract(1), 0, cards, [])
        if isinstance(found, Refusal):
            assert found.clause
            continue
        assert 0 < len(found) <= MOST_WAYS
        several += len(found) > 1
        for groups in found:
            assert sorted(card for group in groups for card in group.cards) == sorted(cards)
            for group in groups:
                assert make_meld(rules.ruleset, 0, group).kind is group.kind
    assert several
