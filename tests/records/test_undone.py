from pathlib import Path

import pytest

from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import open_record
from kalooki_tui.records.text import replay_text
from kalooki_tui.records.writer import RecordHead, dump
from tests.records.record_play import head_of, load_match, play_record


def write(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(dump(line) + "\n" for line in lines), encoding="utf-8")
    return path


def last_action(lines: list[dict[str, object]]) -> int:
    return max(index for index, line in enumerate(lines) if "do" in line)


@pytest.fixture
def head() -> RecordHead:
    return head_of("jamaican", 3, 5)


@pytest.mark.parametrize("value", [1, False, "yes"])
def test_only_a_pass_is_made_for_a_person(head: RecordHead, tmp_path: Path, value: object) -> None:
    lines, _ = play_record(head, 30)
    passes = next(index for index, line in enumerate(lines) if str(line.get("do")).endswith(": pass"))
    lines[passes]["unasked"] = True
    assert verify(str(write(tmp_path / "pass", lines))).ok
    lines[passes]["unasked"] = value
    assert not verify(str(write(tmp_path / "value", lines))).ok
    draws = next(index for index, line in enumerate(lines) if "draw" in str(line.get("do")))
    lines[passes]["unasked"], lines[draws]["unasked"] = True, True
    assert not verify(str(write(tmp_path / "draw", lines))).ok


def test_what_was_taken_back_no_longer_counts(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    first = last_action(lines)
    before = load_match(str(write(tmp_path / "before", lines[:first])))[1]
    undone = [*lines, {"undone": len(lines) - first}]
    after = load_match(str(write(tmp_path / "after", undone)))[1]
    assert before is not None
    assert after is not None
    assert (after.deal.hands, after.deal.stock, after.actor) == (before.deal.hands, before.deal.stock, before.actor)
    assert after.deal.history == before.deal.history
    assert verify(str(write(tmp_path / "redone", [*undone, *lines[first:]]))).ok


def test_taking_back_twice_counts_only_lines_in_effect(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    last = last_action(lines)
    one_before = last_action(lines[:last])
    undone = [*lines, {"undone": len(lines) - last}, {"undone": last - one_before}, *lines[one_before:]]
    assert verify(str(write(tmp_path / "record", undone))).ok
    too_far = [*undone[:-2], {"undone": len(lines)}]
    assert not verify(str(write(tmp_path / "too-far", too_far))).ok


@pytest.mark.parametrize("count", [0, -1, True, "2", None, 10_000_000])
def test_a_count_that_is_none_is_refused_with_its_line(head: RecordHead, tmp_path: Path, count: object) -> None:
    lines, _ = play_record(head, 4)
    path = write(tmp_path / "record", [*lines, {"undone": count}])
    with pytest.raises(ValueError, match=f":{len(lines) + 1}: undone"):
        verify(str(path))


def test_nothing_reaches_back_before_the_cards_were_dealt(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 6)
    verdict = verify(str(write(tmp_path / "record", [*lines, {"undone": len(lines) - 1}])))
    assert verdict.failure is not None
    assert verdict.failure.place.line == len(lines) + 1


def test_an_earlier_deal_stays_as_it_was(tmp_path: Path) -> None:
    head = head_of("baby", 3, 4)
    lines, _ = play_record(head, 2000)
    second = [index for index, line in enumerate(lines) if "deal" in line][1]
    assert verify(str(write(tmp_path / "same", [*lines[: second + 1]]))).ok
    verdict = verify(str(write(tmp_path / "record", [*lines[: second + 1], {"undone": 3}])))
    assert verdict.failure is not None


def test_only_whole_actions_are_taken_back(tmp_path: Path) -> None:
    head = head_of("baby", 3, 4)
    lines, _ = play_record(head, 2000)
    new_stock = next(index for index, line in enumerate(lines) if "reshuffled" in line)
    verdict = verify(str(write(tmp_path / "record", [*lines[: new_stock + 1], {"undone": 1}])))
    assert verdict.failure is not None
    assert verify(str(write(tmp_path / "whole", [*lines[: new_stock + 1], {"undone": 2}]))).ok


def test_taking_back_is_shown(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 5)
    record = open_record(write(tmp_path / "record", [*lines, {"undone": 1}]))
    with record.stream:
        told = list(replay_text(Replay(record), open_hands=True))
    assert told[-1] == "Taken back: the record's last line."
