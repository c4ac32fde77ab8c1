"""What a folder of many matches costs: the first statistics, which read every file, then the list and the statistics.

    python -m benchmarks.many_matches [--matches 2000]

A few matches of AI seats are played; the folder gets copies of them that differ in their first lines. Each figure is
that of a fresh `Store`, with the processor's time beside the clock's, since other programs may be running.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.live_match import Table, record
from kalooki_tui.records.lines import CheckChain, unsealed
from kalooki_tui.records.writer import dump
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.people_statistics import statistics

PLAYED = 10


def fill(folder: Path, matches: int) -> float:
    """Write so many records; returns how many lines one has."""
    folder.mkdir()
    played = []
    for seed in range(PLAYED):
        table = Table.open(text_setup("jamaican" if seed % 2 else "baby", ["ai:novice"] * 3, seed, []))
        lines: list[str] = []
        record(table, lines.append)
        play_match(table)
        played.append([unsealed(json.loads(line)) for line in lines])
    for number in range(matches):
        first, *others = played[number % PLAYED]
        chain = CheckChain()
        texts = [chain.seal(dump(line)) for line in ({**first, "copy": number}, *others)]
        (folder / f"{number:05}.jsonl").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return sum(map(len, played)) / PLAYED


def timed(what: str, home: Path, ask: Callable[[Store], object]) -> None:
    """Ask a fresh store, and print what it took."""
    clock, processor = time.perf_counter(), time.process_time()
    with Store.open(home) as store:
        ask(store)
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    print(f"{what}: {clock * 1e3:.0f} ms, of the processor {processor * 1e3:.0f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        lines = fill(home / "matches", arguments.matches)
        print(f"{arguments.matches} matches of {lines:.0f} lines")
        timed("statistics, every file read", home, lambda store: statistics(store, imported=True))
        for _ in range(3):
            timed("list                       ", home, lambda store: store.summaries())
            timed("statistics                 ", home, lambda store: statistics(store, imported=True))


if __name__ == "__main__":
    main()
