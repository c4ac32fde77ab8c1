"""Homes as earlier versions left them are used as they are; of a newer one an older program says so.

`homes/` has one for each form that there has been: a finished match, an unfinished one and settings, written by the
version that the folder is named after.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.records.verifying import verify
from kalooki_tui.store.matches import Store
from kalooki_tui.store.player.progress import ProgressFile
from kalooki_tui.store.player.settings import SettingsFile
from tests.store.tables import play

HOMES: Final = Path(__file__).parent / "homes"
TOTALS: Final = {"Ada": 212, "Bea": 118, "Cy": 221}


def copy(name: str, home: Path) -> None:
    """A home's files, which may be written even where those of the checkout may not."""
    for path in sorted((HOMES / name).rglob("*")):
        target = home / path.relative_to(HOMES / name)
        if path.is_dir():
            target.mkdir()
        else:
            target.write_bytes(path.read_bytes())


@pytest.fixture(params=sorted(path.name for path in HOMES.iterdir()))
def taken(request: pytest.FixtureRequest, home: Path) -> Path:
    copy(request.param, home)
    return home


def test_matches_of_an_earlier_version_are_listed_and_whole(taken: Path) -> None:
    with Store.open() as store:
        (unfinished,), (finished,) = store.lists().unfinished, store.lists().finished
        assert dict(zip((seat.name for seat in finished.seats), finished.totals, strict=True)) == TOTALS
        assert unfinished.totals == (68, 0, 76)
        assert [one.damage for one in (unfinished, finished)] == ["", ""]
    for record in (taken / "matches").glob("*.jsonl"):
        assert verify(str(record)).failure is None


def test_a_match_of_an_earlier_version_is_played_to_its_end(taken: Path) -> None:
    with Store.open() as store:
        (unfinished,) = store.lists().unfinished
        with store.resume(unfinished.id) as live:
            assert len(live.lines) >= 100
            play(live.table)
            assert live.save()
        assert {one.id for one in store.lists().finished} >= {unfinished.id}
    assert verify(str(taken / "matches" / f"{unfinished.id}.jsonl")).ok


def test_its_settings_hold(taken: Path) -> None:
    file = SettingsFile.load()
    assert file.problems == ()
    assert (file.settings.four_colour, file.settings.ai_speed) == (True, "instant")


def test_opening_it_has_nothing_to_tell(taken: Path) -> None:
    with Store.open() as store:
        store.take_notices()
        ids = {one.id for one in store.summaries()}
    with Store.open() as store:
        assert {one.id for one in store.summaries()} == ids
        assert store.take_notices() == []


def test_an_older_program_says_what_a_newer_one_has_written_and_leaves_it(home: Path) -> None:
    copy("0.2.0", home)
    newer = min((home / "matches").glob("*.jsonl"))
    newer.write_bytes(newer.read_bytes().replace(b'{"kalooki": 1,', b'{"kalooki": 2,', 1))
    (home / "progress.json").write_text('{"version": 99, "planets": 9}\n', encoding="utf-8")
    (home / "settings.toml").write_text("four_colour = true\nplanets = 9\n", encoding="utf-8")
    with closing(sqlite3.connect(home / "index.db")) as index:
        index.execute("PRAGMA user_version = 99")
    content = {path: path.read_bytes() for path in (newer, home / "progress.json", home / "settings.toml")}
    with Store.open() as store:
        assert len(store.summaries()) == 1
        assert any(newer.name in told and "update kalooki" in told for told in store.take_notices())
    assert "was written by a newer version of the program" in str(ProgressFile.load().problem)
    settings = SettingsFile.load()
    assert settings.settings.four_colour
    assert "unknown key 'planets'" in str(settings.problems[0])
    assert {path: path.read_bytes() for path in content} == content
