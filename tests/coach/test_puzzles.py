from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from kalooki_tui.cli import learn as cli_puzzle
from kalooki_tui.coach import puzzles as pool
from kalooki_tui.coach.exercises.definition import LearnerAnswer
from kalooki_tui.coach.exercises.kinds.hand_questions import Best
from kalooki_tui.coach.exercises.registry import make_exercise, rules_for
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import (
    JUDGED,
    RATINGS,
    VERSION,
    WEIGHTS,
    Code,
    PuzzleMoment,
    Series,
    from_file,
    is_sound,
    make_puzzle,
    moments,
)
from kalooki_tui.problems import InputError
from tests.commands import Run

POSITION = """title: What goes?
ruleset: jamaican
deal: 1
dealer: Cat
turn: Ann
phase: {phase}
seats:
  - {{name: Ann, hand: {hand}}}
  - {{name: Bob, hand: 5H 6H 7H QC 2C 9C JC 3D 4H 8H 6C}}
  - {{name: Cat, hand: 9D 10C 3S 4S 5S 7D 8D QD KH 2H 6D}}
discard: 5D
stock: 7C 2H AS 3D
"""


def test_a_code_is_read_as_it_is_written_and_the_next_of_its_series_comes_round() -> None:
    for text in ("K3-7F3Q", "K3-throw-7F3Q", "K3-D20261121", "K3-chain-A@air-jamaica"):
        assert str(Code.parse(text)) == text
    for text in ("7F3Q", "K3-", "K0-7F3Q", "K2-7F3Q", "K3-sing-7F3Q", "K3-7f3q", "K3-7F3Q;ls"):
        with pytest.raises(ValueError, match=r"code|puzzle"):
            Code.parse(text)
    for text, after in (("K3-7F3Q", "K3-7F3R"), ("K3-best-7F3Z", "K3-best-7F40"), ("K3-ZZ", "K3-00")):
        assert str(Code.parse(text).next) == after
    assert str(Code.daily(date(2026, 11, 21))) == "K3-D20261121"
    with pytest.raises(ValueError, match="can be made"):
        make_puzzle(Code("A", "block", "kalookie-40"))


@pytest.mark.parametrize("kind", WEIGHTS)
def test_a_code_gives_the_same_puzzle_each_time_and_its_solutions_are_right(kind: str) -> None:
    first, again = make_puzzle(Code("AB", kind)), make_puzzle(Code("AB", kind))
    assert first.exercise == again.exercise
    assert first.exercise.kind == kind
    solutions = first.exercise.solutions()
    assert solutions
    assert all(first.exercise.judge(answer).right for answer in solutions)
    assert first.rating == RATINGS[kind]
    assert first.share(101.2) == f"kalooki puzzle K3-{kind}-AB {first.stars} 1:41"


def test_a_series_goes_on_from_its_code_and_a_single_puzzle_does_not() -> None:
    series = PracticeSession(Series(Code("AB", "repair")))
    for expected in ("K3-repair-AB", "K3-repair-AC", "K3-repair-AD"):
        assert series.source.puzzles[-1].code == expected
        series.answer(series.exercise.solutions()[0])
        assert not series.is_over
        series.go_on()
        series.prepare(series.number)
    alone = PracticeSession(Series(Code("AB", "repair"), alone=True))
    alone.answer(alone.exercise.solutions()[0])
    assert alone.is_over
    with pytest.raises(ValueError, match="no next exercise"):
        alone.go_on()


def test_the_best_lay_down_takes_every_optimum_and_no_other() -> None:
    made = make_exercise(rules_for("jamaican"), "best", 1, "3")
    assert isinstance(made, Best)
    groups = made.solutions()[0].groups
    assert made.judge(LearnerAnswer(groups=groups[::-1])).right
    assert not made.judge(LearnerAnswer(groups=groups[:-1])).right


def position(tmp_path: Path, phase: str, hand: str) -> Path:
    path = tmp_path / "own.yaml"
    path.write_text(POSITION.format(phase=phase, hand=hand), encoding="utf-8")
    return path


def test_a_position_file_is_a_puzzle(tmp_path: Path) -> None:
    for hand, kind in (
        ("KS 8S 2D 4D KD KC 9S 8C JS 7H QS 6S", "throw"),
        ("KS KD KC 8S 8C 8D 4C 4D 4H 7H QS 6S", "best"),
    ):
        puzzle = from_file(position(tmp_path, "play", hand))
        assert (puzzle.code, puzzle.exercise.kind) == ("What goes?", kind)
        assert puzzle.exercise.judge(puzzle.exercise.solutions()[0]).right
        series = PracticeSession(Series(puzzle))
        series.answer(puzzle.exercise.solutions()[0])
        assert series.is_over


def test_a_position_without_a_question_and_what_is_no_position_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a puzzle asks for a throw"):
        from_file(position(tmp_path, "draw", "KS 8S 2D 4D KD KC 9S 8C JS 7H QS"))
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("deal: 1\n", encoding="utf-8")
    with pytest.raises(InputError):
        from_file(wrong)


RULESETS = sorted(path.stem for path in pool.FOLDER.glob("*.json"))
ALL = [(ruleset, kind) for ruleset in RULESETS for kind in JUDGED if moments(ruleset, kind)]
#: A kind with fewer moments is not asked about.
FEWEST = 20
#: Of the moments one in so many is weighed by the coach and the players.
WEIGHED = 40


@pytest.fixture(autouse=True)
def fresh() -> None:
    make_puzzle.cache_clear()


@pytest.mark.sweep(8)
@pytest.mark.parametrize(("ruleset", "kind"), ALL)
def test_every_moment_is_come_to_once_and_its_answers_are_right(ruleset: str, kind: str) -> None:
    rules, found = rules_for(ruleset), moments(ruleset, kind)
    assert len({(moment.deal, moment.seed) for moment in found}) == len(found) >= FEWEST
    for number, moment in enumerate(found):
        exercise = moment.exercise(rules)
        assert exercise.proven
        assert exercise.moment.phase in exercise.phases
        assert all(exercise.judge(answer).right for answer in exercise.proven)
        if number % WEIGHED == 0:
            assert is_sound(exercise), str(moment)
            assert exercise.of(exercise.moment).solutions()[0] == exercise.proven[0], str(moment)


def test_a_moment_is_written_as_it_is_read() -> None:
    found = moments("jamaican", "throw")[0]
    assert PuzzleMoment.parse("throw", str(found)) == found
    with pytest.raises(ValueError, match="does not come to that moment"):
        PuzzleMoment("call", 1, "ZZ", ("cut 3",), ("pass",)).exercise(rules_for("jamaican"))


def test_a_series_of_a_kind_asks_about_every_moment_before_one_comes_again() -> None:
    count, code, found = len(moments("jamaican", "throw")), Code("ZZ00", "throw"), set[object]()
    for _ in range(FEWEST):
        found.add(make_puzzle(code).exercise.view)
        code = code.next
    assert len(found) == FEWEST
    assert make_puzzle(Code("0000", "throw")).exercise == make_puzzle(Code(_seed(count), "throw")).exercise


def _seed(number: int) -> str:
    code = Code("0000")
    for _ in range(number):
        code = code.next
    return code.seed


def test_the_puzzles_of_days_stand_side_by_side_over_the_end_of_a_month() -> None:
    days = [date(2026, 11, 20) + timedelta(n) for n in range(60)]
    places = [Code.daily(day).place for day in days]
    assert [after - before for before, after in pairwise(places)] == [1] * 59
    assert Code("D2026").place == int("D2026", 36)


def test_a_ruleset_without_moments_asks_only_what_can_be_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "FOLDER", tmp_path)
    moments.cache_clear()
    try:
        kinds = {make_puzzle(Code(f"A{n}")).exercise.kind for n in range(60)}
        with pytest.raises(ValueError, match="no puzzle 'call' can be made"):
            make_puzzle(Code("A", "call"))
    finally:
        moments.cache_clear()
    assert {"best", "chain"} <= kinds <= set(WEIGHTS) - set(JUDGED)


def test_a_code_without_a_puzzle_is_told_before_the_screen_is_taken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_puzzle, "has_screen", lambda: True)
    monkeypatch.setattr("kalooki_tui.cli.play.run_app", lambda **_: pytest.fail("the screen was taken"))
    status, _, told = run("puzzle", "K3-swap-A@kalookie-40")
    assert (status, "no puzzle 'swap'" in told) == (2, True)


def test_other_moments_need_another_version_of_the_codes() -> None:
    whole = "".join((pool.FOLDER / f"{name}.json").read_text(encoding="utf-8") for name in RULESETS)
    assert (VERSION, sha256(whole.encode()).hexdigest()[:16]) == (3, "de7fa6832cd5709f")
