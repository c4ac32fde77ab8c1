import random
from collections import Counter
from collections.abc import Iterator

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, End, Swap, Tack
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.solver import tack_plan
from tests.solver.hands import RULESETS, match_at, random_hand, random_table, rules_of
from tests.solver.oracle import all_melds

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
