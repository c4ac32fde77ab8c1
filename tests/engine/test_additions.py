"""Whatever the engine takes as a tack, a swap or a use of a joker is listed, and what is listed is taken."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations
from typing import Any

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, RANKS, Card
from kalooki_tui.engine import candidates
from kalooki_tui.engine.actions import End, Group, Kind, Lay, Swap, Tack
from kalooki_tui.engine.additions import (
    Addition,
    Reach,
    chains,
    reach_in,
    reach_of,
    single_tacks,
    swaps,
    tacks_of,
    uses,
)
from kalooki_tui.engine.candidates import possible_melds, possible_runs, possible_sets
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.tacks import tack
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import CallRules, RunRules
from tests.moments import there
from tests.solver.hands import match_at, random_hand, random_table, rules_of
from tests.solver.oracle import all_melds

RULESETS = ("jamaican", "air-jamaica", "trinidad", "kooky", "kalookie-40")
#: A house rule: the freed joker is used at once, and runs need four cards.
LONG_RUNS = "use at once, runs of four"
FOURS = "one joker in a run of four"
#: House rules by which runs go round the corner (H15): where the joker moves to an end, and where it is used at once.
CIRCLE = "tests/solver/circle.yaml"
CIRCLE_AT_ONCE = "use at once, round the corner"
TABLES = 25


def rules_for(name: str) -> Rules:
    if name == FOURS:
        return rules_of("jamaican", ("one-joker-fours",))
    if name not in (LONG_RUNS, CIRCLE_AT_ONCE):
        return rules_of(name)
    runs = RunRules(minimum=4, kisses=True) if name == LONG_RUNS else RunRules(minimum=3, longest=13, corner=True)
    return make_rules(replace(load_ruleset("kalookie-40"), runs=runs), 3)


def every_addition(reach: Reach) -> Iterator[Addition]:
    singles = (way for tack, _ in single_tacks(reach) for way in tacks_of(reach, tack.cards) if way.action == tack)
    return chain(singles, chains(reach), swaps(reach), uses(reach))


def outcome(match: Match, action: Any) -> tuple[object, ...] | None:
    """The table and the hand after an action; None: it is refused. A set is the same in whatever order."""
    after = match.clone()
    try:
        after.apply(action)
    except Refused:
        return None
    melds = tuple(
        (meld.owner, meld.kind, meld.cards if meld.rank == 0 else tuple(sorted(meld.cards)), meld.low)
        for meld in after.deal.melds
    )
    return melds, tuple(sorted(after.deal.hands[0])), after.phase


def every_tack(match: Match) -> Iterator[Tack]:
    hand = match.deal.hands[0]
    chosen = (some for size in range(1, len(hand) + 1) for some in combinations(hand, size))
    for order in {order for some in chosen for order in permutations(some)}:
        for meld in range(len(match.deal.melds)):
            for end in (None, *End):
                yield Tack(0, order, meld, end)


def every_swap(match: Match) -> Iterator[Swap]:
    melds, hand = range(len(match.deal.melds)), match.deal.hands[0]
    groups = all_melds(match.rules, [*hand, JOKER]) if match.rules.ruleset.swap == "use-at-once" else []
    for card in sorted(set(hand)):
        for meld in melds:
            for end in (None, *End):
                plain = Swap(0, card, meld, end)
                yield plain
                for use in melds:
                    yield from (replace(plain, use=use, use_end=side) for side in (None, *End))
                yield from (replace(plain, lay=(group,)) for group in groups)


def check(match: Match) -> int:
    """Compare what is listed with what is taken; how many ways there are."""
    reach = there(reach_in(match.deal, 0))
    assert reach == replace(reach_of(match.view(0)), hand=match.deal.hands[0], melds=match.deal.melds)  # type: ignore[type-var]
    listed = [way.action for way in every_addition(reach)]
    outcomes = [outcome(match, action) for action in listed]
    assert None not in outcomes, listed[outcomes.index(None)]
    tacks = [found for action, found in zip(listed, outcomes, strict=True) if isinstance(action, Tack)]
    assert len(set(tacks)) == len(tacks)
    for way, found in zip(every_addition(reach), outcomes, strict=True):
        assert found is not None
        melds: list[Meld] = [way.changed.get(index, meld) for index, meld in enumerate(match.deal.melds)]
        melds += [way.laid] if way.laid is not None else []
        after = match.clone()
        after.apply(way.action)
        assert after.deal.melds == melds
    taken = {found: action for action in (*every_tack(match), *every_swap(match)) if (found := outcome(match, action))}
    missing = set(taken) - set(outcomes)
    assert not missing, [taken[found] for found in missing]
    return len(listed)


@pytest.mark.parametrize("name", [*RULESETS, LONG_RUNS, CIRCLE, CIRCLE_AT_ONCE])
def test_what_is_listed_is_what_the_engine_takes(name: str) -> None:
    rules = rules_for(name)
    dice = random.Random(f"additions/{name}")
    ways = 0
    for _ in range(TABLES):
        table = random_table(dice, rules, dice.randint(1, 3))
        hand = random_hand(dice, dice.randint(1, 5), 2)
        match = match_at(rules, rules.contract(1), hand, table, laid=dice.choice([HasLaid.EARLIER, HasLaid.THIS_TURN]))
        if rules.ruleset.discard.last_card == "any":
            match.deal.bend_forbidden[0] = dice.random() < 0.3
        if rules.ruleset.tack.end_limit is not None and dice.random() < 0.5:
            match.deal.added = {(0, dice.choice(list(End))): dice.randint(1, 2)} if table[0].rank == 0 else {}
        ways += check(match)
    assert ways > 20


def test_what_becomes_of_a_freed_joker_is_listed_once() -> None:
    rules, dice = rules_of("kalookie-40"), random.Random("freed")
    onto_runs = 0
    for _ in range(300):
        match = at_table(rules, random_hand(dice, dice.randint(1, 5), 2), random_table(dice, rules, 3))
        reach = there(reach_of(match.view(0)))
        found = [
            (way.action.card, way.action.meld, way.action.use, way.changed[way.action.use])
            for way in every_addition(reach)
            if isinstance(way.action, Swap) and way.action.use is not None
        ]
        assert len(set(found)) == len(found)
        onto_runs += sum(meld.kind is Kind.RUN for *_, meld in found)
    assert onto_runs > 5


def at_table(rules: Rules, hand: Iterable[Card], table: Iterable[Meld]) -> Match:
    return match_at(rules, rules.contract(1), tuple(hand), tuple(table))


def test_no_way_where_it_is_not_the_moment() -> None:
    rules = rules_of("kalookie-40")
    match = match_at(rules, rules.contract(1), [5, 6, 7], [], laid=HasLaid.NO)
    assert reach_of(match.view(0)) is None
    match.deal.laid[0] = HasLaid.EARLIER
    match.deal.phase = Phase.DRAW
    assert reach_of(match.view(0)) is None
    assert match.view(0).may_add is False


def test_exactly_the_chosen_cards_go_onto_a_meld() -> None:
    rules = rules_of("trinidad")
    dice = random.Random("chosen")
    seen = 0
    for _ in range(40):
        match = at_table(rules, random_hand(dice, 6, 2), random_table(dice, rules, 3))
        reach = there(reach_in(match.deal, 0))
        chosen = tuple(dice.sample(match.deal.hands[0], 2))
        found = [way.action for way in tacks_of(reach, chosen)]
        assert all(sorted(action.cards) == sorted(chosen) for action in found if isinstance(action, Tack))
        listed = [
            way.action
            for way in every_addition(reach)
            if isinstance(way.action, Tack) and sorted(way.action.cards) == sorted(chosen)
        ]
        assert {outcome(match, action) for action in found} == {outcome(match, action) for action in listed}
        seen += len(found)
    assert seen


@pytest.mark.parametrize(
    "name", ["jamaican", "air-jamaica", "trinidad", "kalookie-40", "kooky", FOURS, LONG_RUNS, CIRCLE]
)
def test_possible_melds_are_all_the_cards_make(name: str) -> None:
    rules = rules_for(name)
    dice = random.Random(f"melds/{name}")
    for _ in range(60):
        hand = random_hand(dice, 9, 2)
        found = list(possible_melds(rules.ruleset, hand, 2))
        assert len(set(found)) == len(found)
        assert set(found) == {make_meld(rules.ruleset, 2, group) for group in all_melds(rules, hand)}
        with_jokers = [meld for meld in found if meld.jokers >= 2]
        assert list(possible_melds(rules.ruleset, hand, 2, fewest_jokers=2)) == with_jokers
        short = [*possible_sets(rules.ruleset, hand, 2, longest=4), *possible_runs(rules.ruleset, hand, 2, longest=4)]
        assert short == [meld for meld in found if len(meld.cards) <= 4]


def test_a_complete_suit_is_listed_once_wherever_it_begins() -> None:
    ruleset = rules_of("carioca", ("round-the-corner",)).ruleset
    suit = parse_cards("4S 5S 6S 7S 8S 9S JS QS KS AS 2S JK 3S", ruleset.faces)
    whole = [run for run in possible_runs(ruleset, suit) if len(run.cards) == RANKS]
    assert [ruleset.faces.texts(run.cards) for run in whole] == ["AS 2S 3S 4S 5S 6S 7S 8S 9S JK JS QS KS"]
    for start in range(RANKS):
        turned = (*whole[0].cards[start:], *whole[0].cards[:start])
        assert make_meld(ruleset, 0, Group(turned)).low == start + 1
    # Jokers that are neighbours in the circle lie at its two ends, so that they do not kiss (M6).
    suit = parse_cards("4S 5S 6S 7S 8S 9S 10S JS QS KS AS JK JK", ruleset.faces)
    whole = [run for run in possible_runs(ruleset, suit) if len(run.cards) == RANKS]
    assert [ruleset.faces.texts(run.cards) for run in whole] == ["JK 4S 5S 6S 7S 8S 9S 10S JS QS KS AS JK"]


def test_an_empty_lay_down_or_tack_is_refused() -> None:
    rules = rules_of("jamaican")
    dice = random.Random("empty")
    match = at_table(rules, [*range(RANKS)], random_table(dice, rules, 2))
    for action, code, clause in (
        (Lay(0, ()), "lay.empty", "L1"),
        (Lay(0, (Group(()),)), "lay.empty", "M1"),
        (Tack(0, (), 0), "tack.empty", "K1"),
        (Tack(0, (), 1), "tack.empty", "K1"),
    ):
        why = there(match.why_not(action))
        assert (why.code, why.clause) == (code, clause)


def test_a_swap_uses_its_joker_once() -> None:
    rules = rules_of("kalookie-40")
    match = at_table(rules, [5, 9, 10, 30], [Meld(0, Kind.RUN, (4, JOKER, 6, 7), suit=0, low=5)])
    both = Swap(0, 5, 0, use=0, use_end=End.HIGH, lay=(Group((9, 10, JOKER)),))
    for one in (replace(both, use=None, use_end=None), replace(both, lay=())):
        assert match.why_not(one) is None
    why = there(match.why_not(both))
    assert why.code == "swap.unused"


def test_rulesets_with_the_same_melds_share_what_is_remembered_of_them() -> None:
    ruleset, cards = load_ruleset("jamaican"), (0, 13, 26)
    melds = [*possible_melds(ruleset, cards)]
    known = len(candidates._known)
    for limit in range(10):
        assert [*possible_melds(replace(ruleset, calls=CallRules(limit=limit)), cards)] == melds
    assert len(candidates._known) == known
    larger = replace(ruleset, sets=replace(ruleset.sets, minimum=4))
    assert not [*possible_melds(larger, cards)]
    assert [*possible_melds(ruleset, cards)] == melds


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("9S 10S", "9♠ does not follow on from J♠ Q♠ K♠ A♠: 10♠ goes first."),
        ("10S 8S 9S", "8♠ does not follow on from 10♠ J♠ Q♠ K♠ A♠: 9♠ goes first."),
        ("9S 9S", "9♠ does not follow on from J♠ Q♠ K♠ A♠."),
        ("8S 10S", "8♠ does not follow on from J♠ Q♠ K♠ A♠."),
    ],
)
def test_cards_in_the_wrong_order_are_told_the_right_one(cards: str, said: str) -> None:
    rules = rules_of("jamaican")
    meld = make_meld(rules.ruleset, 0, Group(parse_cards("JS QS KS AS", rules.faces), Kind.RUN))
    with pytest.raises(Refused) as refused:
        tack(rules, 0, meld, parse_cards(cards, rules.faces))
    assert refused.value.refusal.message == said
