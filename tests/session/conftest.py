import pytest

from kalooki_tui.session import match_session as session_module
from kalooki_tui.session import turn_loop


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows for calls not last."""
    monkeypatch.setattr(turn_loop, "WINDOW", 0.0)
    monkeypatch.setattr(session_module, "RELOAD", 0.0)
