"""What writing a match down costs: the time of an action at a table with the journal on disk, and without.

    python -m benchmarks.journal [--rounds 3] [--folder DIR]

The same match of AI seats, thought out beforehand, is played again and again at both kinds of table in turn. The
journal is synced to disk with every action, so the figures are the disk's: `--folder` names one on the disk to measure.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from kalooki_tui.engine.actions import Action
from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.live_match import MatchStep, Table
from kalooki_tui.storage.match_store import Store


def thought_out() -> list[Action | None]:
    """The actions of a match; None: the next deal."""
    table = Table.open(text_setup("jamaican", [], 7, []))
    actions: list[Action | None] = []

    def note(step: MatchStep) -> None:
        actions.append(step.action)

    table.listen(note)
    play_match(table)
    return actions


def play(actions: list[Action | None], store: Store | None) -> list[float]:
    """Play the match; returns seconds an action."""
    table = Table.open(text_setup("jamaican", [], 7, []))
    live = None if store is None else store.begin(table)
    times: list[float] = []
    for action in actions:
        started = time.perf_counter()
        if action is None:
            table.next_deal()
        else:
            table.apply(action)
        times.append(time.perf_counter() - started)
    if live is not None:
        live.close()
    return times


def told(what: str, times: list[float]) -> str:
    """Median and 99th percentile in milliseconds."""
    last = statistics.quantiles(times, n=100)[98]
    return f"{what}: {len(times)} actions, median {statistics.median(times) * 1e3:.3f} ms, p99 {last * 1e3:.3f} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    actions = thought_out()
    bare: list[float] = []
    journalled: list[float] = []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        with Store.open(Path(folder)) as store:
            for _ in range(arguments.rounds):
                bare += play(actions, None)
                journalled += play(actions, store)
        size = sum(file.stat().st_size for file in Path(folder, "matches").glob("*.jsonl"))
    print(told("without the journal", bare))
    print(told("with the journal   ", journalled))
    print(f"a match of {len(actions)} actions takes {size / arguments.rounds / 1024:.0f} KB")


if __name__ == "__main__":
    main()
