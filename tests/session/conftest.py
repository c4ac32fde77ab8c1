"""What every test of the state has: a home of its own, and windows for calls that do not last."""

from __future__ import annotations

from pathlib import Path

import pytest

from kalooki_tui.session import match_session as session_module
from kalooki_tui.session import turn_loop


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    monkeypatch.setattr(turn_loop, "WINDOW", 0.0)
    monkeypatch.setattr(session_module, "RELOAD", 0.0)
    return tmp_path
