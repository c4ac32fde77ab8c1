from pathlib import Path

import pytest

from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.kept import MOST, Reviewed, ReviewedDeal, ReviewedFile


def deal(number: int, lost: float = 1.0, name: str = "Ann") -> ReviewedDeal:
    return ReviewedDeal("abc", f"Game {number} of 9", name, lost, 20)


def test_deals_are_kept_in_the_order_in_which_they_were_reviewed_first(tmp_path: Path) -> None:
    path = tmp_path / "reviews.json"
    kept = ReviewedFile.load(path)
    for number in (1, 2, 3):
        kept.note(deal(number, float(number)))
    kept.note(deal(2, 7.5))
    kept.note(deal(1, 4.0, "Bob"))
    again = ReviewedFile.load(path)
    assert again.problem is None
    assert again.lost("Ann", 20) == [1.0, 7.5, 3.0]
    assert again.lost("Ann", 2) == [7.5, 3.0]
    assert again.lost("Bob", 20) == [4.0]


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    kept = ReviewedFile(tmp_path / "reviews.json", Reviewed(tuple(deal(number) for number in range(MOST))))
    kept.note(deal(MOST, 9.0))
    assert len(kept.deals) == MOST
    assert kept.deals[-1].lost == 9.0


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"version": 2, "deals": []}', '{"version": 1, "deals": [{"match": "a"}]}',
     '{"version": 1, "deals": [{"match": "a", "deal": "b", "name": "c", "lost": -1, "decisions": 3}]}',
     '{"version": 1, "deals": [{"match": "a", "deal": "b", "name": "c", "lost": 1' + "0" * 400 + ', "decisions": 3}]}'],
)  # fmt: skip
def test_a_damaged_file_is_set_aside_and_not_lost(tmp_path: Path, text: str) -> None:
    path = tmp_path / "reviews.json"
    path.write_text(text, encoding="utf-8")
    kept = ReviewedFile.load(path)
    assert kept.problem is not None
    kept.note(deal(1))
    assert ReviewedFile.load(path).lost("Ann", 5) == [1.0]
    assert [one.read_text(encoding="utf-8") for one in tmp_path.glob("*damaged*")] == [text]


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "reviews.json").mkdir()
    with pytest.raises(StoreError, match=r"^The results of the review cannot be saved: "):
        ReviewedFile(tmp_path / "reviews.json").note(deal(1))
