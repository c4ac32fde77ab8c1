import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.players import LOST, make_player
from kalooki_tui.players.thinker import Thinker, WorkerLost
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from tests.moments import there


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.close()


def a_view() -> View:
    game = resolve(load_ruleset("baby"), (), 3)
    plans = tuple(SeatPlan(f"N{seat}", "ai:club") for seat in range(3))
    table = Table.open(TableSetup(game, plans, 4, settings=make_settings(game)))
    return table.view(table.match.actor)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text(encoding="ascii").rpartition(")")[2].split()[0] in "ZX"


async def test_a_process_that_is_lost_is_replaced_also_while_it_thinks(thinker: Thinker) -> None:
    view = a_view()
    decision = await thinker.decide("club", "x", view)
    lost = there(thinker.process)
    os.kill(lost, signal.SIGKILL)
    assert await thinker.decide("club", "x", view) == decision
    assert thinker.process not in (None, lost)
    lost = there(thinker.process)
    # It reads the question only when it goes on: it is lost in the middle of it.
    os.kill(lost, signal.SIGSTOP)
    asked = asyncio.create_task(thinker.decide("club", "x", view))
    await asyncio.sleep(0.1)
    assert not asked.done()
    os.kill(lost, signal.SIGKILL)
    assert await asked == decision
    assert thinker.process != lost
    thinker.close()
    assert gone(lost)


async def test_closing_does_not_wait_for_a_thought(thinker: Thinker) -> None:
    await thinker.compute(repr, 1)
    asked = asyncio.create_task(thinker.compute(time.sleep, 600))
    await asyncio.sleep(0.1)
    thinker.close()
    with pytest.raises(WorkerLost):
        await asked


async def test_a_question_that_ends_two_processes_is_given_up(
    thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkerLost):
        await thinker.decide("club", "x", a_view())
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkerLost):
        await thinker.decide("club", "x", a_view())


async def test_what_a_player_raises_comes_back(thinker: Thinker) -> None:
    with pytest.raises(ValueError, match="there is no AI level 'grandmaster'"):
        await thinker.decide("grandmaster", "x", a_view())


async def test_nothing_is_started_once_it_is_closed(thinker: Thinker) -> None:
    thinker.close()
    with pytest.raises(WorkerLost):
        await thinker.decide("club", "x", a_view())
    assert thinker.process is None


def test_it_ends_with_a_program_that_is_killed() -> None:
    code = (
        "import asyncio; from tests.players.test_thinker import Thinker, a_view\n"
        "async def think():\n"
        "    thinker = Thinker()\n"
        "    await thinker.decide('novice', 'x', a_view())\n"
        "    print(thinker.process, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(think())"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        worker = int(program.stdout.readline())
        program.kill()
    deadline = time.monotonic() + 60
    while not gone(worker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert gone(worker)


def test_a_master_decides_there_and_others_here(thinker: Thinker) -> None:
    view = a_view()
    assert thinker.player("expert", "x").decide(view) == make_player("expert", "x").decide(view)
    assert thinker.process is None
    master = thinker.player("master/quick", "x")
    assert master.decide(view) == make_player("master/quick", "x").decide(view)
    assert thinker.process is not None


def test_where_it_is_lost_twice_the_expert_goes_on(thinker: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    view = a_view()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    master, usual = thinker.player("master", "x"), make_player("expert", "x").decide(view)
    found = master.decide(view)
    assert (found.action, found.notice) == (usual.action, LOST)
    # From then on no process is started.
    monkeypatch.undo()
    assert master.decide(view) == found
    assert thinker.process is None
