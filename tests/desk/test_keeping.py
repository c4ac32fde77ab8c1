"""Matches and times in a few words."""

from __future__ import annotations

from datetime import datetime, timedelta

from kalooki_tui.desk.listing import when


def test_times_are_told_as_people_say_them() -> None:
    now = datetime(2026, 3, 4, 15, 0).astimezone()
    assert when(now.replace(hour=9), now) == "today 09:00"
    assert when(now - timedelta(days=1), now) == "yesterday 15:00"
    assert when(now - timedelta(days=40), now).startswith("2026-01-23")
