from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task
from kalooki_tui.coach.exercises.registry import Drawn, rules_for
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import Code, Series, make_puzzle
from kalooki_tui.storage.player.progress_file import FILE, ProgressFile, PuzzleFile
from kalooki_tui.training.modes import CourseMode, Next, Puzzles, TrainingMode
from kalooki_tui.training.skills import Learning
from tests.coach.test_exercises import wrong_answers


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
    assert [what for _, _, what in occasion.following] == [Next.BACK]


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
