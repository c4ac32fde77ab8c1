import random

import pytest

from kalooki_tui.cards import FRENCH, JOKER, full_deck
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.solver.away import distance
from kalooki_tui.solver.witness import nearest_plan
from tests.moments import there
from tests.solver.hands import rules_of


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "air-jamaica", "baby", "kalookie-40", "kooky"])
def test_plan_lacks_as_many_cards_as_the_distance_says_and_lays_when_they_come(ruleset: str) -> None:
    rules = rules_of(ruleset)
    deck = full_deck(rules.packs, rules.jokers)
    for seed in range(40):
        source = random.Random(f"{ruleset}/{seed}")
        deal = source.randint(1, len(rules.ruleset.deals))
        contract = rules.contract(deal)
        hand = source.sample(deck, contract.cards + source.randint(0, 3))
        plan = nearest_plan(rules, contract, hand)
        assert plan is not None, (seed, FRENCH.texts(hand))
        assert plan.missing == distance(rules, contract, hand), (seed, FRENCH.texts(hand))
        held = [card for meld in plan.melds for card in meld.held]
        assert sorted([*held, *plan.over]) == sorted(hand)
        check_lay(rules, contract, 0, [Group(meld.cards, meld.kind) for meld in plan.melds], [], True)
        for card in {card for meld in plan.melds for lack in meld.lacks for card in lack.cards}:
            assert distance(rules, contract, (*hand, card)) == plan.missing - 1, FRENCH.texts([*hand, card])


def test_plan_names_the_card_or_a_joker() -> None:
    rules = rules_of("jamaican")
    hand = parse_cards("5C 5D 5H 7S 7D 7C 9D 10D QD KC", FRENCH)
    plan = there(nearest_plan(rules, rules.contract(2), hand))
    assert plan.missing == 1
    (run,) = [meld for meld in plan.melds if meld.kind is Kind.RUN]
    assert FRENCH.texts(run.cards) == "9D 10D JD QD"
    assert FRENCH.texts(run.lacks[0].cards) == "JD JK"
    assert FRENCH.texts(plan.over) == "KC"


def test_unseen_copies_choose_between_plans() -> None:
    rules = rules_of("jamaican")
    hand = parse_cards("5C 5D 5H 7S 7D 9D 10D JD KC KD", FRENCH)
    contract = rules.contract(1)
    unseen = [2] * 52 + [4]
    for card in parse_cards("7C 7H 7S 7D", FRENCH):
        unseen[card] = 0
    unseen[JOKER] = 0
    plan = there(nearest_plan(rules, contract, hand, unseen))
    lacks = [lack for meld in plan.melds for lack in meld.lacks]
    assert len(lacks) == plan.missing == 2
