import json
from pathlib import Path

import pytest

from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.judging.playing_out import begin
from lab import measure_review
from lab.measure_review import begun, lost, main, played, regression


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["measure_review", *arguments])
    main()


def test_what_is_in_the_notes_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, done = tmp_path / "notes", []

    def work(item: str, worlds: int, ruleset: str) -> list[measure_review.Line]:
        done.append((item, worlds, ruleset))
        settled = 2.0 + int(item)
        line = {"kind": "throw", "verdict": "slip", "value": 1.0, "loss": 5.0, "settled": settled, "true": 4.0}
        return [{**line, "seconds": 0.5}]

    monkeypatch.setitem(measure_review.PARTS, "alarms", (work, measure_review.tell_alarms))
    run(monkeypatch, "alarms", "--notes", str(notes), "--count", "2", "--worlds", "7")
    run(monkeypatch, "alarms", "--notes", str(notes), "--count", "3", "--worlds", "7")
    assert done == [("0", 7, "jamaican"), ("1", 7, "jamaican"), ("2", 7, "jamaican")]
    assert [json.loads(line)["item"] for line in notes.read_text(encoding="utf-8").splitlines()] == ["0", "1", "2"]
    told = capsys.readouterr().out
    assert "3 decisions; 0.50 seconds each" in told
    assert "| from 3 | 3 | 100.0% | 5.0 ± 0.0 | 3.0 ± 1.1 | 4.0 ± 0.0 | 1 (33.3% of all) |" in told


def test_a_fair_loss_is_that_of_a_choice_made_in_other_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(one for _, one in measure_review.real("club", "baby", 2) if len(begin(one).ways) > 1)

    def loss(worse: float) -> float:
        # Whatever is looked at first costs so much more than the rest.
        monkeypatch.setattr(measure_review, "in_worlds", lambda view, ways, worlds, seed: [
            [(0.0 if place else worse) + world % 2 for world in range(worlds)] for place, _ in enumerate(ways)
        ])  # fmt: skip
        return measure_review.fair_loss(one, 30, "seed")

    assert loss(7.0) == 7.0
    assert loss(-7.0) == 0.0


def test_a_regression_finds_slope_and_correlation() -> None:
    related, slope = regression([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert (related, slope) == pytest.approx((1.0, 2.0))
    related, slope = regression([1.0, 2.0, 3.0], [1.0, 0.0, 1.0])
    assert (related, slope) == pytest.approx((0.0, 0.0))


def test_every_level_meets_the_same_cards_and_only_losses_count() -> None:
    hands = {level: next(played(level, begun("baby", 2), 2))[1].view.hand for level in ("club", "dearest")}
    assert hands["club"] == hands["dearest"]
    _, decision = next(played("club", begun("baby", 2), 2))
    sure, unsure = (Judged(decision, "throw", decision.action, 8.0, error) for error in (1.0, 6.0))
    assert unsure.verdict is Quality.CLOSE
    assert lost([sure, unsure]) == 8.0
