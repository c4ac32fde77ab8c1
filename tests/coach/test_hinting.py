"""The coach says what decided, in whole sentences, from the view alone."""

import random
from collections import Counter

import pytest

from kalooki_tui.coach.catalogue import sentences, slots
from kalooki_tui.coach.costs import warning
from kalooki_tui.coach.exercises.judging import CLEAR
from kalooki_tui.coach.hinting import SLOTS, chance_words, hint
from kalooki_tui.engine.actions import Discard, Draw, Source
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, Reason, assess
from kalooki_tui.players import make_player
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.learned import Trees
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.walking import decisions
from tests.property.tables import RULESETS

LONGEST = 156
"""Cells: two rows of the narrowest screen."""


def deals_of(ruleset: str) -> list[int]:
    return sorted({1, len(load_ruleset(ruleset).deals)})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_decision_has_a_hint_whose_sentences_are_whole_and_fit(ruleset: str) -> None:
    told = 0
    for number in deals_of(ruleset):
        for _, view in decisions(ruleset, "hints", number):
            given = hint(view)
            assert given.action in view.legal or type(given.action).__name__ in ("Lay", "Swap")
            for sentence in given.steps:
                assert sentence[-1] in ".?"
                assert not set("{}") & set(sentence)
                assert len(sentence) <= LONGEST
            told += 1
    assert told > 20


@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kalookie-40", "tuluki"])
def test_first_suggestion_is_what_a_good_player_does_until_the_contract_is_laid(ruleset: str) -> None:
    """Throws and lay-downs as the club player, the open card as the expert."""
    club, expert = make_player("club", "0"), make_player("expert", "coach")
    same: Counter[bool] = Counter()
    for number in deals_of(ruleset):
        for _, view in decisions(ruleset, "club", number):
            if view.laid[view.seat] == "no":
                player = club if view.phase in (Phase.PLAY, Phase.ADD_ON) else expert
                same[assess(Situation(view)).best.action == player.decide(view).action] += 1
    assert same[False] == 0
    assert same[True] > 10


@pytest.mark.parametrize("gained", [-50.0, 50.0])
def test_what_practice_alone_speaks_for_is_said_to_be_so(gained: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if practice had taught to have every card, or to leave it."""
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (gained,)))
    told: Counter[Reason | None] = Counter()
    for _, view in decisions("jamaican", "x", 2):
        if view.phase in (Phase.PLAY, Phase.ADD_ON):
            continue
        assessment = assess(Situation(view))
        told[assessment.counted] += 1
        if assessment.reason is not Reason.PRACTICE:
            assert assessment.counted is None
            continue
        assert assessment.best.action == Expert("coach").decide(view).action
        assert assessment.best.cards == ((view.discard,) if gained < 0 else ())
        assert f"but in practice deals, {'having' if gained < 0 else 'leaving'}" in hint(view).reason
        # Nobody is warned of what practice advises, nor asked about it as if it were clear.
        assert warning(view, assessment.best.action) == ""
        assert assessment.reason not in CLEAR
    against = {Reason.NEARER, Reason.BETTER_THAN_STOCK, Reason.COMPLETES, Reason.FITS}
    assert told[None]
    assert set(told) - {None} <= (set(Reason) - against if gained < 0 else against)
    assert told[Reason.NO_NEARER if gained < 0 else Reason.NEARER] > 3


def test_nobody_is_told_to_have_a_card_only_to_throw_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (-50.0,)))
    again = 0
    for _, view in decisions("jamaican", "x", 2):
        if view.phase is Phase.DRAW and assess(Situation(view)).reason is Reason.THROWN_AGAIN:
            assert view.discard is not None
            assert assess(Situation(view)).best.action == Draw(view.seat, Source.STOCK)
            assert hint(view).reason == (
                f"You would only throw {view.rules.faces.symbol(view.discard)} again at the end of your turn."
            )
            again += 1
    assert again


def test_hint_is_the_same_with_the_hidden_cards_dealt_anew() -> None:
    compared = 0
    for number in (1, 3, 9):
        for deal, view in decisions("jamaican", "hidden", number):
            given = hint(view)
            again = deal.clone()
            dice = random.Random(compared)
            hidden = [card for seat, hand in enumerate(again.hands) if seat != view.seat for card in hand] + again.stock
            dice.shuffle(hidden)
            for seat, hand in enumerate(again.hands):
                if seat != view.seat:
                    again.hands[seat] = [hidden.pop() for _ in hand]
            again.stock = hidden
            assert hint(again.view(view.seat)) == given
            compared += 1
    assert compared > 60


@pytest.fixture(scope="module")
def throws() -> list[tuple[View, Assessment]]:
    """The moments of nine deals in which a throw is the best of several choices."""
    views = [view for number in range(1, 10) for _, view in decisions("jamaican", "throws", number)]
    found = [(view, assess(Situation(view))) for view in views]
    return [(view, one) for view, one in found if isinstance(one.best.action, Discard) and one.second is not None]


def test_reason_for_a_throw_is_the_term_in_which_it_beats_the_next_best_most(
    throws: list[tuple[View, Assessment]],
) -> None:
    assert len({one.reason for _, one in throws}) >= 3
    for _, one in throws:
        best, second = one.best.weighed, one.second and one.second.weighed
        assert best is not None
        assert second is not None
        gains = {term: best.terms.get(term, 0.0) - second.terms.get(term, 0.0) for term in best.terms}
        assert gains[max(gains, key=gains.__getitem__)] == pytest.approx(
            best.terms.get(one.reason, 0.0) - second.terms.get(one.reason, 0.0)  # type: ignore[call-overload]
        )
        assert one.margin >= 0


def test_numbers_said_of_a_throw_are_true(throws: list[tuple[View, Assessment]]) -> None:
    told = [(hint(view).reason, one) for view, one in throws if one.reason is Reason.WAYS]
    numbers = [(reason, one) for reason, one in told if "unseen cards bring you nearer" in reason]
    assert numbers
    for reason, assessment in numbers:
        assert assessment.second is not None
        best, second = assessment.best.after, assessment.second.after
        assert best is not None
        assert second is not None
        assert best.away == second.away
        assert best.helps > second.helps
        assert f" {best.helps} unseen" in reason
        assert reason.endswith(f"it is {second.helps}.")


def test_every_slot_of_every_sentence_can_be_filled_and_none_is_unused() -> None:
    used = {name for cases in sentences("hints").values() for sentence in cases.values() for name in slots(sentence)}
    assert used == SLOTS


def test_every_reason_and_every_kind_of_action_has_a_sentence() -> None:
    why = sentences("hints")["why"]
    for reason in set(Reason) - {Reason.PRACTICE}:
        assert reason in why or f"throw-{reason}" in why or f"take-{reason}" in why, reason


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "1 time in 100"),
        (0.071, "1 time in 14"),
        (0.25, "1 time in 4"),
        (0.4, "4 times in 10"),
        (1.0, "9 times in 10"),
    ],
)
def test_chances_are_said_as_people_say_them(chance: float, words: str) -> None:
    assert chance_words(chance) == words


def test_who_seems_to_collect_a_card_is_said_where_that_decided() -> None:
    told = 0
    for seed in ("feed0", "feed1"):
        for _, view in decisions("jamaican", seed, 2):
            assessment = assess(Situation(view))
            reason = hint(view).reason
            if " has taken " not in reason:
                continue
            assert assessment.reason is Reason.FEED
            assert assessment.second is not None
            found = Situation(view).collector(assessment.second.cards[0])
            assert found is not None
            seat, taken = found
            assert seat != view.seat
            assert set(taken) <= set(public_of(view).taken[seat])
            assert reason.startswith(view.names[seat])
            told += 1
    assert told > 0
