"""What every test of studying has: a home of its own, so that nobody's progress or puzzles are touched."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's folders, for this test alone."""
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    return tmp_path
