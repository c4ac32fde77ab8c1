import csv
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.playback import verify
from kalooki_tui.records.writer import dump
from kalooki_tui.storage.exchange import export_record, import_record
from kalooki_tui.storage.files import UMASK, GoesOn, NoSuchMatch, StoreError
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.storage.player.settings_file import SettingsFile
from tests.property.tables import snapshot
from tests.records.record_play import head_of, play_record
from tests.storage.tables import change_head, open_table, play


@pytest.fixture
def record(store: Store, tmp_path: Path) -> Path:
    live = store.begin(open_table(seed=11))
    play(live.table, 150)
    live.close()
    path = tmp_path / "match.jsonl"
    export_record(store, live.id, path, open_hands=True)
    store.forget(live.id)
    return path


def test_what_comes_out_goes_in_again(
    store: Store, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verify(str(record)).ok
    taken = import_record(store, record)
    assert (taken.lines, taken.finished, taken.cut_off) == (len(record.read_bytes().splitlines()), False, False)
    (summary,) = store.lists().unfinished
    assert not summary.imported
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("it is the whole process's"))
    export_record(store, taken.id, tmp_path / "again", open_hands=True)
    assert (tmp_path / "again").read_bytes() == record.read_bytes()
    assert (tmp_path / "again").stat().st_mode & 0o777 == 0o666 & ~UMASK, "nobody else's rights are changed for it"
    expected = open_table(seed=11)
    play(expected, 150)
    with store.resume(taken.id) as live:
        assert snapshot(live.table.match) == snapshot(expected.match)


@pytest.mark.parametrize("handicap", [(), (-20, 0, 5)])
def test_the_score_sheet_is_a_row_a_deal(store: Store, tmp_path: Path, handicap: tuple[int, ...]) -> None:
    live = store.begin(open_table("baby", seed=11, **({"handicap": handicap} if handicap else {})))
    play(live.table)
    live.close()
    path = tmp_path / "scores.csv"
    export_record(store, live.id, path, scores=True)
    head, *rows, total = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert head == ["deal", "contract", "Ann", "Bob", "Cat"]
    assert [row[1] for row in rows[-3:]] == ["two sets", "one set, one run", "two runs"]
    points = [list(map(int, row[2:])) for row in rows]
    assert total == ["total", "", *(str(sum(column)) for column in zip(*points, strict=True))]
    assert tuple(map(int, total[2:])) == live.table.match.totals


def test_a_record_cut_or_without_its_seed_is_taken_and_played_on(store: Store, record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    scored = next(index for index, line in enumerate(lines) if b'"scored"' in line)
    for whole in (1, 2, 5, scored, scored + 1, scored + 2):
        cut = tmp_path / f"cut-{whole}"
        cut.write_bytes(b"".join(lines[:whole]) + lines[whole][:-9])
        taken = import_record(store, cut)
        assert taken.cut_off
        # What follows from the last whole line by itself, the deal or its score, is made whole.
        assert taken.lines == (whole + 1 if whole in (1, scored) else whole)
        with store.resume(taken.id) as live:
            play(live.table, 8)
            live.close()
        export_record(store, taken.id, tmp_path / f"on-{whole}", open_hands=True)
        assert verify(str(tmp_path / f"on-{whole}")).ok
    bare, match = play_record(head_of("baby", 3, 5, settings={"dealer_cut": True}), 300)
    bare[0]["seed"] = None
    cuts = [index + 1 for index, line in enumerate(bare) if ": cut " in line.get("do", "")]
    for end in (*cuts, len(bare)):
        (tmp_path / "no-seed").write_text("".join(json.dumps(line) + "\n" for line in bare[:end]))
        taken = import_record(store, tmp_path / "no-seed")
        # A cut whose cards stood in the next line is made again.
        assert taken.lines == end - (end in cuts)
        shutil.copy(tmp_path / "no-seed", store.folder.at(f"own-{end}.jsonl"))
        for match_id in (taken.id, f"own-{end}"):
            with store.resume(match_id) as live:
                assert end in cuts or live.table.match.deal.hands == match.deal.hands
                play(live.table, 200)
                live.close()
            export_record(store, match_id, tmp_path / f"on {match_id}", open_hands=True)
            assert verify(str(tmp_path / f"on {match_id}")).ok


def test_no_command_out_of_a_record_is_ever_run(store: Store, tmp_path: Path) -> None:
    seats = (SeatPlan("Ann", "exec:touch owned"), SeatPlan("Bob", "ai:novice"), SeatPlan("Cat"))
    live = store.begin(open_table(seats=seats))
    live.close()
    export_record(store, live.id, tmp_path / "record", open_hands=True)
    change_head(tmp_path / "record", lambda head: head["seats"][1].update(player="grand-master"))
    store.forget(live.id)
    taken = import_record(store, tmp_path / "record")
    with store.resume(taken.id) as again:
        assert [plan.player for plan in again.table.plans] == ["ai:novice", "ai:novice", "human"]


@pytest.mark.parametrize("has_links", [True, False])
def test_an_export_overwrites_nothing_that_appears_meanwhile(
    store: Store, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    match_id, target, lines = import_record(store, record).id, tmp_path / "mine.jsonl", store.lines

    def written_meanwhile(match_id: str) -> Iterator[str]:
        target.write_text("mine", encoding="utf-8")
        return lines(match_id)

    def refuse(own: Path, there: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(store, "lines", written_meanwhile)
    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(StoreError, match="is there already"):
        export_record(store, match_id, target, open_hands=True)
    assert target.read_text(encoding="utf-8") == "mine"
    assert not list(tmp_path.glob(".mine*"))


def test_an_export_that_fails_leaves_nothing_behind(
    store: Store, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = import_record(store, record)
    folder = tmp_path / "out"
    folder.mkdir()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        export_record(store, taken.id, folder / "record", open_hands=True)
    assert list(folder.iterdir()) == []
    with pytest.raises(NoSuchMatch):
        export_record(store, "no-such", folder / "record")


def test_the_same_record_is_one_match(store: Store, record: Path, tmp_path: Path) -> None:
    first = import_record(store, record)
    again = import_record(store, record)
    assert (first.known, again.known, again.id) == (False, True, first.id)
    bare_copy, older = tmp_path / "bare", tmp_path / "older"
    bare_copy.write_text(
        "".join(json.dumps(unsealed(json.loads(line))) + "\n" for line in record.read_text().splitlines())
    )
    older.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:40]))
    for file in (bare_copy, older):
        assert import_record(store, file).known
    assert [one.id for one in store.lists().unfinished] == [first.id]
    with store.resume(first.id) as live:
        play(live.table, 8)
    assert import_record(store, record).known


def test_a_match_that_goes_on_is_exported_only_where_that_is_said(store: Store, record: Path, tmp_path: Path) -> None:
    taken = import_record(store, record)
    with pytest.raises(GoesOn, match="shows everybody's cards"):
        export_record(store, taken.id, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with store.resume(taken.id) as live:
        play(live.table)
    assert export_record(store, taken.id, tmp_path / "out") > taken.lines


def test_a_record_put_into_the_folder_is_in_the_list(store: Store, record: Path, home: Path) -> None:
    (home / "matches" / "from Ann.jsonl").write_bytes(record.read_bytes())
    (home / "matches" / "copy.jsonl").write_bytes(record.read_bytes())
    (home / "matches" / "notes.txt").write_text("mine")
    (home / "matches" / "shopping.jsonl").write_text("milk\n")
    os.mkfifo(home / "matches" / "pipe.jsonl")
    (summary,) = store.lists().unfinished
    assert summary.id == "copy"
    pipe, notice = store.take_notices()
    assert pipe == "pipe.jsonl: it is a device, a pipe or a socket, not a file. It is left out of the list."
    assert notice.startswith("shopping.jsonl:1: is not a record: ")
    assert notice.endswith(". It is left out of the list.")
    (home / "matches" / "copy.jsonl").unlink()
    (summary,) = store.lists().unfinished
    with store.resume(summary.id) as live:
        play(live.table)
    assert [one.id for one in store.lists().finished] == ["from Ann"]
    assert sorted(path.name for path in (home / "matches").glob("*.*")) == [
        "from Ann.jsonl", "notes.txt", "pipe.jsonl", "shopping.jsonl",
    ]  # fmt: skip


def test_a_record_without_check_values_can_be_played_on_in_the_folder(store: Store, record: Path, home: Path) -> None:
    path = home / "matches" / "by hand.jsonl"
    lines = [dump(unsealed(json.loads(line))) for line in record.read_text().splitlines()]
    path.write_text("\n".join(lines))
    with store.resume("by hand") as live:
        play(live.table, 5)
    verdict = verify(str(path))
    assert (verdict.ok, verdict.cut_off) == (True, False)
    assert verdict.lines > len(lines)
    assert '"check": ' in path.read_text().splitlines()[-1]


HOMES: Final = Path(__file__).parent / "homes"
TOTALS: Final = {"Ada": 212, "Bea": 118, "Cy": 221}


@pytest.fixture(params=sorted(path.name for path in HOMES.iterdir()))
def taken(request: pytest.FixtureRequest, home: Path) -> Path:
    """A copy of that home, which may be written even where the checkout may not."""
    shutil.copytree(HOMES / request.param, home, copy_function=shutil.copyfile, dirs_exist_ok=True)
    return home


def test_settings_of_an_earlier_version_hold_and_matches_are_listed_and_played_to_their_end(taken: Path) -> None:
    file = SettingsFile.load()
    assert (file.problems, file.settings.four_colour, file.settings.ai_speed) == ((), True, "instant")
    with Store.open() as store:
        (unfinished,), (finished,), _ = store.lists()
        assert dict(zip((seat.name for seat in finished.seats), finished.totals, strict=True)) == TOTALS
        assert unfinished.totals == (68, 0, 76)
        store.take_notices()
    for record in (taken / "matches").glob("*.jsonl"):
        assert verify(str(record)).failure is None
    with Store.open() as store:
        with store.resume(unfinished.id) as live:
            assert len(live.lines) >= 100
            play(live.table)
            assert live.save()
        assert {one.id for one in store.lists().finished} == {unfinished.id, finished.id}
        assert store.take_notices() == []
    assert verify(str(taken / "matches" / f"{unfinished.id}.jsonl")).ok


@pytest.mark.parametrize("taken", ["0.2.0"], indirect=True)
def test_an_older_program_says_what_a_newer_one_has_written_and_leaves_it(taken: Path) -> None:
    newer = min((taken / "matches").glob("*.jsonl"))
    newer.write_bytes(newer.read_bytes().replace(b'{"kalooki": 1,', b'{"kalooki": 2,', 1))
    (taken / "progress.json").write_text('{"version": 99, "planets": 9}\n', encoding="utf-8")
    (taken / "settings.toml").write_text("four_colour = true\nplanets = 9\n", encoding="utf-8")
    with closing(sqlite3.connect(taken / "index.db")) as index:
        index.execute("PRAGMA user_version = 99")
    content = {path: path.read_bytes() for path in (newer, taken / "progress.json", taken / "settings.toml")}
    with Store.open() as store:
        assert len(store.summaries()) == 1
        assert any(newer.name in told and "update kalooki" in told for told in store.take_notices())
    assert "was written by a newer version of the program" in str(ProgressFile.load().problem)
    settings = SettingsFile.load()
    assert settings.settings.four_colour
    assert "unknown key 'planets'" in str(settings.problems[0])
    assert {path: path.read_bytes() for path in content} == content
