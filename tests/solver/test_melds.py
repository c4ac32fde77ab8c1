import random
from collections import Counter

import pytest

from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.notation.card_text import parse_cards, parse_groups
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance, lay_choices, partition
from tests.solver.hands import RULESETS, random_hand, rules_of
from tests.solver.oracle import all_laydowns


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_partition_is_every_split_that_uses_all_cards(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"split/{ruleset}")
    contract = rules.contract(1)
    split = 0
    for _ in range(40):
        hand = random_hand(dice, 10, 2)
        laydowns = [melds for melds, _ in all_laydowns(rules, contract, hand, laid=True)]
        if not laydowns:
            continue
        cards = [card for meld in dice.choice(laydowns) for card in meld.cards]
        every = {
            frozenset(Counter(Group(meld.cards, meld.kind) for meld in melds).items())
            for melds, left in all_laydowns(rules, contract, cards, laid=True, keep=False)
            if not left
        }
        found = partition(rules, contract, cards, 10_000, laid=True)
        assert {frozenset(Counter(groups).items()) for groups in found} == every
        assert [len(groups) for groups in found] == sorted(len(groups) for groups in found)
        split += 1
    assert split > 5


def test_partition_puts_the_contract_first() -> None:
    rules = rules_of("jamaican")
    cards = parse_cards("5C 6C 7C 8C 5D 5H 5S", rules.faces)
    first, *_ = partition(rules, Contract(cards=9, sets=1, runs=1), cards)
    assert first == parse_groups("set: 5D 5H 5S | run: 5C 6C 7C 8C", rules.faces)


def test_splits_that_hold_the_contract_come_before_those_of_fewer_melds() -> None:
    rules = rules_of("jamaican")
    cards = parse_cards("5C 6C 7C 8C 5D 6D 7D 8D 5H 6H 7H 8H", rules.faces)
    four_sets = parse_groups("set: 5C 5D 5H | set: 6C 6D 6H | set: 7C 7D 7H | set: 8C 8D 8H", rules.faces)
    three_runs = parse_groups("run: 5C 6C 7C 8C | run: 5D 6D 7D 8D | run: 5H 6H 7H 8H", rules.faces)
    assert partition(rules, Contract(cards=12, sets=4), cards) == [four_sets, three_runs]
    assert partition(rules, Contract(cards=12, sets=4), cards, 1) == [four_sets]
    assert partition(rules, Contract(cards=12, runs=3), cards) == [three_runs, four_sets]
    # A seat that has laid is past its contract.
    assert partition(rules, Contract(cards=12, sets=4), cards, laid=True) == [three_runs, four_sets]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_choices_are_accepted_short_and_best_first(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"choices/{ruleset}")
    chosen = 0
    for _ in range(90):
        contract = rules.contract(dice.randint(1, min(3, len(rules.ruleset.deals))))
        hand = random_hand(dice, contract.cards + (0 if contract.points else 3), 3)
        choices = lay_choices(rules, contract, hand, 50)
        assert bool(choices) == (best_lay(rules, contract, hand) is not None)
        assert len({choice.groups for choice in choices}) == len(choices)
        assert [choice.points_left for choice in choices] == sorted(choice.points_left for choice in choices)
        for choice in choices:
            check_lay(rules, contract, 0, choice.groups, (), first=True)
            laid = [card for group in choice.groups for card in group.cards]
            assert Counter(laid) + Counter(choice.left) == Counter(hand)
            if not contract.points:
                assert len(choice.groups) == contract.sets + contract.runs
        chosen += bool(choices)
        assert distance(rules, contract, hand) == 0 or not choices
    assert chosen > 5
