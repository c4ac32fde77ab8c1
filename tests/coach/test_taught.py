"""A course teaches what it asks: no exercise is refused, or asked, by a rule that no chapter has told yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.coach.course.courses import Course, course_of
from kalooki_tui.coach.course.lesson import clauses_of, lesson_of, practice_of
from kalooki_tui.coach.exercises.model import Exercise
from kalooki_tui.coach.session import Session
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.test_exercises import wrong_answers
from tests.coach.walking import chapter_of, learning_of
from tests.property.tables import RULESETS

#: One of these clauses must have been taught before a kind of exercise, or a topic of what is allowed, is asked.
ASKED_BY = {
    "spot": "M1 M2", "complete": "M1 M2", "repair": "M1 M2", "valid": "M1 M2", "build": "L1", "best": "L1",
    "contract": "L2", "away": "L1", "helps": "L1", "cost": "G3", "wait": "G4", "throw": "S1",
    "call": "C2", "allow": "C6", "tack": "K1", "swap": "K7 K8 K9 K10", "chain": "K7 K8 K9 K10",
    "out": "G1", "may-call": "C2", "may-refuse": "C6", "may-take": "C1", "may-throw": "S1", "may-tack": "L9",
    "may-lay": "L1", "may-call-late": "C8", "may-call-turned": "D2",
}  # fmt: skip


def asked(course: Course, seeds: int) -> Iterator[tuple[str, Exercise, frozenset[str]]]:
    """Each exercise of a course with its chapter, and the clauses taught by then."""
    for chapter in course.chapters:
        earlier = course.before(chapter)
        taught = clauses_of((*earlier, chapter))
        for seed in range(seeds):
            lesson = lesson_of(chapter, earlier, course.rules, f"s{seed}")
            # One of each kind and topic: the exercises of a kind are refused and asked by the same rules.
            kinds = {(task.step.kind, task.step.topic): number for number, task in enumerate(lesson.tasks)}
            for number in kinds.values():
                yield chapter.id, lesson.make(number)[0], taught


@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kooky", "super-kalooki"])
def test_every_clause_that_an_exercise_refuses_or_asks_by_has_been_taught(ruleset: str) -> None:
    untaught = set()
    for chapter, exercise, taught in asked(course_of(ruleset), 1):
        refusals = [exercise.judge(answer).refusal for answer in wrong_answers(exercise)]
        refusals.append(getattr(exercise, "refusal", None))
        clauses = {refusal.clause for refusal in refusals if refusal is not None}
        untaught |= {(chapter, exercise.kind, clause) for clause in clauses - taught}
        case = exercise.ask.case.replace("ask", exercise.kind, 1) if exercise.kind == "may" else exercise.kind
        if exercise.kind != "moment" and not taught & set(ASKED_BY[case].split()):
            untaught.add((chapter, exercise.kind, case))
    assert untaught == set()


def test_practice_of_an_early_chapter_asks_by_nothing_that_comes_later() -> None:
    course = course_of("jamaican")
    chapter = chapter_of(course, "turn")
    taught = clauses_of((*course.before(chapter), chapter))
    for seed in range(12):
        lesson = practice_of(["turn/may"], course.chapters, course.rules, f"p{seed}")
        assert lesson is not None
        refusal = getattr(lesson.make(0)[0], "refusal", None)
        assert refusal is None or refusal.clause in taught


@pytest.mark.parametrize(
    ("clause", "chapter_id", "said"),
    [
        ("C1", "turn", "after laying, the stock only"),
        ("L1", "turn", "More melds than that may go with it"),
        ("T2", "turn", "In your turn"),
        ("M8", "turn", "each of another rank"),
        ("C3", "calls", "One call a discard"),
        ("C4", "calls", "is dead"),
        ("C8", "calls", "After a call or a draw"),
        ("L8", "tacks", "Melds of your own may follow too"),
        ("S2", "out", "Stock empty? The discards are shuffled"),
        ("S3", "out", "is void"),
        ("M5", "sets", "Two packs and four jokers"),
    ],
)
def test_the_chapter_that_names_a_clause_says_it_in_words(clause: str, chapter_id: str, said: str) -> None:
    learning = learning_of("jamaican")
    chapter = chapter_of(learning.course, chapter_id)
    assert clause in chapter.clauses
    told = [chapter.words, *(example.words for example in chapter.examples)]
    assert any(said in learning.words(text, cost="") for text in told)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_course_says_above_its_first_chapter_what_it_calls_by_another_name(ruleset: str) -> None:
    learning = learning_of(ruleset)
    first, *others = learning.course.chapters
    told = " ".join(learning.foreword(first))
    own, usual = learning.rules.ruleset.vocabulary, load_ruleset("jamaican").vocabulary
    for name in ("set", "run", "deal", "joker"):
        here, there = getattr(own, name), getattr(usual, name)
        assert (f"a {here} a {there}" in told) == (here != there)
    assert not any(learning.foreword(chapter) for chapter in others)


def test_the_course_of_jamaican_says_what_other_games_say() -> None:
    learning = learning_of("jamaican")
    assert learning.foreword(learning.course.chapters[0]) == [
        "Most other games call a three a set, a four a run, a game a deal."
    ]
    deals = [chapter.coached for chapter in learning.course.chapters if chapter.coached and chapter.coached.ruleset]
    assert [deal.ruleset for deal in deals] == ["baby"] * 3
    assert all("{game}" in deal.remarks[0].words for deal in deals)


def test_packs_that_are_others_are_told_with_the_names() -> None:
    learning = learning_of("air-jamaica")
    told = learning.foreword(learning.course.chapters[0])
    assert told[1].startswith("Packs: 3-4 seats: 2 packs, 4 jokers; 5-6 seats: 3 packs, 8 jokers;")
    assert len(told[1].split("\n")) == 1
    assert len(learning_of("classic").foreword(learning_of("classic").course.chapters[0])) == 1


def test_other_contracts_are_listed() -> None:
    learning = learning_of("trinidad")
    chapter = chapter_of(learning.course, "contracts")
    listed = learning.words(chapter.examples[0].words).split("\n")
    assert [line.partition(",")[0] for line in listed] == [
        "Deal 1: two sets", "Deal 2: one set", "Deal 3: two runs", "Deal 4: three sets", "Deal 5: two sets",
        "Deal 6: one set", "Deal 7: three runs",
    ]  # fmt: skip


def test_a_call_limit_of_ones_own_has_a_chapter_with_its_number(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("extends: jamaican\nid: mine\nname: Mine\ncalls: {limit: 5}\n")
    learning = learning_of(str(own))
    chapter = chapter_of(learning.course, "call-limit")
    assert learning.words(chapter.examples[0].words).startswith("5 calls per seat")
    session = Session(learning.lesson(chapter, "OWN"))
    assert session.answer(session.exercise.solutions()[0]).right
