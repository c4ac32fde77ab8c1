"""Whether what hints say is so: every number and card of a reason counted once more, by another way.

    python -m lab.prove_reasons 20000

The moments are those of deals of club players, all rulesets in turn, on shuffles of their own. At each the hint's own
reason is checked, and in every second one the reason that a throw by dice was worse.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import count
from time import perf_counter

from kalooki_tui.coach.hinting import hint
from kalooki_tui.coach.reasons import reason
from kalooki_tui.engine.actions import Discard
from kalooki_tui.judging.differences import of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import assess
from kalooki_tui.rulesets.loader import load_ruleset
from tests.coach.recounting import check
from tests.coach.walking import decisions
from tests.property.tables import RULESETS


def main(wanted: int) -> None:
    """Check as many moments, and say how often each kind of reason was given."""
    told: Counter[str] = Counter()
    wrong: list[str] = []
    moments, began = 0, perf_counter()
    for number in count():
        ruleset = RULESETS[number % len(RULESETS)]
        deals = len(load_ruleset(ruleset).deals)
        dice = random.Random(number)
        for _, view in decisions(ruleset, f"proof/{number}", number // len(RULESETS) % deals + 1):
            said = [hint(view, worlds=0).reason]
            throws = [action.card for action in view.legal if isinstance(action, Discard)]
            best = assess(Situation(view)).best.action
            if len(throws) > 1 and isinstance(best, Discard) and moments % 2:
                card = dice.choice([one for one in throws if one != best.card])
                said.append(reason(Situation(view), of_throws(Situation(view), best.card, card)))
            for sentence in said:
                try:
                    told[check(view, sentence)] += 1
                except AssertionError as error:
                    wrong.append(f"{ruleset}, deal {view.deal}, shuffle proof/{number}: {sentence} ({error})")
            moments += 1
            if moments == wanted:
                break
        if moments == wanted:
            break
    print(f"{moments} moments, {sum(told.values())} reasons, {len(wrong)} wrong, {perf_counter() - began:.0f} s")
    for case, times in told.most_common():
        print(f"{times:>7}  {case}")
    print("\n".join(wrong[:40]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
