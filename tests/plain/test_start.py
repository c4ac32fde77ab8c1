"""Where nothing can be saved, `kalooki play --plain` plays all the same and says so."""

from __future__ import annotations

import errno
import os
from io import StringIO
from pathlib import Path

import pytest

from kalooki_tui.plain.start import play_plain
from kalooki_tui.plain.terminal import Lines
from kalooki_tui.store import match_file
from kalooki_tui.store.player import settings


def leave_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is told to somebody who begins a match and leaves it, as nothing more is typed."""
    monkeypatch.setenv("KALOOKI_HOME", str(home))
    screen = StringIO()
    play_plain(Lines(StringIO(""), screen, width=200), ruleset="baby", seats=(), seed=3, options=())
    told = " ".join(screen.getvalue().split())
    assert "Baby Kalooki. You" in told
    assert "Ada calls 3S." in told
    return told


def test_what_can_be_saved_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = leave_at_once(tmp_path, monkeypatch)
    assert told.endswith("The match is saved. To continue it, run kalooki.")
    assert "cannot" not in told


def test_a_home_that_cannot_be_used_is_said_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    told = leave_at_once(tmp_path / "file" / "home", monkeypatch)
    assert told.startswith("Nothing you play now will be saved: ")
    assert told.index("will be saved") < told.index("Baby Kalooki. You")
    assert told.endswith("Goodbye.")


def test_settings_that_cannot_be_written_are_no_reason_not_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(settings, "write_whole", write)
    told = leave_at_once(tmp_path, monkeypatch)
    # A path may be longer than a line.
    said = f"The settings cannot be saved: {tmp_path / 'settings.toml'}: Read-only file system."
    assert said.replace(" ", "") in told.replace(" ", "")
    assert told.endswith("The match is saved. To continue it, run kalooki.")


def test_a_full_disk_is_no_reason_not_to_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(match_file.os, "write", write)
    told = leave_at_once(tmp_path, monkeypatch)
    assert "No space left on device" in told
    assert "You can play on." in told
    assert told.endswith("Goodbye.")
