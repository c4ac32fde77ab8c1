"""Exercises are proved: what they call right is right by the engine and the solver, and all else is answered."""

from collections import Counter
from itertools import combinations, product
from typing import ClassVar

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.exercises import words
from kalooki_tui.coach.exercises.drawing import deck, is_meld
from kalooki_tui.coach.exercises.kinds import KINDS
from kalooki_tui.coach.exercises.kinds.hands import Contracts
from kalooki_tui.coach.exercises.kinds.judged import LayOrWait, waits
from kalooki_tui.coach.exercises.kinds.melds import Valid
from kalooki_tui.coach.exercises.making import code_of, from_code, kinds_for, make_exercise, rules_for
from kalooki_tui.coach.exercises.model import Answer, Exercise, How, Say
from kalooki_tui.coach.exercises.words import answer_to, help_with, options, question
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.solver import distance
from tests.property.tables import RULESETS

LONGEST = 240


def wrong_answers(exercise: Exercise) -> list[Answer]:
    """Some answers that are not right."""
    match exercise.how:
        case How.OPTION:
            tried = [Answer(option=number) for number in range(len(exercise.options))]
        case How.CARD:
            tried = [Answer((card,)) for card in exercise.hand]
        case How.CARDS:
            right = exercise.solutions()[0].cards
            other = next((card for card in exercise.hand if card not in right), right[0])
            some = [Answer(right[1:])] if len(right) > 1 else []  # no card at all is no answer
            tried = [*some, Answer((*right, other)), Answer((other,)), Answer((*right[1:], other))]
        case How.MELDS:
            groups = exercise.solutions()[0].groups
            pair = Group(groups[0].cards[:2])
            tried = [Answer(groups=groups[1:]), Answer(groups=(*groups, groups[0])), Answer(groups=(pair,))]
    return [answer for answer in tried if not exercise.judge(answer).right]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_solutions_are_right_and_wrong_answers_are_told_why(ruleset: str) -> None:
    rules = rules_for(ruleset)
    deals = sorted({1, len(rules.ruleset.deals)})
    for deal in deals:
        for kind in kinds_for(rules, deal):
            exercise = make_exercise(rules, kind, deal, "A")
            assert 0 < len(question(exercise)) <= LONGEST
            assert len(options(exercise)) == len(exercise.options)
            for answer in exercise.solutions():
                verdict = exercise.judge(answer)
                assert verdict.right
                assert answer_to(exercise, verdict) == ""
            wrong = wrong_answers(exercise)
            assert wrong, (kind, deal)
            for answer in wrong[:4]:
                told = answer_to(exercise, exercise.judge(answer))
                assert told[-1:] in tuple(".?)"), told


def test_same_seed_same_exercise_and_a_code_finds_it_again() -> None:
    rules = rules_for("jamaican")
    for kind in KINDS:
        exercise = make_exercise(rules, kind, 3, "7F3Q")
        assert make_exercise(rules, kind, 3, "7F3Q") == exercise
        assert from_code(code_of(exercise, "7F3Q")) == exercise


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("", "is not the code"),
        ("1.spot.jamaican.x.A", "is not the code"),
        ("2.spot.jamaican.1.A", "of version 2"),
        ("1.nothing.jamaican.1.A", "there is no exercise 'nothing'"),
        ("1.spot.nowhere.1.A", "nowhere"),
        ("1.spot.baby.4.A", "has no deal 4"),
        ("1.swap.kalookie-40.1.A", "no exercise 'swap' can be made"),
    ],
)
def test_wrong_codes_are_told(code: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        from_code(code)


def test_every_meld_that_can_be_spotted_is_accepted() -> None:
    rules = rules_for("jamaican")
    for seed in range(5):
        exercise = make_exercise(rules, "spot", 2, str(seed))
        accepted = {tuple(sorted(answer.cards)) for answer in exercise.solutions()}
        for size in (3, 4, 5):
            for cards in combinations(sorted(exercise.hand), size):
                assert exercise.judge(Answer(cards)).right == (cards in accepted)
    assert not is_meld(rules, (JOKER, JOKER, JOKER), Kind.SET)


def test_what_three_to_five_cards_cost_is_asked_with_four_sums_at_most() -> None:
    rules = rules_for("jamaican")
    asked = [make_exercise(rules, "cost", 1, f"{seed}") for seed in range(40)]
    assert {len(exercise.hand) for exercise in asked} == {3, 4, 5}
    for exercise in asked:
        sums = [option.slots["number"] for option in exercise.options]
        assert sums == sorted(set(sums))
        assert rules.points(exercise.hand) in sums
        assert 1 < len(sums) <= 4


@pytest.mark.parametrize("ruleset", ["jamaican", "kooky"])
def test_runs_to_be_judged_hold_as_many_jokers_as_may_lie_in_them(ruleset: str) -> None:
    rules = rules_for(ruleset)
    asked = [make_exercise(rules, "valid", 9, f"{seed}") for seed in range(100)]
    melds = [one.shown for one in asked if isinstance(one, Valid) and one.refusal is None]
    # Without kisses every second card of a run may be one.
    assert {(len(cards), cards.count(JOKER)) for cards in melds} == {(4, 0), (4, 1), (4, 2), (5, 0), (5, 1), (5, 2)}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_contract_is_right_and_the_others_miss_by_one_meld_or_one_card(ruleset: str) -> None:
    rules = rules_for(ruleset)
    deals = range(1, len(rules.ruleset.deals) + 1)
    possible = [deal for deal in deals if "contract" in kinds_for(rules, deal)]
    assert possible == ([] if ruleset == "kalookie-40" else [*deals])
    right: Counter[tuple[str, int | None]] = Counter()
    for deal, seed in product(possible[:: max(1, len(possible) - 1)], range(24)):
        exercise = make_exercise(rules, "contract", deal, f"{seed}")
        assert isinstance(exercise, Contracts)
        (answer,) = exercise.solutions()
        right[exercise.variant, answer.option] += 1
        texts = options(exercise)
        assert len(set(texts)) == len(texts) > 2
        for number, melds in enumerate(exercise.hands):
            cards = [card for group in melds for card in group.cards]
            assert all(cards.count(card) <= deck(rules).count(card) for card in cards)
            away = distance(rules, exercise.contract, cards)
            told = answer_to(exercise, exercise.judge(Answer(option=number)))
            assert (away == 0) == (number == answer.option) == (not told)
            assert number == answer.option or away == 1 or "The contract is " in told
    # The place of the right one is drawn.
    assert not possible or min(right["made", place] for place in range(3)) > 0
    assert not possible or min(right["named", place] for place in range(3)) > 0


class Recorded(dict[str, str]):
    """Sentences that know which of them have been used."""

    used: ClassVar[set[str]] = set()

    def __getitem__(self, case: str) -> str:
        self.used.add(case)
        return super().__getitem__(case)


def test_every_sentence_of_a_kind_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {kind: Recorded(words.texts(one)) for kind, one in KINDS.items()}
    monkeypatch.setattr(words, "texts", lambda kind: found[kind.kind])
    rare = {
        "name", "far", "none", "leaves", "better", "mend-throw", "order-none", "all-fit", "joker-stays",
        "ask-call-turned", "ask-call-late-turned", "point-none", "only-low", "new-meld", "takes-place", "fits-later",
    }  # fmt: skip
    left = set()
    for kind in KINDS:
        monkeypatch.setattr(Recorded, "used", set())
        # Doubts have tests of their own.
        wanted = {case for case in sentences(f"exercises/{kind}") if case not in rare and not case.startswith("doubt-")}
        seeds = {"swap": 60, "may": 50, "wait": 40, "throw": 2, "call": 1, "allow": 1, "valid": 40, "out": 30}
        for ruleset, seed in product(("jamaican", "trinidad", "air-jamaica"), range(seeds.get(kind, 12))):
            rules = rules_for(ruleset)
            deal = min(3, len(rules.ruleset.deals))
            if kind not in kinds_for(rules, deal):
                continue
            if wanted <= Recorded.used:
                break
            exercise = make_exercise(rules, kind, deal, f"used{seed}")
            question(exercise), question(exercise, shown=True), options(exercise), help_with(exercise)
            if exercise.command:
                words.fill(exercise, Say("key")), words.fill(exercise, Say("label"))
            for answer in wrong_answers(exercise):
                answer_to(exercise, exercise.judge(answer))
        left |= {(kind, case) for case in wanted - Recorded.used}
    assert left == set()


def test_lay_or_wait_is_asked_only_where_one_choice_is_clearly_better() -> None:
    moments = waits("jamaican")
    assert any(moment.gain > 0 for moment in moments)
    assert any(moment.gain < 0 for moment in moments)
    assert all(abs(moment.gain) >= max(10, 3 * moment.error) for moment in moments)
    rules = rules_for("jamaican")
    found = [make_exercise(rules, "wait", 7, f"{seed}") for seed in range(8)]
    for exercise in found:
        assert isinstance(exercise, LayOrWait)
        # There is something to decide: the contract is held, and does not go out by itself.
        assert distance(exercise.rules, exercise.contract, exercise.hand) == 0
        assert exercise.clues["left"]
        assert exercise.judge(Answer(option=0)).right == (exercise.gain > 0)
        told = answer_to(exercise, exercise.judge(Answer(option=int(exercise.gain > 0))))
        assert f" {abs(exercise.gain):.0f} ± {2 * exercise.error:.0f} points" in told
    assert "wait" not in kinds_for(rules_for("trinidad"), 1)
