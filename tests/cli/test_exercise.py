from functools import partial

import pytest

from kalooki_tui.cli.exercise import TRIES, drawn, read_answer, show, solution
from kalooki_tui.coach.exercises.making import from_code, kinds_for, rules_for
from kalooki_tui.notation.cards import NotationError
from tests.commands import answered

run = partial(answered, "exercise")


@pytest.mark.parametrize("kind", kinds_for(rules_for("jamaican"), 2))
def test_the_solution_as_it_is_typed_is_right(kind: str) -> None:
    code = f"1.{kind}.jamaican.2.CLI"
    exercise = from_code(code)
    status, output = run(code, "--answer", solution(exercise))
    assert status == 0
    assert output.splitlines()[0] == f"{code}  Jamaican Kalooki"
    assert output.splitlines()[-1] == "Right."
    assert all(line in output for line in show(exercise))


def test_a_wrong_answer_is_told_the_rule_and_the_mend() -> None:
    code = "1.build.jamaican.1.CLI"
    cards = from_code(code).rules.faces.texts(from_code(code).hand[:2])
    status, output = run(code, "--answer", cards)
    assert status == 1
    assert "Not right. " in output
    assert "This lays: " in output


def test_tries_are_counted_and_then_a_right_answer_is_shown() -> None:
    code = "1.away.jamaican.3.CLI"
    right = solution(from_code(code))
    wrong = "1" if right != "1" else "2"
    status, output = run(code, typed=f"{wrong}\n" * TRIES)
    assert status == 0
    assert output.count("Not right. ") == TRIES
    assert f"One right answer: {right}" in output
    status, output = run(code, typed="x\n" * TRIES + f"{right}\n")
    assert "Not an answer: answer with a number from 1 to 6." in output
    assert "Right." in output


def test_several_in_a_row_are_counted() -> None:
    status, output = run("--count", "2", "--kind", "cost", "--ruleset", "baby", typed="1\n2\n3\n4\n" * 4)
    assert status == 0
    assert "of 2 exercises right at the first try." in output


def test_cards_that_are_not_there_are_no_answer() -> None:
    exercise = from_code("1.spot.jamaican.1.CLI")
    with pytest.raises(NotationError, match="is not among the cards"):
        read_answer(exercise, " ".join([exercise.rules.faces.text(exercise.hand[0])] * 4))
    made, code = drawn("baby", "spot", 2, 1).make(0)
    assert from_code(code) == made
