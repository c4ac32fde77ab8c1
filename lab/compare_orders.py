"""Whether the review's value finds what was lost better than the order of the player's own weights does.

    python -m lab.compare_orders 150 --worlds 600

At each decision every option is played out in common worlds. In half of them the best option is found, and the other
half says what was lost by what was done. Then only those options count that the review would compare: what was done,
the expert's choice and the first of an order, by value or by the weights. The share of the loss that is found with
them, and the time that an order takes, are what is compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import count
from statistics import fmean, stdev

from kalooki_tui.engine.actions import Action, Discard
from kalooki_tui.judging.decisions import Decision, judge
from kalooki_tui.judging.playing_out import MOST_WAYS
from kalooki_tui.players import make_player
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.expert import Expert
from kalooki_tui.playouts import PlayoutFault
from tests.coach.walking import decisions
from tests.property.tables import RULESETS


def found_by(margins: dict[Action, list[float]], compared: Sequence[Action], done: Action) -> float:
    """What was lost beside the best of these: chosen in one half of the worlds, valued in the other, and vice versa."""
    half = len(margins[done]) // 2
    lost = 0.0
    for chooses, values in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        best = min(compared, key=lambda action: fmean(margins[action][chooses]))
        lost += fmean(margins[done][values]) - fmean(margins[best][values])
    return lost / 2


def main() -> None:
    """Print the losses found and the times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("decisions", type=int)
    parser.add_argument("--worlds", type=int, default=600)
    asked = parser.parse_args()
    novice, expert = make_player("novice", "0"), Expert("review")
    found: dict[str, list[float]] = {"every option": [], "by value": [], "by weights": []}
    seconds = {"by value": 0.0, "by weights": 0.0}
    for number in count():
        ruleset = RULESETS[number % len(RULESETS)]
        for place, (_, view) in enumerate(decisions(ruleset, f"orders/{number}", 2)):
            if place % 4 or len(view.legal) < 3:
                continue
            done = novice.decide(view).action
            began = time.process_time()
            judged = judge(Decision(len(view.history), 1, view, done))
            seconds["by value"] += time.process_time() - began
            if judged is None or not judged.ranked or not isinstance(done, Discard):
                continue
            began = time.process_time()
            weighed = sorted(expert.weigh_throws(view), key=lambda one: -one.total)
            seconds["by weights"] += time.process_time() - began
            throws = {action.card: action for action in view.legal if isinstance(action, Discard)}
            first = [done, expert.decide(view).action]
            ways = list(dict.fromkeys([*first, *judged.ranked]))
            try:
                played = Belief(view).played_out([[way] for way in ways], asked.worlds, f"orders/{number}/{place}")
            except (PlayoutFault, ValueError):
                continue
            margins = {
                way: [ending.margin(view.seat) for ending in endings] for way, endings in zip(ways, played, strict=True)
            }
            orders = {
                "every option": ways,
                "by value": judged.ranked,
                "by weights": [throws[one.card] for one in weighed],
            }
            for name, order in orders.items():
                compared = list(dict.fromkeys([*first, *order]))
                found[name].append(
                    found_by(margins, compared if name == "every option" else compared[:MOST_WAYS], done)
                )
            if len(found["by value"]) == asked.decisions:
                for name, lost in found.items():
                    error = 1.96 * stdev(lost) / len(lost) ** 0.5
                    print(f"{name}: {fmean(lost):.2f} ± {error:.2f} points a decision", end="")
                    print(f", {1000 * seconds[name] / len(lost):.0f} ms" if name in seconds else "")
                apart = [one - other for one, other in zip(found["by value"], found["by weights"], strict=True)]
                print(f"apart: {fmean(apart):+.2f} ± {1.96 * stdev(apart) / len(apart) ** 0.5:.2f}")
                return


if __name__ == "__main__":
    main()
