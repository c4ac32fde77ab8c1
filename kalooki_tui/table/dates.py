"""By what matches are known that several people play with the same cards; light enough for a list of matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

DAILY: Final = "daily"
#: The first day that has a deal.
FIRST_DAY: Final = date(2026, 1, 1)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def spoken(day: date) -> str:
    """``21 Nov 2026``, in any system language."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def daily_id(day: date) -> str:
    """By which matches of that date's deal are known."""
    return f"{DAILY} {day.isoformat()}"


def day_of(duplicate: Sequence[str]) -> date | None:
    """The date whose deal a match is; None: it is none's. `duplicate`: what its record says."""
    if not duplicate or not duplicate[0].startswith(f"{DAILY} "):
        return None
    try:
        return date.fromisoformat(duplicate[0].removeprefix(f"{DAILY} "))
    except ValueError:
        return None
