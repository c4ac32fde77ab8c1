"""Play a simulation on a local cluster of two workers, and see that the results are those of one process.

    python -m lab.simulate_on_cluster [--matches 60] [--ruleset baby] [--level club]

Needs the extra `cluster`. Prints how long one process, two processes and the cluster took; the exit code is 1 where the
results differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from typing import Any, Final

from distributed import LocalCluster

SIM: Final = (sys.executable, "-m", "kalooki_tui", "sim", "--json")
SEATS: Final = 4


def play(*arguments: str) -> tuple[Any, float]:
    """The results without the times of decisions, and the seconds that it took."""
    begun = time.perf_counter()
    done = subprocess.run([*SIM, *arguments], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    found.pop("times")
    return found, time.perf_counter() - begun


def main() -> int:
    """Play in all three ways and compare."""
    parser = argparse.ArgumentParser(description="Compare a cluster with one process.")
    parser.add_argument("--matches", default="60")
    parser.add_argument("--ruleset", default="baby")
    parser.add_argument("--level", default="club")
    given = parser.parse_args()
    seats = ("--seat", f"ai:{given.level}") * SEATS
    matches = ("--ruleset", given.ruleset, "--matches", given.matches, *seats)
    ways = {"one process": (), "two processes": ("--jobs", "2")}
    found = {name: play(*matches, *arguments) for name, arguments in ways.items()}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        found["cluster of two workers"] = play(*matches, "--cluster", cluster.scheduler_address)
    first, alone = found["one process"]
    for name, (results, seconds) in found.items():
        print(
            f"{name:24}{seconds:8.1f} s   x {alone / seconds:.2f}   {'the same' if results == first else 'DIFFERENT'}"
        )
    return 0 if all(results == first for results, _ in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
