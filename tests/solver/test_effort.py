import random

import pytest

from kalooki_tui.cards import FRENCH, JOKER, full_deck
from kalooki_tui.engine.actions import Group, Kind, Lay
from kalooki_tui.engine.melds import check_lay, make_meld
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance
from kalooki_tui.solver.shape import Effort
from kalooki_tui.solver.witness import nearest_plan
from tests.moments import there
from tests.solver.hands import CROWDED_HAND, CROWDED_TABLE, RULESETS, deal_with_contract, match_at, rules_of


@pytest.mark.parametrize("steps", [0, 500, 4_000])
def test_a_turn_with_too_many_ways_is_cut_short_and_can_be_played(steps: int) -> None:
    rules = rules_of("jamaican")
    table = [
        make_meld(rules.ruleset, owner, Group(parse_cards(cards, rules.faces), Kind.RUN))
        for owner, melds in enumerate(CROWDED_TABLE, 1)
        for cards in melds
    ]
    hand = parse_cards(CROWDED_HAND, rules.faces)
    effort = Effort(steps)
    found = best_lay(rules, rules.contract(9), hand, table=table, effort=effort)
    assert effort.is_spent
    assert effort.left > -2_000
    assert (found is not None) == (steps > 0)
    if found is not None:
        match = match_at(rules, rules.contract(9), hand, table, laid=HasLaid.NO)
        match.apply(Lay(0, found.groups))
        for action in found.tacks:
            match.apply(action)
        assert sorted(match.deal.hands[0]) == sorted(found.left)


@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_a_limit_that_is_not_reached_changes_nothing_and_one_that_is_stops_the_search(
    ruleset: str, options: tuple[str, ...]
) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"effort/{ruleset}")
    naturals = [card for card in full_deck(2, 0) if card != JOKER]
    laid = 0
    for number in range(12):
        contract = rules.contract(dice.randint(1, len(rules.ruleset.deals)))
        hand = [*dice.sample(naturals, contract.cards), *[JOKER] * dice.randint(0, 4)]
        if number % 3 == 0:
            contract, hand = deal_with_contract(dice, rules)
        enough = Effort(10**6)
        away = distance(rules, contract, hand, enough)
        assert away == distance(rules, contract, hand)
        assert best_lay(rules, contract, hand, effort=enough) == best_lay(rules, contract, hand)
        assert not enough.is_spent
        for steps in (0, 20, 300):
            few = Effort(steps)
            assert distance(rules, contract, hand, few) >= away
            found = best_lay(rules, contract, hand, effort=few)
            assert few.left > -3_000
            if found is not None:
                match_at(rules, contract, hand, [], laid=HasLaid.NO).apply(Lay(0, found.groups))
                laid += 1
    assert laid > 0


@pytest.mark.parametrize("points", [40, 101, 130])
def test_a_high_opening_is_answered_within_the_effort(points: int) -> None:
    rules = rules_of("kalookie-40")
    dice = random.Random(points)
    for _ in range(5):
        hand, few = dice.sample(full_deck(2, 2), 13), Effort(3_000)
        found = distance(rules, Contract(cards=13, points=points), hand, few)
        assert few.left > -1_000
        assert few.is_spent or found == distance(rules, Contract(cards=13, points=points), hand)


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
