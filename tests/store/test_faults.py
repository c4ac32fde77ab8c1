"""Disks that are full, locked, read-only, damaged or gone: play goes on, and what was written stays."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from kalooki_tui import cli
from kalooki_tui.store import database, schema
from kalooki_tui.store.database import Database
from kalooki_tui.store.errors import JournalError, NewerSchema, StoreError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.store.restore import restore
from tests.property.tables import snapshot
from tests.store.tables import SEATS, open_table, play

NOBODY = 65534


def saved_match(seed: int = 7, steps: int | None = 40) -> tuple[str, object]:
    """A match in the store of the test's home: its id, and how it stands."""
    with Store.open() as store:
        live = store.begin(open_table(seed=seed))
        play(live.table, steps)
        live.close()
        return live.id, snapshot(live.table.match)


def load_lines(lines: Sequence[str]) -> object:
    """How the match stands whose record these lines are."""
    return snapshot(restore("lines", lines, SEATS).table.match)


def watched(live: LiveMatch) -> list[JournalError | None]:
    """What the match tells of its trouble."""
    told: list[JournalError | None] = []
    live.on_trouble = told.append
    return told


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Without the rights of the superuser, for whom no folder is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("fault", ["file size", "pages"])
def test_disk_full(store: Store, home: Path, fault: str) -> None:
    live = store.begin(open_table())
    told = watched(live)
    play(live.table, 10)
    on_disk = list(store.lines(live.id))
    if fault == "file size":
        with largest_file((home / "kalooki.db-wal").stat().st_size):
            play(live.table, 10)
    else:
        full = store.database.connection.execute("PRAGMA page_count").fetchone()[0]
        store.database.connection.execute(f"PRAGMA max_page_count = {full}")
        play(live.table, 200)
    assert live.unsaved > 0
    assert str(told[0]).startswith("The match is not being saved: ")
    lines = list(store.lines(live.id))
    assert lines[: len(on_disk)] == on_disk
    store.database.connection.execute("PRAGMA max_page_count = 1000000")
    play(live.table, 1)
    assert (live.unsaved, live.trouble, told[-1]) == (0, None, None)
    live.close()
    with Store.open() as other, other.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


def test_disk_full_from_the_start(store: Store) -> None:
    full = store.database.connection.execute("PRAGMA page_count").fetchone()[0]
    store.database.connection.execute(f"PRAGMA max_page_count = {full}")
    live = store.begin(open_table(), teaching=True)
    play(live.table, 5)
    assert live.trouble is not None
    assert store.unfinished() == []
    live.undo()
    assert load_lines(live.lines) == snapshot(live.table.match)
    store.database.connection.execute("PRAGMA max_page_count = 1000000")
    assert live.save()
    assert list(store.lines(live.id)) == [*live.lines]
    live.close()
    with store.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


def test_locked_by_a_second_process(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.database.connection.execute("PRAGMA busy_timeout = 20")
    live = store.begin(open_table())
    told = watched(live)
    assert store.database.path is not None
    with closing(sqlite3.connect(store.database.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        play(live.table, 3)
        assert [str(trouble) for trouble in told] == ["The match is not being saved: database is locked"]
        other.execute("ROLLBACK")
    play(live.table, 1)
    assert (live.trouble, live.unsaved) == (None, 0)


def test_read_only_folder() -> None:
    # Opened first, since everything that is imported for it may be out of an unprivileged reach.
    table = open_table()
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o555)
        with unprivileged(), open_store(folder / "kalooki.db") as store:
            (notice,) = store.take_notices()
            assert notice.startswith(f"Nothing you play now will be saved: {folder / 'kalooki.db'} cannot be used: ")
            assert store.take_notices() == []
            assert not store.saves
            live = store.begin(table, teaching=True)
            play(live.table, 30)
            live.undo()
            assert live.trouble is None
            assert [summary.id for summary in store.unfinished()] == [live.id]
        assert list(folder.iterdir()) == []
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_read_only_file(home: Path) -> None:
    saved_match()
    content = (home / "kalooki.db").read_bytes()
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o777)
        file = folder / "kalooki.db"
        file.write_bytes(content)
        file.chmod(0o444)
        with unprivileged(), pytest.raises(StoreError, match="Permission denied"):
            Store.open(file)
        assert file.read_bytes() == content
        assert [path.name for path in folder.iterdir()] == ["kalooki.db"]
    finally:
        shutil.rmtree(folder)


def test_a_folder_that_is_a_file(home: Path) -> None:
    (home / "data").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"):
        Store.open(home / "data" / "kalooki.db")
    with open_store(home / "data" / "kalooki.db") as store:
        live = store.begin(open_table())
        play(live.table, 3)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    """A command's exit code and what it wrote."""
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return caught.value.code, *capsys.readouterr()


@pytest.fixture(params=["no permission", "no folder"])
def out_of_reach(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, str]]:
    """A home that cannot be used, and why."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    home = folder / "home"
    monkeypatch.setenv("KALOOKI_HOME", str(home))
    if request.param == "no folder":
        home.write_text("in the way")
        yield home, "Not a directory"
    else:
        home.mkdir(mode=0)
        with unprivileged():
            yield home, "Permission denied"
        home.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("arguments", [("matches",), ("stats",), ("export", "some", "where"), ("import", "RECORD")])
def test_a_home_out_of_reach_is_a_sentence(
    capsys: pytest.CaptureFixture[str], out_of_reach: tuple[Path, str], arguments: tuple[str, ...]
) -> None:
    home, why = out_of_reach
    assert run(capsys, *arguments) == (2, "", f"{home / 'kalooki.db'} cannot be used: {why}\n")


def test_config_says_what_it_can_of_a_home_out_of_reach(
    capsys: pytest.CaptureFixture[str], out_of_reach: tuple[Path, str]
) -> None:
    home, why = out_of_reach
    code, out, err = run(capsys, "config")
    assert code == 2
    assert out.splitlines()[:2] == [f"settings: {home / 'settings.toml'}", f"matches:  {home / 'kalooki.db'}"]
    assert "ai_speed" in out
    assert err.splitlines() == [
        f"{home / 'settings.toml'}: cannot be read: {why}",
        f"{home / 'kalooki.db'} cannot be used: {why}",
    ]
    code, out, err = run(capsys, "config", "--json")
    assert (code, err) == (2, "")
    assert [why in problem["message"] for problem in json.loads(out)["problems"]] == [True, True]


def test_an_export_replaces_nothing_but_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match_id, _ = saved_match()
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for place in (pipe, link):
        code, out, err = run(capsys, "export", "--force", match_id, str(place))
        assert (code, out, err) == (2, "", f"{place} cannot be written: it is a device or a pipe, not a file\n")
    assert pipe.is_fifo()
    assert link.is_symlink()
    code, _, err = run(capsys, "export", "--force", match_id, str(tmp_path))
    assert (code, err) == (2, f"{tmp_path} cannot be written: Is a directory\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "link", "pipe"]


def test_one_line_is_no_lines(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    match_id, _ = saved_match(steps=0)
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as other:
        other.execute("DELETE FROM lines WHERE number > 1")
    record = tmp_path / "record"
    assert run(capsys, "export", match_id, str(record)) == (0, f"{record}: 1 line\n", "")
    _, out, _ = run(capsys, "import", str(record))
    assert ", 2 lines, as " in out


@pytest.mark.parametrize(
    "noise",
    [b"this is no database, but a letter to my aunt\n" * 100, random.Random(1).randbytes(9000)],
    ids=["text", "bytes"],
)
def test_overwritten_with_noise(home: Path, noise: bytes) -> None:
    saved_match()
    file = home / "kalooki.db"
    file.write_bytes(noise)
    with Store.open() as store:
        (notice,) = store.take_notices()
        (aside,) = home.glob("kalooki.damaged-*.db")
        assert aside.read_bytes() == noise
        assert aside.name in notice
        assert store.summaries() == []
        live = store.begin(open_table())
        live.close()
    with Store.open() as store:
        assert [summary.id for summary in store.summaries()] == [live.id]
        assert store.take_notices() == []


def test_truncated_file_keeps_what_is_intact(home: Path) -> None:
    whole = [saved_match(seed, 60) for seed in range(6)]
    file = home / "kalooki.db"
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * 2 // 3])
    with Store.open() as store:
        (notice,) = store.take_notices()
        (aside,) = home.glob("kalooki.damaged-*.db")
        assert aside.read_bytes() == content[: len(content) * 2 // 3]
        kept = {summary.id for summary in store.summaries()}
        assert 0 < len(kept) < 6
        assert f"with {len(kept)} intact match" in notice
        assert f"{6 - len(kept)} could not be read" in notice
        for match_id, standing in whole:
            if match_id in kept:
                with store.resume(match_id) as live:
                    assert snapshot(live.table.match) == standing


def test_a_page_of_noise_in_the_middle(home: Path) -> None:
    for seed in range(5):
        saved_match(seed, 60)
    file = home / "kalooki.db"
    content = bytearray(file.read_bytes())
    page = int.from_bytes(content[16:18], "big")
    last = len(content) // page - 2
    content[last * page : (last + 1) * page] = os.urandom(page)
    file.write_bytes(content)
    with Store.open() as store:
        assert "was damaged" in store.take_notices()[0]
        for summary in store.summaries():
            store.resume(summary.id).close()
        play(store.begin(open_table()).table, 4)


def test_damaged_while_a_match_is_played(store: Store, home: Path) -> None:
    live = store.begin(open_table())
    play(live.table, 20)
    store.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (home / "kalooki.db").read_bytes()
    (home / "kalooki.db").write_bytes(os.urandom(len(content)))
    store.database.connection.execute("PRAGMA shrink_memory")
    play(live.table, 20)
    live.close()
    with Store.open() as other, other.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


def test_damaged_where_nothing_can_be_moved(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = store.begin(open_table())
    play(live.table, 5)
    store.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (home / "kalooki.db").write_bytes(b"noise" * 5000)

    def stuck(path: Path, fresh: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(database, "swap", stuck)
        with pytest.raises(StoreError, match="Permission denied"):
            store.database.renew()
        play(live.table, 3)
        assert live.trouble is not None
    play(live.table, 1)
    assert (live.trouble, live.unsaved) == (None, 0)
    live.close()
    with store.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


@pytest.mark.parametrize("replaced", [False, True])
def test_removed_or_replaced_while_a_match_is_played(store: Store, home: Path, replaced: bool) -> None:
    other_id, _ = saved_match()
    (home / "backup.db").write_bytes((home / "kalooki.db").read_bytes())
    live = store.begin(open_table())
    play(live.table, 5)
    for file in home.glob("kalooki.db*"):
        file.unlink()
    if replaced:
        (home / "backup.db").rename(home / "kalooki.db")
    play(live.table, 5)
    assert live.trouble is None
    assert "removed or replaced" in store.take_notices()[0]
    live.close()
    with Store.open() as again:
        assert {summary.id for summary in again.summaries()} >= {live.id}
        with again.resume(live.id) as resumed:
            assert snapshot(resumed.table.match) == snapshot(live.table.match)
    assert other_id != live.id


@pytest.mark.parametrize("damaged", [False, True])
def test_opened_by_many_at_once(home: Path, damaged: bool) -> None:
    start, saving, notices = threading.Barrier(6), [], []

    def open_and_close() -> None:
        start.wait()
        with open_store() as store:
            saving.append(store.saves)
            notices.extend(store.take_notices())

    rounds = 4
    for _ in range(rounds):
        for file in home.glob("kalooki.db*"):
            file.unlink()
        if damaged:
            (home / "kalooki.db").write_bytes(b"noise" * 3000)
        programs = [threading.Thread(target=open_and_close) for _ in range(6)]
        for program in programs:
            program.start()
        for program in programs:
            program.join()
    assert saving == [True] * 6 * rounds
    assert len(notices) == len(list(home.glob("kalooki.damaged-*.db"))) == (rounds if damaged else 0)


def test_an_empty_file_is_a_new_store(home: Path) -> None:
    (home / "kalooki.db").touch()
    with Store.open() as store:
        assert (store.take_notices(), store.summaries()) == ([], [])


def test_another_program_s_database_is_not_touched(home: Path) -> None:
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE recipes (name)")
    before = (home / "kalooki.db").read_bytes()
    with Store.open() as store:
        assert "kept as" in store.take_notices()[0]
    (aside,) = home.glob("kalooki.damaged-*.db")
    assert aside.read_bytes() == before


def test_a_newer_schema_is_left_alone(home: Path) -> None:
    saved_match()
    newer = len(schema.MIGRATIONS) + 1
    with closing(sqlite3.connect(home / "kalooki.db", isolation_level=None)) as other:
        other.execute(f"PRAGMA user_version = {newer}")
    with pytest.raises(NewerSchema, match=f"its format is {newer}.*update kalooki"):
        Store.open()
    with open_store() as store:
        assert "newer version of kalooki" in store.take_notices()[0]
        play(store.begin(open_table()).table, 10)
    with closing(sqlite3.connect(home / "kalooki.db")) as other:
        assert other.execute("SELECT count(*) FROM matches").fetchone() == (1,)


def test_an_older_schema_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, standing = saved_match()
    migrations = [
        *schema.MIGRATIONS,
        lambda connection: connection.execute("ALTER TABLE matches ADD COLUMN place TEXT"),
    ]
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    with Store.open() as store, store.resume(match_id) as live:
        assert schema.version(store.database.connection) == len(migrations)
        assert snapshot(live.table.match) == standing


def test_a_migration_that_fails_changes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, _ = saved_match()

    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM lines")
        raise sqlite3.OperationalError("no")

    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, broken])
        with pytest.raises(StoreError):
            Database.open(home / "kalooki.db")
    with Store.open() as store:
        store.resume(match_id).close()
