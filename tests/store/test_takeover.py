"""Matches of the database that earlier versions kept become files, once, and the database is kept."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kalooki_tui.locks import FileLock
from kalooki_tui.records.verifying import State, verify
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.table.recorder import record
from tests.property.tables import snapshot
from tests.store.old_database import add_match
from tests.store.tables import SEATS, bare, open_table, play

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
PLAYERS = tuple((plan.name, plan.player) for plan in SEATS)


def played(home: Path, match_id: str = ID, steps: int | None = 30, **row: object) -> object:
    """A match in the old database; returns how it stands."""
    table, lines = open_table(seed=3), []
    record(table, lines.append)
    play(table, steps)
    seats: Sequence[tuple[str, str]] = row.pop("seats", PLAYERS)  # type: ignore[assignment]
    add_match(home / "kalooki.db", match_id, bare(lines), seats, **row)  # type: ignore[arg-type]
    return snapshot(table.match)


def test_each_match_becomes_a_file_once(home: Path) -> None:
    commands = (PLAYERS[0], ("Bob", "exec:./bot --fast"), PLAYERS[2])
    standing = played(home, state={"hands": {"0": [3, 1, 2]}, "speed": "natural"}, teaching=True, seats=commands)
    played(home, "1" + ID[1:], steps=None, imported=True)
    with Store.open() as store:
        (notice,) = store.take_notices()
        assert "2 were moved there; the database is kept as kalooki-taken-over.db" in notice
        (going,), (over,) = store.unfinished(), store.finished()
        assert (going.id, going.teaching, going.imported) == ("2026-10-02-baby-0f8fad5b", True, False)
        assert (over.imported, over.played) == (True, datetime(2026, 10, 2, 9, 30, tzinfo=UTC))
        with store.resume(going.id) as live:
            assert snapshot(live.table.match) == standing
            assert (live.hand_order(0), live.ui_state["speed"]) == ((3, 1, 2), "natural")
            assert live.table.plans[1].player == "exec:./bot --fast"
        for match_id in (going.id, over.id):
            assert verify(str(home / "matches" / f"{match_id}.jsonl")).ok
        ids = {going.id, over.id}
    assert not (home / "kalooki.db").exists()
    with Store.open() as store:
        assert {one.id for one in store.summaries()} == ids
        assert store.take_notices() == []


def test_killed_on_the_way_it_is_done_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(home)
    content = (home / "kalooki.db").read_bytes()
    Store.open().close()
    (home / "kalooki.db").write_bytes(content)
    with Store.open() as store:
        assert [one.id for one in store.summaries()] == ["2026-10-02-baby-0f8fad5b"]
    assert sorted(path.name for path in home.glob("kalooki*")) == ["kalooki-taken-over-2.db", "kalooki-taken-over.db"]


def test_what_can_be_read_of_a_damaged_database_is_taken_over(home: Path) -> None:
    standings = {f"{number}{ID[1:]}": played(home, f"{number}{ID[1:]}", 60) for number in range(5)}
    content = bytearray((home / "kalooki.db").read_bytes())
    page = int.from_bytes(content[16:18], "big")
    last = len(content) // page - 2
    content[last * page : (last + 1) * page] = os.urandom(page)
    (home / "kalooki.db").write_bytes(content)
    with Store.open() as store:
        assert "Some matches in it could not be read" in store.take_notices()[0]
        found = store.summaries()
        assert 0 < len(found) <= 5
        whole = 0
        for summary in found:
            with store.resume(summary.id) as live:
                whole += snapshot(live.table.match) in standings.values()
        assert whole > 0
    assert (home / "kalooki-taken-over.db").read_bytes() == content


@pytest.mark.parametrize("missing", [1, 4096, 8192], ids="{} bytes missing".format)
def test_a_database_that_was_cut_off_is_taken_over_up_to_the_last_line(home: Path, missing: int) -> None:
    for number in range(5):
        played(home, f"{number}{ID[1:]}", None)
    database = home / "kalooki.db"
    content = database.read_bytes()[:-missing]
    database.write_bytes(content)
    with Store.open() as store:
        (notice,) = store.take_notices()
    assert "5 were moved there" in notice
    assert "Some matches in it could not be read" in notice
    states = [verify(str(path)).state for path in sorted((home / "matches").glob("*.jsonl"))]
    assert states == [State.WHOLE] * 4 + [State.GOES_ON]
    assert (home / "kalooki-taken-over.db").read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"this is no database\n" * 99], ids=["empty", "noise"])
def test_a_database_that_is_none_is_kept_and_told_of(home: Path, content: bytes) -> None:
    (home / "kalooki.db").write_bytes(content)
    with Store.open() as store:
        (notice,) = store.take_notices()
        assert "kalooki-taken-over.db" in notice
        assert store.summaries() == []
    assert (home / "kalooki-taken-over.db").read_bytes() == content


def test_a_newer_database_is_left_alone(home: Path) -> None:
    played(home)
    with closing(sqlite3.connect(home / "kalooki.db")) as other:
        other.execute("PRAGMA user_version = 2")
    before = (home / "kalooki.db").read_bytes()
    with Store.open() as store:
        assert store.take_notices() == ["kalooki.db was written by a newer version of kalooki, and is left alone."]
    assert (home / "kalooki.db").read_bytes() == before


def test_a_database_that_is_being_played_from_waits(home: Path) -> None:
    played(home)
    lock = FileLock.take(home / "locks" / f"{ID}.lock")
    assert lock is not None
    with open_store() as store:
        assert "is being played: its matches are moved into files once you have left it" in store.take_notices()[0]
    lock.release()
    with open_store() as store:
        assert len(store.summaries()) == 1
