from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task
from kalooki_tui.coach.course.progress import ALONE, ChapterState, Day, OwnDeal, Progress, Skill, Try
from kalooki_tui.coach.exercises.registry import Drawn, kinds_for, rules_for
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import Code, Series, make_puzzle
from kalooki_tui.storage.player.progress_file import FILE, ProgressFile, PuzzleFile
from kalooki_tui.training.modes import CourseMode, ExerciseState, Next, Puzzles, TrainingMode, opening
from kalooki_tui.training.skills import (
    Learning,
    next_star,
    own_deal_words,
    skill_rows,
    skills_of,
    stars_text,
    weakest,
    week_words,
)
from tests.coach.test_exercises import wrong_answers
from tests.coach.walking import chapter_of, learning_of
from tests.commands import Golden
from tests.moments import there
from tests.property.tables import RULESETS

THEN, LATER = date(2024, 1, 1), date(2024, 3, 1)


def learning(ruleset: str = "jamaican") -> Learning:
    found = learning_of(ruleset)
    found.day = lambda: LATER
    return found


#: Ways in which a chapter may stand, and deals of one's own, by points and what the others got on average.
STANDINGS = (
    ChapterState(), ChapterState(1), ChapterState(2), ChapterState(2, THEN), ChapterState(3, THEN),
    ChapterState(3, THEN, mastered=True),
)  # fmt: skip
OWN_DEALS = tuple(OwnDeal(points == 90, points, 30.0) for points in (60, 0, 31, 59, 90))


def test_chapters_stand_and_are_mastered_by_deals_of_ones_own(golden: Golden) -> None:
    found, told = learning(), list[str]()
    for chapter in found.course.chapters:
        for state in STANDINGS:
            found.file.save(Progress({f"jamaican/{chapter.id}": state}))
            told.append(f"{chapter.id} {stars_text(state)}: {next_star(found, chapter)}")
            alone = chapter.mastery is not None and chapter.mastery.kind in ALONE
            for own in OWN_DEALS if alone and state.clean_on else ():
                found.note_deal(chapter, own)
                words, stars = own_deal_words(found, chapter, own), stars_text(found.standing(chapter))
                assert own_deal_words(found, chapter, None) == "Nobody has scored: it does not count."
                told.append(f"  {own.points} to {own.others}{', laid' * own.laid}: {words} {stars}")
        wanted = chapter.mastery
        for more in (0.0, 0.1) if wanted is not None and wanted.seconds is not None else ():
            each = wanted.seconds / wanted.of
            tries = (Try(True, each + more), *[Try(True, each)] * (wanted.of - 1))
            skills = {f"jamaican/{chapter.id}/{wanted.kind}": Skill(1, LATER, tries)}
            found.file.save(Progress({f"jamaican/{chapter.id}": ChapterState(3, THEN)}, skills))
            found.note_deal(chapter, OWN_DEALS[0])
            told.append(f"  in {wanted.seconds + more} seconds: {stars_text(found.standing(chapter))}")
        kept = ProgressFile.load()
        told.append(f"  kept {kept.progress.deals_of('jamaican', chapter.id)}, next {there(found.next_chapter).id}")
    golden("standings", "\n".join(told))


def test_skills_stand_with_the_weakest_first_and_those_not_begun_last() -> None:
    found = learning()
    good, poor = (Try(True, 2.0),) * 4, (Try(True, 2.0), Try(False, 2.0), Try(False, 2.0))
    skills = {
        "jamaican/sets/spot": Skill(4, LATER, good),
        "jamaican/runs/spot": Skill(1, LATER, good),
        "jamaican/turn/cost": Skill(1, LATER, poor),
    }
    found.file.save(Progress(skills=skills, days={LATER: Day(5, 4), THEN: Day(9, 9)}))
    listed = skills_of(found)
    assert [one.id for one in listed][:3] == ["turn/cost", "runs/spot", "sets/spot"] == weakest(found)
    assert {one.state for one in listed[3:]} == {None}
    first = listed[0]
    assert (first.box, first.lately, first.due(LATER)) == ("1 of 5", "1 of 3", "tomorrow")
    assert listed[2].due(LATER) == "in 8 days"
    assert week_words(found.file.progress.week(LATER)) == "In the last seven days: 5 exercises, 4 right first time."
    assert week_words(Progress().week(LATER)) == "No exercise in the last seven days."
    lesson = there(found.practice(skills=weakest(found)))
    assert [task.skill for task in lesson.tasks] == weakest(found)


def answer(occasion: TrainingMode, *, right: bool) -> None:
    exercise = occasion.session.exercise
    occasion.session.answer(exercise.solutions()[0] if right else wrong_answers(exercise)[0])
    occasion.answered()


def test_only_the_first_try_without_help_is_rated_and_no_position_of_ones_own(tmp_path: Path) -> None:
    # Only the first try at a puzzle is rated under its kind.
    file = PuzzleFile.load(tmp_path / FILE)
    occasion = Puzzles(PracticeSession(Series(Code("AB", "out"))), file)
    answer(occasion, right=False)
    rated = file.solved
    assert (rated.tried, rated.right, list(rated.kinds)) == (1, 0, ["out"])
    answer(occasion, right=True)
    assert file.solved == rated
    assert "your rating" in occasion.heading
    assert occasion.told_after == [occasion.line]
    occasion.session.go_on()
    answer(occasion, right=True)
    assert (file.solved.tried, file.solved.right) == (2, 1)
    assert "(+" in occasion.heading
    # Help costs the point of a puzzle.
    file = PuzzleFile.load(tmp_path / "helped.json")
    occasion = Puzzles(PracticeSession(Series(Code("AB", "out"))), file)
    occasion.session.help()
    answer(occasion, right=True)
    assert (file.solved.tried, file.solved.right) == (1, 0)
    # A position of ones own is not rated and nothing follows it.
    file = PuzzleFile.load(tmp_path / "own.json")
    own = replace(make_puzzle(Code("AB", "repair")), file=tmp_path / "own.yaml", reason="Look at the suit.")
    occasion = Puzzles(PracticeSession(Series(own)), file)
    assert occasion.told_after == ["Look at the suit."]
    answer(occasion, right=True)
    assert file.solved.tried == 0
    assert occasion.told_after[0] == "Look at the suit."
    assert [what for _, _, what in occasion.following] == [Next.PLAY_ON, Next.BACK]


def test_a_lesson_notes_each_skill_once_it_is_right_and_the_day(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    learning = Learning.of("jamaican", ProgressFile.load(path), print)
    tasks = (Task("sets", Step("spot", 1)), Task("sets", Step("cost", 1)))
    occasion = CourseMode(learning, PracticeSession(Lesson(learning.rules, tasks, "A")))
    answer(occasion, right=False)
    assert not learning.file.progress.skills
    answer(occasion, right=True)
    occasion.session.go_on()
    answer(occasion, right=True)
    kept = ProgressFile.load(path).progress
    assert {name: skill.recent[-1].clean for name, skill in kept.skills.items()} == {
        "jamaican/sets/spot": False, "jamaican/sets/cost": True,
    }  # fmt: skip
    week = kept.week(learning.day())
    assert (week.answered, week.clean) == (2, 1)
    assert occasion.heading.startswith("Practice  ·  exercise 2 of 2   ○●")
    assert occasion.result[0] == "1 of 2 exercises right first time and without help."


def test_chapters_from_their_first_words_to_their_stars(golden: Golden) -> None:
    told, said_before = list[str](), set[str]()
    for ruleset in ("jamaican", *RULESETS):
        found = learning(ruleset)
        symbols = found.rules.faces.symbols
        for chapter in found.course.chapters:
            told += [""] * (not told or told[-1] != "") + [f"{ruleset} {found.title(chapter)}"]
            for one in opening(found, chapter):
                meld = "" if one.is_meld is None else f" is {'a' if one.is_meld else 'no'} meld. {one.rule}"
                said = f"  {symbols(one.cards)}{meld} {one.text}".rstrip()
                told += [] if said in said_before else [said]
                said_before.add(said)
            if found.course.whole and chapter.mastery is not None and ruleset not in said_before:
                lesson = found.lesson(chapter, "A")
                told += [f"  {key}: {words}" for key, words, _ in CourseMode(found, PracticeSession(lesson)).deals]
                tasks = lesson.tasks
                told.append(f"  asks: {', '.join(f'{task.skill} {task.wanted or 0:.2f}' for task in tasks)}")  # type: ignore[union-attr]
                found.file.save(Progress({f"{ruleset}/{chapter.id}": ChapterState(3, THEN)}))
                told.append(f"  {next_star(found, chapter)}")
        skills = [f"{chapter.id}/{step.kind}" for chapter in found.course.chapters for step in chapter.steps[:1]]
        tasks = () if (due := found.practice("A", skills)) is None else due.tasks
        taught = [f"{task.skill} after {len(task.taught)}" for task in tasks if isinstance(task, Task)]
        told += [f"  practice: {', '.join(taught)}"] if ruleset not in said_before else []
        said_before.add(ruleset)
    golden("chapters", "\n".join(told))


def test_a_lesson_from_its_first_question_to_its_result(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind one; the first is answered at once, others after help, or after wrong answers."""
    monkeypatch.setattr("kalooki_tui.training.modes.monotonic", iter(range(0, 9000, 7)).__next__)
    found, told = learning(), list[str]()
    found.file.save(Progress({"jamaican/sets": ChapterState(2, THEN)}))
    chapter = chapter_of(found.course, "sets")
    tasks = tuple(Task("sets", Step(kind, 2)) for kind in kinds_for(found.rules, 2))
    mode = CourseMode(found, PracticeSession(Lesson(found.rules, tasks, "A", chapter)))
    state = ExerciseState(mode.session)
    for number in range(len(tasks)):
        state.begin()
        exercise = state.exercise
        told += [
            mode.heading,
            state.question,
            f"  {state.options} {state.options and state.option_keys} {state.in_a_row}",
        ]
        told.append(f"  {state.keys} [{state.label}]")
        for command in ("draw", "lay", "confirm", exercise.command or "call"):
            refusal = state.why_not(command, ())
            told.append(f"  {command}: {'goes' if refusal is None else refusal.message}")
        told += [f"  ? {state.help()}" for _ in range(number % 5)]
        for answer in wrong_answers(exercise)[: (number + 1) % 3]:
            state.take(answer)
            told.append(f"  {state.said}")
        if exercise.command and exercise.hand:
            state.ask_again(exercise.hand[0])
            told.append(f"  {state.said}")
        assert state.take(exercise.solutions()[0]).right
        mode.answered()
        told.append(f"  {mode.session.attempt}, {there(state.why_not('lay', ())).message} {mode.told_after}")
        if not mode.session.is_over:
            mode.session.go_on()
    told += [*mode.result, *map(str, mode.following), str(found.file.progress.standing("jamaican", "sets"))]
    told += [" | ".join(row) for row in skill_rows(found)]
    told += [f"{name}: {skill}" for name, skill in found.file.progress.skills.items()]
    golden("lesson", "\n".join(told))


def test_what_is_given_up_is_over_and_not_right() -> None:
    session = PracticeSession(Drawn(rules_for("baby"), 2, "cost"))
    with pytest.raises(ValueError, match="no next exercise"):
        session.go_on()
    session.give_up()
    session.go_on()
    session.answer(session.exercise.solutions()[0])
    assert session.is_over
    assert [attempt.right for attempt in session.attempts] == [False, True]
    assert TrainingMode(session).result == ["1 of 2 exercises right at the first try."]
