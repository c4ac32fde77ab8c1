import json
from pathlib import Path

import pytest

import kalooki_tui as kalooki

ROOT = Path(__file__).resolve().parents[2]
POSITION = ROOT / "tests" / "positions" / "L1_the-whole-contract.yaml"


@pytest.mark.parametrize("name", ["baby-3", "tuluki-2-penalties", "kalookie-40-2"])
def test_a_record_is_read_with_its_scores_and_every_step(name: str) -> None:
    path = ROOT / "tests" / "playthroughs" / f"{name}.jsonl"
    match = kalooki.read_record(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    data = [json.loads(line) for line in lines]
    assert match.record() == lines
    assert match.actions == [line["do"] for line in data if "do" in line]
    assert [score.points for score in match.scores] == [line["scored"] for line in data if "scored" in line]
    assert match.is_over == ("result" in data[-1])
    assert list(match.winners) == data[-1].get("result", {}).get("winners", [])
    assert match.players == {seat["name"]: seat["player"] for seat in data[0]["seats"]}


def test_a_match_that_was_broken_off_is_played_on() -> None:
    match = kalooki.Match("baby", 3, seed=7)
    for _ in range(25):
        match.push(match.legal()[0])
    again = kalooki.read_record(match.record())
    for one in (match, again):
        one.push(one.legal()[-1])
    assert again == match
    assert again.record() == match.record()


def test_what_was_taken_back_is_no_step() -> None:
    match = kalooki.Match("baby", ["Ann", "Bob", "Cat"], seed=7)
    lines = [*match.record(), '{"do": "Ann: pass"}', '{"do": "Bob: pass"}', '{"undone": 2}', '{"do": "Ann: pass"}']
    match.push("pass")
    read = kalooki.read_record(lines)
    assert read == match
    assert read.actions == ["Ann: pass"]
    assert read.record() == match.record()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no such file"):
        kalooki.read_record(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match=r"none\.yaml"):
        kalooki.read_position(tmp_path / "none.yaml")


def test_a_position_is_read_from_a_file_or_a_text() -> None:
    match = kalooki.read_position(POSITION)
    assert match == kalooki.read_position(POSITION.read_text(encoding="utf-8"))
    assert match == kalooki.read_position(str(POSITION))
    before = match.copy()
    lay = match.view().best_lay()
    match.push(str(lay))
    assert match.melds[0].owner == before.actor
    match.pop()
    assert match == before
    with pytest.raises(ValueError, match="has no record"):
        match.record()


CHECKED = """\
ruleset: baby
title: One card comes and goes
turn: Ann
seats: [{name: Ann, hand: 5C 6C}, {name: Bob, hand: 7C 8C}, {name: Cat, hand: 9C 10C}]
stock: KD
discard: 2H
steps: ["Ann: draw stock", {Bob: draw stock, refused: turn.not-yours}, "Ann: discard KD"]
expect: {turn: Bob, discard: KD, hands: {Ann: 6C 5C}}
"""


def test_a_position_keeps_its_steps_and_what_is_expected_of_them() -> None:
    position = kalooki.read_position(CHECKED)
    assert position.title == "One card comes and goes"
    assert position.steps == (
        kalooki.PositionStep("Ann: draw stock", None, False),
        kalooki.PositionStep("Bob: draw stock", "turn.not-yours", False),
        kalooki.PositionStep("Ann: discard KD", None, False),
    )
    assert position.expect == {"turn": "Bob", "discard": "KD", "hands.Ann": "5C 6C"}


def test_a_position_is_checked_and_the_match_stays_where_it_is() -> None:
    position = kalooki.read_position(CHECKED)
    before = position.copy()
    assert position.check() is None
    position.push("draw stock")
    assert position.check() is None, "it is checked from the position, not from where the match stands"
    position.pop()
    assert position == before
    wrong = kalooki.read_position(CHECKED.replace("Ann: 6C", "Ann: 7C"))
    assert wrong.check() == "position:8: expect: hands.Ann is 5C 6C, not 5C 7C"
