"""``kalooki host`` as it is typed: the plan of the match, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kalooki_tui.cli import host as cli_host
from kalooki_tui.cli import running
from kalooki_tui.cli.main import kalooki
from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.engine.rules import Referee


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[MatchPlan]:
    """The plans of tables that would be opened."""
    monkeypatch.setenv("KALOOKI_HOME", str(tmp_path))
    monkeypatch.setattr(cli_host, "has_screen", lambda: True)
    plans: list[MatchPlan] = []

    def run_app(way: object, make: Callable[[object], Any]) -> None:
        plans.append(make(way).lobby.plan)

    monkeypatch.setattr(running, "run_app", run_app)
    return plans


def test_an_evening_is_as_long_at_several_screens(opened: list[MatchPlan]) -> None:
    order = "host --seat Ann --seat Bob@ --seat ai:club --deals 1-2 --handicap Ann=-50 --referee penalties --minutes 30"
    result = CliRunner().invoke(kalooki, [*order.split(), "--clock", "20"])
    assert result.exit_code == 0, result.output
    (plan,) = opened
    assert plan.options == ("deals=1-2",)
    assert plan.settings == {"handicap": (-50, 0, 0)}
    assert (plan.referee, plan.minutes, plan.answer_seconds) == (Referee.PENALTIES, 30, 20)


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("--seat Ann --seat Bob --seat ai:club", "--seat NAME@"),
        ("--seat Ann --seat Bob@ --seat ai:club --handicap Zoe=5", "names no seat"),
        ("--table --seat Ann --seat Bob@ --seat ai:club", "nobody sits at this screen"),
        ("--no-ssh --no-web --seat Ann --seat Bob@ --seat ai:club", "no way in"),
    ],
    ids=["nobody elsewhere", "handicap of nobody", "table with a hand", "no door"],
)
def test_what_cannot_be_is_said_before_anything_opens(order: str, says: str, opened: list[MatchPlan]) -> None:
    result = CliRunner().invoke(kalooki, ["host", *order.split()])
    assert result.exit_code == 2
    assert says in result.output
    assert opened == []
