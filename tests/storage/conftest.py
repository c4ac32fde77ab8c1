"""A home of the game of each test's own."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.storage.match_store import Store


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("KALOOKI_HOME", str(folder))
    return folder


@pytest.fixture
def open_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home that another user may come to."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("KALOOKI_HOME", folder)
        yield Path(folder)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open() as opened:
        yield opened
