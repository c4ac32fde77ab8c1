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


def test_only_a_pass_is_made_for_a_person(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    passes = next(index for index, line in enumerate(lines) if str(line.get("do")).endswith(": pass"))
    for value, follows in ((True, True), (1, False), (False, False), ("yes", False)):
        lines[passes]["unasked"] = value
        assert verify(str(write(tmp_path / "pass", lines))).ok is follows, value
    draws = next(index for index, line in enumerate(lines) if "draw" in str(line.get("do")))
    lines[passes]["unasked"], lines[draws]["unasked"] = True, True
    assert not verify(str(write(tmp_path / "draw", lines))).ok


def test_a_count_that_is_none_is_refused_with_its_line_and_taking_back_is_shown(
    head: RecordHead, tmp_path: Path
) -> None:
    lines, _ = play_record(head, 5)
    for count in (0, -1, True, "2", None, 10_000_000):
        with pytest.raises(ValueError, match=f":{len(lines) + 1}: undone"):
            verify(str(write(tmp_path / "record", [*lines, {"undone": count}])))
    failure = verify(str(write(tmp_path / "record", [*lines, {"undone": len(lines) - 1}]))).failure
    assert failure.place.line == len(lines) + 1, "nothing reaches back before the cards were dealt"
    record = open_record(write(tmp_path / "record", [*lines, {"undone": 1}]))
    with record.stream:
        told = list(replay_text(Replay(record), open_hands=True))
    assert told[-1] == "Taken back: the record's last line."


def test_what_was_taken_back_no_longer_counts(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    first = last_action(lines)
    before = load_match(str(write(tmp_path / "before", lines[:first])))[1]
    undone = [*lines, {"undone": len(lines) - first}]
    after = load_match(str(write(tmp_path / "after", undone)))[1]
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


@pytest.mark.parametrize(
    ("at", "undone", "follows"), [("deal", 3, False), ("reshuffled", 1, False), ("reshuffled", 2, True)]
)
def test_only_whole_actions_of_this_deal_are_taken_back(at: str, undone: int, follows: bool, tmp_path: Path) -> None:
    lines, _ = play_record(head_of("baby", 3, 4), 2000)
    line = [index for index, line in enumerate(lines) if at in line][at == "deal"]
    assert verify(str(write(tmp_path / "before", lines[: line + 1]))).ok
    verdict = verify(str(write(tmp_path / "record", [*lines[: line + 1], {"undone": undone}])))
    assert verdict.ok is follows
    assert verdict.failure is None or verdict.failure.place.line == line + 2
