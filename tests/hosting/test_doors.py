import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from kalooki_tui.extras import how_to_add
from kalooki_tui.hosting import doors
from kalooki_tui.hosting.doors import CLOSED, ELSEWHERE, GuestTransports, HostedTable
from kalooki_tui.hosting.guest import Guest, Guests
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.storage.kept import Doorway
from tests.hosting.callers import CODE, HOST, Counting, Terminal, caller, open_doors, pocket, until


def test_whoever_listens_everywhere_is_reached_at_the_machines_own_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "own_addresses", lambda: ("192.168.1.20",))
    assert doors.reached_at(("0.0.0.0", "::", "10.0.0.7")) == ("192.168.1.20", "10.0.0.7")


async def test_somebody_comes_by_ssh_with_the_code_and_leaves() -> None:
    async with open_doors() as (_, port, _), caller(port, CODE) as (connection, typist):
        terminal = await Terminal.open(connection)
        await terminal.until("Welcome Bob")
        terminal.type("a")
        await terminal.until("Bob: key a of 80x24")
        terminal.process.change_terminal_size(100, 30)
        await until(lambda: Counting.current[0].size == (100, 30))
        terminal.type("\x1b")
        await terminal.until("Bob: key escape of 100x30")
        terminal.type("q")
        await terminal.to_the_end()
        assert terminal.process.exit_status == 0
        assert typist.asked == [""]
        assert Counting.ended == ["Bob"]


async def test_a_key_that_was_let_in_comes_back_without_the_code_and_the_old_screen_ends() -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    guests = Guests(CODE)
    async with open_doors(guests) as (_, port, _), caller(port, CODE, keys=[key]) as (first, typist):
        before = await Terminal.open(first)
        await before.until("Welcome Bob")
        assert typist.asked == [""]
        async with caller(port, name="Robert", keys=[key]) as (second, again):
            after = await Terminal.open(second)
            await after.until("Welcome Robert")
            assert again.asked == []
            assert ELSEWHERE in await before.to_the_end()
        tokens = {app.guest.token for app in Counting.current}
        assert len(tokens) == 1
        assert tokens <= guests.known.keys()


async def test_a_line_that_breaks_exits_the_app_and_no_other() -> None:
    async with open_doors() as (_, port, _), caller(port, CODE, name="Ann") as (staying, _):
        terminal = await Terminal.open(staying)
        await terminal.until("Welcome Ann")
        async with caller(port, CODE) as (going, _):
            await (await Terminal.open(going)).until("Welcome Bob")
        await until(lambda: Counting.ended == ["Bob"])
        terminal.type("a")
        await terminal.until("Ann: key a")


def faulty_app(guest: Guest) -> Counting:
    if guest.name == "Dee":
        raise LookupError(guest.name)
    return Counting(guest)


async def test_a_fault_ends_its_screen_with_a_sentence_and_no_other(home: Path) -> None:
    async with (
        open_doors(open_app=faulty_app) as (_, port, web),
        caller(port, CODE, name="Ann") as (staying, _),
        caller(port, CODE) as (going, _),
        caller(port, CODE, name="Dee") as (unmade, _),
        pocket(web, "Cy") as phone,
    ):
        terminal, faulty = await Terminal.open(staying), await Terminal.open(going)
        await terminal.until("Welcome Ann")
        await faulty.until("Welcome Bob")
        faulty.type("x")
        told = await faulty.to_the_end()
        assert "An error in the program, not in what you did (RuntimeError)." in told
        assert str(home) not in told
        assert "a fault in an app" in (home / "faults.log").read_text()
        told = await (await Terminal.open(unmade)).to_the_end()
        assert "An error in the program, not in what you did (LookupError)." in told
        for _ in range(2):  # without the code for the second time
            async with phone.page() as shown:
                await shown.hears(welcome="Cy")
        async with phone.page() as shown:
            await shown.hears(welcome="Cy")
            await shown.socket.send_str("x")
            await shown.until(lambda: shown.is_over)
            assert "(RuntimeError)" in shown.told("ended")[0]
        terminal.type("a")
        await terminal.until("Ann: key a")


async def test_closing_ends_every_screen_with_a_sentence_within_two_seconds() -> None:
    class Stubborn(Counting):
        async def on_unmount(self) -> None:
            await asyncio.sleep(600)

    def open_app(guest: Guest) -> Counting:
        return Stubborn(guest) if guest.name == "Bob" else Counting(guest)

    async with (
        open_doors(open_app=open_app) as (doors, port, web),
        caller(port, CODE, name="Ann") as (ann, _),
        caller(port, CODE) as (bob, _),
        pocket(web, "Cy") as phone,
    ):
        terminals = [await Terminal.open(ann), await Terminal.open(bob)]
        for terminal in terminals:
            await terminal.until("Welcome")
        async with phone.page() as shown:
            await shown.hears(welcome="Cy")
            began = time.monotonic()
            await doors.close()
            assert time.monotonic() - began < 2
            await shown.until(lambda: shown.is_over)
            assert shown.told("ended") == [CLOSED]
        for terminal in terminals:
            assert CLOSED in await terminal.to_the_end()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)


async def test_no_app_decides_how_the_tasks_of_the_process_begin() -> None:
    loop = asyncio.get_running_loop()
    async with open_doors():
        loop.set_task_factory(lambda *given, **named: asyncio.Task(given[1], loop=loop, **named))
        assert loop.get_task_factory() is None


async def test_apps_that_end_in_another_order_leave_the_streams_of_the_process() -> None:
    before = sys.stdout, sys.stderr
    async with open_doors() as (_, port, _), caller(port, CODE, name="Ann") as (ann, _):
        first = await Terminal.open(ann)
        await first.until("Welcome Ann")
        async with caller(port, CODE) as (bob, _):
            second = await Terminal.open(bob)
            await second.until("Welcome Bob")
            first.type("q")
            await first.to_the_end()
            assert (sys.stdout, sys.stderr) == before
    assert (sys.stdout, sys.stderr) == before


async def test_without_the_extra_the_host_reads_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kalooki_tui.hosting.browser", raising=False)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    hosted = HostedTable(Lobby(MatchPlan(), read_chairs(["Ann", "Bob@"])), Doorway((HOST,), None, 0), Guests(CODE))
    nobody: Any = None
    await hosted.open(Counting, nobody)
    assert hosted.problem == f"this needs more packages: {how_to_add('host')}"


class Stuck:
    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.told: list[str] = []

    def end(self, sentence: str) -> None:
        self.told.append(sentence)

    async def run(self, make: Callable[[], object]) -> None:
        await asyncio.Event().wait()


async def test_a_screen_that_never_ends_or_never_begins_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.hosting.doors.SECONDS", 0.05)
    nobody: Any = None  # comes with a browser
    doors, bob = GuestTransports(Doorway(()), Guests(CODE), Counting, nobody), Guest("Bob", "bob")
    screens: list[Any] = [Stuck() for _ in range(3)]
    stuck, given_up, last = (asyncio.ensure_future(doors._show(bob, screen)) for screen in screens)
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait({given_up})
    assert screens[1].over.is_set()
    await until(lambda: screens[0].told == [ELSEWHERE] * 2 and not last.done())
    for task in (stuck, last):
        task.cancel()
    await asyncio.wait({stuck, last})
    assert all(screen.over.is_set() for screen in screens)
    assert not doors._screens
