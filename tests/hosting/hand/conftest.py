"""Windows that do not last, and questions that hear keys at once."""

from __future__ import annotations

import pytest

from kalooki_tui.desk.table import flow
from kalooki_tui.ui.screens import question


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for anybody's eyes."""
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(flow, "WINDOW", 0.0)
