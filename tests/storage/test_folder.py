import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.records.lines import CheckChain, unsealed
from kalooki_tui.records.playback import verify
from kalooki_tui.records.writer import dump
from kalooki_tui.storage import folder as folder_of_matches
from kalooki_tui.storage.files import NoSuchMatch, StoreError
from kalooki_tui.storage.match_store import Store, open_store
from kalooki_tui.storage.scan import Scan, scan_file
from tests.commands import Golden, Run
from tests.storage.tables import SEATS, open_table, play
from tests.storage.test_faults import file_of, saved_match, unprivileged

BABY = Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl"
LONG = "é" * 122 + "_____.jsonl"
"""As long as a name can be: 255 bytes."""


def bind(path: Path) -> None:
    """A socket at that place, whose path may be longer than one may be called by."""
    here = Path.cwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(here)


def in_bytes(name: bytes) -> Callable[[Path], None]:
    def make(match: Path) -> None:
        (Path(os.fsdecode(os.fsencode(match.parent) + b"/" + name))).write_bytes(match.read_bytes())

    return make


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "a name that is not UTF-8": (in_bytes(b"caf\xe9.jsonl"), "caf\\udce9.jsonl: its name is not UTF-8 text"),
    "a link to itself": (lambda match: match.with_name("loop.jsonl").symlink_to("loop.jsonl"), "symbolic links"),
    "a link to nothing": (lambda match: match.with_name("gone.jsonl").symlink_to("nothing"), "leads to nothing"),
    "a folder": (lambda match: match.with_name("folder.jsonl").mkdir(), "folder.jsonl: it is a folder"),
    "a pipe": (lambda match: os.mkfifo(match.with_name("pipe.jsonl")), "pipe.jsonl: it is a device, a pipe"),
    "a socket": (lambda match: bind(match.with_name("socket.jsonl")), "socket.jsonl: it is a device, a pipe"),
    "no record": (lambda match: match.with_name("a\x1b[2J\nb.jsonl").write_text("x\n"), "a\\x1b[2J\\nb.jsonl:1: is"),
}  # fmt: skip


def test_what_is_no_match_is_told_of_and_takes_no_other_with_it(home: Path, run: Run) -> None:
    match_id, _ = saved_match(steps=None)
    for make, _ in ODD.values():
        make(file_of(home, match_id))
    code, out, err = run("matches")
    assert (code, match_id[-8:] in out) == (0, True)
    assert [odd for odd, (_, told) in ODD.items() if told not in err] == []
    assert all(line.isprintable() for line in err.splitlines())


def test_a_file_that_may_not_be_read_is_told_of_and_takes_no_other_with_it(open_home: Path) -> None:
    match_id, _ = saved_match()
    closed, _ = saved_match(3)
    with Store.open() as store:
        assert len(store.summaries()) == 2
    file_of(open_home, closed).chmod(0)
    with unprivileged(), open_store() as store:
        assert [one.id for one in store.summaries()] == [match_id]
        assert f"{closed}.jsonl cannot be read: Permission denied. It is left out of the list." in store.take_notices()


def test_a_name_as_long_as_can_be_is_a_name(home: Path, tmp_path: Path, run: Run) -> None:
    match_id, _ = saved_match()
    file_of(home, match_id).rename(home / "matches" / LONG)
    code, _, err = run("export", "--open", LONG.removesuffix(".jsonl"), str(tmp_path / LONG))
    assert (code, err) == (0, "")
    with Store.open() as store, store.resume(LONG.removesuffix(".jsonl")) as live:
        play(live.table, 3)
        assert live.trouble is None


def test_nothing_waits_for_a_pipe_that_comes_into_the_place_of_a_match(home: Path) -> None:
    match_id, _ = saved_match()
    with Store.open() as store:
        assert len(store.summaries()) == 1
        file_of(home, match_id).unlink()
        os.mkfifo(file_of(home, match_id))
        with pytest.raises(StoreError, match="is a device, a pipe or a socket"):
            scan_file(file_of(home, match_id))
        with pytest.raises(NoSuchMatch):
            store.resume(match_id)


def test_files_that_another_program_removes_meanwhile_take_no_other_with_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staying, _ = saved_match()
    with Store.open() as store:
        assert len(store.summaries()) == 1
    (leaving, _), (read, _) = saved_match(3), saved_match(4)
    see = folder_of_matches.see_that_it_is_a_file

    def listed(found: os.stat_result) -> None:
        # As soon as the first entry is looked at, the other one is gone.
        file_of(home, leaving).unlink(missing_ok=True)
        see(found)

    def removed(path: Path) -> Scan:
        file_of(home, read).unlink()
        return scan_file(path)

    monkeypatch.setattr(folder_of_matches, "see_that_it_is_a_file", listed)
    monkeypatch.setattr(folder_of_matches, "scan_file", removed)
    entries = sorted(os.scandir(home / "matches"), key=lambda entry: entry.name == f"{leaving}.jsonl")
    monkeypatch.setattr(os, "scandir", lambda _: nullcontext(iter(entries)))
    with Store.open() as store:
        assert [one.id for one in store.summaries()] == [staying]
        assert store.take_notices() == []
        assert [*store.index.known()] == [f"{staying}.jsonl"]


@pytest.mark.parametrize("seconds", [99_990_000_000, -99_990_000_000])
def test_a_clock_gone_astray_costs_no_match(
    store: Store, monkeypatch: pytest.MonkeyPatch, run: Run, seconds: int
) -> None:
    match_id, _ = saved_match()
    found = os.stat_result([0o100644, *[0] * 5, 9, *[seconds] * 3, *[float(seconds)] * 3, *[seconds * 10**9] * 3])
    monkeypatch.setattr(folder_of_matches, "_stamp", partial(lambda stamp, _: stamp(found), folder_of_matches._stamp))
    code, out, err = run("matches")
    assert (code, match_id[-8:] in out, err) == (0, True, "")
    assert len(store.index.known()) == 1


@pytest.mark.parametrize("damaged", [b"", bytes(9), b"\xff\xfe\n", None])
def test_a_damaged_name_of_a_home_is_kept_and_a_new_one_made(home: Path, damaged: bytes | None) -> None:
    saved_match()
    file = home / "matches" / "home"
    file.unlink()
    if damaged is None:
        file.mkdir()
    else:
        file.write_bytes(damaged)
    with Store.open() as store:
        assert len(store.summaries()) == 1
    name = file.read_text()
    with Store.open() as store:
        assert (store.folder.home, store.take_notices()) == (name.strip(), [])
    (aside,) = file.parent.glob("home.damaged-*")
    assert aside.is_dir() if damaged is None else aside.read_bytes() == damaged


@pytest.mark.parametrize("steps", [40, None])
def test_empty_lines_at_the_end_are_no_damage_and_what_else_follows_is_dropped_and_told_of(
    home: Path, run: Run, steps: int | None
) -> None:
    match_id, _ = saved_match(steps=steps)
    file = file_of(home, match_id)
    first = file.read_bytes()
    for tail in (b"\n", b"\n\n", b"\r\n \n", b" "):
        file.write_bytes(first + tail)
        with Store.open() as store:
            assert [(one.id, one.finished, one.damage) for one in store.summaries()] == [
                (match_id, steps is None, "")
            ], tail
            with store.resume(match_id) as live:
                play(live.table, 3)
            assert store.take_notices() == []
        assert file.read_bytes().startswith(first)
        assert verify(str(file)).ok
    file.write_bytes(first + bytes(100))
    code, out, err = run("matches")
    assert (code, match_id[-8:] in out) == (0, True)
    assert err == f"{file.name} ends within line {len(first.splitlines()) + 1}, which is left out.\n"
    file.write_bytes(first.replace(b"\n", b"\n\n", 1))
    with Store.open() as store:
        assert store.lists().damaged[0].damage.startswith(f"{file.name}:2: ")


def sealed_record(size: int, **head: object) -> list[str]:
    """The first lines of a record, as they are kept here."""
    first, *others = [unsealed(json.loads(line)) for line in BABY.read_text(encoding="utf-8").splitlines()]
    chain = CheckChain()
    return [f"{chain.seal(dump(line))}\n" for line in (first | head, *others[: size - 1])]


def looked_into(store: Store) -> Iterator[str]:
    for summary, found in store.scanned():
        about = f"deal {summary.deal} of {summary.deals}, {found.lines} lines, finished {summary.finished}"
        yield f"  {summary.id}: {about}, imported {summary.imported}, teaching {summary.teaching}, {summary.damage}"
    lists = store.lists()
    yield f"  {len(lists.unfinished)} unfinished, {len(lists.finished)} finished, {len(lists.damaged)} damaged"
    yield from (f"  ! {notice}" for notice in store.take_notices())


def test_what_becomes_of_files_of_all_sorts(golden: Golden, home: Path) -> None:
    half, whole, ours = sealed_record(60), sealed_record(1000), "2026-01-01-baby-0000000"
    files = {
        f"{ours}1": half, f"{ours}2": half, f"{ours}3": [*half[:9], half[9].replace("o", "0"), *half[10:]],
        f"{ours}4": ["\0" * 40, *half[1:]], f"{ours}5": [*half[:20], half[20][:-9]], f"{ours}6": [*whole[:30], "\n \n"],
        f"{ours}7": whole, f"{ours}8": sealed_record(9, teaching=True, home="0000abcd"), f"{ours}9": [half[0]],
        "by hand": [*half[:5], half[6]], "shopping": ["milk\n"], "newer": ['{"kalooki": 9}\n'], "empty": [],
        "1.damaged-before": sealed_record(50), "elsewhere": sealed_record(40, home="12345678", options=None),
        "seats": sealed_record(8, seats=[{"name": "Ada"}, {"name": "Bea", "player": "exec:rm"}, {"name": "Cy"}]),
    }  # fmt: skip
    (home / "matches").mkdir()
    (home / "matches" / "home").write_text("0000abcd\n")
    for number, (name, lines) in enumerate(files.items()):
        path = home / "matches" / f"{name}.jsonl"
        path.write_text("".join(lines), encoding="utf-8")
        os.utime(path, (1_700_000_000 + number,) * 2)
    told = ["at first:"]
    with Store.open() as store:
        told += looked_into(store)
    told.append("again:")
    with Store.open() as store:
        told += looked_into(store)
        for asked in (
            "",
            "2026",
            "00000001",
            "0000",
            f"{ours}7",
            "by hand",
            "by",
            "shopping",
            "newer",
            "00000003",
            "seats",
        ):
            try:
                with store.resume(asked) as live:
                    plans = ", ".join(f"{plan.name} {plan.player}" for plan in live.table.plans)
                    told.append(f"{asked}: {live.id}, {live.table.match.actor} in {plans}, {len(live.lines)} lines")
            except StoreError as error:
                told.append(f"{asked}: {type(error).__name__} {error}")
        store.forget("00000007")
        told += ["at last:", *looked_into(store)]
    (home / "index.db").write_bytes(b"no index")
    with Store.open() as store:
        told += ["without an index:", *looked_into(store)]
    told += sorted(path.name for path in (home / "matches").iterdir())
    golden("folder", re.sub(r"damaged-\d{8}-\d{6}", "damaged-then", "\n".join(told)))


@pytest.mark.parametrize("name", ["Ann", "Zoë"])
def test_a_record_without_check_values_reads_like_the_same_with_them(home: Path, name: str) -> None:
    with Store.open() as store, store.begin(open_table(seats=(SeatPlan(name), *SEATS[1:]))) as live:
        play(live.table)
    file = file_of(home, live.id)
    sealed = scan_file(file)
    lines = [unsealed(json.loads(line)) for line in file.read_text().splitlines()]
    file.write_text("".join(f"{dump(line)}\n" for line in lines))
    bare = scan_file(file)
    assert (bare.sealed, bare.size, bare.lines) == (False, file.stat().st_size, len(lines))
    assert bare == replace(sealed, sealed=False, size=bare.size)
    file.write_text(file.read_text().replace("draw stock", 'draw stock", "do": "pass', 1))
    assert "the key 'do' is here twice" in scan_file(file).problem
    file.write_text("".join(f"{dump(line)}\n" for line in [*lines[:19], {"undone": 900}, *lines[20:]]))
    assert (scan_file(file).problem, scan_file(file).lines) == (f"{file.name}:20: does not follow", 19)
