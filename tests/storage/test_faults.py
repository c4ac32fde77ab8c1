import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kalooki_tui.records.playback import RecordState, verify
from kalooki_tui.storage import index as index_of_matches
from kalooki_tui.storage import match_facts as facts
from kalooki_tui.storage import match_file
from kalooki_tui.storage.files import JournalError, StoreError
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store, open_store
from kalooki_tui.storage.people_statistics import statistics
from tests.commands import Run
from tests.property.tables import snapshot
from tests.storage.tables import open_table, play

NOBODY = 65534


def saved_match(seed: int = 7, steps: int | None = 40) -> tuple[str, object]:
    with Store.open() as store:
        live = store.begin(open_table(seed=seed))
        play(live.table, steps)
        live.close()
        return live.id, snapshot(live.table.match)


def file_of(home: Path, match_id: str) -> Path:
    return home / "matches" / f"{match_id}.jsonl"


def watched(live: MatchJournal) -> list[JournalError | None]:
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


@pytest.fixture
def closed_home(open_home: Path) -> Iterator[Path]:
    """A home that holds a match, can be read and not be written to."""
    saved_match()
    for path in (open_home / "matches", open_home):
        path.chmod(0o555)
    yield open_home
    for path in (open_home, open_home / "matches"):
        path.chmod(0o755)


# Disks


@pytest.mark.parametrize("room", [0, 10, 200])
def test_disk_full(store: Store, home: Path, room: int) -> None:
    live = store.begin(open_table())
    told = watched(live)
    play(live.table, 10)
    file = file_of(home, live.id)
    on_disk = file.read_bytes()
    with largest_file(len(on_disk) + room):
        play(live.table, 10)
        assert live.unsaved > 0
    assert str(told[0]) == "The match is not being saved: File too large"
    assert file.read_bytes().startswith(on_disk)
    assert verify(str(file)).state is RecordState.GOES_ON
    play(live.table, 1)
    assert (live.unsaved, live.trouble, told[-1]) == (0, None, None)
    assert file.read_text().splitlines() == [*live.lines]
    live.close()
    with Store.open() as other, other.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


def fails(*_: object) -> None:
    raise OSError(5, "Input/output error")


def test_disk_full_where_half_a_line_cannot_be_taken_away(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = store.begin(open_table())
    size = file_of(home, live.id).stat().st_size
    with monkeypatch.context() as patched, largest_file(size + 10):
        patched.setattr(os, "ftruncate", fails)
        play(live.table, 2)
        assert file_of(home, live.id).stat().st_size == size + 10
        with Store.open() as other:
            assert [one.id for one in other.lists().unfinished] == [live.id]
            assert other.scan(live.id).torn
    play(live.table, 1)
    assert file_of(home, live.id).read_text().splitlines() == [*live.lines]
    assert store.take_notices() == []


def test_disk_full_from_the_start(store: Store, home: Path) -> None:
    with largest_file(100):
        live = store.begin(open_table(), teaching=True)
        play(live.table, 5)
        assert str(live.trouble) == "The match is not being saved: File too large"
        assert store.lists().unfinished == []
        live.undo()
    assert live.save()
    assert list(store.lines(live.id)) == [*live.lines]
    live.close()
    with store.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


def test_a_sync_that_fails_is_no_saved_step(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = store.begin(open_table())
    with monkeypatch.context() as patched:
        patched.setattr(match_file, "_sync", fails)
        play(live.table, 1)
        assert str(live.trouble) == "The match is not being saved: Input/output error"
        assert live.unsaved > 0
    play(live.table, 1)
    assert live.trouble is None
    assert file_of(home, live.id).read_text().splitlines() == [*live.lines]


def test_a_folder_that_cannot_be_written_to_can_be_looked_at(closed_home: Path) -> None:
    # Opened first, since everything that is imported for it may be out of an unprivileged reach.
    table = open_table()
    with unprivileged(), open_store() as store:
        (notice,) = store.take_notices()
        assert notice == f"Nothing you play now will be saved: {closed_home} cannot be used: Permission denied."
        assert not store.saves
        (there,) = store.lists().unfinished
        live = store.begin(table, teaching=True)
        play(live.table, 30)
        live.undo()
        assert live.trouble is None
        assert {summary.id for summary in store.lists().unfinished} == {live.id, there.id}
        live.close()
        with store.resume(live.id) as again:
            assert snapshot(again.table.match) == snapshot(live.table.match)
        with store.resume(there.id) as other:
            play(other.table, 3)
            assert other.trouble is None
    assert len(list((closed_home / "matches").iterdir())) == 2


def test_a_disk_that_can_only_be_read_is_called_so_and_an_export_from_it_says_what_it_wrote(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    match_id, _ = saved_match()
    found = os.statvfs(home)
    read_only = os.statvfs_result([*found[:8], found.f_flag | os.ST_RDONLY, found.f_namemax])
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(os, "supports_effective_ids", set())
    monkeypatch.setattr(os, "statvfs", lambda _: read_only)
    target = tmp_path / "out.jsonl"
    code, out, err = run("export", "--open", match_id, str(target))
    assert (code, out) == (2, f"{target}: {len(target.read_text().splitlines())} lines\n")
    assert err == f"{home} cannot be used: Read-only file system. You can look at what is there\n"


@pytest.fixture(params=["no permission", "no folder"])
def out_of_reach(
    request: pytest.FixtureRequest, open_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, str]]:
    home = open_home / "home"
    monkeypatch.setenv("KALOOKI_HOME", str(home))
    if request.param == "no folder":
        home.write_text("in the way")
        yield home, "Not a directory"
    else:
        importlib.import_module("textual.color")  # An interpreter in a private folder loads no module after this.

        home.mkdir(mode=0)
        with unprivileged():
            yield home, "Permission denied"
        home.chmod(0o755)


def test_a_home_out_of_reach_is_a_sentence_and_config_says_what_it_can(
    run: Run, out_of_reach: tuple[Path, str]
) -> None:
    home, why = out_of_reach
    for arguments in (("matches",), ("stats",), ("export", "some", "where"), ("import", "RECORD")):
        assert run(*arguments) == (2, "", f"{home} cannot be used: {why}\n")
    code, out, err = run("config")
    assert code == 2
    assert out.splitlines()[:2] == [f"settings: {home / 'settings.toml'}", f"matches:  {home / 'matches'}"]
    assert "ai_speed" in out
    assert err.splitlines() == [f"{home / 'settings.toml'}: cannot be read: {why}", f"{home} cannot be used: {why}"]
    code, out, err = run("config", "--json")
    assert (code, err) == (2, "")
    assert [why in problem["message"] for problem in json.loads(out)["problems"]] == [True, True]


def test_an_export_replaces_nothing_but_a_file(run: Run, tmp_path: Path) -> None:
    match_id, _ = saved_match()
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for place in (pipe, link):
        code, out, err = run("export", "--open", "--force", match_id, str(place))
        assert (code, out, err) == (2, "", f"{place} cannot be written: it is a device or a pipe, not a file\n")
    assert pipe.is_fifo()
    assert link.is_symlink()
    code, _, err = run("export", "--open", "--force", match_id, str(tmp_path))
    assert (code, err) == (2, f"{tmp_path} cannot be written: Is a directory\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "link", "pipe"]


def test_opened_by_many_at_once(home: Path) -> None:
    start, saving, notices = threading.Barrier(6), [], []
    homes: set[str] = set()

    def open_and_close() -> None:
        start.wait()
        with open_store() as store:
            homes.add(store.folder.home)
            saving.append(store.saves)
            notices.extend(store.take_notices())

    programs = [threading.Thread(target=open_and_close) for _ in range(6)]
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert (saving, notices, len(homes)) == ([True] * 6, [], 1)


CLOSED_AMID_WRITES = """
import threading
from pathlib import Path
from kalooki_tui.storage.index import Index, ScreenNotes

def write(index, begun):
    for one in range(60):
        index.keep(str(one), ScreenNotes({}))
        begun.set()

for number in range(10):
    index, begun = Index(Path(f"{number}.db")), threading.Event()
    thread = threading.Thread(target=write, args=(index, begun))
    thread.start()
    begun.wait()
    index.close()
    thread.join()
"""


def test_an_index_that_is_closed_while_another_thread_writes_ends_no_program(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", CLOSED_AMID_WRITES], check=False, cwd=tmp_path, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


# Files


@pytest.mark.parametrize("fault", ["removed", "replaced", "emptied", "folder removed"])
def test_another_program_takes_the_file_away_while_a_match_is_played(store: Store, home: Path, fault: str) -> None:
    live = store.begin(open_table())
    play(live.table, 5)
    file = file_of(home, live.id)
    if fault == "removed":
        file.unlink()
    elif fault == "folder removed":
        shutil.rmtree(home / "matches")
    elif fault == "replaced":
        (home / "other").write_text("mine")
        (home / "other").replace(file)
    else:
        os.truncate(file, 0)
    play(live.table, 5)
    assert live.trouble is None
    (notice,) = store.take_notices()
    assert "the whole match has been written again" in notice
    assert file.read_text().splitlines() == [*live.lines]
    asides = [path.read_text() for path in (home / "matches").glob("*.damaged-*")]
    assert asides == {"replaced": ["mine"], "emptied": [""]}.get(fault, [])


def test_a_file_that_was_only_copied_to_its_place_is_gone_on_with(store: Store, home: Path) -> None:
    live = store.begin(open_table())
    play(live.table, 5)
    file = file_of(home, live.id)
    shutil.copy(file, home / "copy")
    (home / "copy").replace(file)
    play(live.table, 5)
    os.utime(file, (0, 0))
    play(live.table, 5)
    assert (store.take_notices(), live.trouble) == ([], None)
    assert file.read_text().splitlines() == [*live.lines]


def test_half_a_line_at_the_end_is_dropped_and_said(store: Store, home: Path) -> None:
    match_id, _ = saved_match()
    file = file_of(home, match_id)
    whole = file.read_bytes()
    for cut, is_told in ((whole[:-7], True), (whole[:-1], False), (whole + b"\0" * 50, True)):
        file.write_bytes(cut)
        with store.resume(match_id) as live:
            told = f"{file.name} ended within a line; that line has been left out." in store.take_notices()
            assert told is is_told
            assert len(live.lines) >= len(whole.splitlines()) - 1
        assert verify(str(file)).state is RecordState.GOES_ON


def test_a_damaged_file_that_is_being_played_is_left_to_who_plays_it(store: Store, home: Path) -> None:
    live = store.begin(open_table())
    play(live.table, 10)
    content = bytearray(file_of(home, live.id).read_bytes())
    content[-100] ^= 1
    file_of(home, live.id).write_bytes(content)
    with Store.open() as other:
        assert other.summaries() == []
        assert "can be exported" in other.take_notices()[0]
    play(live.table, 1)
    assert "the whole match has been written again" in store.take_notices()[0]
    live.close()
    with Store.open() as other, other.resume(live.id) as again:
        assert snapshot(again.table.match) == snapshot(live.table.match)


# The index


@pytest.mark.parametrize("fault", ["deleted", "noise", "emptied", "other tables", "a folder"])
def test_the_index_is_made_anew(home: Path, fault: str) -> None:
    ids = {saved_match(seed, steps)[0] for seed, steps in ((1, 30), (2, None))}
    with Store.open() as store:
        before = store.summaries(), statistics(store)
        store.index.keep(store.lists().unfinished[0].id, store.index.kept("none"))
    for path in home.glob("index.db-*"):
        path.unlink()
    index = home / "index.db"
    if fault == "noise":
        index.write_bytes(random.Random(1).randbytes(20_000))
    elif fault == "emptied":
        os.truncate(index, 0)
    else:
        index.unlink()
        if fault == "a folder":
            index.mkdir()
        elif fault == "other tables":
            import sqlite3

            with sqlite3.connect(index) as other:
                other.execute("CREATE TABLE files (recipe)")
                other.execute(f"PRAGMA user_version = {1000 * index_of_matches.VERSION + facts.VERSION}")
    with Store.open() as store:
        assert (store.summaries(), statistics(store)) == before
        assert store.saves
        for match_id in ids:
            store.resume(match_id).close()
        told = [notice for notice in store.take_notices() if "index" in notice]
    assert len(told) == (fault in ("noise", "other tables"))


def test_what_is_kept_beside_a_match_is_lost_with_the_index_and_nothing_else(home: Path) -> None:
    with Store.open() as store:
        live = store.begin(open_table(), teaching=True)
        live.keep(speed="natural")
        live.keep_hand(0, (1, 2))
        live.close()
        with store.resume(live.id) as again:
            assert (again.ui_state["speed"], again.hand(0)) == ("natural", ((1, 2), ()))
    for path in home.glob("index.db*"):
        path.unlink()
    with Store.open() as store, store.resume(live.id) as again:
        assert (dict(again.ui_state), again.hand(0), again.teaching) == ({}, ((), ()), True)
        assert store.lists().unfinished[0].imported is False


def test_lines_that_were_written_and_not_noted_are_no_reason_to_set_the_file_aside(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(9)]
    file = match_file.MatchFile(tmp_path / "match.jsonl")
    file.write(lines[:4])
    with file.path.open("a") as stream:
        stream.write("line 4\nline 5\nli")
    file.write(lines)
    file.close()
    assert file.path.read_text().splitlines() == lines
    match_file.MatchFile.taken_up(file.path, 9).close()
    with pytest.raises(FileNotFoundError):
        match_file.MatchFile.taken_up(tmp_path / "gone", 3)
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
