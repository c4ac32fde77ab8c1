"""Through which files a key goes: `d` at the table, from the press until the program is quiet.

A station is calls in a row in one file. The fewer there are, the sooner a reader has followed a key to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import kalooki_tui
from kalooki_tui.engine.view import Phase
from kalooki_tui.tui.screens import question
from tests.tui.conftest import wait_until
from tests.tui.openings import app_at_table, plan, played_to

ROOT = str(Path(kalooki_tui.__file__).parent)
#: Seconds in which nothing of the package is called, once it is quiet: longer than it waits to keep a hand's order.
QUIET = 0.6


async def walk() -> list[str]:
    """The stations of a key that draws a card."""
    stations: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(ROOT) and stations[-1:] != [path]:
            stations.append(path)

    async with played_to(app_at_table(plan("Ann", "ai:novice", "ai:novice")), Phase.DRAW) as (pilot, _, screen):
        await wait_until(pilot, lambda: screen.state.has_plan)
        await asyncio.sleep(QUIET)
        sys.setprofile(note)
        await pilot.press("d")
        heard = -1
        while heard != len(stations):  # not by the pilot, whose every pause is events for the app
            heard = len(stations)
            await asyncio.sleep(QUIET)
        sys.setprofile(None)
    return [path.removeprefix(f"{ROOT}/") for path in stations]


def main() -> None:
    """Walk, and list the files that are come back to most."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--files", type=int, default=15, help="how many files to list")
    shown = arguments.parse_args().files
    with tempfile.TemporaryDirectory() as home, patch.dict("os.environ", KALOOKI_HOME=home):
        question.QUIET_SECONDS = 0
        stations = asyncio.run(walk())
    print(f"{len(stations)} stations in {len(set(stations))} files")
    for path, times in Counter(stations).most_common(shown):
        print(f"{times:5}  {path}")


if __name__ == "__main__":
    main()
