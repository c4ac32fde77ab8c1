"""The script that measures the review: its notes are gone on with, and its tables say what is in them."""

import json
from pathlib import Path

import pytest

from kalooki_tui.coach.reviewing import Judged, Verdict
from scripts import measure_review, prove_puzzles
from scripts.measure_review import lost, main, played, regression


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["measure_review", *arguments])
    main()


def test_what_is_in_the_notes_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, done = tmp_path / "notes", []

    def work(number: int, worlds: int, ruleset: str) -> list[measure_review.Line]:
        done.append((number, worlds, ruleset))
        line = {"kind": "throw", "verdict": "slip", "value": 1.0, "loss": 5.0, "settled": 2.0 + number, "true": 4.0}
        return [{**line, "seconds": 0.5}]

    monkeypatch.setitem(measure_review.PARTS, "alarms", (work, measure_review.tell_alarms))
    run(monkeypatch, "alarms", "--notes", str(notes), "--count", "2", "--worlds", "7")
    run(monkeypatch, "alarms", "--notes", str(notes), "--count", "3", "--worlds", "7")
    assert done == [(0, 7, "jamaican"), (1, 7, "jamaican"), (2, 7, "jamaican")]
    assert [json.loads(line)["number"] for line in notes.read_text(encoding="utf-8").splitlines()] == [0, 1, 2]
    told = capsys.readouterr().out
    assert "3 decisions; 0.50 seconds each" in told
    assert "| from 3 | 3 | 100.0% | 5.0 ± 0.0 | 3.0 ± 1.1 | 4.0 ± 0.0 | 1 (33.3% of all) |" in told


def test_levels_are_set_side_by_side_on_the_same_deals(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"level": level, "lost": 50.0 - 10 * place + deal, "value": 9.0, "decisions": 20, "flagged": [17, 0, 1, 1, 1],
         "seconds": 2.0}
        for deal in range(3)
        for place, level in enumerate(measure_review.LEVELS)
    ]  # fmt: skip
    measure_review.tell_levels(lines)
    told = capsys.readouterr().out
    assert "| club | 3 | 21.0 ± 1.1 | 9.0 ± 0.0 | 20.0 | 5.0% | 5.0% | 5.0% | 2.0 |" in told
    assert "novice less club, the same deals: 10.0 ± 0.0" in told


def test_a_regression_finds_slope_and_correlation() -> None:
    related, slope = regression([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert (related, slope) == pytest.approx((1.0, 2.0))
    related, slope = regression([1.0, 2.0, 3.0], [1.0, 0.0, 1.0])
    assert (related, slope) == pytest.approx((0.0, 0.0))


def test_every_level_meets_the_same_cards_and_only_losses_count() -> None:
    hands = {level: next(played(level, "baby", 2))[1].view.hand for level in ("club", "dearest")}
    assert hands["club"] == hands["dearest"]
    _, decision = next(played("club", "baby", 2))
    sure, unsure = (Judged(decision, "throw", decision.action, 8.0, error) for error in (1.0, 6.0))
    assert unsure.verdict is Verdict.CLOSE
    assert lost([sure, unsure]) == 8.0


def test_puzzles_that_were_proved_are_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"

    def prove(each: int) -> str:
        arguments = ["prove_puzzles", "--each", str(each), "--share", "1", "--kinds", "repair", "--notes", str(notes)]
        monkeypatch.setattr("sys.argv", arguments)
        with pytest.raises(SystemExit) as left:
            prove_puzzles.main()
        assert left.value.code == 0
        return capsys.readouterr().out

    assert "| repair | 2 |" in prove(2)
    first = notes.read_text(encoding="utf-8")
    assert "| repair | 3 |" in prove(3)
    assert notes.read_text(encoding="utf-8").startswith(first)
    assert len(notes.read_text(encoding="utf-8").splitlines()) == 3
