import pytest

from kalooki_tui.session import turn_loop
from kalooki_tui.tui.screens import question


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let questions hear keys at once, and windows for calls not last."""
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(turn_loop, "WINDOW", 0.0)
