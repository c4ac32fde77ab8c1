"""``kalooki puzzle`` by lines of text."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kalooki_tui.cli import kalooki
from kalooki_tui.cli_exercise import solution
from kalooki_tui.coach.puzzles.making import Code, make_puzzle


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(kalooki, ["puzzle", *arguments], input=typed, standalone_mode=False)


def test_a_puzzle_is_asked_and_told_in_a_line_to_share() -> None:
    right = solution(make_puzzle(Code("AB", "repair")).exercise)
    told = run("K2-repair-AB", "--plain", typed=f"{right}\n")
    assert "Right." in told.output
    assert "kalooki puzzle K2-repair-AB ★" in told.output


def test_an_answer_is_judged() -> None:
    right = solution(make_puzzle(Code("AB", "out")).exercise)
    wrong = "2" if right == "1" else "1"
    assert run("K2-out-AB", "--answer", right).return_value == 0
    assert run("K2-out-AB", "--answer", wrong).return_value == 1


@pytest.mark.parametrize("arguments", [["K9-A"], ["--kind", "sing"], ["K2-7F3Q@nothing"]])
def test_what_is_no_puzzle_is_bad_input(arguments: list[str]) -> None:
    assert run(*arguments).exception is not None
