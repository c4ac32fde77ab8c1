"""See that the master decides by what it sees alone: python -m lab.prove_master [--decisions 1000]

Masters play deals of every ruleset. Before each decision the hidden cards are dealt anew, and the master is asked once
more, on one thread instead of two: the answer must be the same. A decision that is not is printed, and the exit code
is 1. The fewer worlds, the sooner: what a decision depends on is the same with few of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from kalooki_tui.engine.view import Phase
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.master import Master
from kalooki_tui.rulesets.loader import available
from lab.deals import dealt, rules_of


def decisions(name: str, shuffle: int, worlds: int) -> Iterator[tuple[str, bool, bool]]:
    """Play a deal; of each decision its kind, whether the hidden cards were others, and whether it was the same."""
    rules = rules_of(name)
    deal = dealt(rules, shuffle % len(rules.ruleset.deals) + 1, 0, f"prove/{name}/{shuffle}")
    while deal.actor is not None:
        view = deal.view(deal.actor)
        decision = Master(f"{view.seat}", worlds=worlds).decide(view)
        if deal.phase is not Phase.CUT:
            belief = Belief(view)
            other = belief.deal(belief.worlds(1, f"{len(view.history)}")[0])
            again = Master(f"{view.seat}", worlds=worlds, threads=1).decide(other.view(view.seat))
            yield type(decision.action).__name__.lower(), other.hands != deal.hands, again == decision
        deal.apply(decision.action)


def main() -> int:
    """Play until there are enough decisions; exit code 1 where one differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--ruleset", action="append", help="default: all that come with the game")
    arguments = parser.parse_args()
    names = arguments.ruleset or [entry.id for entry in available() if entry.builtin]
    kinds, others, wrong, shuffle = Counter[str](), 0, 0, 0
    while kinds.total() < arguments.decisions:
        name = names[shuffle % len(names)]
        for kind, is_other, is_same in decisions(name, shuffle, arguments.worlds):
            kinds[kind] += 1
            others += is_other
            if not is_same:
                wrong += 1
                print(f"{name}, shuffle {shuffle}: another {kind}")
        shuffle += 1
    print(f"{kinds.total():,} decisions, hidden cards were others in {others:,}: {wrong} differed")
    print(", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
