import json
from itertools import product
from math import isfinite
from pathlib import Path

import pytest

from kalooki_tui.coach.puzzles import RATINGS
from kalooki_tui.store.glicko import Rating
from kalooki_tui.store.player.puzzles import FILE, PuzzleFile, Solved, Tally


def test_a_first_try_moves_the_rating_and_is_there_the_next_time(tmp_path: Path) -> None:
    file = PuzzleFile.load(tmp_path / FILE)
    assert file.solved == Solved()
    better = file.solved.noted("out", 1700, right=True)
    assert better.rating.rating > file.solved.rating.rating
    assert better.noted("out", 1300, right=False).rating.rating < better.rating.rating
    assert (better.tried, better.right) == (1, 1)
    file.save(better)
    again = PuzzleFile.load(tmp_path / FILE)
    assert (again.solved, again.problem) == (better, None)


def rated(**rating: float) -> str:
    """A file of one puzzle with a rating that may be beyond all measure."""
    usual = {"rating": 1500, "deviation": 350, "volatility": 0.06}
    return json.dumps({"version": 1, "rating": {**usual, **rating}, "tried": 1, "right": 1})


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "3", '"x"', '{"version": 1, "rating": {}, "tried": 1, "right": 2}', '{"version": 9, "rating": {}}',
     '{"version": 1, "kinds": []}', rated(rating=1_000_000), rated(rating=10**401), rated(deviation=1e200),
     rated(deviation=0), rated(volatility=1e150), rated(volatility=1e-200)],
)  # fmt: skip
def test_a_damaged_file_is_set_aside_when_the_next_puzzle_is_solved(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE
    path.write_text(text, encoding="utf-8")
    file = PuzzleFile.load(path)
    assert file.problem is not None
    file.save(file.solved.noted("out", 1500, right=True))
    assert json.loads(path.read_text(encoding="utf-8"))["tried"] == 1
    assert len(list(tmp_path.glob("puzzles.damaged-*.json"))) == 1


@pytest.mark.parametrize("right", [True, False])
def test_after_whatever_rating_may_stand_in_the_file_one_more_can_be_computed(right: bool) -> None:
    for numbers in product((-1000.0, 4000.0), (1.0, 350.0), (0.001, 1.0)):
        for puzzle in RATINGS.values():
            after = Tally(Rating(*numbers)).after(puzzle, right=right).rating
            assert all(map(isfinite, (after.rating, after.deviation, after.volatility))), (numbers, puzzle)


@pytest.mark.parametrize("right", [True, False])
def test_no_first_answer_throws_the_rating_about(right: bool) -> None:
    for puzzle in RATINGS.values():
        after = Solved().noted("out", puzzle, right=right)
        assert abs(after.rating.rating - Solved().rating.rating) < 120, puzzle


def test_every_kind_has_a_rating_of_its_own(tmp_path: Path) -> None:
    file = PuzzleFile.load(tmp_path / FILE)
    file.save(file.solved.noted("out", 1300, right=True).noted("chain", 1600, right=False))
    kinds = PuzzleFile.load(tmp_path / FILE).solved.kinds
    assert {kind: (tally.tried, tally.right) for kind, tally in kinds.items()} == {"out": (1, 1), "chain": (1, 0)}
    assert kinds["chain"].rating.rating < Solved().rating.rating < kinds["out"].rating.rating


def test_a_file_of_an_older_version_has_no_kinds(tmp_path: Path) -> None:
    path = tmp_path / FILE
    rating = {"rating": 1600.0, "deviation": 120.0, "volatility": 0.06}
    path.write_text(json.dumps({"version": 1, "rating": rating, "tried": 9, "right": 5, "next": ""}), encoding="utf-8")
    found = PuzzleFile.load(path)
    assert found.problem is None
    assert (found.solved.tried, found.solved.rating.deviation, found.solved.kinds) == (9, 120.0, {})
