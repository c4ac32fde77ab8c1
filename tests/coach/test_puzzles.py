from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from kalooki_tui.cli import learn as cli_puzzle
from kalooki_tui.coach import puzzles as pool
from kalooki_tui.coach.exercises.kinds.turn_questions import Judging, answer_of
from kalooki_tui.coach.exercises.registry import rules_for
from kalooki_tui.coach.practice_session import PracticeSession
from kalooki_tui.coach.puzzles import (
    JUDGED,
    VERSION,
    WEIGHTS,
    Code,
    Puzzle,
    PuzzleMoment,
    Series,
    from_file,
    make_puzzle,
    moments,
)
from kalooki_tui.evaluation.decisions import SLIP, Decision, judge
from kalooki_tui.players import make_player
from tests.coach.test_exercises import shown
from tests.commands import Golden, Run

POSITION = """title: What goes?
reason: Ask the coach.
ruleset: {ruleset}
deal: 1
dealer: Cat
{when}
seats:
  - {{name: Ann, hand: {hand}}}
  - {{name: Bob, hand: 6H 7H QC 9C JC 3D 5S 8H 3S 10H QD}}
  - {{name: Cat, hand: 9D 10C 3S 4S 5S 7D 8D QD KH 2H 6D}}
discard: 5D
stock: 7C 2H AS 3D
"""
LAID = """ruleset: {ruleset}
deal: 1
dealer: Cat
turn: Bob
{when}
seats:
  - {{name: Ann, hand: 7S 9S, laid: true}}
  - {{name: Bob, hand: {hand}, laid: true}}
  - {{name: Cat, hand: 9D 10C 3S 4S 5S 7D 8D KD KH 2H 6D}}
table:
  - {{owner: Ann, cards: 4C 4S 4H}}
  - {{owner: Bob, cards: 5H 6H 7H 8H}}
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


CODES = (
    "K3-AB K3-AC K3-AD K3-D20261121 K3-repair-AB K3-helps-AB K3-throw-AB K3-out-AB K3-best-AB K3-chain-AB K3-call-AB"
    " K3-allow-AB K3-allow-9@kooky K3-call-9@baby K3-throw-ZZ@classic K3-AB@kalookie-40"
)
#: Of somebody's own: where it is, when, and the hand of who is asked.
OWN = (
    (POSITION, "jamaican", "turn: Ann\nphase: play", "KS 8S 2D 4D KD KC 9S 8C JS 7H QS 6S"),
    (POSITION, "jamaican", "turn: Ann\nphase: play", "KS KD KC 8S 8C 8D 4C 4D 4H 7H QS 6S"),
    (POSITION, "jamaican", "turn: Ann\nphase: draw", "KS 8S 2D 4D KD KC 9S 8C JS 7H QS"),
    (
        POSITION,
        "jamaican",
        "turn: Ann\nphase: decision\ncaller: Bob\ndiscarded_by: Cat",
        "KS 5C 2D 5H KD KC 9S 8C JS 7H",
    ),
    (POSITION, "jamaican", "turn: Cat\nphase: call-window\ndiscarded_by: Bob", "KS 5C 2D 5H KD KC 9S 8C JS 7H QS"),
    (LAID, "jamaican", "phase: play", "4D 9H QC 10H"),
    (LAID, "air-jamaica", "phase: play", "4D 9H QC 10H"),
    (LAID, "trinidad", "phase: decision\ncaller: Cat\ndiscarded_by: Ann", "4D 9H QC 10H"),
)


def test_puzzles_of_codes_and_of_positions_and_what_all_sorts_of_answers_are_told(
    golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()

    def tell(what: object, puzzle: Puzzle) -> None:
        exercise = puzzle.exercise
        told.append(f"{what}: {exercise.kind} of deal {exercise.deal}, {puzzle.rating:.0f}, {puzzle.share(101.6)}")
        told.extend([*shown(exercise), ""])

    for code in map(Code.parse, CODES.split()):
        tell(f"{code} at {code.place}, then {code.next}", make_puzzle(code))
    monkeypatch.setattr(Path, "absolute", lambda path: Path(path.name))
    for where, ruleset, when, hand in OWN:
        file = tmp_path / "my own.yaml"
        file.write_text(where.format(ruleset=ruleset, when=when, hand=hand), encoding="utf-8")
        asked = f"{ruleset}, {when.replace(chr(10), ', ')}, {hand}"
        try:
            puzzle = from_file(file)
            tell(f"{asked}: {puzzle.code} {puzzle.reason}", puzzle)
        except ValueError as error:
            told.append(f"{asked}: {str(error).replace(str(tmp_path), '')}\n")
    golden("puzzles", "\n".join(told))


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
            assert is_sound(exercise), moment
            assert exercise.of(exercise.moment).solutions()[0] == exercise.proven[0], moment


def is_sound(exercise: Judging) -> bool:
    """Whether good players and the coach would answer as it is right."""
    actions = [make_player(level, "puzzle").decide(exercise.moment).action for level in ("club", "expert")]
    valued = judge(Decision(0, 1, exercise.moment, actions[0]))
    right = exercise.solutions()
    return all(answer_of(action) in right for action in actions) and (valued is None or valued.loss < SLIP)


def test_a_moment_that_cannot_be_come_to_is_told() -> None:
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
