import random
from collections import Counter

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Group, Lay, Tack
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import best_lay, tack_plan
from kalooki_tui.solver.lay import Laydown
from tests.moments import there
from tests.solver.hands import RULESETS, match_at, random_hand, random_table, rules_of
from tests.solver.oracle import all_laydowns


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
@pytest.mark.parametrize(("ruleset", "options"), RULESETS)
def test_lay_and_tack_is_accepted_and_the_best(ruleset: str, options: tuple[str, ...]) -> None:
    rules = rules_of(ruleset, options)
    dice = random.Random(f"together/{ruleset}")
    short = [Contract(cards=9, sets=1), Contract(cards=9, runs=1)]
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
