from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of the game, so that a developer's own files are not seen."""
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    monkeypatch.delenv("KALOOKI_DEBUG", raising=False)
    return tmp_path
