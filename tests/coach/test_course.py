import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from kalooki_tui.coach.clauses import RULE, rule_slots
from kalooki_tui.coach.course.chapter import (
    CLAUSES,
    MOST_WORDS,
    Chapter,
    Step,
    read_chapter,
    shipped,
    slots_of,
)
from kalooki_tui.coach.course.courses import WHOLE, Course, course_of
from kalooki_tui.coach.course.lesson import Lesson, Task, clauses_of, lesson_of, practice_of
from kalooki_tui.coach.course.progress import DAYS, ChapterState, Progress
from kalooki_tui.coach.exercises.definition import STEPS, answer_to, help_with
from kalooki_tui.coach.exercises.kinds.turn_questions import TOPICS
from kalooki_tui.coach.exercises.registry import make_exercise, rules_for
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.presenter.commands import BY_NAME
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.wording import Person
from tests.coach.test_exercises import wrong_answers
from tests.coach.walking import chapter_of, learning_of
from tests.commands import Golden
from tests.moments import there
from tests.property.tables import RULESETS

MONDAY = date(2026, 11, 23)
#: Every chapter of Jamaican, Baby and Contract Rummy, and every other once, in the first ruleset that has it.
FIRST = {chapter.id: ruleset for ruleset in reversed(RULESETS) for chapter in course_of(ruleset).chapters}
CHAPTERS = [
    (ruleset, chapter.id)
    for ruleset in RULESETS
    for chapter in course_of(ruleset).chapters
    if ruleset in ("jamaican", "baby", "contract-rummy") or FIRST[chapter.id] == ruleset
]
#: Chapters of what only options have: rulesets of one's own that have it always.
OWN = {
    "must-use": "extends: liverpool\nname: Own\ndraw: {must_use: true}\noptions: {twos-wild: null}\n",
    "wild": "extends: shanghai\nname: Own\nwild: [2]\nscore: {values: {2: 15}}\n",
    "corner": "extends: carioca\nname: Own\nruns: {corner: true, longest: 13}\n",
}
TEXTS = Path(__file__).parents[2] / "kalooki_tui" / "coach" / "texts" / "en" / "chapters"


def opened(ruleset: str, chapter_id: str, seed: str = "TEST") -> tuple[Course, Chapter, PracticeSession[Lesson]]:
    course = course_of(ruleset)
    chapter = chapter_of(course, chapter_id)
    return course, chapter, PracticeSession(lesson_of(chapter, course.before(chapter), course.rules, seed))


def task_of(session: PracticeSession[Lesson]) -> Task:
    return session.source.tasks[session.number]


def walked(lesson: PracticeSession[Lesson]) -> Iterator[PracticeSession[Lesson]]:
    """The lesson at each of its exercises; each has to be answered before the next."""
    while True:
        yield lesson
        if lesson.is_over:
            return
        lesson.go_on()


#: One of these clauses must have been taught before a kind of exercise, or a topic of what is allowed, is asked.
ASKED_BY = {
    "spot": "M1 M2", "complete": "M1 M2", "repair": "M1 M2", "valid": "M1 M2", "build": "L1", "best": "L1",
    "contract": "L2", "away": "L1", "helps": "L1", "cost": "G3", "wait": "G4", "throw": "S1",
    "call": "C2", "allow": "C6", "tack": "K1", "swap": "K7 K8 K9 K10", "chain": "K7 K8 K9 K10",
    "out": "G1", "may-call": "C2", "may-refuse": "C6", "may-take": "C1", "may-throw": "S1", "may-tack": "L9",
    "may-lay": "L1", "may-call-late": "C8", "may-call-turned": "D2",
}  # fmt: skip


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("ruleset", "chapter_id"), CHAPTERS)
def test_every_chapter_is_passed_with_right_answers_failed_with_wrong_ones_and_asks_what_it_has_taught(
    ruleset: str, chapter_id: str
) -> None:
    assert_passed_and_failed(ruleset, chapter_id)


@pytest.mark.parametrize("chapter_id", OWN)
def test_what_only_options_have_is_taught_to_rulesets_of_ones_own(chapter_id: str, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(OWN[chapter_id])
    assert_passed_and_failed(str(own), chapter_id)


def assert_passed_and_failed(ruleset: str, chapter_id: str) -> None:
    course, chapter, lesson = opened(ruleset, chapter_id)
    taught = clauses_of((*course.before(chapter), chapter))
    own = [task for task in lesson.source.tasks if task.chapter == chapter.id]
    earlier = lesson.source.tasks[len(own) :]
    assert all(task.chapter != chapter.id for task in earlier)
    assert len(earlier) == (0 if chapter.order == 1 else chapter.mixed)
    # Of the chapters that tell a difference some have a moment that cannot be with two seats, or with four colours.
    assert (8 if chapter.order < 100 else 5) <= len(lesson.source.tasks) <= 12
    for at in walked(lesson):
        exercise = at.exercise
        assert task_of(at).step.fits(exercise)
        assert exercise.kind == task_of(at).step.kind
        if task_of(at).step.topic:
            assert exercise.topic == task_of(at).step.topic  # type: ignore[attr-defined]
        wrong = wrong_answers(exercise)
        assert wrong, exercise.kind
        refusals = [*(exercise.judge(answer).refusal for answer in wrong), getattr(exercise, "refusal", None)]
        assert {refusal.clause for refusal in refusals if refusal is not None} <= taught, exercise
        case = exercise.ask.case.replace("ask", exercise.kind, 1) if exercise.kind == "may" else exercise.kind
        assert exercise.kind == "moment" or taught & set(ASKED_BY[case].split()), case
        told = answer_to(exercise, at.answer(wrong[0]))
        assert len(told.split()) > 1
        assert at.answer(exercise.solutions()[0]).right
    assert lesson.clean == 0
    assert not lesson.is_clean
    other = PracticeSession(lesson.source, _made=lesson._made)
    for at in walked(other):
        at.answer(at.exercise.solutions()[0])
    assert other.is_clean


def test_a_lesson_goes_on_only_after_a_right_answer_and_help_costs_the_clean_one() -> None:
    lesson = opened("baby", "sets")[2]
    with pytest.raises(ValueError, match="no next exercise"):
        lesson.go_on()
    steps = [lesson.help() for _ in range(STEPS + 1)]
    assert steps[:STEPS] == list(help_with(lesson.exercise))
    assert steps[-1] == steps[-2]
    lesson.answer(lesson.exercise.solutions()[0], 7.5)
    assert (lesson.attempt.right, lesson.attempt.is_clean, lesson.attempt.seconds) == (True, False, 7.5)
    # What is said after the right answer changes nothing any more.
    lesson.answer(wrong_answers(lesson.exercise)[0])
    assert lesson.attempt.wrong == 0
    lesson.go_on()
    assert lesson.number == 1


def test_a_step_wants_its_deal_its_topic_and_its_clauses() -> None:
    for ruleset, deals, numbers in (
        ("jamaican", ("first", "sets", "runs", "mixed", "last", 3, 40), [1, 1, 4, 2, 9, 3, 9]),
        ("trinidad", ("runs", "mixed", "last"), [3, 2, 7]),
        ("kalookie-40", ("sets", "runs", "mixed", 5), [1, 1, 1, 1]),
    ):
        assert [Step("spot", deal).number(load_ruleset(ruleset)) for deal in deals] == numbers
    rules = rules_for("jamaican")
    tried = [make_exercise(rules, "may", 2, f"fits{seed}") for seed in range(24)]
    for topic in TOPICS:
        fitting = [exercise for exercise in tried if Step("may", 2, topic=topic).fits(exercise)]
        assert fitting, topic
        assert fitting == [exercise for exercise in tried if exercise.topic == topic]  # type: ignore[attr-defined]
    refused = [exercise for exercise in tried if exercise.refusal is not None]  # type: ignore[attr-defined]
    clause = refused[0].refusal.clause  # type: ignore[attr-defined]
    others = [exercise for exercise in refused if exercise.refusal.clause != clause]  # type: ignore[attr-defined]
    assert others
    fitting = [exercise for exercise in tried if Step("may", 2, clauses=(clause,)).fits(exercise)]
    assert fitting == [exercise for exercise in tried if exercise not in others]


# Texts


def texts_of(chapter: Chapter) -> list[tuple[str, int]]:
    """Texts with slots, each with the most characters of its lines, 0 for no limit."""
    found = [(chapter.title, 26), (chapter.words, 0)]
    found += [(one.words, 72) for one in chapter.examples if one.words]
    found += [(step.ask, 144) for step in chapter.steps if step.is_posed]
    return found + [(one.words, 144) for one in (chapter.coached.remarks if chapter.coached else ())]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_texts_are_filled_and_fit_their_places(ruleset: str) -> None:
    course = course_of(ruleset)
    learning = learning_of(ruleset)
    more = {"card": "10♠", "name": Person("Cleo"), "advice": "Throw 10♠.", "cost": "100", "game": "Baby Kalooki"}
    for chapter in course.chapters:
        for text, room in texts_of(chapter):
            filled = learning.words(text, **more)
            assert "{" not in filled, (chapter.id, text)
            # The text game draws no boxes.
            assert "box" not in filled, (chapter.id, text)
            assert not room or max(map(len, filled.split("\n"))) <= room, (chapter.id, filled)
            quoted = rule_slots(course.rules.ruleset)
            assert all(quoted[slot] for slot in slots_of(text) if slot.startswith(RULE)), (chapter.id, text)
        assert len(learning.words(chapter.words).split()) <= MOST_WORDS, chapter.id


def test_shipped_chapters_name_what_there_is() -> None:
    chapters = shipped()
    known = set((Path(__file__).parents[1] / "clauses.txt").read_text().split())
    assert known == CLAUSES
    assert all(chapter.clauses for chapter in chapters)
    named = {slot for chapter in chapters for text, _ in texts_of(chapter) for slot in slots_of(text)}
    assert {slot.removeprefix("key ") for slot in named if slot.startswith("key ")} <= set(BY_NAME)
    assert len({chapter.order for chapter in chapters}) == len(chapters)
    assert [*sorted(chapter.id for chapter in chapters)] == sorted(file.stem for file in TEXTS.glob("*.yaml"))


def test_jamaican_has_thirteen_chapters_and_baby_the_first_four_and_every_topic_is_asked_about() -> None:
    whole, gentle = course_of(WHOLE), course_of("baby")
    core = [chapter for chapter in whole.chapters if not chapter.when]
    assert [chapter.order for chapter in core] == list(range(1, 14))
    assert {chapter.evening for chapter in core} == {1, 2, 3, 4}
    assert [chapter.id for chapter in whole.chapters[13:]] == ["penalties"]
    assert gentle.chapters == whole.chapters[:4]
    assert whole.chapter("4") is whole.chapter("turn")
    assert whole.chapter("99") is None
    chapters = (chapter for ruleset in RULESETS for chapter in course_of(ruleset).chapters)
    assert {step.topic for chapter in chapters for step in chapter.steps} >= set(TOPICS)


DIFFERENCES = {
    "classic": "no-doubling",
    "air-jamaica": "whole-suit both-ends own-jokers joker-up last-discard first-bend cut penalties",
    "kalooki-short": "contracts whole-suit both-ends own-jokers joker-up last-discard first-bend cut penalties",
    "super-kalooki": "contracts whole-suit both-ends own-jokers joker-up last-discard first-bend cut penalties",
    "tuluki": "flip whole-suit both-ends own-jokers joker-up last-discard first-bend cut penalties",
    "trinidad": "contracts naturals kissing repeats laid-calls laid-draws both-ends joker-freed throw-jokers "
    "no-doubling penalties",
    "kalookie-40": "different-suits short-runs forty naturals kissing repeats no-calls laid-draws both-ends end-limit "
    "joker-used throw-jokers no-doubling values",
    "kooky": "colours both-ends throw-jokers no-doubling values add-on penalties",
    "contract-rummy": "exact whole-hand contracts naturals kissing repeats nearest-call call-limit laid-draws "
    "throw-back no-more-melds tack-later both-ends joker-either throw-jokers no-doubling values",
    "liverpool": "whole-hand contracts naturals kissing repeats nearest-call no-more-melds both-ends no-swaps "
    "throw-jokers no-doubling values cut",
    "shanghai": "contracts lengths joker-share kissing repeats nearest-call deal-calls laid-draws no-more-melds "
    "both-ends joker-taken throw-jokers no-doubling values",
    "carioca": "exact whole-hand contracts short-run-jokers repeats no-calls no-more-melds tack-later "
    "both-ends no-swaps last-discard no-doubling values",
}


def test_other_rulesets_have_the_chapters_that_their_policies_call_for() -> None:
    for ruleset, expected in DIFFERENCES.items():
        course = course_of(ruleset)
        assert [chapter.id for chapter in course.chapters] == expected.split()
        assert not course.whole


def test_a_ruleset_of_ones_own_gets_the_chapters_that_its_policies_call_for(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    for limit, chapters in ((0, ["kissing", "no-calls"]), (5, ["kissing", "call-limit"])):
        own.write_text(f"extends: jamaican\nid: mine\nname: Mine\nruns: {{kisses: true}}\ncalls: {{limit: {limit}}}\n")
        course = course_of(str(own))
        assert [chapter.id for chapter in course.chapters] == [*chapters, "penalties"]
        for chapter in course.chapters[:2]:
            lesson = PracticeSession(lesson_of(chapter, course.before(chapter), course.rules, "OWN"))
            assert lesson.answer(lesson.exercise.solutions()[0]).right
    learning = learning_of(str(own))
    told = learning.words(chapter_of(learning.course, "call-limit").examples[0].words)
    assert told.startswith("5 calls per seat")
    whole = tmp_path / "whole.yaml"
    whole.write_text("extends: jamaican\nid: whole\nname: Whole\ndeals: {4: {runs: [5, 4, 4], whole: true}}\n")
    named = [chapter.id for chapter in course_of(str(whole)).chapters]
    assert named == ["whole-hand", "contracts", "lengths", "penalties"]
    same = tmp_path / "same.yaml"
    same.write_text("extends: classic\nid: same\nname: Same\nscore: {doubling: bend}\n")
    assert course_of(str(same)).chapters == ()


def test_every_mistake_in_a_chapter_is_told_at_once() -> None:
    text = """id: Big
oder: 1
title: "{Nots}"
words: A {sett} is {joker:x}.
example:
  - {is: sett, say: "{rule sets} {key zzzz}"}
  - {cards: 7X}
exercises:
  - {kind: spit, count: 99, clauses: [M99], jokers: [3, 1]}
  - {kind: spot, topic: call}
  - {kind: moment, at: {}, ask: "{key discard} or {key discord}?"}
deal:
  seeds: {bady: 1, baby: -1}
  guess: maybe
  say:
    - {at: nowhere, words: "{name:Want} {card:Want}", advice: dance}
mastered: {right: 9}
when: {tack.nothing: 1}
"""
    with pytest.raises(InputError) as error:
        read_chapter(text, "mine.yaml", BY_NAME)
    told = [(one.line, one.message) for one in error.value.problems]
    assert [line for line, _ in told] == sorted(line for line, _ in told)
    expected = [
        (1, "clauses is missing"), (1, "id may hold only small letters"),
        (2, "unknown key 'oder'; did you mean 'order'?"),
        (3, "there is no slot {Nots}"), (4, "there is no slot {sett}"), (4, "there is no slot {joker:x}"),
        (6, "is is 'sett', it must be"), (6, "no rule is called 'sets'; did you mean 'set'?"),
        (6, "{key zzzz}: there is no command 'zzzz'; choose from: "),
        (7, "cards: '7X' is not a card"), (9, "kind must be one of"),
        (9, "count must be less than or equal to 12"), (9, "there is no clause 'M99'"),
        (9, "jokers must be a number"),
        (10, "only exercises of the kind 'may' have it"), (11, "do must be text, not nothing"),
        (11, "{key discord}: there is no command 'discord'; did you mean 'discard'?"),
        (13, "bady"), (13, "deal.seeds.baby must be greater than or equal to 0"), (14, "guess must be true or false"),
        (16, "at must be one of"), (16, "there is no slot {card:Want}"), (16, "advice must be one of"),
        (17, "mastered.kind is missing"), (17, "mastered.of is missing"), (18, "there is no policy 'tack.nothing'"),
    ]  # fmt: skip
    assert len(told) == len(expected)
    missing = [one for one in expected if not any(one[0] == line and one[1] in message for line, message in told)]
    assert missing == []


CHAPTER = {
    "id": "mine", "title": "Mine", "clauses": ["M1"], "words": "A {set}.", "example": [{"say": "So."}], "order": 1,
    "exercises": [{"kind": "spot"}], "mixed": 1, "evening": 1, "deal": {"seeds": {"jamaican": 1}},
    "mastered": {"kind": "spot", "right": 1, "of": 10},
}  # fmt: skip
#: What may be in its places, and beside them.
WITHIN = (
    ("id", "a", "a" * 31, "a" * 32, "A", "1", ""), ("order", -1, 0, 999, 1000), ("evening", -1, 0, 9, 10),
    ("mixed", -1, 0, 6, 7), ("words", " ".join(["a"] * 30), " ".join(["a"] * 31), ""), ("clauses", ["M9"], ["M10"]),
    ("example", [], [{"say": "So."}] * 7, [{"say": "So."}] * 8, [{"cards": "5C"}], [{"is": "set"}]),
    ("exercises", []), ("exercises.0.count", 0, 1, 12, 13), ("exercises.0.deal", 0, 1, 50, 51, "runs", "rums"),
    ("exercises.0.jokers", -1, 0, 10, 11, [0, 2], [2, 0], [1], True), ("deal.seats", 1, 2, 11, 12),
    ("deal.seeds.jamaican", -1, 0, 1_000_000, 1_000_001), ("mastered.right", 0, 1, 10, 11), ("mastered.of", 0, 1, 11),
    ("mastered.seconds", 0, 1, 3600, 3601), ("mastered.kind", "laid", "lain"), ("deal.guess", True, 1),
)  # fmt: skip


def test_what_may_be_in_a_chapter(golden: Golden) -> None:
    told = list[str]()
    for path, *values in WITHIN:
        for value in values:
            tree = at = json.loads(json.dumps(CHAPTER))
            *above, last = path.split(".")
            for key in above:
                at = at[int(key) if key.isdecimal() else key]
            at[last] = value
            try:
                read_chapter(json.dumps(tree), "mine.yaml")
                said = "goes"
            except InputError as error:
                said = " / ".join(one.message for one in error.problems)
            told.append(f"{path}: {str(value)[:40]}: {said}")
    golden("chapter-file", "\n".join(told))


# Progress


def passed(progress: Progress, day: date, *, clean: bool = True, chapter_id: str = "sets", slow: float = 3) -> Progress:
    lesson = opened("baby", chapter_id, day.isoformat())[2]
    for at in walked(lesson):
        if not clean:
            at.answer(wrong_answers(at.exercise)[0])
        at.answer(at.exercise.solutions()[0], slow)
        progress = progress.noted(at, day)
    return progress


def test_stars_one_for_the_end_two_for_a_clean_run_three_for_another_on_a_later_day() -> None:
    progress = passed(Progress(), MONDAY, clean=False)
    assert progress.standing("baby", "sets") == ChapterState(1)
    progress = passed(progress, MONDAY)
    assert progress.standing("baby", "sets") == ChapterState(2, MONDAY)
    progress = passed(progress, MONDAY)
    assert progress.standing("baby", "sets").stars == 2
    progress = passed(progress, MONDAY + timedelta(1), clean=False)
    assert progress.standing("baby", "sets").stars == 2
    progress = passed(progress, MONDAY + timedelta(2))
    assert progress.standing("baby", "sets").stars == 3
    assert progress.standing("jamaican", "sets") == ChapterState()
    assert progress.next_chapter("baby", course_of("baby").chapters) is course_of("baby").chapters[1]


def test_three_stars_stay_and_mastery_is_the_chapters_own_criterion() -> None:
    progress, day = Progress(), MONDAY
    for count in range(4):
        day += timedelta(1)
        progress = passed(progress, day, slow=30)
        assert not progress.standing("baby", "sets").mastered, count
    assert progress.standing("baby", "sets").stars == 3
    for _ in range(4):
        day += timedelta(1)
        progress = passed(progress, day, slow=2)
    assert progress.standing("baby", "sets") == ChapterState(3, MONDAY + timedelta(1), mastered=True)
    assert passed(progress, day, clean=False).standing("baby", "sets").mastered


def test_boxes_after_leitner() -> None:
    lesson = opened("baby", "sets")[2]
    tasks = lesson.source.tasks
    good, bad = (PracticeSession(Lesson(lesson.source.rules, tasks, seed)) for seed in "AB")
    good.answer(good.exercise.solutions()[0])
    bad.answer(wrong_answers(bad.exercise)[0])
    bad.answer(bad.exercise.solutions()[0])
    name = f"baby/{task_of(good).skill}"
    progress, day = Progress().noted(good, MONDAY), MONDAY
    for box in range(2, len(DAYS) + 1):
        assert progress.skills[name].box == box
        # More on the same day helps nothing.
        assert progress.noted(good, day).skills[name].box == box
        wait = timedelta(DAYS[box - 1])
        assert progress.skills[name].due == day + wait
        assert progress.due("baby", day + wait - timedelta(1)) == []
        day += wait
        assert progress.due("baby", day) == [task_of(good).skill]
        assert progress.due("jamaican", day) == []
        progress = progress.noted(good, day)
    assert progress.skills[name].box == len(DAYS)
    progress = progress.noted(bad, day)
    assert (progress.skills[name].box, progress.skills[name].due) == (1, day + timedelta(1))


def test_practice_is_of_the_skills_that_are_due_and_asks_by_nothing_that_comes_later() -> None:
    course = course_of("jamaican")
    lesson = there(practice_of(["runs/spot", "turn/cost", "nowhere/spot"], course.chapters, course.rules, "P", (), {}))
    assert [task.skill for task in lesson.tasks] == ["runs/spot", "turn/cost"]
    assert practice_of([], course.chapters, course.rules, "P", (), {}) is None
    chapter = chapter_of(course, "turn")
    taught = clauses_of((*course.before(chapter), chapter))
    lesson = there(practice_of(["turn/may"], course.chapters, course.rules, "p0", (), {}))
    assert [task.taught for task in lesson.tasks] == [taught]  # type: ignore[union-attr]
