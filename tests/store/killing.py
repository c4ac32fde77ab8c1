"""Kills a program that is playing, again and again, and sees whether anything it acknowledged is lost.

`python -m tests.store.killing 200 [SEED]` prints the figures.
"""

import os
import random
import selectors
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from kalooki_tui.store.matches import Store
from kalooki_tui.store.resuming import take_up
from tests.store.driver import digest

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Figures:
    """What came of the kills."""

    kills: int = 0
    early: int = 0
    """Of these, before anything was acknowledged."""
    acknowledged: int = 0
    """Steps acknowledged before a kill."""
    lost: int = 0
    """Acknowledged steps that the journal did not have."""
    different: int = 0
    """Matches that were taken up at another standing than acknowledged."""
    ahead: int = 0
    """Kills after which the journal had a step more than was acknowledged."""
    torn: int = 0
    """Kills after which the last line was torn."""
    matches: int = 0
    damaged: int = 0


def kill_again_and_again(home: Path, kills: int, seed: int, longest: float = 0.6) -> Figures:
    """Start the driver, kill it up to `longest` seconds after its first acknowledgement; then look; again.

    One in eight is killed before, while it opens the database and takes up its match.
    """
    dice = random.Random(seed)
    figures = Figures()
    environment = {**os.environ, "KALOOKI_HOME": str(home)}
    while figures.kills < kills:
        command = [sys.executable, "-m", "tests.store.driver", str(dice.randrange(1_000_000))]
        driver = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=False)
        assert driver.stdout is not None
        if dice.random() < 1 / 8:
            said = _read(driver.stdout, dice.uniform(0, 2 * longest), b"")
        else:
            said = _read(driver.stdout, dice.uniform(0, longest), driver.stdout.readline())
        driver.kill()
        said += driver.stdout.read()
        driver.wait()
        driver.stdout.close()
        figures.kills += 1
        acknowledged = [line.split() for line in said.decode().splitlines(keepends=True) if line.endswith("\n")]
        figures.early += not acknowledged
        if acknowledged:
            _compare(home, figures, acknowledged)
    with Store.open(home) as store:
        figures.matches = len(store.summaries())
        figures.damaged = len(store.damaged())
    return figures


def _read(stream: IO[bytes], seconds: float, text: bytes) -> bytes:
    """`text` and what the driver says for so long after it."""
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        os.set_blocking(stream.fileno(), False)
        selector.register(stream, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            if selector.select(left):
                text += stream.read() or b""
        os.set_blocking(stream.fileno(), True)
    return text


def _compare(home: Path, figures: Figures, acknowledged: list[list[str]]) -> None:
    figures.acknowledged += len(acknowledged)
    match_id, number, standing = acknowledged[-1]
    with Store.open(home) as store:
        lines = list(store.lines(match_id))
        figures.torn += store.scan(match_id).torn
        figures.lost += sum(fields[0] == match_id and int(fields[1]) > len(lines) for fields in acknowledged)
        figures.ahead += len(lines) > int(number)
        plans = store.summary(match_id).seats
        figures.different += digest(take_up("then", lines[: int(number)], plans).table) != standing
        store.resume(match_id).close()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        started = time.monotonic()
        found = kill_again_and_again(Path(folder), int(sys.argv[1]), int((sys.argv[2:] or ["1"])[0]))
        sys.stdout.write(f"{found}\n{time.monotonic() - started:.0f} seconds\n")
