"""A home of its own, where the host key is kept and faults are written down; questions hear keys at once."""

from pathlib import Path

import pytest

from kalooki_tui.session import turn_loop
from kalooki_tui.tui.screens import question


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(turn_loop, "WINDOW", 0.0)
    return tmp_path
