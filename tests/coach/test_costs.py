"""What an action gives up against the one recommended, counted from the view alone."""

import random
from collections import Counter
from itertools import islice

import pytest

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.costs import cost_of, could_have, warning
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Pass, Refuse
from kalooki_tui.engine.view import View
from kalooki_tui.judging.decisions import SLIP
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import assess
from tests.coach.walking import dealt_anew, decisions
from tests.property.tables import RULESETS

LONGEST = 156
"""Cells: two rows of the narrowest screen."""
MOST = 80
"""Decisions of a deal that are looked at: some deals are long."""


def seen(ruleset: str, number: int = 1, most: int = MOST) -> list[tuple[View, Action]]:
    """What might be done in a deal, beside what was done."""
    dice = random.Random(ruleset)
    return [
        (view, action)
        for _, view in islice(decisions(ruleset, "costs", number), most)
        for action in dice.sample(list(view.legal), min(2, len(view.legal)))
    ]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_cost_is_said_in_a_whole_sentence_that_fits(ruleset: str) -> None:
    told = 0
    for view, action in seen(ruleset, most=MOST // 2):
        words = could_have([(view, action)], 0)
        assert bool(words) == (cost_of(view, action, 0) is not None)
        for sentence in (words, warning(view, action, 0) if isinstance(action, Discard) else ""):
            assert not set("{}") & set(sentence)
            assert len(sentence) <= LONGEST
            told += bool(sentence)
    assert told > 3


def test_what_is_recommended_costs_nothing() -> None:
    for _, view in decisions("jamaican", "best", 2):
        assert cost_of(view, assess(Situation(view)).best.action, 0) is None


def test_a_throw_costs_what_it_takes_the_hand_further_from_the_contract() -> None:
    found: Counter[str] = Counter()
    for view, action in seen("jamaican", 3):
        cost, best = cost_of(view, action, 0), assess(Situation(view))
        if cost is None or not isinstance(action, Discard):
            continue
        found[cost.case] += 1
        if isinstance(best.best.action, Lay):
            assert cost.case == "lay"
        elif cost.case == "throw-away":
            assert best.best.after is not None
            assert cost.slots["best_after"] == str(best.best.after.away)
            assert int(cost.slots["after"].split()[0]) > best.best.after.away
        elif cost.case == "throw-helps":
            assert int(cost.slots["helps"]) < int(cost.slots["best_helps"])
        assert cost.lost >= SLIP
    assert {"lay", "throw-away", "throw-helps"} <= set(found)


def test_a_card_that_brings_the_contract_nearer_is_missed_and_one_that_does_not_is_not() -> None:
    cases: Counter[str] = Counter()
    for ruleset in ("jamaican", "trinidad"):
        for number in (1, 2):
            for _, view in decisions(ruleset, "calls", number):
                best = assess(Situation(view)).best.action
                passing = next((action for action in view.legal if isinstance(action, Pass)), None)
                calling = next((action for action in view.legal if isinstance(action, Call)), None)
                if passing is not None and best != passing:
                    cost = cost_of(view, passing, 0)
                    assert cost is None or cost.case in ("call-nearer", "call-completes")
                    cases["missed"] += cost is not None
                elif calling is not None and best != calling:
                    cost = cost_of(view, calling, 0)
                    cases["in vain"] += cost is not None and cost.case in ("call-no-nearer", "call-ready")
                stock = next((action for action in view.legal if isinstance(action, Draw)), None)
                if stock is not None and best == stock:
                    assert cost_of(view, stock, 0) is None
                    cases["drawn"] += 1
                allowed = [action for action in view.legal if isinstance(action, Refuse)]
                cases["asked"] += len(allowed)
    assert min(cases["missed"], cases["in vain"], cases["drawn"], cases["asked"]) > 0


def test_passing_over_the_open_card_that_completes_the_contract_is_warned_of() -> None:
    warned: Counter[tuple[type[Action], bool]] = Counter()
    for ruleset in ("jamaican", "trinidad"):
        for number in (1, 2, 3):
            for _, view in decisions(ruleset, "past", number):
                for action in (one for one in view.legal if isinstance(one, Draw | Pass | Allow)):
                    cost, said = cost_of(view, action, 0), warning(view, action, 0)
                    completes = cost is not None and cost.case.endswith(("-completes", "-out"))
                    assert bool(said) == completes
                    assert not completes or view.rules.faces.symbol(view.discard) in said  # type: ignore[arg-type]
                    warned[type(action), completes] += 1
    assert {(Draw, True), (Draw, False), (Pass, True), (Pass, False), (Allow, False)} <= set(warned)


def test_the_sentence_after_a_deal_is_about_what_gave_up_most() -> None:
    deal = seen("jamaican", 2)
    costs = [cost for cost in (cost_of(view, action, 0) for view, action in deal) if cost is not None]
    worst = max(costs, key=lambda cost: cost.lost)
    assert could_have(deal, 0) == sentences("costs")["could"][worst.case].format(**worst.slots)
    assert could_have([], 0) == ""


def test_hidden_cards_dealt_anew_cost_the_same() -> None:
    compared = 0
    for deal, view in decisions("jamaican", "hidden", 3):
        action = random.Random(compared).choice(view.legal)
        assert cost_of(dealt_anew(deal, view, compared), action, 0) == cost_of(view, action, 0)
        compared += 1
    assert compared > 20
