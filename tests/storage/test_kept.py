import json
from datetime import date
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from kalooki_tui.coach.course.progress import ChapterState, Day, Progress, Skill, Try
from kalooki_tui.coach.puzzles import RATINGS
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.kept import MOST, KeptFile, Reviewed, ReviewedDeal, ReviewedFile
from kalooki_tui.storage.match_store import open_store
from kalooki_tui.storage.people_statistics import Rating
from kalooki_tui.storage.player.progress_file import ProgressFile, PuzzleFile, Solved, Tally
from tests.commands import Golden

DAY = date(2026, 11, 22)


def deal(number: int, lost: float = 1.0, name: str = "Ann") -> ReviewedDeal:
    return ReviewedDeal("abc", f"Game {number} of 9", name, lost, 20)


#: Each file with something in it.
EVERYTHING: Final[dict[type[KeptFile[Any]], Any]] = {
    ProgressFile: Progress(
        {"jamaican/sets": ChapterState(3, DAY, mastered=True), "my own.yaml/runs": ChapterState(1)},
        {"jamaican/sets/spot": Skill(5, DAY, (Try(True, 3.5), Try(False, 0.0)))},
        days={DAY: Day(12, 9)},
    ),
    PuzzleFile: Solved().noted("out", 1300, right=True).noted("chain", 1600, right=False),
    ReviewedFile: Reviewed((deal(1), deal(2, 7.5))),
}


@pytest.mark.parametrize("kind", EVERYTHING)
def test_what_is_saved_is_read_again_and_is_for_people_to_read(home: Path, kind: type[KeptFile[Any]]) -> None:
    assert kind.load().kept == kind.kind()
    assert kind.load().save(EVERYTHING[kind]) is None
    again = kind.load()
    assert (again.kept, again.damage, again.path) == (EVERYTHING[kind], "", home / kind.name)
    assert len(again.path.read_text().splitlines()) > 5


@pytest.mark.parametrize("kind", EVERYTHING)
def test_a_file_that_cannot_be_written_is_told_and_holds_all_the_same(home: Path, kind: type[KeptFile[Any]]) -> None:
    (home / kind.name).mkdir(parents=True)
    file = kind.load()
    assert file.problem is not None
    with pytest.raises(StoreError, match=f"^{kind.what} cannot be saved"):
        kind(home / kind.name).save(EVERYTHING[kind])


def rated(**rating: float) -> str:
    """A file of one puzzle with a rating that may be beyond all measure."""
    usual = {"rating": 1500, "deviation": 350, "volatility": 0.06}
    return json.dumps({"version": 1, "rating": {**usual, **rating}, "tried": 1, "right": 1})


def reviewed(lost: str) -> str:
    return f'{{"version": 1, "deals": [{{"match": "a", "deal": "b", "name": "c", "lost": {lost}, "decisions": 3}}]}}'


def skilled(skill: str) -> str:
    return f'{{"version": 1, "skills": {{{skill}}}}}'


#: Texts of each file, by what is said of them in a golden text: what may just stand there, and what is beyond it.
TEXTS: Final[dict[type[KeptFile[Any]], list[str]]] = {
    ProgressFile: [
        *(f'{{"version": 1, "chapters": {{"a": {{"stars": {stars}}}}}}}' for stars in (-1, 0, 3, 4)),
        *(skilled(f'"a": {{"box": {box}, "last": "2026-11-22"}}') for box in (0, 1, 5, 6)),
        *(skilled(f'"a": {{"box": 1, "last": "{year}-12-31"}}') for year in (9000, 9001)),
        *(skilled(f'"{name}": {{"box": 1, "last": "2026-11-22"}}')
          for name in ("a" * 200, "a" * 201, "", "a\\u001b")),
        *(f'{{"version": 1, "days": {{"2026-11-22": {day}}}}}'
          for day in ([1, 2], [2, 2], [-1, -1], [1_000_000, 0], [1_000_001, 0], [1, 0, 0])),
        *(f'{{"version": 1, "deals": {{"a": [[true, {points}]]}}}}'
          for points in ("-1, 0", "100000, 1", "100001, 1", "3, -1", "3, 100000", "3, 100001", f"3, {10**400}")),
    ],
    PuzzleFile: [
        *(rated(**rating) for rating in (
            {"rating": 10**401}, {"deviation": 1e200}, {"volatility": 0}, {"volatility": 1.1}, {"more": 1},
        )),
        *(f'{{"version": 1, "tried": {tried}, "right": {right}}}'
          for tried, right in ((1, 1), (1, 2), (-1, -1), (1_000_000, 1_000_000), (1_000_001, 1))),
        *(f'{{"version": 1, "kinds": {{"{kind}": {{}}}}}}' for kind in ("", "a" * 40, "a" * 41, "A")),
    ],
    ReviewedFile: [
        *(reviewed(lost) for lost in ("-1", "0", "1000000", "1000001", f"1{'0' * 400}")),
        *(reviewed("1").replace("3}", f"{number}}}") for number in (-1, 0, 1_000_000, 1_000_001)),
        *(reviewed("1").replace('"b"', f'"{"b" * size}"') for size in (0, 300, 301)),
        *(reviewed("1").replace(old, new) for old, new in (('"lost"', '"more"'), ('"name"', '"more": 1, "name"'))),
    ],
}  # fmt: skip
DAMAGED = ("", "\x00\xff", "[" * 100_000, "[]", '{"version": 9, "planets": 9}', '{"version": 1, "more": 1}')


def test_what_each_file_may_hold_and_what_is_said_of_more(golden: Golden, tmp_path: Path) -> None:
    path, told = tmp_path / "it.json", list[str]()
    for kind, texts in TEXTS.items():
        told.append(f"{kind.name} {json.dumps(msgspec.json.schema(kind.kind))}")
        most = kind.most_bytes - len('{"version": 1}')
        for text in (*DAMAGED, *texts, *(f'{{"version": 1}}{" " * size}' for size in (most, most + 1))):
            path.write_text(text, encoding="latin-1")
            found = str(kind.load(path).problem).removeprefix(f"{path}: ")
            told.append(f"{kind.name} {text if len(text) < 80 else f'{text[:60]}... {len(text)}'!r}: {found}")
    golden("kept-files", "\n".join(told))


@pytest.mark.parametrize(("kind", "text"), product(EVERYTHING, DAMAGED))
def test_a_file_that_cannot_be_used_is_told_and_set_aside_and_the_matches_are_there(
    home: Path, kind: type[KeptFile[Any]], text: str
) -> None:
    path = home / kind.name
    path.write_text(text, encoding="latin-1")
    file = kind.load()
    assert file.kept == kind.kind()
    assert file.damage.startswith(f"{kind.what} cannot be read. The file is set aside once there is something new")
    # Nothing is touched before there is something to write.
    assert path.read_text(encoding="latin-1") == text
    aside = file.save(EVERYTHING[kind])
    assert aside is not None
    assert aside.read_text(encoding="latin-1") == text
    assert kind.load().kept == EVERYTHING[kind]
    with open_store() as store:
        assert (store.summaries(), store.take_notices()) == ([], [])


def test_a_first_try_moves_the_rating_as_a_whole_and_that_of_its_kind() -> None:
    first = Solved()
    better = first.noted("out", 1700, right=True)
    assert better.rating.rating > first.rating.rating > first.noted("out", 1300, right=False).rating.rating
    kinds = better.noted("chain", 1600, right=False).kinds
    assert {kind: (tally.tried, tally.right) for kind, tally in kinds.items()} == {"out": (1, 1), "chain": (1, 0)}
    assert kinds["chain"].rating.rating < first.rating.rating < kinds["out"].rating.rating


@pytest.mark.parametrize("right", [True, False])
def test_after_whatever_rating_may_stand_in_the_file_one_more_can_be_computed(right: bool) -> None:
    for numbers in product((-1000.0, 4000.0), (1.0, 350.0), (0.001, 1.0)):
        for puzzle in RATINGS.values():
            after = Tally(Rating(*numbers)).after(puzzle, right=right).rating
            assert all(map(isfinite, (after.rating, after.deviation, after.volatility))), (numbers, puzzle)
    for puzzle in RATINGS.values():
        first = Solved().noted("out", puzzle, right=right)
        assert abs(first.rating.rating - Solved().rating.rating) < 120, "no first answer throws it about"


def test_deals_are_kept_in_the_order_in_which_they_were_reviewed_first(home: Path) -> None:
    kept = ReviewedFile.load()
    for one in (deal(1, 1.0), deal(2, 2.0), deal(3, 3.0), deal(2, 7.5), deal(1, 4.0, "Bob")):
        kept.note(one)
    again = ReviewedFile.load()
    assert [again.lost(*asked) for asked in (("Ann", 20), ("Ann", 2), ("Bob", 20))] == [
        [1.0, 7.5, 3.0],
        [7.5, 3.0],
        [4.0],
    ]
    many = ReviewedFile(home / "reviews.json", Reviewed(tuple(deal(number) for number in range(MOST))))
    many.note(deal(MOST, 9.0))
    assert (len(many.deals), many.deals[-1].lost) == (MOST, 9.0)
