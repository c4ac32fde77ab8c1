import shutil
from pathlib import Path

import pytest

from kalooki_tui.store import match_file
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import Store
from kalooki_tui.store.statistics import statistics
from tests.store.tables import open_table, play
from tests.store.test_faults import file_of, saved_match


def test_lines_that_were_written_and_not_noted_are_no_reason_to_set_the_file_aside(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(9)]
    file = match_file.MatchFile(tmp_path / "match.jsonl")
    file.write(lines[:4])
    with file.path.open("a") as stream:
        stream.write("line 4\nline 5\nli")
    file.write(lines)
    file.close()
    assert file.path.read_text().splitlines() == lines
    assert ([*tmp_path.glob("match*")], file.notice) == ([file.path], "")


@pytest.mark.parametrize("steps", [40, None])
def test_what_was_set_aside_is_never_offered_though_it_is_whole(home: Path, steps: int | None) -> None:
    match_id, _ = saved_match(steps=steps)
    aside = file_of(home, f"{match_id}.damaged-20260101-120000")
    shutil.copy(file_of(home, match_id), aside)
    with Store.open() as store:
        assert [one.id for one in store.summaries()] == [match_id]
        assert [one.id for one in store.lists().damaged] == [aside.stem]
        assert len(statistics(store).players) == (steps is None)
        with pytest.raises(StoreError, match="was set aside"):
            store.resume(aside.stem)
        store.resume(match_id).close()


def test_a_table_that_was_left_writes_no_more(store: Store, home: Path) -> None:
    live = store.begin(open_table())
    play(live.table, 5)
    live.close()
    with Store.open() as other, other.resume(live.id) as again:
        play(live.table, 1)
        play(again.table, 9)
        assert (again.trouble, other.take_notices()) == (None, [])
        assert file_of(home, live.id).read_text().splitlines() == [*again.lines]
    assert [one.id for one in store.lists().damaged] == []


def test_a_match_is_not_taken_up_from_a_file_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(FileNotFoundError):
        match_file.MatchFile.taken_up(path, 3)
    path.write_text("one\n")
    with_one = match_file.MatchFile.taken_up(path, 1)
    assert with_one.written == 1
    with_one.close()
