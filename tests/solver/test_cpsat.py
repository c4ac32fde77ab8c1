import random

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.solver import best_lay, distance
from tests.moments import there
from tests.solver import oracle_cpsat
from tests.solver.hands import RULESETS, deal_with_contract, random_hand, rules_of

#: The constraint solver takes ten times as long where ranks and suits may repeat.
REPEATING = ("trinidad", "kalookie-40")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_lay_downs_of_large_hands(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"large/{ruleset}/{options}")
    jokers = 0
    for _ in range(8 if ruleset in REPEATING else 12):
        contract, hand = deal_with_contract(dice, rules)
        found = there(best_lay(rules, contract, hand, prefer_out=False))
        expected = oracle_cpsat.fewest_points(rules, contract, hand)
        assert found.points_left == expected, (contract, rules.faces.texts(hand))
        jokers = max(jokers, hand.count(JOKER))
    assert jokers == rules.jokers


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_distances_of_hands_as_dealt(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"away/{ruleset}/{options}")
    away = set()
    for number in range(8 if ruleset in REPEATING else 10):
        if number % 2:
            contract, hand = deal_with_contract(dice, rules)
            hand = hand[dice.randint(3, 8) :]
        else:
            contract = dice.choice(rules.ruleset.deals)
            hand = random_hand(dice, contract.cards + 1, 6)
        expected = oracle_cpsat.distance(rules, contract, hand)
        assert distance(rules, contract, hand) == expected, (contract, rules.faces.texts(hand))
        assert not expected or best_lay(rules, contract, hand) is None
        away.add(expected)
    assert len(away) > 1
