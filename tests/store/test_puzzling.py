"""The rating by puzzles on disk."""

import json
from pathlib import Path

import pytest

from kalooki_tui.store.player.puzzles import FILE, PuzzleFile, Solved


def test_a_first_try_moves_the_rating_and_is_there_the_next_time(tmp_path: Path) -> None:
    file = PuzzleFile.load(tmp_path / FILE)
    assert file.solved == Solved()
    better = file.solved.noted(1700, right=True)
    assert better.rating.rating > file.solved.rating.rating
    assert better.noted(1300, right=False).rating.rating < better.rating.rating
    assert (better.tried, better.right) == (1, 1)
    file.save(better)
    again = PuzzleFile.load(tmp_path / FILE)
    assert (again.solved, again.problem) == (better, None)


@pytest.mark.parametrize("text", ["{", "[]", "3", '"x"', '{"version": 1}', '{"version": 9, "rating": {}}'])
def test_a_damaged_file_is_set_aside_when_the_next_puzzle_is_solved(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE
    path.write_text(text, encoding="utf-8")
    file = PuzzleFile.load(path)
    assert file.problem is not None
    file.save(file.solved.noted(1500, right=True))
    assert json.loads(path.read_text(encoding="utf-8"))["tried"] == 1
    assert len(list(tmp_path.glob("puzzles.damaged-*.json"))) == 1
