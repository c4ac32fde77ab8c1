"""Matches and times in a few words; what another match of the same plan has of its own."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from kalooki_tui.desk.listing import when
from kalooki_tui.desk.plan import MatchPlan
from kalooki_tui.table.seats import parse_seats


def test_times_are_told_as_people_say_them() -> None:
    now = datetime(2026, 3, 4, 15, 0).astimezone()
    assert when(now.replace(hour=9), now) == "today 09:00"
    assert when(now - timedelta(days=1), now) == "yesterday 15:00"
    assert when(now - timedelta(days=40), now).startswith("2026-01-23")


def test_each_match_of_a_plan_draws_its_first_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter(range(12))
    monkeypatch.setattr("kalooki_tui.desk.plan.secrets.randbelow", lambda limit: next(seeds))
    plan = MatchPlan(ruleset="baby", seats=parse_seats(["Ann", "ai:club", "ai:club"]))
    assert {plan.open().match.deal.dealer for _ in range(12)} == {0, 1, 2}
