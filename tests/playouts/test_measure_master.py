import json
import sys
from pathlib import Path

import pytest

from lab import measure_master


@pytest.mark.parametrize(
    ("totals", "gain", "part"),
    [([10, 20, 30], 0.0, 1.0), ([20, 20, 20], 0.0, 1 / 3), ([21, 20, 30], 0.0, 0.0), ([21, 20, 30], -1.5, 1.0)],
)
def test_ties_share_a_match(totals: list[int], gain: float, part: float) -> None:
    assert measure_master.won(totals, 0, gain) == part


def test_matches_are_made_up_of_one_deal_for_each_contract() -> None:
    # In the first contract the seat wins or loses by ten points, in the second it always loses by five.
    first = [{"number": 1, "seat": 1, "points": [20, points, 20]} for points in (10, 30)]
    second = [{"number": 2, "seat": seat, "points": [5 * (one == seat) for one in range(3)]} for seat in (0, 2)]
    share, error = (float(part.rstrip("%")) for part in measure_master.made_up([*first, *second], 2).split(" ± "))
    assert share == pytest.approx(50, abs=2)
    assert 50 < error < 90
    assert measure_master.made_up([*first, second[0]], 2) == "too few deals of some contract"


def test_a_field_of_experts_is_measured_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "deals.jsonl"
    asked = ["--level", "club", "--field", "expert", "--ruleset", "baby", "--stocks", "2", "--into", str(notes)]
    for deals, further in (("1", []), ("2", ["--matches", "4"])):
        monkeypatch.setattr(sys, "argv", ["measure_master.py", *asked, "--deals", deals, *further])
        measure_master.main()
    lines = [json.loads(line) for line in notes.read_text(encoding="utf-8").splitlines()]
    assert [line["shuffle"] for line in lines] == [100_001, 100_002]
    assert all(len(line["points"]) == 4 and line["seat"] < 4 for line in lines)
    told = capsys.readouterr().out
    assert "2 deals, points a deal" in told
    assert "  contract 2: " in told
    assert "  contract 3: " in told
    assert "matches won, made up of these deals: too few" in told
    assert "of 4 matches" in told


def test_a_mixed_field_sits_from_the_next_seat_on() -> None:
    base, novice, club = (measure_master.weights_of(level, "jamaican") for level in ("expert", "novice", "club"))
    assert measure_master.styles_of(base, [novice, club], 4, 2) == [club, novice, base, novice]
    assert measure_master.styles_of(base, [club], 2, 1) == [club, base]
