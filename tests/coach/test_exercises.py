from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest

from kalooki_tui.cards import ACE, JOKER, RANK, Card, make_card
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.exercises.definition import (
    AnswerForm,
    Exercise,
    LearnerAnswer,
    YesOrNo,
    answer_to,
    options,
    question,
)
from kalooki_tui.coach.exercises.dice import deck, fitting, is_meld, is_swapped
from kalooki_tui.coach.exercises.kinds.hand_questions import Contracts, Valid
from kalooki_tui.coach.exercises.kinds.table_questions import Out
from kalooki_tui.coach.exercises.kinds.turn_questions import AttemptAllowed, LayOrWait, pose, waits
from kalooki_tui.coach.exercises.registry import KINDS, kinds_for, make_exercise, rules_for
from kalooki_tui.engine.actions import Discard, Draw, End, Group, Kind, Lay, Source, Swap, Tack
from kalooki_tui.engine.melds import Meld, has_kiss, judge_run, judge_set, make_meld, meld_points
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.tacks import tack
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.solver import best_lay, distance
from tests.moments import there
from tests.property.tables import RULESETS

LONGEST = 240


def wrong_answers(exercise: Exercise) -> list[LearnerAnswer]:
    """Some answers that are not right."""
    match exercise.how:
        case AnswerForm.OPTION:
            tried = [LearnerAnswer(option=number) for number in range(len(exercise.options))]
        case AnswerForm.CARD:
            tried = [LearnerAnswer((card,)) for card in exercise.hand]
        case AnswerForm.CARDS:
            right = exercise.solutions()[0].cards
            other = next((card for card in exercise.hand if card not in right), right[0])
            some = [LearnerAnswer(right[1:])] if len(right) > 1 else []  # no card at all is no answer
            tried = [*some, LearnerAnswer((*right, other)), LearnerAnswer((other,)), LearnerAnswer((*right[1:], other))]
        case AnswerForm.MELDS:
            groups = exercise.solutions()[0].groups
            pair = Group(groups[0].cards[:2])
            tried = [
                LearnerAnswer(groups=groups[1:]),
                LearnerAnswer(groups=(*groups, groups[0])),
                LearnerAnswer(groups=(pair,)),
            ]
    return [answer for answer in tried if not exercise.judge(answer).right]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("deal", ["first", "last"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_solutions_are_right_and_wrong_answers_are_told_why(ruleset: str, deal: str) -> None:
    rules = rules_for(ruleset)
    number = 1 if deal == "first" else len(rules.ruleset.deals)
    for kind in kinds_for(rules, number):
        exercise = make_exercise(rules, kind, number, "A")
        assert make_exercise(rules, kind, number, "A") == exercise
        assert 0 < len(question(exercise)) <= LONGEST
        assert len(options(exercise)) == len(exercise.options)
        for answer in exercise.solutions():
            verdict = exercise.judge(answer)
            assert verdict.right
            assert answer_to(exercise, verdict) == ""
        wrong = wrong_answers(exercise)
        assert wrong, (kind, number)
        for answer in wrong[:4]:
            told = answer_to(exercise, exercise.judge(answer))
            assert told[-1:] in tuple(".?)"), told


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


SEEDS = {"valid": 16, "may": 8, "out": 6}


def test_every_kind_of_yes_or_no_is_looked_at() -> None:
    assert {kind for kind, one in KINDS.items() if issubclass(one, YesOrNo) or one.keys == "yn"} == {*SEEDS}


def asked(ruleset: str, kind: str) -> Iterator[Exercise]:
    """Questions of yes or no of one kind, at the first deal, the last and one between."""
    rules = rules_for(ruleset)
    deals = sorted({1, (len(rules.ruleset.deals) + 1) // 2, len(rules.ruleset.deals)})
    for seed, deal in product(range(SEEDS[kind]), deals):
        yield make_exercise(rules, kind, deal, f"doubt{seed}")


def posed(ruleset: str) -> Iterator[AttemptAllowed]:
    """The moments that its chapters set up."""
    course = course_of(ruleset)
    for step in (step for chapter in course.chapters for step in chapter.steps if step.is_posed):
        try:
            yield pose(course.rules, step.at, step.do, "?")
        except ValueError:
            continue


def told_of(exercise: Exercise) -> str:
    """What the first wrong answer gets."""
    wrong = LearnerAnswer(option=1 - (exercise.solutions()[0].option or 0))
    return answer_to(exercise, exercise.judge(wrong), solved=False)


def is_kissed(exercise: Valid, cards: list[Card]) -> bool:
    """Whether the run is refused with its jokers side by side."""
    first = cards.index(JOKER)
    others = [card for place, card in enumerate(cards) if place != len(cards) - 1 - cards[::-1].index(JOKER)]
    found = judge_run(exercise.rules.ruleset, [*others[: first + 1], JOKER, *others[first + 1 :]])
    return found is not None


def with_fewer(cards: list[Card], naturals: int) -> list[Card]:
    """The cards with so many naturals, the others jokers."""
    kept = [card for card in cards if card != JOKER][:naturals]
    return [*kept, *[JOKER] * (len(cards) - naturals)]


def refusal_code(exercise: Valid, cards: list[Card]) -> str:
    judge = judge_set if exercise.wanted is Kind.SET else judge_run
    found = judge(exercise.rules.ruleset, cards)
    return "" if found is None else found.code


def shortened(exercise: Valid) -> str:
    """Why one card fewer than there must be is refused."""
    least = exercise.clues["least"]
    assert isinstance(least, int)
    naturals = [card for card in exercise.shown if card != JOKER]
    jokers = [JOKER] * (len(exercise.shown) - len(naturals))
    return refusal_code(exercise, [*naturals, *jokers][: least - 1])


#: What has to hold of the cards where this doubt is told, found without the code that tells it.
MELDS: dict[str, Callable[[Valid, list[Card]], bool]] = {
    "kiss-in-set": lambda at, cards: (
        cards.count(JOKER) > 1
        and judge_run(at.rules.ruleset, (make_card(0, 5), make_card(0, 6), JOKER, JOKER, make_card(0, 9))).code  # type: ignore[union-attr]
        == "run.kiss"
    ),
    "naturals": lambda at, cards: (
        JOKER in cards and refusal_code(at, with_fewer(cards, at.rules.ruleset.sets.naturals - 1)) == "set.naturals"
    ),
    "same-suit": lambda at, cards: (
        at.rules.ruleset.sets.suits == "any"
        and any(count > 1 for card, count in Counter(cards).items() if card != JOKER)
    ),
    "long": lambda at, cards: len(cards) > at.clues["least"],  # type: ignore[operator]
    "short": lambda at, cards: len(cards) == at.clues["least"] and shortened(at).endswith(".size"),
    "kiss-allowed": lambda at, cards: has_kiss(cards) and at.rules.ruleset.runs.kisses,
    "no-kiss": lambda at, cards: not has_kiss(cards) and cards.count(JOKER) > 1 and is_kissed(at, cards),
    "low-ace": lambda at, cards: RANK[cards[0]] == ACE,
    "high-ace": lambda at, cards: RANK[cards[-1]] == ACE,
    "shortest": lambda at, cards: len(cards) == at.rules.ruleset.runs.minimum and JOKER in cards,
    "stands-for": lambda at, cards: JOKER in cards,
}


def stood_for(exercise: Valid, symbol: str) -> bool:
    """Whether the run is one with that card in its joker's place."""
    cards = list(exercise.shown)
    card = next(card for card in range(JOKER) if exercise.symbols([card]) == symbol)
    cards[cards.index(JOKER)] = card
    return judge_run(exercise.rules.ruleset, cards) is None


@pytest.mark.sweep(5)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_doubt_about_a_meld_is_of_its_own_cards_and_unfounded(ruleset: str) -> None:
    found = [exercise for exercise in asked(ruleset, "valid") if isinstance(exercise, Valid)]
    for exercise in found:
        told = told_of(exercise)
        if exercise.refusal is not None:
            assert f"({exercise.refusal.clause})" in told
            assert exercise.symbols(exercise.shown) in told, told
            continue
        doubt = exercise.doubt
        case = doubt.case.removeprefix("doubt-")
        assert MELDS[case](exercise, list(exercise.shown)), told
        assert doubt.slots["least"] == exercise.clues["least"]
        assert case != "stands-for" or stood_for(exercise, doubt.slots["card"]), told
        own = [exercise.symbols([card]) for card in exercise.shown if card != JOKER]
        assert any(symbol in told for symbol in own) or exercise.rules.ruleset.vocabulary.joker in told, told
        assert "(M" in told
    assert any(exercise.refusal is None for exercise in found)


def laid(exercise: AttemptAllowed) -> bool:
    return has_laid(exercise.moment, 0)


def calls(exercise: AttemptAllowed) -> int:
    return (exercise.moment.calls or (0,))[0]


def tacked(exercise: AttemptAllowed) -> tuple[Tack, Meld]:
    assert isinstance(exercise.action, Tack)
    return exercise.action, exercise.moment.melds[exercise.action.meld]


def rank_fits(exercise: AttemptAllowed, *, own: bool) -> bool:
    action, meld = tacked(exercise)
    fits = all(card == JOKER or RANK[card] == meld.rank for card in action.cards)
    return laid(exercise) and fits and (meld.owner == 0) == own


def grows(exercise: AttemptAllowed, end: End) -> bool:
    action, meld = tacked(exercise)
    grown = tack(exercise.rules, 0, meld, action.cards, action.end)
    return laid(exercise) and (grown.high > meld.high if end is End.HIGH else grown.low < meld.low)


def fits_a_meld(exercise: AttemptAllowed) -> bool:
    assert isinstance(exercise.action, Discard)
    for meld, end in product(exercise.table, (End.HIGH, End.LOW)):
        try:
            tack(exercise.rules, 0, meld, (exercise.action.card,), end if meld.kind is Kind.RUN else None)
        except Refused:
            continue
        return True
    return False


def worth(exercise: AttemptAllowed) -> int:
    assert isinstance(exercise.action, Lay)
    melds = [make_meld(exercise.rules.ruleset, 0, group) for group in exercise.action.groups]
    return sum(meld_points(exercise.rules, meld) for meld in melds)


def count_of(exercise: AttemptAllowed) -> int:
    assert isinstance(exercise.action, Lay)
    return len(exercise.action.groups) - exercise.contract.sets - exercise.contract.runs


#: The same of what is allowed at a moment.
MOMENTS: dict[str, Callable[[AttemptAllowed], bool]] = {
    "call": lambda at: at.moment.turn != 0 and not laid(at) and not calls(at) and at.moment.phase is not Phase.PLAY,
    "call-left": lambda at: 0 < calls(at) < at.rules.ruleset.calls.limit and not laid(at),
    "call-laid": lambda at: laid(at) and at.rules.ruleset.calls.laid_seat,
    "call-unchecked": lambda at: at.moment.calls is None and at.rules.penalties,
    "call-flip": lambda at: at.moment.phase is Phase.FLIP_WINDOW and not laid(at),
    "refuse": lambda at: at.moment.turn == 0 and not laid(at),
    "refuse-laid": lambda at: at.moment.turn == 0 and laid(at) and at.rules.ruleset.draw.laid_seat == "either",
    "take": lambda at: not laid(at) and not at.moment.dead,
    "take-laid": lambda at: laid(at) and at.rules.ruleset.draw.laid_seat == "either",
    "flip": lambda at: not laid(at) and at.moment.turn == 0 and at.moment.flip is not None,
    "flip-laid": lambda at: laid(at) and at.moment.flip is not None,
    "stock": lambda at: at.moment.turn == 0 and at.moment.stock + at.moment.reshuffles > 0,
    "stock-empty": lambda at: at.moment.turn == 0 and not at.moment.stock and at.moment.pile > 1,
    "throw": lambda at: at.action.card != JOKER and not at.rules.ruleset.discard.jokers,  # type: ignore[union-attr]
    "throw-any": lambda at: at.rules.ruleset.discard.jokers,
    "throw-fits": lambda at: laid(at) and fits_a_meld(at),
    "throw-joker": lambda at: at.rules.ruleset.discard.jokers,
    "tack-set": lambda at: rank_fits(at, own=False),
    "tack-set-own": lambda at: rank_fits(at, own=True),
    "tack-high": lambda at: grows(at, End.HIGH),
    "tack-limit": lambda at: 1 < len(tacked(at)[0].cards) <= (at.rules.ruleset.tack.end_limit or 0),
    "tack-low": lambda at: grows(at, End.LOW) and at.rules.ruleset.tack.run_growth == "both",
    "tack-low-ace": lambda at: grows(at, End.LOW) and at.rules.ruleset.tack.run_growth == "high-then-low",
    "lay": lambda at: count_of(at) == 0 and not laid(at),
    "lay-more": lambda at: count_of(at) > 0 and not laid(at),
    "lay-further": lambda at: laid(at) and at.rules.ruleset.lay.further_melds,
    "lay-points": lambda at: worth(at) >= at.contract.points > 0,
    "lay-suit": lambda at: at.rules.ruleset.lay.full_suit_for_three_runs and at.contract.runs == 3,
    "swap": lambda at: JOKER in at.moment.melds[at.action.meld].cards,  # type: ignore[union-attr]
    "swap-used": lambda at: at.rules.ruleset.swap == "use-at-once",
    "challenge": lambda at: at.moment.laid[at.action.target] is HasLaid.NO,  # type: ignore[union-attr]
    "challenge-laid": lambda at: at.moment.laid[at.action.target] is not HasLaid.NO,  # type: ignore[union-attr]
}


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_doubt_about_a_move_is_of_its_moment_and_unfounded(ruleset: str) -> None:
    found = [*(one for one in asked(ruleset, "may") if isinstance(one, AttemptAllowed)), *posed(ruleset)]
    for exercise in found:
        told, view = told_of(exercise), exercise.moment
        if exercise.ask.case.startswith("ask-call-late"):
            # Whose card it is is said before an answer speaks of it.
            assert public_of(view).throwers[-1] == view.discarded_by
            said = "was turned up" if view.discarded_by is None else f"{view.names[view.discarded_by]} threw "
            assert said in question(exercise)
        if exercise.refusal is not None:
            assert f"({exercise.refusal.clause})" in told
            continue
        assert told.startswith("You may: "), (exercise.action, told)
        assert MOMENTS[exercise.doubt.case.removeprefix("doubt-")](exercise), told
        # What is done with cards is told of these cards, what is done out of turn of the rule.
        is_named = exercise.doubt.slots["card"] in told or exercise.action == Draw(0, Source.STOCK)
        assert is_named or not isinstance(exercise.action, Tack | Lay | Swap | Draw), told


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_moves_that_lead_out_are_told_card_by_card_and_can_be_made(ruleset: str) -> None:
    seen = set()
    for exercise in (one for one in asked(ruleset, "out") if isinstance(one, Out)):
        option = exercise.solutions()[0].option
        verdict = exercise.judge(LearnerAnswer(option=1 - (option or 0)))
        whole = answer_to(exercise, verdict)
        # The cards of the moves and those that stay are those of the hand, and those freed on the way.
        order = whole.removeprefix(answer_to(exercise, verdict, solved=False))
        rules, hand, table = exercise.rules, exercise.hand, exercise.table
        own = [meld for meld in table if meld.owner == 0]
        plan = best_lay(rules, exercise.contract, hand, own_melds=own, table=table, laid=True)
        stay = hand if plan is None else plan.left
        for card in exercise.hand:
            assert exercise.symbols([card]) in order or plan is None, (whole, exercise.symbols(exercise.hand))
        reason = there(verdict.reason)
        if reason.case in ("fits-later", "takes-place", "new-meld"):
            card = next(one for one in hand if exercise.symbols([one]) == reason.slots["later"])
            assert not fitting(rules, table, [card])
            takes_place = any(is_swapped(rules, meld, card) for meld in table)
            assert reason.case == "new-meld" or takes_place == (reason.case == "takes-place")
        seen.add(reason.case)
        assert (len(stay) <= 1 and (JOKER not in stay or exercise.rules.ruleset.discard.jokers)) == (option == 0)
    assert len(seen) > 1


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_moves_of_a_chain_are_told_card_by_card(ruleset: str) -> None:
    rules = rules_for(ruleset)
    for seed in range(6 if "chain" in kinds_for(rules, 1) else 0):
        exercise = make_exercise(rules, "chain", 1, f"order{seed}")
        stays = exercise.solutions()[0].cards
        verdict = exercise.judge(LearnerAnswer((*stays, next(card for card in exercise.hand if card not in stays))))
        order = answer_to(exercise, verdict).removeprefix(answer_to(exercise, verdict, solved=False)).strip()
        moves, _, left = order.removesuffix(".").partition(". What stays: ")
        assert left == exercise.symbols(stays)
        gone = Counter(exercise.hand) - Counter(stays)
        assert all(exercise.symbols([card]) in moves for card in gone), order
        assert moves.count(", then ") >= 1 or len(gone) > 1
