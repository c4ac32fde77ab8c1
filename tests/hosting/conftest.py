"""What every test of the doors needs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, where the host key is kept and faults are written down."""
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    return tmp_path
