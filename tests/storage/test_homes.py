import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.records.playback import verify
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.player.progress_file import ProgressFile
from kalooki_tui.storage.player.settings_file import SettingsFile
from tests.storage.tables import play

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
