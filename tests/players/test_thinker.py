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
from kalooki_tui.players import make_player
from kalooki_tui.players.processes.thinker import SILENCE, Thinker, WorkerLost
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Table, TableSetup


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.close()


def a_view() -> View:
    game = resolve(load_ruleset("baby"), (), 3)
    plans = tuple(SeatPlan(f"N{seat}", "ai:club") for seat in range(3))
    table = Table.open(TableSetup(game, plans, 4, settings=make_settings(game)))
    assert table.match.actor is not None
    return table.view(table.match.actor)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text(encoding="ascii").rpartition(")")[2].split()[0] in "ZX"


async def test_it_decides_as_a_player_here_would(thinker: Thinker) -> None:
    view = a_view()
    assert await thinker.decide("club", "x", view) == make_player("club", "x").decide(view)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
async def test_a_process_that_is_lost_is_replaced(thinker: Thinker, blow: signal.Signals) -> None:
    view = a_view()
    decision = await thinker.decide("club", "x", view)
    lost = thinker.process
    assert lost is not None
    os.kill(lost, blow)
    assert await thinker.decide("club", "x", view) == decision
    assert thinker.process not in (None, lost)
    thinker.close()
    assert gone(lost)


async def test_a_process_that_is_lost_while_it_thinks_is_replaced(thinker: Thinker) -> None:
    view = a_view()
    decision = await thinker.decide("club", "x", view)
    for blow in (signal.SIGKILL, signal.SIGSTOP):
        lost = thinker.process
        assert lost is not None
        # It reads the question only when it goes on: it is lost in the middle of it.
        os.kill(lost, signal.SIGSTOP)
        asked = asyncio.create_task(thinker.decide("club", "x", view))
        await asyncio.sleep(0.1)
        assert not asked.done()
        os.kill(lost, blow)
        assert await asked == decision
        assert thinker.process != lost


class SlowToUnderstand:
    """Takes longer to be read than a process may be silent, as modules do that are loaded on a busy machine."""

    def __reduce__(self) -> tuple[object, tuple[float]]:
        """Read as what a long sleep gives: nothing."""
        return time.sleep, (2 * SILENCE,)


async def test_a_question_that_takes_long_to_be_read_is_answered(thinker: Thinker) -> None:
    assert await thinker.compute(repr, SlowToUnderstand()) == "None"


async def test_a_stopped_process_is_noticed_in_time(thinker: Thinker) -> None:
    view = a_view()
    await thinker.decide("novice", "x", view)
    assert thinker.process is not None
    os.kill(thinker.process, signal.SIGSTOP)
    started, busy = time.monotonic(), time.process_time()
    await thinker.decide("novice", "x", view)
    # Two seconds, and what a new process needs to start on a machine that runs other tests.
    assert time.monotonic() - started < 2 + 60
    assert time.process_time() - busy < 0.5


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


@pytest.mark.parametrize("before", [None, *([signal.SIGSTOP] if sys.platform == "linux" else [])])
def test_it_ends_with_a_program_that_is_killed(before: signal.Signals | None) -> None:
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
        assert program.stdout is not None
        worker = int(program.stdout.readline())
        if before is not None:
            # Only the system ends a process that stands still: what has answered has asked for that.
            os.kill(worker, before)
        program.kill()
    deadline = time.monotonic() + 60
    while not gone(worker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert gone(worker)
