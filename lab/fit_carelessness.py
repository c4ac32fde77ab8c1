"""The numbers of `players.carelessness`: python -m lab.fit_carelessness [--matches 60] [--rulesets NAME ...]

An expert plays matches against seats each of which is a novice or something better, in some matches mostly the one and
in some the other. Now and then at its decisions it is noted what `carelessness` may know of each other seat, and
whether that is a novice. One logistic regression over all rulesets, each with the same weight, gives the numbers. For
each ruleset the script prints how well they tell both apart in the second half of its matches, which is not fitted (the
area under the curve; 0.5 is chance, 1 never wrong): in all deals, in later ones, and in the first one.

It needs numpy, of the extra `training`.
"""

from __future__ import annotations

import argparse
import random
from typing import Any, Final

import numpy as np

from kalooki_tui.engine.deal import Deal
from kalooki_tui.players.carelessness import signs
from kalooki_tui.playouts import CoreSeat, play_deal
from kalooki_tui.rulesets.folders import available
from lab.deals import dealt, rules_of
from lab.measure_master import weights_of

#: As likely as one of all the others together.
OTHERS: Final = ("club", "expert", "club/hoarder", "club/caller")
#: How often a decision is noted.
NOTED: Final = 0.15
NAMES: Final = ("standing", "throws", "dearer", "calls")

Rows = list[list[float]]


def noted(ruleset: str, matches: int) -> tuple[Rows, Rows]:
    """Of the first half of the matches, and of the second: signs of a seat, deals before, whether it is a novice."""
    rules = rules_of(ruleset)
    seats, styles = rules.seats, {level: weights_of(level, ruleset) for level in ("novice", *OTHERS)}
    dice, rows = random.Random(ruleset), ([], [])  # type: tuple[Any, tuple[Rows, Rows]]
    for match in range(matches):
        share = dice.random()
        levels = ["novice" if dice.random() < share else dice.choice(OTHERS) for _ in range(seats - 1)]
        totals, playing = [0] * seats, [styles[level] for level in ("expert", *levels)]
        for number in range(1, len(rules.ruleset.deals) + 1):
            name = f"careless/{match}/{number}"
            deal = dealt(rules, number, (match + number) % seats, name, totals)
            novices = [level == "novice" for level in levels]
            rows[2 * match >= matches].extend(_of_deal(deal, playing, novices, name, dice))
            totals = [total + more for total, more in zip(totals, deal.points, strict=True)]
    return rows


def _of_deal(deal: Deal, playing: list[CoreSeat], novices: list[bool], name: str, dice: random.Random) -> Rows:
    rows: Rows = []
    for action, stock in play_deal(deal, styles=playing, seed=name).actions:
        if deal.actor == 0 and dice.random() < NOTED:
            view = deal.view(0)
            rows += [[*signs(view, seat), view.deal - 1, novice] for seat, novice in enumerate(novices, 1)]
        deal.next_stock = stock
        deal.apply(action)
    return rows


def fitted(samples: list[Any]) -> Any:
    """The weights of a constant and each sign, by Newton's method; every ruleset counts the same."""
    found = np.concatenate(samples)
    each = np.concatenate([np.full(len(one), 1 / len(one)) for one in samples])
    signs_of, novice = np.c_[np.ones(len(found)), found[:, :-2]], found[:, -1]
    weights = np.zeros(signs_of.shape[1])
    for _ in range(30):
        share = 1 / (1 + np.exp(-signs_of @ weights))
        slope = signs_of.T @ (each * (share - novice))
        curve = (signs_of * (each * share * (1 - share))[:, None]).T @ signs_of
        weights -= np.linalg.solve(curve, slope)
    return weights


def area(sample: Any, weights: Any) -> float:
    """How often a novice looks more careless than another: the area under the curve."""
    novice = sample[:, -1] == 1
    ranks = np.argsort(np.argsort(sample[:, :-2] @ weights[1:]))
    return float((ranks[novice].mean() - (novice.sum() - 1) / 2) / (~novice).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--rulesets", nargs="+", default=[one.id for one in available()])
    given = parser.parse_args()
    samples = {name: tuple(map(np.array, noted(name, given.matches))) for name in given.rulesets}
    weights = fitted([first for first, _ in samples.values()])
    print(f"constant {weights[0]:+.2f}", *(f"{name} {one:+.2f}" for name, one in zip(NAMES, weights[1:], strict=True)))
    for name, (_, other) in samples.items():
        before = other[:, -2] > 0
        told = (area(one, weights) for one in (other, other[before], other[~before]) if len(one))
        print(f"{name}: {len(other)} moments;", ", ".join(f"{one:.2f}" for one in told), "(all, later deals, first)")


if __name__ == "__main__":
    main()
