import shlex
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from kalooki_tui.cli.exercise import TRIES, read_answer, show, solution
from kalooki_tui.cli.main import kalooki
from kalooki_tui.coach.course.courses import course_of
from kalooki_tui.coach.course.progress import ChapterState, Progress
from kalooki_tui.coach.exercises.definition import Verdict
from kalooki_tui.coach.exercises.kinds.hand_questions import Cost
from kalooki_tui.coach.exercises.registry import kinds_for, make_exercise, rules_for
from kalooki_tui.coach.puzzles import Code, from_file, make_puzzle
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.training.reviews import keep_as_puzzle, reviews
from kalooki_tui.training.skills import Learning
from tests.commands import answered

SETS = Path(__file__).parents[2] / "kalooki_tui" / "coach" / "texts" / "en" / "chapters" / "sets.yaml"


run = partial(answered, "learn")


def test_without_a_terminal_the_chapters_are_listed_with_their_stars(home: Path) -> None:
    ProgressFile.load().save(Progress({"jamaican/runs": ChapterState(2, date(2026, 11, 22))}))
    status, output = run()
    assert status == 0
    assert len(output.splitlines()) == 15
    assert "2   runs       Fours                  ★★·    M2 M3 M5" in output
    assert len(run("--ruleset", "baby", "--list")[1].splitlines()) == 5
    (home / ProgressFile.name).write_text("{")
    status, output = run()
    assert (status, "Your progress cannot be read." in output) == (0, True)


def test_a_chapter_file_is_checked(tmp_path: Path) -> None:
    assert run("--check", str(SETS)) == (
        0,
        f"{SETS}: chapter 'sets' is valid: 10 exercises of its own, 0 from earlier chapters.\n",
    )
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        SETS.read_text(encoding="utf-8").replace("kind: repair", "kind: mend").replace("key discard", "key dizcard"),
        encoding="utf-8",
    )
    status, said = run("--check", str(wrong))
    assert status == 2
    first, *others = said.splitlines()
    assert first.startswith(f"{wrong}:20: exercises.5.kind must be one of")
    assert others == [
        f"{wrong}:{place}.words: {{key dizcard}}: there is no command 'dizcard'; did you mean 'discard'?"
        for place in ("31: deal.say.3", "33: deal.say.5")
    ]


def test_a_chapter_is_learnt_by_lines_of_text() -> None:
    status, output = run("sets", "--plain", typed="yes\nh\n1\n2\n")
    assert status == 0
    assert "1  Threes  ·  rules M1 M5 M7" in output
    assert "Begin the exercises? yes or no:" in output
    assert "Threes  ·  exercise 1 of 10" in output
    assert output.count("a number, or h for help:") >= 1
    assert "What you have answered is kept." in output
    status, output = run("--plain", "turn", typed="no\nno\nno\n")
    assert status == 0
    assert "Play a deal with the coach? yes or no:" in output
    assert "Next chapter: Threes? yes or no:" in output


def test_a_chapter_of_ones_own_is_played(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text(SETS.read_text(encoding="utf-8").replace("id: sets", "id: mine").replace("{Sets}", "My own {sets}"))
    status, output = run(str(own), "--plain", typed="yes\n" + "1\n2\n3\n" * 40)
    assert status == 0
    assert "15  My own threes  ·  rules M1 M5 M7" in output
    assert "My own threes  ·  exercise 1 of 10" in output
    own.write_text("id: mine\n")
    status, said = run(str(own), "--plain")
    assert status == 2
    assert said.splitlines()[0].startswith(f"{own}:1: title is missing")
    assert run(str(tmp_path / "none.yaml"))[0] == 2


def test_a_chapter_of_ones_own_takes_the_place_of_the_one_with_its_id(tmp_path: Path) -> None:
    own = tmp_path / "sets.yaml"
    own.write_text(SETS.read_text(encoding="utf-8").replace("{Sets}", "My own {sets}"))
    learning, chapter = Learning.of("jamaican", ProgressFile.load(), print).with_file(str(own))
    assert learning.course.chapters[0] is chapter
    assert len(learning.course.chapters) == len(course_of("jamaican").chapters)


def test_what_is_due_is_practised_as_lines_of_text(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cost, "judge", lambda exercise, answer: Verdict(False))
    text = '{"version": 1, "skills": {"jamaican/turn/cost": {"box": 3, "last": "2020-01-01"}}}'
    (home / ProgressFile.name).write_text(text, encoding="utf-8")
    output = run("--plain", typed="yes\nx\n" + "1\n" * 3)[1]
    assert "1 skill due for practice. Begin with that? yes or no:" in output
    assert "What do these cards cost you?" in output
    assert "One right answer: " in output
    assert ProgressFile.load().progress.skills["jamaican/turn/cost"].box == 1, "tries that were used up count as wrong"


def test_a_kept_decision_that_is_due_is_practised_as_lines_and_one_that_is_damaged_is_told(home: Path) -> None:
    record = Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl"
    lines = record.read_text(encoding="utf-8").splitlines()
    deal = reviews(lines, "Ada", 1)[0]
    throws = [one for one in deal.judged if one.kind == "throw"]
    file = ProgressFile.load()
    good, torn = (keep_as_puzzle(lines, deal, throw, file) for throw in throws[:2])
    assert good is not None
    assert torn is not None
    torn.write_text("title: torn\nseats: [", encoding="utf-8")
    skill = f"baby/kept/{good.stem}"
    old = {name: replace(one, last=date(2020, 1, 1)) for name, one in file.progress.skills.items()}
    file.save(replace(file.progress, skills=old))
    answer = solution(from_file(good).exercise)
    output = run("--plain", "--ruleset", "baby", typed=f"yes\n{answer}\n")[1]
    assert f"{torn}:2: " in output
    assert "2 skills due for practice" in output
    assert "\nRight." in output
    assert ProgressFile.load().progress.skills[skill].box == 2
    listed = run("--skills", "--ruleset", "baby")[1]
    assert f"Kept: {deal.deal}, turn {throws[0].decision.turn}: What to throw" in listed
    assert f"Kept: {torn.name}" in listed


exercised = partial(answered, "exercise")


@pytest.mark.sweep(8)
@pytest.mark.parametrize("kind", kinds_for(rules_for("jamaican"), 2))
def test_the_solution_as_it_is_typed_is_right(kind: str) -> None:
    exercise = make_exercise(rules_for("jamaican"), kind, 2, "CLI")
    assert exercise.judge(read_answer(exercise, solution(exercise))).right
    assert show(exercise)


def test_tries_are_counted_and_then_a_right_answer_is_shown() -> None:
    asked = ("--kind", "away", "--deal", "3")
    status, output = exercised(*asked, typed="6\n" * TRIES)
    assert status == 0
    assert output.splitlines()[0] == "Jamaican Kalooki"
    assert output.count("Not right. ") == TRIES
    assert "One right answer: " in output
    typed = "x\n" * TRIES + "".join(f"{number}\n" for number in (2, 3, 4, 5))
    output = exercised(*asked, typed=typed)[1]
    assert "Not an answer: answer with a number from 1 to 6." in output
    status, output = exercised("--count", "2", "--kind", "cost", "--ruleset", "baby", typed="1\n2\n3\n4\n" * 4)
    assert (status, "of 2 exercises right at the first try." in output) == (0, True)


def test_cards_that_are_not_there_are_no_answer() -> None:
    exercise = make_exercise(rules_for("jamaican"), "spot", 1, "CLI")
    with pytest.raises(NotationError, match="is not among the cards"):
        read_answer(exercise, " ".join([exercise.rules.faces.text(exercise.hand[0])] * 4))


def puzzled(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(kalooki, ["puzzle", *arguments], input=typed, standalone_mode=False)


def test_a_puzzle_is_asked_and_told_in_a_line_to_share() -> None:
    right = solution(make_puzzle(Code("AB", "repair")).exercise)
    told = puzzled("K3-repair-AB", "--plain", typed=f"{right}\n")
    assert "Right." in told.output
    assert "kalooki puzzle K3-repair-AB ★" in told.output


KEPT = """
title: Call or pass
reason: It completes the run.
ruleset: baby
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 4C 4D 4S 7C 7D 7H 10C JD QD KD AS}
  - {name: Bob, hand: 2C 3C 4D 4H 6S 6D 9H 10H JC QC}
  - {name: Cat, hand: 4S 8D 10D 2H 3D 5S 7S 8H JH KH}
discard: 7H
"""


def test_the_command_told_after_a_puzzle_of_ones_own_asks_it_again(tmp_path: Path) -> None:
    file = tmp_path / "K's kept one.yaml"
    file.write_text(KEPT, encoding="utf-8")
    told = puzzled(str(file), "--plain", typed=f"{solution(from_file(file).exercise)}\n").output.splitlines()
    assert told[-3].endswith("Right.")
    assert told[-2] == "It completes the run."
    command, *again = shlex.split(told[-1])
    assert command == "kalooki"
    assert puzzled(*again[1:], "--plain", typed=f"{solution(from_file(file).exercise)}\n").output.splitlines() == told


def test_a_right_answer_is_told_with_its_reason_a_wrong_one_without(tmp_path: Path) -> None:
    file = tmp_path / "kept.yaml"
    file.write_text(KEPT, encoding="utf-8")
    assert "It completes" in puzzled(str(file), "--answer", solution(from_file(file).exercise)).output
    assert "It completes" not in puzzled(str(file), "--answer", "4C 4D 4S").output
