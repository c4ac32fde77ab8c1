"""What is saved out of a damaged database, and what is left when that is interrupted."""

import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kalooki_tui.store import database, files, rescue
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.store.rows import read_row
from tests.property.tables import snapshot
from tests.store.tables import open_table, play

ROOT = Path(__file__).resolve().parents[2]
MATCHES = 5

KILLED_IN_A_COPY = """
import os
from kalooki_tui.store import rescue

copy, copied = rescue._copy, []

def copy_or_die(*arguments):
    if len(copied) == 2:
        os._exit(9)
    copied.append(arguments)
    return copy(*arguments)

rescue._copy = copy_or_die
"""
KILLED_IN_A_MOVE = """
import os
from pathlib import Path

replace, moved = Path.replace, []

def replace_or_die(self, target):
    if len(moved) == {moves}:
        os._exit(9)
    moved.append(self)
    return replace(self, target)

Path.replace = replace_or_die
"""
OPEN = """
from kalooki_tui.store.matches import Store

Store.open()
"""


def page_size(content: bytes) -> int:
    """Bytes."""
    return int.from_bytes(content[16:18], "big")


def spoil(file: Path, page: int) -> None:
    """Noise over a page of a database, counted from 1."""
    content = bytearray(file.read_bytes())
    size = page_size(content)
    content[(page - 1) * size : page * size] = random.Random(page).randbytes(size)
    file.write_bytes(content)


def root_page(file: Path, name: str) -> int:
    """The page on which a table or an index begins."""
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(connection.execute(query, (name,)).fetchone()[0])


@pytest.fixture
def standings(home: Path) -> dict[str, object]:
    """How the matches in the store of the test's home stand, by id."""
    found = {}
    with Store.open() as store:
        for seed in range(MATCHES):
            live = store.begin(open_table(seed=seed), teaching=seed == 1)
            play(live.table, 30)
            live.close()
            found[live.id] = snapshot(live.table.match)
    return found


def assert_all_there(standings: dict[str, object]) -> None:
    """Every match is in the list and stands as it did."""
    with Store.open() as store:
        assert {summary.id for summary in store.summaries()} == set(standings)
        for match_id, standing in standings.items():
            with store.resume(match_id) as live:
                assert snapshot(live.table.match) == standing


def hidden(home: Path) -> list[str]:
    """What a rescue works with."""
    return [path.name for path in home.iterdir() if path.name.startswith(".")]


def test_an_index_alone_is_damaged(home: Path, standings: dict[str, object]) -> None:
    spoil(home / "kalooki.db", root_page(home / "kalooki.db", "sqlite_autoindex_matches_1"))
    with Store.open() as store:
        (notice,) = store.take_notices()
        assert f"with {MATCHES} intact matches out of it." in notice
        assert [summary.teaching for summary in store.summaries()] == [False, False, False, True, False]
    assert_all_there(standings)


def test_the_list_alone_is_damaged(home: Path, standings: dict[str, object]) -> None:
    with Store.open() as store:
        before = {summary.id: summary for summary in store.summaries()}
    spoil(home / "kalooki.db", root_page(home / "kalooki.db", "matches"))
    with Store.open() as store:
        assert f"with {MATCHES} intact matches out of it." in store.take_notices()[0]
        for summary in store.summaries():
            told = before[summary.id]
            assert (summary.seats, summary.totals, summary.deal) == (told.seats, told.totals, told.deal)
    assert_all_there(standings)


def test_a_row_that_cannot_be_read_is_built_again(home: Path, standings: dict[str, object]) -> None:
    with Store.open() as store:
        (told,) = (summary for summary in store.summaries() if summary.teaching)
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as connection:
        connection.execute("UPDATE matches SET seats = '[]', ui_state = x'ff', totals = 'x' WHERE teaching")
    spoil(home / "kalooki.db", root_page(home / "kalooki.db", "sqlite_autoindex_matches_1"))
    with Store.open() as store:
        assert f"with {MATCHES} intact matches out of it." in store.take_notices()[0]
        # What no record tells is taken over as far as it can be read.
        assert store.summary(told.id) == told
    assert_all_there(standings)


def test_pages_of_noise_anywhere(home: Path, standings: dict[str, object], tmp_path: Path) -> None:
    whole = (home / "kalooki.db").read_bytes()
    for page in range(2, len(whole) // page_size(whole) + 1):
        folder = tmp_path / f"page-{page}"
        folder.mkdir()
        (folder / "kalooki.db").write_bytes(whole)
        spoil(folder / "kalooki.db", page)
        with Store.open(folder / "kalooki.db") as store:
            assert "was damaged" in store.take_notices()[0]
            for summary in store.summaries():
                with store.resume(summary.id) as live:
                    assert snapshot(live.table.match) == standings[summary.id]
        shutil.rmtree(folder)


def truncate(file: Path) -> bytes:
    """Cut the last page off, so that most matches are still whole; returns what is left."""
    content = file.read_bytes()
    file.write_bytes(content[: -page_size(content)])
    return file.read_bytes()


def kept_without_trouble(file: Path, tmp_path: Path) -> set[str]:
    """The ids that a rescue finds where nothing interrupts it."""
    folder = tmp_path / "calm"
    folder.mkdir()
    for path in file.parent.glob("kalooki.db*"):
        shutil.copy(path, folder)
    with Store.open(folder / "kalooki.db") as store:
        return {summary.id for summary in store.summaries()}


@pytest.mark.parametrize(
    ("script", "moved"),
    [
        (KILLED_IN_A_COPY, False),
        (KILLED_IN_A_MOVE.format(moves=0), False),
        (KILLED_IN_A_MOVE.format(moves=1), False),
        (KILLED_IN_A_MOVE.format(moves=2), True),
    ],
    ids=["copying", "copied", "ready", "between the two"],
)
def test_killed_in_the_middle(
    home: Path, standings: dict[str, object], tmp_path: Path, script: str, moved: bool
) -> None:
    damaged = truncate(home / "kalooki.db")
    expected = kept_without_trouble(home / "kalooki.db", tmp_path)
    assert len(expected) >= 3
    killed = subprocess.run([sys.executable, "-c", script + OPEN], cwd=ROOT, env={**os.environ}, check=False)
    assert killed.returncode == 9
    assert (home / "kalooki.db").exists() is not moved
    assert hidden(home)
    # A command that only looks is told as well.
    with Store.look() as store:
        (notice,) = store.take_notices()
        assert "was damaged" in notice
        assert {summary.id for summary in store.summaries()} == expected
    (aside,) = home.glob("kalooki.damaged-*.db")
    assert aside.name in notice
    assert aside.read_bytes() == damaged
    if moved:
        # Its folder is removed by the next rescue.
        spoil(home / "kalooki.db", root_page(home / "kalooki.db", "sqlite_autoindex_matches_1"))
        with Store.open() as store:
            assert {summary.id for summary in store.summaries()} == expected
    assert hidden(home) == []


def test_what_was_put_there_after_a_kill_is_not_touched(home: Path, standings: dict[str, object]) -> None:
    backup = (home / "kalooki.db").read_bytes()
    truncate(home / "kalooki.db")
    script = KILLED_IN_A_MOVE.format(moves=2) + OPEN
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, env={**os.environ}, check=False).returncode == 9
    (home / "kalooki.db").write_bytes(backup)
    with Store.open() as store:
        assert store.take_notices() == []
    assert_all_there(standings)


def test_what_only_the_companion_holds_is_saved(home: Path) -> None:
    with Store.open() as store:
        live = store.begin(open_table())
        store.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        play(live.table, 30)
        # As the files are where the program was killed.
        for path in home.glob("kalooki.db*"):
            shutil.copy(path, home / f"{path.name}.kept")
        live.close()
    for path in home.glob("*.kept"):
        path.rename(path.with_suffix(""))
    spoil(home / "kalooki.db", root_page(home / "kalooki.db", "sqlite_autoindex_matches_1"))
    with Store.open() as store:
        assert "with 1 intact match out of it." in store.take_notices()[0]
        assert list(store.lines(live.id)) == [*live.lines]


@pytest.mark.parametrize("killed", [None, 1, 2])
def test_companions_go_with_their_file(home: Path, monkeypatch: pytest.MonkeyPatch, killed: int | None) -> None:
    path, fresh = home / "kalooki.db", home / "fresh"
    for name, text in (("", "damaged"), ("-wal", "its wal"), ("-shm", "its shm")):
        path.with_name(path.name + name).write_text(text)
    fresh.write_text("fresh")
    if killed is None:
        assert files.finish_swap(path) is None
        aside = files.swap(path, fresh)
    else:
        replace, moved = Path.replace, []

        def stop(self: Path, target: Path) -> Path:
            if len(moved) > killed:
                raise KeyboardInterrupt
            moved.append(self)
            return replace(self, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", stop)
            with pytest.raises(KeyboardInterrupt):
                files.swap(path, fresh)
        assert files.unfinished_swap(path) is not None
        found = files.finish_swap(path)
        assert found is not None
        aside = found
    contents = {file.name.removeprefix(aside.name): file.read_text() for file in home.iterdir()}
    assert contents == {"": "damaged", "-wal": "its wal", "-shm": "its shm", "kalooki.db": "fresh"}


def no_room_for_the_copy(patched: pytest.MonkeyPatch) -> None:
    def copyfile(source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    patched.setattr(rescue, "copyfile", copyfile)


def no_room_in_the_middle(patched: pytest.MonkeyPatch) -> None:
    connect = database._connect

    def small(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        if path.name.endswith(".fresh"):
            connection.execute("PRAGMA max_page_count = 12")
        return connection

    patched.setattr(database, "_connect", small)


def no_moving(patched: pytest.MonkeyPatch) -> None:
    def move(path: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    patched.setattr(files, "_move", move)


@pytest.mark.parametrize("fault", [no_room_for_the_copy, no_room_in_the_middle, no_moving])
def test_without_room_everything_stays_as_it_is(
    home: Path,
    standings: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
) -> None:
    spoil(home / "kalooki.db", root_page(home / "kalooki.db", "sqlite_autoindex_matches_1"))
    damaged = (home / "kalooki.db").read_bytes()
    with monkeypatch.context() as patched:
        fault(patched)
        for _ in range(2):
            with pytest.raises(StoreError, match="is damaged, and no new file can be made"):
                Store.open()
        with open_store() as store:
            assert "Nothing you play now will be saved" in store.take_notices()[0]
    assert (home / "kalooki.db").read_bytes() == damaged
    assert sorted(path.name for path in home.iterdir() if path.is_file()) == ["kalooki.db"]
    assert hidden(home) == []
    with Store.open() as store:
        assert f"with {MATCHES} intact matches out of it." in store.take_notices()[0]
    assert_all_there(standings)


def test_what_is_rescued_can_be_read(home: Path, standings: dict[str, object]) -> None:
    truncate(home / "kalooki.db")
    with Store.open() as store:
        for row in store.database.connection.execute("SELECT * FROM matches"):
            assert read_row(row).id in standings
