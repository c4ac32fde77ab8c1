import random
from collections import Counter
from collections.abc import Iterator

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, End, Group, Lay, Swap, Tack
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import check_lay, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.card_text import parse_cards, parse_groups
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, distance, lay_choices, partition, tack_plan
from kalooki_tui.solver.lay import Laydown
from tests.moments import there
from tests.solver.hands import RULESETS, match_at, random_hand, random_table, rules_of
from tests.solver.oracle import all_laydowns, all_melds


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
    first, *_ = partition(rules, Contract(cards=9, asked_sets=1, asked_runs=1), cards)
    assert first == parse_groups("set: 5D 5H 5S | run: 5C 6C 7C 8C", rules.faces)


def test_splits_that_hold_the_contract_come_before_those_of_fewer_melds() -> None:
    rules = rules_of("jamaican")
    cards = parse_cards("5C 6C 7C 8C 5D 6D 7D 8D 5H 6H 7H 8H", rules.faces)
    four_sets = parse_groups("set: 5C 5D 5H | set: 6C 6D 6H | set: 7C 7D 7H | set: 8C 8D 8H", rules.faces)
    three_runs = parse_groups("run: 5C 6C 7C 8C | run: 5D 6D 7D 8D | run: 5H 6H 7H 8H", rules.faces)
    assert partition(rules, Contract(cards=12, asked_sets=4), cards) == [four_sets, three_runs]
    assert partition(rules, Contract(cards=12, asked_sets=4), cards, 1) == [four_sets]
    assert partition(rules, Contract(cards=12, asked_runs=3), cards) == [three_runs, four_sets]
    # A seat that has laid is past its contract.
    assert partition(rules, Contract(cards=12, asked_sets=4), cards, laid=True) == [three_runs, four_sets]


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


TABLES = 45


def moves(match: Match) -> Iterator[Action]:
    for action in match.legal(0):
        if isinstance(action, Tack | Swap):
            yield action
    if match.rules.ruleset.swap != "use-at-once":
        return
    hand, melds = match.deal.hands[0], match.deal.melds
    groups = [group for group in all_melds(match.rules, [*hand, JOKER]) if JOKER in group.cards]
    for card in sorted(set(hand)):
        for index in range(len(melds)):
            for end in (None, *End):
                for target in range(len(melds)):
                    yield from (Swap(0, card, index, end, target, side) for side in (None, *End))
                yield from (Swap(0, card, index, end, lay=(group,)) for group in groups)


def best_by_trying(match: Match, rules: Rules) -> tuple[bool, int]:
    seen: set[tuple[object, ...]] = set()
    best = [(True, 1 << 30)]

    def explore(now: Match) -> None:
        hand = sorted(now.deal.hands[0])
        key = (tuple(hand), tuple(now.deal.melds), tuple(sorted(now.deal.added.items())))
        if key in seen:
            return
        seen.add(key)
        out = not hand or (len(hand) == 1 and (hand[0] != JOKER or rules.ruleset.discard.jokers))
        best[0] = min(best[0], (not out, rules.points(hand)))
        if now.phase is not Phase.PLAY:
            return
        for action in moves(now):
            after = now.clone()
            try:
                after.apply(action)
            except Refused:
                continue
            explore(after)

    explore(match)
    return best[0]


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_plan_is_accepted_and_the_best(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"tacks/{ruleset}")
    small = rules.ruleset.swap == "use-at-once"
    acted = 0
    for _ in range(TABLES // 3 if small else TABLES):
        table = random_table(dice, rules, dice.randint(1, 3 if small else 4))
        hand = random_hand(dice, dice.randint(1, 4 if small else 6), 2)
        match = match_at(rules, rules.contract(1), hand, table)
        expected = best_by_trying(match, rules)
        plan = tack_plan(rules, hand, table, 0)
        for action in plan.tacks:
            match.apply(action)
        left = match.deal.hands[0]
        assert Counter(left) == Counter(plan.left), (hand, table, plan)
        out = not left or (len(left) == 1 and (left[0] != JOKER or rules.ruleset.discard.jokers))
        assert (not out, plan.points_left) == expected, (rules.faces.texts(hand), table, plan)
        acted += bool(plan.tacks)
    assert acted > 5


def test_once_laid_one_card_on_the_table_is_enough_and_none_is_nothing() -> None:
    rules = rules_of("jamaican")
    table = [make_meld(rules.ruleset, 1, Group(parse_cards("5C 5D 5H", rules.faces)))]

    def found(hand: str) -> Laydown | None:
        return best_lay(rules, rules.contract(1), parse_cards(hand, rules.faces), table=table, laid=True)

    assert found("KH 9C 2D") is None
    tacked = there(found("5S 9C 2D"))
    assert (tacked.groups, [rules.faces.texts(tack.cards) for tack in tacked.tacks if isinstance(tack, Tack)]) == (
        (),
        ["5S"],
    )
    melded = there(found("9H 9C 9D KH"))
    assert (len(melded.groups), melded.tacks) == (1, ())


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("ruleset", "options"), [setup for setup in RULESETS if rules_of(*setup).ruleset.lay.same_turn_tack]
)
def test_lay_and_tack_is_accepted_and_the_best(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"together/{ruleset}")
    short = [Contract(cards=9, asked_sets=1), Contract(cards=9, asked_runs=1)]
    with_tacks = 0
    for _ in range(250 if rules.contract(1).points else 70):
        contract = rules.contract(1) if rules.contract(1).points else dice.choice(short)
        table = [meld for meld in random_table(dice, rules, 3) if meld.owner == 1]
        hand = random_hand(dice, 9, 1)
        found = best_lay(rules, contract, hand, table=table)
        every = list(all_laydowns(rules, contract, hand))
        assert (found is not None) == bool(every)
        if found is None:
            continue
        match = match_at(rules, contract, hand, table, laid=HasLaid.NO)
        match.apply(Lay(0, found.groups))
        for action in found.tacks:
            match.apply(action)
        assert Counter(match.deal.hands[0]) == Counter(found.left)

        expected = []
        for melds, _ in every:
            match = match_at(rules, contract, hand, table, laid=HasLaid.NO)
            try:
                match.apply(Lay(0, tuple(Group(meld.cards, meld.kind) for meld in melds)))
            except Refused:
                continue
            plan = tack_plan(rules, match.deal.hands[0], match.deal.melds, 0)
            expected.append(_judge(rules.ruleset.discard.jokers, plan.left, plan.points_left))
        judged = _judge(rules.ruleset.discard.jokers, found.left, found.points_left)
        if rules.ruleset.swap == "use-at-once":
            # A freed joker may go to the melds just laid, which the solver looks at for the best lay-downs only.
            alone = there(best_lay(rules, contract, hand))
            assert min(expected) <= judged <= _judge(rules.ruleset.discard.jokers, alone.left, alone.points_left)
        else:
            assert judged == min(expected), (rules.faces.texts(hand), table, found)
        with_tacks += bool(found.tacks)
    assert with_tacks > 5


def _judge(jokers_discarded: bool, left: tuple[int, ...], points: int) -> tuple[bool, int]:
    out = not left or (len(left) == 1 and (left[0] != JOKER or jokers_discarded))
    return (not out, points)
