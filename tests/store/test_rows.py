"""Rows of the list of matches that are not as the program wrote them: one spoils nothing but itself."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kalooki_tui import cli
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.exchange import export_record, import_record
from kalooki_tui.store.matches import Store
from kalooki_tui.store.statistics import match_facts, statistics
from tests.store.tables import open_table, play

#: SQL of a value that is wrong, by the column it stands in.
WRONG = (
    ("seats", "'x'"),
    ("seats", "'{}'"),
    ("seats", "'[1, 2, 3]'"),
    ("seats", """'[{"name": 1, "player": "human"}]'"""),
    ("seats", "CAST(x'5bff5d' AS TEXT)"),
    ("name", "CAST(x'ff' AS TEXT)"),
    ("name", "x'61'"),
    ("played", "'2026-99-99'"),
    ("played", "'2026-01-01'"),
    ("started", "'0000'"),
    ("options", "'[1]'"),
    ("options", "replace(hex(zeroblob(20000)), '0', '[')"),
    ("deal", "'two'"),
    ("deals", "2.5"),
    ("totals", "'[]'"),
    ("totals", "'[1.5, 2, 3]'"),
    ("winners", "'[7]'"),
    ("teaching", "'no'"),
    ("finished", "7"),
    ("id", "CAST(x'ff' || substr(id, 2) AS TEXT)"),
)


@pytest.fixture
def ids(home: Path) -> tuple[str, str]:
    """The ids of two finished matches."""
    found = []
    with Store.open() as store:
        for seed in (3, 4):
            with store.begin(open_table(seed=seed)) as live:
                play(live.table)
            found.append(live.id)
    return found[0], found[1]


def change(home: Path, match_id: str, column: str, value: str) -> None:
    """Set a column of a match to an SQL value."""
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as connection:
        connection.execute(f"UPDATE matches SET {column} = {value} WHERE id = ?", (match_id,))


@pytest.mark.parametrize(("column", "value"), WRONG)
def test_a_row_that_cannot_be_read_is_left_out_and_told_of_once(
    home: Path, ids: tuple[str, str], column: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(home, ids[0], column, value)
    with Store.open() as store:
        assert store.take_notices() == []
        for _ in range(2):
            assert [summary.id for summary in store.summaries()] == [ids[1]]
        assert [player.matches for player in statistics(store).players] == [1]
        (notice,) = store.take_notices()
        assert ids[0][1:] in notice
        assert f"its {column!r} in the list of matches is " in notice
        assert "nothing of it has been deleted" in notice
        assert (len(notice) < 250, notice.encode()) == (True, notice.encode())
    for command in ("matches", "stats"):
        with pytest.raises(SystemExit) as caught:
            cli.main([command])
        said = capsys.readouterr()
        assert (caught.value.code, said.err.count("\n")) == (0, 1)
        assert said.err == f"{notice}\n"
        assert "Ann" in said.out


@pytest.mark.parametrize(("column", "value"), [one for one in WRONG if one[0] != "id"])
def test_whatever_is_asked_of_such_a_match_is_refused_in_a_sentence(
    store: Store, home: Path, tmp_path: Path, ids: tuple[str, str], column: str, value: str
) -> None:
    change(home, ids[0], column, value)
    for ask in (
        store.resume,
        store.replay,
        store.summary,
        lambda match_id: match_facts(store, match_id),
    ):
        with pytest.raises(StoreError, match=f"^Match {ids[0]} cannot be read: its '{column}' .*$"):
            ask(ids[0])
    # Its record is whole all the same, and can be had.
    assert export_record(store, ids[0], tmp_path / "record") == len(list(store.lines(ids[0])))
    assert import_record(store, tmp_path / "record").finished
    store.resume(ids[1]).close()


def test_seats_of_another_match_are_not_taken_for_its_own(store: Store, home: Path, ids: tuple[str, str]) -> None:
    seats = json.dumps([{"name": name, "player": "human"} for name in ("Dan", "Eve", "Fay")])
    change(home, ids[0], "seats", f"'{seats}'")
    match_facts(store, ids[1])
    for ask in (store.resume, lambda match_id: match_facts(store, match_id)):
        with pytest.raises(StoreError, match="has other seats in the list than in its record"):
            ask(ids[0])
    (unreadable,) = statistics(store).unreadable
    assert ids[0] in unreadable


def test_a_player_there_is_not_is_a_sentence(store: Store, home: Path, ids: tuple[str, str]) -> None:
    change(home, ids[0], "seats", "replace(seats, 'novice', 'wizard')")
    assert len(store.summaries()) == 2
    with pytest.raises(StoreError, match=f"{ids[0]}: .*wizard"):
        store.resume(ids[0])


@pytest.mark.parametrize("value", ["'x'", "'[]'", "x'ff'", "CAST(x'ff' AS TEXT)"])
def test_what_the_screen_kept_and_facts_are_no_reason_to_give_a_match_up(
    store: Store, home: Path, ids: tuple[str, str], value: str
) -> None:
    told = match_facts(store, ids[0])
    change(home, ids[0], "ui_state", value)
    change(home, ids[0], "facts", value)
    assert match_facts(store, ids[0]) == told
    assert len(statistics(store).players) == 1
    with store.resume(ids[0]) as live:
        assert live.ui_state == {}
        live.keep(theme="dark")
    assert store.take_notices() == []


@pytest.mark.parametrize("value", ["CAST(x'ff' AS TEXT)", "x'ff'", "'noise'"])
def test_a_line_that_cannot_be_read_is_a_sentence(store: Store, home: Path, ids: tuple[str, str], value: str) -> None:
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as connection:
        connection.execute(f"UPDATE lines SET line = {value} WHERE match_id = ? AND number = 9", (ids[0],))
    for ask in (store.resume, lambda match_id: match_facts(store, match_id)):
        with pytest.raises(StoreError, match=ids[0]):
            ask(ids[0])
    assert [summary.id for summary in store.summaries()] == [ids[1], ids[0]]
