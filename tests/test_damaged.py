import json
import os
import random
import re
import resource
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import kalooki_tui as kalooki
from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.live_match import Table, record
from kalooki_tui.positions.staging import check_files
from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.playback import RecordState, verify_files
from kalooki_tui.records.writer import dump
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.kept import HostedFile, Reviewed, ReviewedDeal, ReviewedFile
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics
from kalooki_tui.storage.player.progress_file import ProgressFile, PuzzleFile, Solved
from kalooki_tui.storage.player.settings_file import PlayerSettings, SettingsFile
from tests.commands import Run
from tests.storage.tables import open_table, play

MIDDLE: Final = 20
"""The line that is damaged; a draw from the stock in the first deal."""
HUGE: Final = 50_000_000
DEEP: Final = 100_000


class Damage(NamedTuple):
    """What was done to a record, and what has become of it."""

    name: str
    make: Callable[[Path], object]
    """Writes the damaged file."""
    state: RecordState
    line: int = 0
    """The line that a sentence must name; 0: none."""


@cache
def whole(*, sealed: bool = True, seed: int = 4) -> tuple[str, ...]:
    lines: list[str] = []
    table = Table.open(text_setup("baby", ["Zoë=ai:club", "Bob=ai:club", "Cat=ai:club"], seed, ["deals=1"]))
    record(table, lines.append)
    play_match(table)
    return tuple(lines if sealed else (dump(unsealed(json.loads(line))) for line in lines))


def text(lines: tuple[str, ...] | list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _bytes(name: str, content: Callable[[], bytes], state: RecordState, line: int = 0) -> Damage:
    return Damage(name, lambda path: path.write_bytes(content()), state, line)


def _changed(name: str, change: Callable[[list[str]], object], line: int, *, sealed: bool = True) -> Damage:
    """Lines that were changed: they were lines of a record, and do not follow."""

    def content() -> bytes:
        lines = [*whole(sealed=sealed)]
        change(lines)
        return text(lines)

    return _bytes(name, content, RecordState.EDITED, line)


def _edit(pattern: str, new: str, number: int) -> Callable[[list[str]], object]:
    def change(lines: list[str]) -> None:
        before = lines[number - 1]
        lines[number - 1] = re.sub(pattern, new, before, count=1)
        assert lines[number - 1] != before

    return change


def _swap(lines: list[str]) -> None:
    lines[MIDDLE - 1], lines[MIDDLE] = lines[MIDDLE], lines[MIDDLE - 1]


def _head(**keys: Any) -> Callable[[], bytes]:
    def content() -> bytes:
        first, *others = whole(sealed=False)
        return text([json.dumps({**json.loads(first), **keys}), *others])

    return content


def _line(new: str) -> Callable[[], bytes]:
    def content() -> bytes:
        lines = [*whole(sealed=False)]
        lines[MIDDLE - 1] = new
        return text(lines)

    return content


def _within_a_letter() -> bytes:
    content = text(whole())
    return content[: content.rindex("ë".encode()) + 1]


def _huge(name: str, start: Callable[[], bytes], line: int) -> Damage:
    """A last line of so many bytes; most of them take no room on the disk."""

    def make(path: Path) -> None:
        path.write_bytes(start() + b"{")
        os.truncate(path, HUGE)

    return Damage(name, make, RecordState.NO_RECORD, line)


def _deep(depth: int) -> str:
    return "[" * depth + "]" * depth


DAMAGES: Final = (
    _changed("changed card", _edit('"got": "QD"', '"got": "2C"', MIDDLE), MIDDLE, sealed=False),
    _changed("changed card under a check value", _edit('"got": "QD"', '"got": "2C"', MIDDLE), MIDDLE),
    _changed("changed number of a line", _edit(r'"n": \d+', '"n": 900', MIDDLE), MIDDLE),
    _changed("changed points", _edit(r'"totals": \{"Zoë": ', '"totals": {"Zoë": 7', len(whole())), len(whole())),
    _changed("a line lost", lambda lines: lines.pop(MIDDLE - 1), MIDDLE),
    _changed("a line lost, without check values", lambda lines: lines.pop(MIDDLE - 1), MIDDLE, sealed=False),
    _changed("two lines swapped", _swap, MIDDLE),
    _changed("a line doubled", lambda lines: lines.insert(MIDDLE, lines[MIDDLE - 1]), MIDDLE + 1),
    _changed("a line that undoes too much", lambda lines: lines.insert(MIDDLE, '{"undone": 900}'), 21, sealed=False),
    _bytes("cut between two lines", lambda: text(whole()[:-1]), RecordState.CUT_SHORT),
    _bytes("cut within a line", lambda: text(whole())[:-40], RecordState.CUT_SHORT),
    _bytes("cut within a letter", _within_a_letter, RecordState.CUT_SHORT),
    _bytes("null characters at the end", lambda: text(whole()) + bytes(4096), RecordState.CUT_SHORT),
    _changed("null characters within", _edit(r'"do"', "\0\0\0\0", MIDDLE), MIDDLE),
    _bytes("null characters alone", lambda: bytes(4096), RecordState.NO_RECORD, 1),
    _bytes("not UTF-8 within", lambda: text(whole()).replace("ë".encode(), b"\xeb"), RecordState.NO_RECORD, 1),
    _bytes("UTF-16", lambda: text(whole()).decode().encode("utf-16"), RecordState.NO_RECORD, 1),
    _bytes("a name that commands the terminal", _head(seats=[{"name": "\x1b[2J"}] * 3), RecordState.NO_RECORD, 1),
    _bytes("half a pair of surrogates", _head(seats=[{"name": name} for name in "A\ud800"]), RecordState.NO_RECORD, 1),
    _huge("a first line of 50 MB", lambda: b"", 1),
    _huge("a last line of 50 MB", lambda: text(whole(sealed=False)), len(whole()) + 1),
    _bytes("empty", lambda: b"", RecordState.NO_RECORD),
    _bytes("an empty line", _line(""), RecordState.NO_RECORD, MIDDLE),
    Damage("a folder", lambda path: path.mkdir(), RecordState.NO_RECORD),
    Damage("a pipe", os.mkfifo, RecordState.NO_RECORD),
    _bytes("a list", _line("[1, 2]"), RecordState.NO_RECORD, MIDDLE),
    _bytes("a number", _line("7"), RecordState.NO_RECORD, MIDDLE),
    _bytes("a number of many digits", _line('{"undone": ' + "9" * 5000 + "}"), RecordState.NO_RECORD, MIDDLE),
    _bytes("no key that it could have", _line('{"x": 1}'), RecordState.NO_RECORD, MIDDLE),
    _bytes("an action that is a list", _line('{"do": []}'), RecordState.NO_RECORD, MIDDLE),
    _bytes("commands for the terminal", _line('{"do": "Bob: \\u001b[2J\\u202e"}'), RecordState.NO_RECORD, MIDDLE),
    _bytes("lists nested 100,000 deep", _line(_deep(DEEP)), RecordState.NO_RECORD, MIDDLE),
    _bytes("an action nested 900 deep", _line(f'{{"do": {_deep(900)}}}'), RecordState.NO_RECORD, MIDDLE),
    _bytes("a first line that is a list", lambda: b"[]\n", RecordState.NO_RECORD, 1),
    _bytes("seats that are a number", _head(seats=7), RecordState.NO_RECORD, 1),
    _bytes("seats nested 900 deep", _head(seats=json.loads(_deep(900))), RecordState.NO_RECORD, 1),
    _bytes("rules that are a list", _head(rules=[]), RecordState.NO_RECORD, 1),
    _bytes("rules nested 900 deep", _head(rules=json.loads(_deep(900))), RecordState.NO_RECORD, 1),
    _bytes("settings nested 900 deep", _head(settings={"x": json.loads(_deep(900))}), RecordState.NO_RECORD, 1),
    _bytes("another format", _head(kalooki=99), RecordState.NO_RECORD, 1),
    _bytes("a position, not a record", lambda: b"ruleset: baby\ndeal: 1\n", RecordState.NO_RECORD, 1),
)  # fmt: skip
"""Each a way in which a file is no whole record."""


damages = pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)

#: The exit codes of commands for a record that was changed, was cut short, is none.
COMMANDS = {
    ("replay",): (1, 0, 2),
    ("replay", "--json"): (1, 0, 2),
    ("replay", "--open"): (1, 0, 2),
    ("verify",): (1, 1, 2),
    ("review", "--worlds", "0"): (2, 0, 2),
    ("review", "--worlds", "0", "--json"): (2, 0, 2),
    ("import",): (2, 0, 2),
    ("import", "--json"): (2, 0, 2),
}
STATES = (RecordState.EDITED, RecordState.CUT_SHORT, RecordState.NO_RECORD)
MOST_MEMORY = 40_000
"""Kilobytes more than before that reading any file may take."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KALOOKI_DEBUG", "1")
    return tmp_path / "home"


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def see_that_it_may_be_shown(told: str) -> None:
    """Nothing in it steers a terminal, nor is it a traceback."""
    assert "Traceback" not in told
    assert all(line.isprintable() for line in told.split("\n"))


def place(path: Path, damage: Damage) -> str:
    return f"{path}:{damage.line}: " if damage.line else f"{path}: "


@damages
def test_every_command_and_call_says_what_is_wrong_with_a_file(damage: Damage, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "record"
    damage.make(path)
    before = memory()
    for command, codes in COMMANDS.items():
        code, out, err = run(*command, path)
        assert code == codes[STATES.index(damage.state)], command
        see_that_it_may_be_shown(out + err)
        assert place(path, damage) in out + err or damage.state is RecordState.CUT_SHORT, command
    code, out, _ = run("verify", "--json", path)
    (found,) = json.loads(out)["files"]
    assert (code, found["state"]) == ((2, 1)[damage.state is not RecordState.NO_RECORD], damage.state)
    told = f"{found['file']}:{found['line']}: " if "line" in found else found.get("error", place(path, damage))
    assert told.startswith(place(path, damage))
    if damage.state is RecordState.CUT_SHORT:
        assert kalooki.read_record(path).names == ("Zoë", "Bob", "Cat")
    else:
        for source in (path, str(path)):
            with pytest.raises(ValueError, match=f"^{re.escape(place(path, damage))}") as caught:
                kalooki.read_record(source)
            see_that_it_may_be_shown(str(caught.value))
    assert memory() - before < MOST_MEMORY


@pytest.mark.sweep(6)
@damages
def test_a_damaged_match_among_the_saved_ones_harms_no_other(
    damage: Damage, home: Path, tmp_path: Path, run: Run
) -> None:
    Store.open(home).close()
    (home / "matches" / "good.jsonl").write_bytes(text(whole(seed=5)))
    damage.make(home / "matches" / "bad.jsonl")
    before = memory()
    code, out, err = run("matches")
    assert code == 0
    assert "good" in out
    see_that_it_may_be_shown(out + err)
    for command, codes in (
        (("matches", "--json"), (0,)),
        (("stats",), (0,)),
        (("stats", "--json"), (0,)),
        (("export", "good", tmp_path / "good"), (0,)),
        (("export", "bad", tmp_path / "bad", "--open"), (0, 2)),
        (("review", "bad", "--worlds", "0"), (0, 2)),
    ):
        code, out, err = run(*command)
        assert code in codes, command
        see_that_it_may_be_shown(out + err)
    assert memory() - before < MOST_MEMORY
    assert (tmp_path / "good").read_bytes() == text(whole(seed=5))


# Damage by chance

BLOCK: Final = 512


def damaged(content: bytes, dice: random.Random) -> bytes:
    """The content with a bit flipped, a piece lost, doubled, moved or zeroed."""
    start = dice.randrange(len(content))
    end = dice.choice([start + 1, start + dice.randrange(1, BLOCK), len(content)])
    before, piece, after = content[:start], content[start:end], content[end:]
    flipped = bytes([piece[0] ^ 1 << dice.randrange(8)]) + piece[1:]
    return dice.choice([
        before + flipped + after, before + after, before + piece + piece + after, after + before + piece,
        before + bytes(len(piece)) + after,
    ])  # fmt: skip


def _settings(path: Path) -> list[object]:
    return [*SettingsFile.load(path).problems]


def _position(path: Path) -> list[object]:
    return [str(result) for result in check_files([path])]


#: Small files: what is in them, and what somebody who reads them is told.
READERS: Final[dict[str, tuple[Callable[[Path], object], Callable[[Path], list[object]]]]] = {
    "settings.toml": (lambda path: SettingsFile(path).save(PlayerSettings(names=["Zoë"])), _settings),
    "progress.json": (
        lambda path: path.write_text('{"version": 1, "skills": {"a": {"box": 1, "last": "2026-11-22"}}}'),
        lambda path: [ProgressFile.load(path).problem],
    ),
    "puzzles.json": (
        lambda path: PuzzleFile(path).save(Solved().noted("out", 1500, right=True)),
        lambda path: [PuzzleFile.load(path).problem],
    ),
    "reviews.json": (
        lambda path: ReviewedFile(path).save(Reviewed((ReviewedDeal("abc", "Game 1 of 9", "Zoë", 1.5, 20),))),
        lambda path: [ReviewedFile.load(path).problem],
    ),
    "hosted.json": (
        lambda path: HostedFile(path).save(HostedFile.kind()),
        lambda path: [HostedFile.load(path).problem],
    ),
    "position.yaml": (lambda path: shutil.copy(EXAMPLES / "position.yaml", path), _position),
}


@pytest.mark.parametrize("name", READERS)
def test_a_small_file_is_read_or_told_of_in_a_sentence(name: str, tmp_path: Path) -> None:
    (make, read), path, dice = READERS[name], tmp_path / name, random.Random(name)
    make(path)
    whole_content = path.read_bytes()
    for _ in range(30):
        content = damaged(whole_content, dice)
        path.write_bytes(content)
        for told in filter(None, read(path)):
            see_that_it_may_be_shown(str(told))
            assert str(told).startswith(str(path))
        assert path.read_bytes() == content, "nothing is touched by looking"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with three matches that are over and two that go on."""
    folder = tmp_path_factory.mktemp("good")
    with Store.open(folder) as store:
        for seed, steps in enumerate((None, None, None, 150, 40)):
            with store.begin(open_table(seed=seed)) as live:
                play(live.table, steps)
        statistics(store)
    return folder


def standing(home: Path) -> dict[str, object]:
    """Each match that can be read, as the list and the record tell of it."""
    with Store.open(home) as store:
        return {
            one.id: (one.finished, one.totals, one.deal, one.winners, [*store.lines(one.id)], store.scan(one.id).facts)
            for one in store.summaries()
        }


@pytest.fixture
def copy(good: Path, home: Path) -> Path:
    return Path(shutil.copytree(good, home))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(14))
def test_no_damage_passes_as_whole_or_touches_another_match(seed: int, copy: Path) -> None:
    before, dice = standing(copy), random.Random(seed)
    file = dice.choice(sorted((copy / "matches").glob("*.jsonl")))
    content = changed = file.read_bytes()
    while changed.rstrip(b"\n") == content.rstrip(b"\n"):
        changed = damaged(content, dice)
    file.write_bytes(changed)
    (verdict,) = verify_files([str(file)])
    assert verdict.state is not RecordState.WHOLE
    after = standing(copy)
    assert after.get(file.stem) != before.pop(file.stem), "it is not listed as before"
    assert {name: after.get(name) for name in before} == before
    with Store.open(copy) as store:
        statistics(store)
        for one in (match for matches in store.lists() for match in matches):
            try:
                store.resume(one.id).close()
            except StoreError as error:
                see_that_it_may_be_shown(str(error))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_index_costs_no_match(seed: int, copy: Path) -> None:
    before, index = standing(copy), copy / "index.db"
    index.write_bytes(damaged(index.read_bytes(), random.Random(seed)))
    assert standing(copy).keys() == before.keys()
