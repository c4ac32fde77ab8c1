import asyncio
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kalooki_tui
from kalooki_tui.engine.view import View
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.players import LOST, make_player
from kalooki_tui.players.numbers import added_up, power_of_e
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


PACKAGE = Path(kalooki_tui.__file__).parent


def test_a_power_of_e_is_right_to_the_last_two_bits() -> None:
    dice = random.Random(1)
    for exponent in [0.0, -700.0, *(-(10 ** dice.uniform(-12, 2.8)) for _ in range(5_000))]:
        assert abs(power_of_e(exponent) - math.exp(exponent)) <= 2 * math.ulp(math.exp(exponent)), exponent
    assert power_of_e(0.0) == 1.0
    assert power_of_e(-1e9) == power_of_e(-math.inf) == 0.0


def test_its_bits_are_these() -> None:
    bits = {
        -1.0: "0x1.78b56362cef38p-2", -0.1: "0x1.cf46d99d52b3ap-1", -6 / 97: "0x1.e14a1c81e2f3ap-1",
        -12 / 61: "0x1.a491197b3bfbcp-1", -123.456: "0x1.da9fb9e4ee720p-179",
    }  # fmt: skip
    assert {exponent: power_of_e(exponent).hex() for exponent in bits} == bits


def test_numbers_are_added_one_after_another() -> None:
    # From Python 3.12 on `sum` makes up for what is lost on the way, and comes to 1.
    assert added_up([0.1] * 10) == 0.9999999999999999
    assert added_up([]) == 0.0


def test_no_power_is_left_to_the_systems_library() -> None:
    """Roots are exact everywhere; `gauss` rounds a cut of the pack to a whole number of cards."""
    uses = re.compile(r"\b(exp|exp2|expm1|log|log2|log10|pow|sin|cos|tan|tanh|erf|cbrt|hypot)\(")
    rooms = [*(PACKAGE / "players").rglob("*.py"), *(PACKAGE / "playouts").rglob("*.[pc]*")]
    sources = [path for path in rooms if path.suffix in (".py", ".c")]
    assert {path.suffix for path in sources} == {".py", ".c"}
    assert [path.name for path in sources if uses.search(path.read_text(encoding="utf-8"))] == []
