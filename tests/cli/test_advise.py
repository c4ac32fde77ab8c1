import json
from functools import partial
from pathlib import Path

import pytest

from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.playouts import library
from tests.commands import answered

TESTS = Path(__file__).parents[1]
RECORD = str(TESTS / "playthroughs" / "baby-3.jsonl")
NO_CALLS = str(TESTS / "positions" / "C10_no-calls.yaml")
POSITION = str(EXAMPLES / "position.yaml")


run = partial(answered, "advise")


def test_a_turn_of_a_deal_that_is_over_is_gone_through_decision_by_decision() -> None:
    status, output = run(RECORD, "--deal", "1", "--at", "2", "--worlds", "20")
    assert status == 0
    heads = [line for line in output.splitlines() if line.startswith("Deal 1 of 3, turn 2, Ada")]
    assert [head.split("  ")[1] for head in heads] == ["(did: pass)", "(did: draw stock)", "(did: discard 9S)"]
    assert output.count("choice") == output.count("worse by") == len(heads)
    assert "J♥ belongs with J♦ J♠: without it you are 2 cards from the contract, not 1." in output


def test_programs_get_every_option_with_what_it_comes_to() -> None:
    status, output = run(RECORD, "--deal", "1", "--at", "2", "--worlds", "20", "--json")
    assert status == 0
    throw = json.loads(output)["advice"][-1]
    assert (throw["seat"], throw["deal"], throw["done"]) == ("Ada", 1, "discard 9S")
    assert throw["options"][0]["action"] == throw["action"]
    assert {option["action"] for option in throw["options"]} >= {"discard 5C", "discard 3H", "discard JD"}
    assert set(throw["options"][0]) == {"action", "points", "error", "behind", "behind_error", "reason"}


def test_a_position_is_advised_on_for_the_seat_that_decides() -> None:
    status, output = run(NO_CALLS, "--worlds", "20", "--level", "club")
    assert status == 0
    assert len(output.split("\n\n")) == 2


def test_without_a_core_one_sentence_says_why_there_are_no_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "load", lambda: "The native core has not been built here.")
    status, output = run(POSITION)
    assert (status, output.count("The native core has not been built here.")) == (0, 1)
    assert "The native core" not in run(POSITION, "--worlds", "0")[1]
