"""What following the hints loses by the review, beside what the master's own choice loses, and where both contradict.

    python -m lab.measure_hints 2000 --worlds 2000

The moments are decisions of club players on shuffles of their own, all rulesets in turn. At each the hint is asked and
the master decides; the review plays both choices out and says what they lost. A contradiction is a hint that the review
calls a slip or worse: a loss above two standard errors.
"""

from __future__ import annotations

import argparse
from itertools import count, islice
from statistics import fmean, stdev

from kalooki_tui.coach.advising import hint
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View
from kalooki_tui.evaluation.decisions import Decision, Quality, judge
from kalooki_tui.evaluation.rollouts import settled
from kalooki_tui.players.master import Master
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.walking import decisions
from tests.property.tables import RULESETS


def lost(view: View, action: Action, worlds: int, seed: str) -> tuple[float, bool] | None:
    """Points that a choice loses by the review, and whether it calls that a loss; None: it is not judged."""
    judged = judge(Decision(len(view.history), 1, view, action))
    if judged is None or not judged.ranked:
        return None
    found = settled(judged, worlds, seed)
    if found.error is None:
        return None
    return found.loss, found.verdict not in (Quality.FINE, Quality.CLOSE)


def main() -> None:
    """Print the losses as they come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("decisions", type=int)
    parser.add_argument("--worlds", type=int, default=2000)
    asked = parser.parse_args()
    hints: list[float] = []
    masters: list[float] = []
    contradicted = {"hint": 0, "master": 0}
    for number in count():
        ruleset = RULESETS[number % len(RULESETS)]
        deal = number // len(RULESETS) % len(load_ruleset(ruleset).deals) + 1
        for place, (_, view) in enumerate(islice(decisions(ruleset, f"hints/{number}", deal), 0, None, 3)):
            if len(view.legal) < 2:
                continue
            given = hint(view).action
            own = Master("0").decide(view).action
            seed = f"measure/{number}/{place}"
            found = lost(view, given, asked.worlds, seed)
            other = found if own == given else lost(view, own, asked.worlds, seed)
            if found is None or other is None:
                continue
            hints.append(found[0])
            masters.append(other[0])
            contradicted["hint"] += found[1]
            contradicted["master"] += other[1]
            if found[1]:
                print(f"{ruleset} {view.rules.faces.symbols(view.hand)}: {given} lost {found[0]:.1f}", flush=True)
            if len(hints) % 50 == 0 or len(hints) == asked.decisions:
                tell(hints, masters, contradicted)
            if len(hints) == asked.decisions:
                return


def tell(hints: list[float], masters: list[float], contradicted: dict[str, int]) -> None:
    """How it stands."""
    apart = [mine - its for mine, its in zip(hints, masters, strict=True)]
    error = 1.96 * stdev(apart) / len(apart) ** 0.5
    print(
        f"{len(hints)} decisions: hints lose {fmean(hints):.2f}, the master {fmean(masters):.2f}, "
        f"apart {fmean(apart):+.2f} ± {error:.2f}; contradicted {contradicted}",
        flush=True,
    )


if __name__ == "__main__":
    main()
