"""How long each AI level thinks about a decision: python -m benchmarks.decision_times [--decisions 10000]

Tables of four equal seats (two in Tuluki), in processor time, so that other programs do not count. Decisions that are
no choice at all count too. The master takes its time, and is measured where it is named. What a seat does is decided by
cards and seed alone, so a slow decision is found again.
"""

from __future__ import annotations

import argparse
import gc
import time
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Final, NamedTuple

from kalooki_tui.engine.match import HEADLESS_REDEALS, Match, MatchSetup
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.players import LEVELS, make_player
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

#: Decisions before it counts: what is loaded by then is left out of full collections of garbage, as in the app.
WARM_UP: Final = 200


class Task(NamedTuple):
    """A level in a ruleset, for so many decisions, with matches from the seed `first` on."""

    level: str
    ruleset: str
    decisions: int
    first: int


@dataclass
class Times:
    """Seconds a decision."""

    spans: list[float] = field(default_factory=list)
    longest: tuple[float, str] = (0.0, "")
    """And where it was."""

    def add(self, span: float, place: str) -> None:
        self.spans.append(span)
        self.longest = max(self.longest, (span, place))


def measure(task: Task) -> str:
    """Play until there are decisions enough, and return a line of the table."""
    seats = min(4, max(load_ruleset(task.ruleset).seat_counts))
    ruleset = resolve(task.ruleset, (), seats)
    rules = make_rules(ruleset, seats, Referee.STRICT, make_settings(ruleset, {"max_redeals": HEADLESS_REDEALS}))
    names = tuple(f"Seat{seat + 1}" for seat in range(seats))
    times, seed, warm = Times(), task.first, 0
    while len(times.spans) < task.decisions:
        match = Match.start(MatchSetup(rules, names, seed))
        players = [make_player(task.level, f"{seed}/{seat}") for seat in range(seats)]
        while not match.finished and len(times.spans) < task.decisions:
            actor = match.actor
            if actor is None:
                match.next_deal()
                continue
            view = match.view(actor)
            started = time.process_time()
            decision = players[actor].decide(view)
            span = time.process_time() - started
            warm += 1
            if warm == WARM_UP:
                gc.collect()
                gc.freeze()
            if warm > WARM_UP:
                times.add(span, f"seed {seed}, deal {view.deal}, {view.phase}, event {len(view.history)}")
            match.apply(decision.action)
        seed += 1
    spans = sorted(times.spans)
    median, late = spans[len(spans) // 2], spans[int(len(spans) * 0.99)]
    longest, place = times.longest
    columns = " ".join(f"{1e3 * span:7.2f} ms" for span in (sum(spans) / len(spans), median, late, longest))
    return f"{task.level:8} {task.ruleset:14} {len(spans):9,} {columns}   {place}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--ruleset", action="append", help="default: all")
    parser.add_argument("--level", action="append", choices=LEVELS, help="default: all but master")
    parser.add_argument("--first", type=int, default=9001, help="seed of the first match")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    rulesets = arguments.ruleset or [entry.id for entry in available() if entry.builtin]
    levels = arguments.level or [level for level in LEVELS if level != "master"]
    tasks = [Task(level, ruleset, arguments.decisions, arguments.first) for level in levels for ruleset in rulesets]
    print(
        f"{'level':8} {'ruleset':14} {'decisions':>9} {'mean':>10} {'median':>10} {'p99':>10} {'longest':>10}   where"
    )
    with Pool(arguments.jobs) as pool:
        for line in pool.imap(measure, tasks):
            print(line, flush=True)


if __name__ == "__main__":
    main()
