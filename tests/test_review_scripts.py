"""The script that measures the review: its notes are gone on with, and its tables say what is in them."""

import json
from pathlib import Path

import pytest

from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.judging.playing_out import begin
from lab import measure_review
from lab.measure_review import begun, lost, main, played, points_lines, regression, tell_points


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


def test_levels_are_set_side_by_side_on_the_same_deals(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"level": level, "deal": deal, "lost": 50.0 - 10 * place + deal, "value": 9.0, "decisions": 20, "seconds": 2.0}
        for deal in range(3)
        for place, level in enumerate(measure_review.LEVELS)
        # The expert has played one deal fewer.
        if (level, deal) != ("expert", 1)
    ]
    measure_review.tell_levels(lines)
    told = capsys.readouterr().out
    assert "| club | 3 | 21.0 ± 1.1 | 9.0 ± 0.0 | 20.0 | 2.0 |" in told
    assert "novice less club, the same 3 deals: 10.0 ± 0.0" in told
    assert "club less expert, the same 2 deals: 10.0 ± 0.0" in told


def test_levels_are_played_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(item: str, worlds: int, ruleset: str) -> list[measure_review.Line]:
        level, deal = item.split()
        return [{"level": level, "deal": int(deal), "lost": 1.0, "value": 1.0, "decisions": 9, "seconds": 1.0}]

    monkeypatch.setitem(measure_review.PARTS, "levels", (work, measure_review.tell_levels))
    arguments = ("levels", "--notes", str(tmp_path / "notes"), "--count", "2", "--levels")
    run(monkeypatch, *arguments, "club,novice")
    run(monkeypatch, *arguments, "expert")
    items = [json.loads(line)["item"] for line in (tmp_path / "notes").read_text(encoding="utf-8").splitlines()]
    assert items == ["club 0", "novice 0", "club 1", "novice 1", "expert 0", "expert 1"]
    assert "| expert | 2 |" in capsys.readouterr().out


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


def test_points_are_those_of_a_deal_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    deal = begun("baby", 2)
    taken = [decision.action for _, decision in played("club", deal, 2)]
    assert deal.actor is None
    assert taken
    lines = points_lines("club 2", 0, "baby")
    assert lines == [{"level": "club", "deal": 2, "points": deal.points[0] - sum(deal.points[1:]) / 3}]
    tell_points([*lines, *points_lines("club 3", 0, "baby")])
    assert "| club | 2 |" in capsys.readouterr().out
