"""A hosted table whose lines break and whose host is killed: no step is lost, no seat, and nothing is left running.

    python -m lab.broken_lines --lines 200 --kills 50

Guests come by SSH with keys of their own. A line is cut in the middle of play, and its guest comes again, without the
code; a host is killed, its record verified, and the match gone on with by `--match`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import tempfile
from pathlib import Path

import asyncssh

from kalooki_tui.records.verifying import verify_files
from lab.host_table import Guest, Host, come, press

NAMES = ("Bob", "Cat")


class Table:
    """A host and two guests."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.keys = {name: asyncssh.generate_private_key("ssh-ed25519") for name in NAMES}
        self.guests: dict[str, Guest] = {}
        self.reading: list[asyncio.Task[None]] = []
        self.port = 0

    async def open(self, *more: str) -> None:
        """Open the table, and let everybody sit down."""
        seats = [] if more else ["Ann", *(f"{name}@" for name in NAMES)]
        self.host = Host(seats, self.home, *more)
        await self.host.shown.until("ssh -p")
        self.port = int(re.findall(r"ssh -p (\d+)", self.host.shown.text)[0])
        for number, name in enumerate(NAMES, 2):
            guest = await self.come(name)
            await guest.shown.until(f"{name}, press ")
            guest.type(str(number))
            await guest.shown.until("You have a seat.")
        self.host.type("\r")
        for guest in self.guests.values():
            await guest.shown.until("DISCARD", 60)

    async def come(self, name: str) -> Guest:
        """A guest comes, known by a key."""
        guest, task = await come(self.port, name, self.keys[name])
        self.guests[name] = guest
        self.reading.append(task)
        return guest

    async def play(self, seconds: float) -> None:
        """Everybody presses what the screens say."""
        ends = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < ends:
            for one in (self.host, *self.guests.values()):
                if not press(one) and "enter" in one.shown.text:
                    one.type("\r")
            await asyncio.sleep(0.1)

    async def cut(self, name: str) -> None:
        """A line breaks; its guest comes again and has the hand before them."""
        connection = self.guests[name].connection
        assert connection is not None
        connection.abort()
        guest = await self.come(name)
        try:
            await guest.shown.until("DISCARD")
        except TimeoutError:
            raise AssertionError(f"{name} sees\n{guest.shown.text}\nthe host sees\n{self.host.shown.text}") from None

    async def kill(self) -> str:
        """The host is killed; the id of the match, whose record holds."""
        os.kill(self.host.pid, signal.SIGKILL)
        await asyncio.to_thread(os.waitpid, self.host.pid, 0)
        asyncio.get_running_loop().remove_reader(self.host.file)
        os.close(self.host.file)
        for task in self.reading:
            task.cancel()
        self.reading.clear()
        record = max((self.home / "matches").glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        for verdict in verify_files([record]):
            assert verdict.ok, str(verdict)
        return record.stem.rpartition("-")[2]


async def main_async(lines: int, kills: int) -> None:
    """Break lines, then kill hosts."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as home:
        table = Table(Path(home))
        await table.open()
        for number in range(lines):
            await table.play(dice.uniform(0.05, 0.8))
            await table.cut(dice.choice(NAMES))
            if (number + 1) % 20 == 0:
                print(f"{number + 1} lines broken, every guest back in the seat", flush=True)
        for number in range(kills):
            await table.play(dice.uniform(0.05, 2.0))
            match = await table.kill()
            await table.open("--match", match)
            if (number + 1) % 10 == 0:
                print(f"{number + 1} hosts killed, the match gone on with each time", flush=True)
        await table.kill()


def main() -> None:
    """Break it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    asked = parser.parse_args()
    asyncio.run(main_async(asked.lines, asked.kills))


if __name__ == "__main__":
    main()
