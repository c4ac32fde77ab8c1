import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, full_deck
from kalooki_tui.coach.exercises.dice import hand_at
from kalooki_tui.engine.actions import Lay
from kalooki_tui.engine.melds import check_lay, contract_text, make_meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.notation.card_text import parse_cards, parse_groups
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance, lay_choices, useful_cards
from kalooki_tui.solver.witness import nearest_plan
from tests.commands import Golden
from tests.moments import there
from tests.solver import oracle_cpsat
from tests.solver.hands import RULESETS, deal_with_contract, match_at, random_hand, random_table, rules_of
from tests.solver.oracle import can_go_out, fewest_points, holds_contract

SETUPS = [(rules_of(ruleset, options), f"{ruleset} {' '.join(options)}".strip()) for ruleset, options in RULESETS]
every_ruleset = pytest.mark.parametrize("rules", [rules for rules, _ in SETUPS], ids=[name for _, name in SETUPS])


def small_contracts(rules: Rules) -> list[Contract]:
    """The ruleset's contracts of up to eleven cards, and the smallest mixtures."""
    known = [contract for contract in rules.ruleset.deals if contract.sets * 3 + contract.runs * 4 <= 11]
    if known and known[0].points:
        return known
    return [
        *known,
        Contract(cards=9, asked_sets=1, asked_runs=1),
        Contract(cards=9, asked_sets=1),
        Contract(cards=9, asked_runs=2),
    ]


@pytest.mark.sweep(2)
@every_ruleset
def test_best_lay_is_what_trying_everything_finds(rules: Rules) -> None:
    dice = random.Random(f"lay/{rules.ruleset.id}")
    laid = 0
    for _ in range(90):
        contract = dice.choice(small_contracts(rules))
        hand = random_hand(dice, dice.randint(3 * contract.sets + 3 * contract.runs, 11), 3)
        laydown = best_lay(rules, contract, hand, prefer_out=False)
        expected = fewest_points(rules, contract, hand)
        assert (laydown.points_left if laydown else None) == expected, rules.faces.texts(hand)
        assert (distance(rules, contract, hand) == 0) == holds_contract(rules, contract, hand), rules.faces.texts(hand)
        if laydown is None:
            continue
        laid += 1
        check_lay(rules, contract, 0, laydown.groups, (), first=True)
        match = match_at(rules, contract, hand, laid=HasLaid.NO)
        match.apply(Lay(0, laydown.groups))
        assert Counter(match.deal.hands[0]) == Counter(laydown.left)
        out = there(best_lay(rules, contract, hand))
        goes_out = not out.left or (len(out.left) == 1 and (out.left[0] != JOKER or rules.ruleset.discard.jokers))
        assert goes_out == can_go_out(rules, contract, hand)
        assert goes_out or out == laydown
    assert laid > 8


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    "rules", [rules for rules, _ in SETUPS if rules.ruleset.lay.further_melds], ids=lambda rules: rules.ruleset.id
)
def test_further_melds_are_what_trying_everything_finds(rules: Rules) -> None:
    dice = random.Random(f"further/{rules.ruleset.id}")
    contract = rules.contract(1)
    melds = "5C 5D 5H | 9H 10H JH QH" if rules.faces.name == "french" else "5R 5B 5Y | 9Y 10Y 11Y 12Y"
    own = [make_meld(rules.ruleset, 0, group) for group in parse_groups(melds, rules.faces)]
    laid = 0
    for _ in range(40):
        hand = random_hand(dice, dice.randint(3, 9), 2)
        laydown = best_lay(rules, contract, hand, own_melds=own, laid=True, prefer_out=False)
        assert (laydown.points_left if laydown else None) == fewest_points(rules, contract, hand, own, laid=True)
        if laydown is not None:
            laid += 1
            check_lay(rules, contract, 0, laydown.groups, own, first=False)
    assert laid > 8


@pytest.mark.sweep(4)
@every_ruleset
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_each_useful_card_is_one_step_of_the_distance(rules: Rules, data: st.DataObject) -> None:
    """With `distance == 0` known to be right this makes every distance right: some card brings it one down."""
    contract = data.draw(st.sampled_from(rules.ruleset.deals))
    # A contract of the whole hand (H9) is for hands as they are before the draw.
    fewest, most = (contract.cards, contract.cards) if contract.whole else (1, contract.cards + 2)
    cards = st.sampled_from([*full_deck(1, 0), *[JOKER] * 8])
    hand = data.draw(st.lists(cards, min_size=fewest, max_size=most))
    away, helps = useful_cards(rules, contract, hand)
    assert away == distance(rules, contract, hand)
    with_card = {card: distance(rules, contract, [*hand, card]) for card in range(KINDS_OF_CARD)}
    assert {card: nearer for card, nearer in with_card.items() if nearer < away} == helps
    assert away == 0 or min(with_card.values()) == away - 1
    for card in set(hand):
        rest = list(hand)
        rest.remove(card)
        assert away <= distance(rules, contract, rest) <= away + 1


def test_what_is_found_in_hands_and_at_tables(golden: Golden) -> None:
    told = list[str]()
    for (rules, name), number in product(SETUPS, range(4)):
        texts, deals, dice = rules.faces.texts, len(rules.ruleset.deals), random.Random(f"{name}/{number}")
        contract = rules.contract(1 + number * (deals - 1) // 3)
        wanted = max(contract.whole, (1, 0, 2, 0)[number])
        tries = (hand_at(rules, 1 + number * (deals - 1) // 3, dice, wanted) for _ in range(99))
        hand = next(filter(None, tries))
        away, helps = useful_cards(rules, contract, hand)
        told.append(f"{name}, {contract_text(rules.ruleset.vocabulary, contract)}: {texts(hand)}")
        told.append(f"  {away} away, helped by {texts(sorted(helps))}")
        plan = nearest_plan(rules, contract, hand)
        for meld in () if plan is None else plan.melds:
            told.append(f"  {texts(meld.cards)} lacks {' or '.join(texts(one.cards) for one in meld.lacks)}")
        best = best_lay(rules, contract, hand, prefer_out=False)
        for found in (*lay_choices(rules, contract, hand, 3), *([] if best is None else [best])):
            told.append(f"  lay {' | '.join(texts(one.cards) for one in found.groups)} left {texts(found.left)}")
        table, held = random_table(dice, rules, 4), random_hand(dice, 6, 1)
        own = [meld for meld in table if meld.owner == 0]
        told.append(f"  {texts(held)} at {' | '.join(f'{meld.owner} {texts(meld.cards)}' for meld in table)}")
        best = best_lay(rules, contract, held, own_melds=own, table=table, laid=True)
        if best is not None:
            moves = [print_answer(action, tuple("AB"), rules.faces) for action in best.tacks]
            moves += [texts(group.cards) for group in best.groups]
            told.append(f"  {', '.join(moves)} left {texts(best.left)}, {best.points_left}")
    golden("solver", "\n".join(line.rstrip() for line in told))


def test_a_complete_suit_stands_for_three_runs() -> None:
    rules = rules_of("air-jamaica")
    contract = rules.contract(4)
    hand = parse_cards("AS 2S 3S 4S 5S 6S 7S JK 9S 10S JS QS KS 2D", rules.faces)
    laydown = there(best_lay(rules, contract, hand))
    assert [len(group.cards) for group in laydown.groups] == [13]
    assert distance(rules, contract, hand) == 0
    assert distance(rules, contract, [card for card in hand if card != JOKER]) == 1
    assert distance(rules_of("jamaican"), contract, hand) > 0


def test_the_last_card_is_kept_for_the_discard() -> None:
    rules, contract = rules_of("air-jamaica"), Contract(cards=9, asked_sets=3)
    nine = parse_cards("5C 5D 5H 7C 7D 7S 9C 9D 9S", rules.faces)
    assert best_lay(rules, contract, nine) is None
    laydown = there(best_lay(rules, contract, (*nine, *parse_cards("7H", rules.faces))))
    assert rules.faces.texts(laydown.left) in {"7C", "7D", "7H", "7S"}
    elsewhere = there(best_lay(rules_of("classic"), contract, nine))
    assert elsewhere.left == ()


def test_one_ace_is_not_at_both_ends_of_a_run_of_fourteen() -> None:
    rules = rules_of("kalookie-40")
    suit = parse_cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC", rules.faces)
    contract = Contract(cards=1, points=rules.points(suit) + 1)
    assert distance(rules, contract, suit) == 1
    assert distance(rules, contract, (*suit, suit[0])) == 0
    assert distance(rules, Contract(cards=1, points=rules.points(suit)), suit) == 0


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


def test_a_run_kept_to_its_length_has_no_card_more_for_its_jokers() -> None:
    rules, contract = rules_of("carioca"), Contract(cards=5, asked_runs=1)
    hand = parse_cards("5H JK 7H JK 9H", rules.faces)
    # Five cards may hold two jokers (M9), but the contract is four (H10).
    assert distance(rules, contract, hand) == 1
    assert distance(rules, contract, (*hand, *parse_cards("8H", rules.faces))) == 0


def test_a_whole_hand_is_larger_after_a_call() -> None:
    rules = rules_of("contract-rummy")
    contract = rules.contract(7)
    three = parse_cards("2C 3C 4C 5C 6C | 8D 9D 10D JD QD | 3H 4H 5H 6H".replace(" |", ""), rules.faces)
    # Twelve were dealt and a call brought two: with the card drawn they are fifteen (H9).
    assert distance(rules, contract, three) == 1
    assert best_lay(rules, contract, three) is None
    found = there(best_lay(rules, contract, (*three, *parse_cards("7H", rules.faces))))
    assert found.left == ()


def test_two_sets_of_a_rank_hold_fewer_jokers_each_than_other_cards() -> None:
    rules = rules_of("shanghai")
    found = there(best_lay(rules, rules.contract(1), parse_cards("QC QD QD QS JK JK JK", rules.faces)))
    assert [group.cards.count(JOKER) for group in found.groups] == [1, 1]
    assert found.left == (JOKER,)


def test_a_longer_run_holds_jokers_that_a_short_one_may_not() -> None:
    rules, contract = rules_of("shanghai"), Contract(cards=11, asked_runs=1)
    # Of four cards three must be naturals, and of five no more; of seven four (H11).
    for text in ("3D 5D 7D JK JK", "3D 4D 8D 9D JK JK JK"):
        hand = parse_cards(text, rules.faces)
        assert distance(rules, contract, hand) == 0
        assert there(best_lay(rules, contract, hand)).left == ()
        assert [len(way.groups[0].cards) for way in lay_choices(rules, contract, hand, 9)] == [len(hand)]
        assert there(nearest_plan(rules, contract, hand[1:])).missing == 1
    # Of six cards four must be naturals.
    assert distance(rules, contract, parse_cards("3D 5D 8D JK JK JK", rules.faces)) == 1
