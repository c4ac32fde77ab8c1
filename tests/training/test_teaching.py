"""What a teacher shows: contracts in cards, how far everybody was, and hands that lie open."""

import pytest
from msgspec.structs import replace

from kalooki_tui.api import ruleset_ids
from kalooki_tui.coach.exercises.dice import cards_of
from kalooki_tui.coach.exercises.kinds.hand_questions import why_not_laid
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.session.client import NotHere
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan, plan_of
from kalooki_tui.solver import distance
from kalooki_tui.storage.journal import unwritten
from kalooki_tui.training.teaching import answer_words, changes_words, contract_lesson, how_far
from tests.commands import Golden
from tests.session.fronts import PEOPLE, InThisProcess
from tests.storage.tables import open_table, play


def all_rules() -> list[Rules]:
    games = [load_ruleset(game) for game in ruleset_ids()]
    return [make_rules(game, min(game.seat_counts)) for game in games]


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.ruleset.id)
def test_a_contract_is_shown_by_cards_that_make_it_and_by_some_that_do_not_by_one(rules: Rules) -> None:
    for deal, contract in enumerate(rules.ruleset.deals, 1):
        for seed in range(8):
            lesson = contract_lesson(rules, deal, seed)
            assert len(lesson.makes) == 2
            assert lesson.makes[0] != lesson.makes[1]
            assert all(why_not_laid(rules, contract, melds) is None for melds in lesson.makes)
            assert lesson.why is not None, (deal, seed)
            assert lesson.why == why_not_laid(rules, contract, lesson.fails)
            assert lesson.why.clause
            assert distance(rules, contract, cards_of(lesson.fails)) == 1
            assert lesson == contract_lesson(rules, deal, seed)


def test_what_a_contract_changes(golden: Golden) -> None:
    told = []
    for rules in all_rules():
        told.append(rules.ruleset.name)
        told += [f"  {changes_words(rules.ruleset, deal)}" for deal in range(1, len(rules.ruleset.deals) + 1)]
    some = resolve("jamaican", ("deals=2,5,9",))
    told += ["Three of nine", *(f"  {changes_words(some, deal)}" for deal in (1, 2, 3))]
    golden("teaching", "\n".join(told))


def test_after_a_deal_it_is_told_who_has_laid_and_how_far_the_others_were() -> None:
    table = open_table(seed=5)
    while table.match.phase is not Phase.OVER:
        play(table, 1)
    view = table.match.view(0)
    scored = next(event for event in view.history if isinstance(event, Scored))
    for seat, told in enumerate(how_far(view, range(3))):
        away = distance(view.rules, view.contract, scored.hands[seat])
        laid = view.laid[seat] is not HasLaid.NO
        assert (" laid the contract." in told) == laid
        assert laid or f"ended {away} card" in told
    # Whoever holds the whole contract has not laid it.
    whole = contract_lesson(view.rules, view.deal, 1).makes[0]
    held = replace(scored, hands=(cards_of(whole), *scored.hands[1:]))
    history = tuple(held if event is scored else event for event in view.history)
    kept = replace(view, laid=(HasLaid.NO, *view.laid[1:]), history=history)
    assert how_far(kept, (0,)) == ["Ann held the contract and did not lay it."]
    assert how_far(replace(view, history=()), range(3)) == []


def test_an_answer_has_its_fact_or_says_that_there_is_none() -> None:
    match = open_table(seed=5).match
    words = answer_words(match.view(match.actor or 0))
    assert words.count(". ") >= 1
    cut = open_table(seed=5, dealer_cut=True).match
    assert answer_words(cut.view(cut.actor or 0)) == "No fact speaks for one answer here."


def session_of(plan: MatchPlan) -> MatchSession:
    return MatchSession(plan, unwritten(plan.open(), teaching=plan.is_teaching), InThisProcess())


async def test_open_hands_are_those_of_all_only_where_somebody_teaches_and_until_they_are_closed() -> None:
    plan = plan_of("baby", PEOPLE, 3, [])
    session = session_of(replace(plan, teach=True))
    host, guest = session.sit([0, 1]), session.sit([2])
    match = session._table.match
    hands = [(seat, match.view(seat).hand) for seat in range(3)]
    assert host.open_hands() == guest.open_hands() == hands
    session.turn_hands()
    assert host.open_hands() == guest.open_hands() == []
    # All cards are the host's alone to look at.
    assert host.shown_match().deal.stock == match.deal.stock
    with pytest.raises(NotHere):
        guest.shown_match()
    for other in (plan, replace(plan, teaching=True)):
        session = session_of(other)
        assert session.sit([0]).open_hands() == []
    with pytest.raises(NotHere):
        session_of(plan).sit([0]).shown_match()
