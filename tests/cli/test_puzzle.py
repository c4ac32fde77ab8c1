import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kalooki_tui.cli.exercise import solution
from kalooki_tui.cli.main import kalooki
from kalooki_tui.coach.puzzles import Code, from_file, make_puzzle


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(kalooki, ["puzzle", *arguments], input=typed, standalone_mode=False)


def test_a_puzzle_is_asked_and_told_in_a_line_to_share() -> None:
    right = solution(make_puzzle(Code("AB", "repair")).exercise)
    told = run("K3-repair-AB", "--plain", typed=f"{right}\n")
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
    told = run(str(file), "--plain", typed=f"{solution(from_file(file).exercise)}\n").output.splitlines()
    assert told[-3].endswith("Right.")
    assert told[-2] == "It completes the run."
    command, *again = shlex.split(told[-1])
    assert command == "kalooki"
    assert run(*again[1:], "--plain", typed=f"{solution(from_file(file).exercise)}\n").output.splitlines() == told


def test_a_right_answer_is_told_with_its_reason_a_wrong_one_without(tmp_path: Path) -> None:
    file = tmp_path / "kept.yaml"
    file.write_text(KEPT, encoding="utf-8")
    assert "It completes" in run(str(file), "--answer", solution(from_file(file).exercise)).output
    assert "It completes" not in run(str(file), "--answer", "4C 4D 4S").output


def test_an_answer_is_judged() -> None:
    right = solution(make_puzzle(Code("AB", "out")).exercise)
    wrong = "2" if right == "1" else "1"
    assert run("K3-out-AB", "--answer", right).return_value == 0
    assert run("K3-out-AB", "--answer", wrong).return_value == 1


@pytest.mark.parametrize("arguments", [["K9-A"], ["--kind", "sing"], ["K3-7F3Q@nothing"]])
def test_what_is_no_puzzle_is_bad_input(arguments: list[str]) -> None:
    assert run(*arguments).exception is not None
