"""Matches of every ruleset, begun by one to three people at one keyboard: keys alone, and the match goes on.

Whole matches: `make drive`.
"""

from __future__ import annotations

import pytest

from kalooki_tui.desk import flow
from kalooki_tui.desk.plan import Speed
from kalooki_tui.rulesets.loader import available
from scripts.drive import Drive, drives, play

RULESETS = [entry.id for entry in available() if entry.builtin]


def chosen() -> list[Drive]:
    """For each ruleset and number of people one way to play: referee, race, seats, cut and options go round."""
    found: list[Drive] = []
    for place, ruleset in enumerate(RULESETS):
        for people in (1, 2, 3):
            ways = list(drives([ruleset], [people], [place + people]))
            found += ways[(place + people) % len(ways) :][:1] if ways else []
    return found


@pytest.mark.parametrize("drive", chosen(), ids=str)
async def test_people_play_on_and_on(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(flow.SPEED_FACTOR, Speed.NATURAL, 0.01)
    result = await play(drive, most_steps=20, asides=0.1)
    assert result.wrong is None, result.wrong
    assert result.steps == 20 or result.finished


async def test_a_match_of_three_people_is_played_to_its_end() -> None:
    drive = next(drive for drive in drives(["baby"], [3], [1]) if not drive.race)
    result = await play(drive)
    assert result.wrong is None, result.wrong
    assert (result.finished, result.deals) == (True, 3)
    assert not result.why_not_done
