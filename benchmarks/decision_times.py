"""How long each AI level thinks about a decision: python -m benchmarks.decision_times [--matches 4]

Tables of four equal seats (two in Tuluki), one process. Decisions that are no choice at all are counted too.
"""

from __future__ import annotations

import argparse

from kalooki_tui.players import LEVELS
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.table.results import summarise
from kalooki_tui.table.simulation import plan_simulation, simulate

RULESETS = ("jamaican", "trinidad", "kalookie-40", "kooky", "tuluki")


def main() -> None:
    """Play the matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--ruleset", action="append", help="default: five different ones")
    parser.add_argument("--level", action="append", choices=LEVELS, help="default: all")
    arguments = parser.parse_args()
    print(f"{'level':8} {'ruleset':14} {'decisions':>9} {'median':>10} {'p99':>10} {'longest':>10}")
    for level in arguments.level or LEVELS:
        for ruleset in arguments.ruleset or RULESETS:
            seats = min(4, max(load_ruleset(ruleset).seat_counts))
            plan = plan_simulation(ruleset=ruleset, seats=[f"ai:{level}"] * seats, matches=arguments.matches, seed=1)
            times = summarise(plan, simulate(plan)).times[f"ai:{level}"]
            spans = " ".join(f"{span:7.2f} ms" for span in (times.median_ms, times.p99_ms, times.longest_ms))
            print(f"{level:8} {ruleset:14} {times.decisions:9,} {spans}", flush=True)


if __name__ == "__main__":
    main()
