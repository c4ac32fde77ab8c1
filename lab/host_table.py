"""A hosted table with many screens: memory, the time of a key, and a step that all of them see.

    python -m lab.host_table --screens 8

The host is a process of its own at a pseudo-terminal; the guests come by SSH from this one. A key is `o`, which sorts
the hand; its time is that from the press to the last byte that it draws.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import tempfile
import termios
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import asyncssh
import pyte

SIZE: Final = (80, 24)
CODE: Final = "7QK4"
#: Seconds without a byte after which a key has drawn all it draws.
QUIET: Final = 0.12
PRESSES: Final = 60
#: What is pressed where the screen says so.
KEYS: Final = {
    "Call it?": "p",
    "allow the call?": "a",
    "draws from the stock": "d",
    "throws the chosen card": "x",
    "Throw a card": "x",
    "throw a card": "x",
    "throws": "x",
}


class Shown:
    """A terminal, and when its last byte came."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(*SIZE)
        self._stream = pyte.ByteStream(self._screen)
        self.last = 0.0
        self._came = asyncio.Event()

    def take(self, data: bytes) -> None:
        """Show it."""
        self.last = perf_counter()
        self._stream.feed(data)
        self._came.set()

    @property
    def text(self) -> str:
        """What it shows."""
        return "\n".join(self._screen.display)

    async def until(self, says: str, seconds: float = 30) -> None:
        """Wait until it shows something."""
        async with asyncio.timeout(seconds):
            while says not in self.text:
                self._came.clear()
                await self._came.wait()

    async def time_of(self, press: Callable[[], None]) -> float:
        """Milliseconds from a key to its last byte."""
        began = perf_counter()
        press()
        patience = 2.0  # until the first byte
        with suppress(TimeoutError):
            while True:
                self._came.clear()
                await asyncio.wait_for(self._came.wait(), patience)
                patience = QUIET
        return 1000 * (self.last - began)


class Host:
    """The hosting process at a pseudo-terminal."""

    def __init__(self, seats: list[str], home: Path) -> None:
        self.shown = Shown()
        options = ["--listen", "127.0.0.1", "--ssh-port", "0", "--web-port", "0", "--code", CODE]
        named = [word for seat in seats for word in ("--seat", seat)]
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ |= {"KALOOKI_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            os.execv(sys.executable, [sys.executable, "-m", "kalooki_tui", "host", *options, *named])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        asyncio.get_running_loop().add_reader(self.file, self._read)

    def _read(self) -> None:
        try:
            self.shown.take(os.read(self.file, 65536))
        except OSError:
            asyncio.get_running_loop().remove_reader(self.file)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.file, keys.encode())

    @property
    def megabytes(self) -> float:
        """Memory of the process that hosts."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def seconds(self) -> float:
        """Processor time it has taken."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Guest(asyncssh.SSHClient):
    """Comes by SSH with the code."""

    def __init__(self) -> None:
        self.shown = Shown()
        self.process: asyncssh.SSHClientProcess[bytes] | None = None

    def kbdint_auth_requested(self) -> str:
        """Any way of asking will do."""
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: object) -> list[str]:
        """The code."""
        return [CODE for _ in prompts]  # type: ignore[attr-defined]

    async def read(self) -> None:
        """Show what comes."""
        assert self.process is not None
        while data := await self.process.stdout.read(65536):
            self.shown.take(data)

    def type(self, keys: str) -> None:
        """Press keys."""
        assert self.process is not None
        self.process.stdin.write(keys.encode())


async def come(port: int, name: str) -> tuple[Guest, asyncio.Task[None]]:
    """A guest who has come to the lobby."""
    connection, guest = await asyncssh.create_connection(
        Guest, "127.0.0.1", port, username=name, known_hosts=None, client_keys=None, password_auth=False
    )
    guest.process = await connection.create_process(
        term_type="xterm-256color", term_size=SIZE, encoding=None, env={"COLORTERM": "truecolor"}
    )
    return guest, asyncio.create_task(guest.read())


async def measure(screens: int) -> None:
    """Print what it takes."""
    names = ["Bob", "Cat", "Dee", "Eli", "Flo", "Gus", "Hal"][: screens - 1]
    with tempfile.TemporaryDirectory() as home:
        host = Host(["Ann", *(f"{name}@" for name in names)], Path(home))
        await host.shown.until("ssh -p")
        port = int(re.findall(r"ssh -p (\d+)", host.shown.text)[0])
        await asyncio.sleep(2)
        alone = host.megabytes
        print(f"the host alone, in the lobby: {alone:.0f} MB")
        guests, reading = [], []
        for name in names:
            guest, task = await come(port, name)
            await guest.shown.until(f"{name}, press ")
            guest.type(str(names.index(name) + 2))
            await guest.shown.until("You have a seat.")
            guests.append(guest)
            reading.append(task)
        host.type("\r")
        for guest in guests:
            await guest.shown.until("'s hand")
        await host.shown.until("Ann's hand")
        await asyncio.sleep(4)
        more = (host.megabytes - alone) / screens
        print(f"{screens} screens at the table: {host.megabytes:.0f} MB, {more:.1f} more a screen")
        await pass_all(host, guests)
        own = [await host.shown.time_of(partial(host.type, "o")) for _ in range(PRESSES)]
        other = [await guests[0].shown.time_of(partial(guests[0].type, "o")) for _ in range(PRESSES)]
        for name, times in (("at the host's terminal", own), ("over ssh", other)):
            times.sort()
            print(f"a key {name}: median {median(times):.1f} ms, p99 {times[int(0.99 * len(times))]:.1f} ms")
        print(f"ratio of the medians {median(other) / median(own):.2f}")
        before = host.seconds
        steps = await play(host, guests)
        each = 1000 * (host.seconds - before) / steps
        print(f"{steps} keys of play: {each:.0f} ms of processor time each, for all screens")
        host.type("q")
        for task in reading:
            task.cancel()
        os.kill(host.pid, 15)
        await asyncio.to_thread(os.waitpid, host.pid, 0)


async def pass_all(host: Host, guests: list[Guest]) -> None:
    """Nobody calls the card that was turned up."""
    for _ in range(20):
        asked = [one for one in (host, *guests) if "Call it?" in one.shown.text]
        for one in asked:
            one.type("p")
        await asyncio.sleep(0.7)
        if any("draws from the stock" in one.shown.text for one in (host, *guests)):
            return


async def play(host: Host, guests: list[Guest]) -> int:
    """Some turns: draw, throw, pass; how many keys were pressed."""
    keys = 0
    for _ in range(40):
        for one in (host, *guests):
            text = one.shown.text
            key = next((key for says, key in KEYS.items() if says in text), "")
            if key:
                one.type(key)
                keys += 1
        await asyncio.sleep(0.25)
    return max(1, keys)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screens", type=int, default=8)
    asyncio.run(measure(parser.parse_args().screens))


if __name__ == "__main__":
    main()
