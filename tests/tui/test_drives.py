"""Matches of every ruleset, begun by one to three people at one keyboard: keys alone, and the match goes on.

Whole matches: `make drive`.
"""

import asyncio
import os
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kalooki_tui.rulesets.folders import available
from kalooki_tui.session import turn_loop
from kalooki_tui.session.plan import Speed
from kalooki_tui.storage.paths import LOG_NAME
from kalooki_tui.tui import routes
from tests.drivers.drive import Drive, drives, play
from tests.drivers.monkey import Tally, spell
from tests.tui.conftest import go, table_of, wait_until
from tests.tui.openings import alone, asked

RULESETS = [entry.id for entry in available() if entry.builtin]
_FIRST = [*drives(RULESETS, (1, 2, 3), [1])][: 3 * len(RULESETS) - 1]
#: Each ruleset once, with one, two or three people in turn: what differs between them (who is asked, covered, passed
#: to) is the same code in every game. Referee, race, seats, cut and options go round.
DRIVES = [
    of_game[number % len(of_game)]
    for number, ruleset in enumerate(RULESETS)
    for of_game in [[drive for drive in _FIRST if drive.ruleset == ruleset]]
]


@pytest.fixture
def drawn_when_read() -> None:
    """Draw every frame: what goes wrong in one is looked for here."""


@pytest.mark.sweep(2)
@pytest.mark.parametrize("drive", DRIVES, ids=str)
async def test_people_play_on_and_on(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(turn_loop.SPEED_FACTOR, Speed.NATURAL, 0.01)
    result = await play(drive, most_steps=12, asides=0.1)
    assert result.wrong is None, result.wrong
    assert result.steps == 12 or result.finished


async def test_a_match_of_two_people_is_played_to_its_end() -> None:
    drive = next(drive for drive in drives(["baby"], [2], [1]) if not drive.race)
    drive = replace(drive, options=(*drive.options, "deals=1"))
    result = await play(drive)
    assert result.wrong is None, result.wrong
    assert (result.finished, result.deals) == (True, 1)
    assert not result.not_done


async def test_what_goes_wrong_once_the_table_has_gone_is_no_fault(home: Path) -> None:
    async with asked(alone()) as (pilot, app):
        screen, begun, ended = table_of(app), asyncio.Event(), asyncio.Event()

        async def on_its_way(front: object) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
                raise LookupError("the widgets are no longer there")

        screen.client.serve = on_its_way
        screen.play()
        await wait_until(pilot, begun.is_set)
        await go(pilot, app, routes.home(), lambda: ended.is_set() and app.screen.name == "home-screen")
    assert not (home / LOG_NAME).exists()


async def test_a_monkey_breaks_nothing(home: Path) -> None:
    assert os.environ["KALOOKI_HOME"] == str(home)
    tally = Tally()
    await spell(random.Random("monkey 11"), tally, 80, time.monotonic() + 8)
    assert tally.wrong == []
    assert tally.keys > 0
