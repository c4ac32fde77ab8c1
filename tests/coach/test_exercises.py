import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, groupby, product

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.exercises.definition import (
    AnswerForm,
    Exercise,
    LearnerAnswer,
    answer_to,
    help_with,
    kind_name,
    options,
    question,
)
from kalooki_tui.coach.exercises.dice import deck, is_meld, why_no_meld
from kalooki_tui.coach.exercises.kinds.hand_questions import Contracts
from kalooki_tui.coach.exercises.kinds.turn_questions import LayOrWait, MomentExercise, pose, waits
from kalooki_tui.coach.exercises.registry import kinds_for, make_exercise, rules_for
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players.club import lay_contract
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.solver import distance
from tests.coach.walking import learning_of
from tests.commands import Golden
from tests.moments import POSITIONS, there
from tests.property.tables import RULESETS
from tests.solver.hands import rules_of

#: Exercises by ruleset, deal and seed, in which everything that a kind says comes up.
CARDS = {
    "away": "baby 1 B, classic 1 F",
    "best": "classic 1 D, kalookie-40 1 D, trinidad 7 E",
    "build": "kalookie-40 2 B, kooky 9 C, liverpool 7 A, carioca 9 A",
    "complete": "air-jamaica 5 C, jamaican 5 E, kalooki-short 3 E, kalookie-40 1 B, kalookie-40 2 D",
    "contract": "classic 3 U, baby 1 E, baby 1 F, kalooki-short 3 B, kooky 1 D",
    "cost": "jamaican 1 A, kalookie-40 2 C, kalookie-40 2 D",
    "helps": "baby 1 A, kooky 1 E",
    "repair": "air-jamaica 5 C, kalookie-40 1 C, kalookie-40 2 D, kooky 1 F",
    "spot": "air-jamaica 1 B, baby 2 D, baby 2 E, baby 3 D",
    "valid": "air-jamaica 1 C, air-jamaica 1 D, air-jamaica 5 F, air-jamaica 9 4, air-jamaica 9 D, air-jamaica 9 F,"
    " air-jamaica 9 Q, baby 3 7, baby 3 C, baby 3 E, baby 3 M, classic 9 3, jamaican 7 U, jamaican 9 8, jamaican 9 R,"
    " kalooki-short 4 R, kalookie-40 1 C, kalookie-40 1 D, kalookie-40 1 E, kalookie-40 1 G, kalookie-40 1 M,"
    " kalookie-40 2 A, super-kalooki 2 D, trinidad 1 7, trinidad 4 D, tuluki 1 F, tuluki 9 B, shanghai 3 D",
}
TABLE = {
    "chain": "classic 2 C, jamaican 9 C, kalookie-40 1 A, kalookie-40 1 D, kalookie-40 2 F, kooky 5 F, kooky 9 F,"
    " trinidad 2 B, trinidad 2 D",
    "out": "air-jamaica 2 D, classic 1 F, jamaican 1 D, jamaican 2 D, kalookie-40 2 E, kalookie-40 2 F, kooky 1 B,"
    " kalooki-short 3 J, super-kalooki 2 F, super-kalooki 3 D, trinidad 4 B",
    "swap": "baby 3 E, classic 5 D, jamaican 2 E, jamaican 5 D, kalooki-short 2 C, kooky 1 E, trinidad 1 D,"
    " trinidad 2 D, trinidad 4 D, trinidad 4 E, trinidad 4 F, contract-rummy 2 A, contract-rummy 2 D, shanghai 2 A,"
    " shanghai 2 Z",
    "tack": "jamaican 9 E, kalookie-40 1 D, air-jamaica 8 2, jamaican 5 3",
}
TURN = {
    "allow": "classic 1 B, kooky 1 D, kalooki-short 3 X",
    "call": "kooky 1 A, kooky 1 E",
    "may": "air-jamaica 1 C, air-jamaica 1 E, air-jamaica 1 F, air-jamaica 2 A, baby 1 B, baby 1 C, baby 1 E, baby 3 A,"
    " baby 3 C, classic 1 D, classic 1 F, jamaican 2 A, jamaican 5 A, kalooki-short 3 A, kalookie-40 1 A,"
    " kalookie-40 1 C, kooky 1 A, kooky 1 B, kooky 1 F, kooky 5 D, kooky 9 F, super-kalooki 2 A, super-kalooki 5 F,"
    " trinidad 1 B, trinidad 1 D, trinidad 1 E, trinidad 2 A, tuluki 1 E, tuluki 2 C, tuluki 5 B, tuluki 5 D,"
    " tuluki 5 F, tuluki 9 E",
    "throw": "air-jamaica 2 B, baby 1 D, kalookie-40 1 X, contract-rummy 1 U",
    "wait": "jamaican 1 C, jamaican 1 E, jamaican 2 D, jamaican 5 D, jamaican 9 C",
}


def tried(exercise: Exercise) -> list[LearnerAnswer]:
    """Answers of all sorts: right ones, and such as lack something or hold too much."""
    first, *others = exercise.solutions()
    right = first.cards
    rest = tuple(card for card in exercise.hand if card not in right)
    match exercise.how:
        case AnswerForm.OPTION:
            return [LearnerAnswer(option=number) for number in range(len(exercise.options))]
        case AnswerForm.CARD:
            return [LearnerAnswer((card,)) for card in sorted({*exercise.hand})]
        case AnswerForm.CARDS:
            some = [right, *(other.cards for other in others[:2]), right[1:], (*right, *rest[:1]), rest[:2], rest[-1:]]
            more = [(*right[:-1], *rest[-1:]), exercise.hand]
            return [LearnerAnswer(cards) for cards in dict.fromkeys([*some, *more]) if cards]
        case AnswerForm.MELDS:
            one, *more = first.groups
            wrong = one.cards[:2], (*one.cards[:-1], first.groups[-1].cards[-1])
            melds = [first.groups, more, [*first.groups, one], *([Group(cards), *more] for cards in wrong)]
            return [LearnerAnswer(groups=tuple(groups)) for groups in melds]


def wrong_answers(exercise: Exercise) -> list[LearnerAnswer]:
    return [answer for answer in tried(exercise) if not exercise.judge(answer).right]


def told_to(exercise: Exercise, answer: LearnerAnswer) -> str:
    """What an answer is told, with what only a second wrong one is told after a dash."""
    verdict = exercise.judge(answer)
    reason = answer_to(exercise, verdict, solved=False)
    solution = answer_to(exercise, verdict).removeprefix(reason).strip()
    return "right" if verdict.right else f"{reason} - {solution}".removesuffix(" - ")


def shown(exercise: Exercise) -> Iterator[str]:
    """An exercise as a learner sees it, with all its help and answers."""
    yield from dict.fromkeys((question(exercise), question(exercise, shown=True)))
    for seat, melds in groupby(exercise.table, key=lambda meld: meld.owner):
        yield f"  {seat}: {exercise.in_groups([Group(meld.cards) for meld in melds])}"
    texts = [f"{key} {option}" for key, option in zip(exercise.keys, options(exercise), strict=False)]
    yield from [f"  {' / '.join(texts)}"] * bool(texts)
    yield from (f"  ? {step}" for step in help_with(exercise))
    for answer in tried(exercise):
        if answer.option is not None:
            text = exercise.keys[answer.option]
        else:
            text = exercise.in_groups(answer.groups) or exercise.symbols(answer.cards)
        yield f"  {text}: {told_to(exercise, answer)}"


@pytest.mark.parametrize(
    ("name", "kinds"), [("cards", CARDS), ("table", TABLE), ("turn", TURN)], ids=["cards", "table", "turn"]
)
def test_what_is_asked_and_what_all_sorts_of_answers_are_told(name: str, kinds: dict[str, str], golden: Golden) -> None:
    told = list[str]()
    for kind, seeds in kinds.items():
        for seed in seeds.split(", "):
            ruleset, deal, letter = seed.split()
            exercise = make_exercise(rules_for(ruleset), kind, int(deal), letter)
            told += [f"{kind} {seed}: {kind_name(type(exercise))}, {exercise.jokers} jokers", *shown(exercise), ""]
    golden(f"exercises-{name}", "\n".join(told))


def test_what_is_drawn_of_every_kind_that_needs_no_deal(golden: Golden) -> None:
    told = list[str]()
    for number, (ruleset, kind) in enumerate(product(RULESETS, (*CARDS, *TABLE))):
        rules = rules_for(ruleset)
        deal = 1 + number % len(rules.ruleset.deals)
        if kind in kinds_for(rules, deal):
            exercise = make_exercise(rules, kind, deal, "G")
            texts = [exercise.symbols(cards) for cards in (exercise.hand, exercise.shown) if cards]
            texts += [exercise.in_groups([Group(meld.cards) for meld in exercise.table])] * bool(exercise.table)
            right = [
                exercise.in_groups(one.groups) or exercise.symbols(one.cards) or str(one.option)
                for one in exercise.solutions()[:4]
            ]
            wrong = [told_to(exercise, answer) for answer in wrong_answers(exercise)[:1]]
            told.append(f"{ruleset} {kind} {deal} G: {'; '.join(texts)} -> {', '.join(right)}: {''.join(wrong)}")
    golden("exercises-drawn", "\n".join(told))


def test_what_chapters_ask_at_moments_of_their_own(golden: Golden) -> None:
    told = list[str]()
    for ruleset in RULESETS:
        course = course_of(ruleset)
        posed = [(chapter.id, step) for chapter in course.chapters for step in chapter.steps if step.is_posed]
        for chapter, step in posed:
            with suppress(ValueError):
                exercise = pose(course.rules, step.at, step.do, learning_of(ruleset).words(step.ask))
                wrong = LearnerAnswer(option=1 - exercise.right)
                told += [f"{ruleset} {chapter}: {step.do}: {question(exercise)}"]
                told += [f"  {help_with(exercise)[1]} {told_to(exercise, wrong)}"]
    golden("exercises-moments", "\n".join(told))


def test_why_what_is_allowed_at_the_positions_might_not_have_been(golden: Golden) -> None:
    told = dict[str, str]()
    for path in sorted(POSITIONS.glob("*.yaml")):
        match = set_up(load_position(path))
        view = match.view(0)
        laid = lay_contract(view) if view.may_lay else None
        for action in [*([] if laid is None else [laid.action]), *view.legal[::2]]:
            if not match.buying:
                asked = MomentExercise.of(view, action=action, refusal=match.why_not(action), words="May you?")
                line = told_to(asked, LearnerAnswer(option=1 - asked.right))
                told.setdefault(re.sub(r"\S*[^a-z ,.]\S*", "", line), f"{path.stem} {line}")
    golden("exercises-allowed", "\n".join(told.values()))


def test_where_runs_go_round_the_corner_exercises_know_it() -> None:
    rules, told, runs = rules_of("carioca", ("round-the-corner",)), list[str](), list[Exercise]()
    for kind, seed in product(("valid", "repair", "complete", "spot", "swap"), "ABCDEFGHIJ"):
        exercise = make_exercise(rules, kind, 3, seed) if kind in kinds_for(rules, 3) else None
        if exercise is not None:
            runs.append(exercise)
            for answer in tried(exercise):
                told.append(told_to(exercise, answer))
    assert not [line for line in told if "M3" in line or "D26" in line]
    assert [line for line in told if "goes on past the ace" in line]
    around = make_meld(rules.ruleset, 0, Group(parse_cards("QS KS AS 2S", rules.faces)))
    assert why_no_meld(rules, around.cards[::-1], Kind.RUN) is None
    gap = there(why_no_meld(rules, parse_cards("2S QS AS 3S", rules.faces), Kind.RUN))
    assert gap.message == "Q♠ A♠ 2♠ 3♠ is not in sequence."
    assert there(why_no_meld(rules, (JOKER,) * 4, Kind.RUN)).code == "run.naturals"


def test_every_meld_that_can_be_spotted_is_accepted() -> None:
    rules = rules_for("jamaican")
    for seed in "01":
        exercise = make_exercise(rules, "spot", 2, seed)
        accepted = {tuple(sorted(answer.cards)) for answer in exercise.solutions()}
        for size in (3, 4, 5):
            for cards in combinations(sorted(exercise.hand), size):
                assert exercise.judge(LearnerAnswer(cards)).right == (cards in accepted)
    assert not is_meld(rules, (JOKER, JOKER, JOKER), Kind.SET)


@pytest.mark.sweep(4)
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
            told = answer_to(exercise, exercise.judge(LearnerAnswer(option=number)))
            assert (away == 0) == (number == answer.option) == (not told)
            assert number == answer.option or away == 1 or "The contract is " in told
    # The place of the right one is drawn.
    assert not possible or min(right["made", place] for place in range(3)) > 0
    assert not possible or min(right["named", place] for place in range(3)) > 0


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
        assert exercise.judge(LearnerAnswer(option=0)).right == (exercise.gain > 0)
        told = answer_to(exercise, exercise.judge(LearnerAnswer(option=int(exercise.gain > 0))))
        assert f" {abs(exercise.gain):.0f} ± {2 * exercise.error:.0f} points" in told
    assert "wait" not in kinds_for(rules_for("trinidad"), 1)
