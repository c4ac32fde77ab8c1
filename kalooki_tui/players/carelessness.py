"""How carelessly the other seats seem to play, from what everybody has seen of them in the match so far.

People are not club players, and a choice that is right among club players may be wrong among novices. Two things tell
the two apart: how much more than oneself the seat has lost in the deals before, and in this deal what it throws. A
novice keeps dear cards as long as it can, so its throws grow dearer one after another; who looks at the points at risk
throws a cheap card after a dear one, and calls more. The numbers were fitted to matches of all rulesets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import View
from kalooki_tui.players.arithmetic import added_up, power_of_e

#: The logarithm of the odds that a seat is a novice, before anything has been seen of it: one in four.
BEFORE: Final = -1.1
#: What is added for each of the `signs`.
WEIGHTS: Final = (0.15, -0.47, 1.36, -0.33)
#: Where it is less likely than that, a seat counts as a club player in all worlds; more likely, as a novice in most.
LEAST: Final = 0.3
MOST: Final = 0.9


def carelessness(view: View) -> list[float]:
    """By seat: in which share of worlds it should play on as a novice; 0 for the view's own seat."""
    others = [view.in_deal[seat] and seat != view.seat for seat in range(len(view.names))]
    return [_share(view, seat) if is_asked_about else 0.0 for seat, is_asked_about in enumerate(others)]


def signs(view: View, seat: int) -> tuple[float, ...]:
    """What is seen of a seat: how badly it stands, throws after its first, those dearer than the last, calls.

    The standing is what it has lost more than the view's own seat, as a share of the average of all, times the deals.
    """
    public = public_of(view)
    thrown = [view.rules.values[card] for card in public.thrown[seat]]
    average = sum(view.totals) / len(view.totals)
    standing = (view.deal - 1) * (view.totals[seat] - view.totals[view.seat]) / max(1.0, average)
    return standing, max(0, len(thrown) - 1), sum(one < other for one, other in pairwise(thrown)), public.calls[seat]


def _share(view: View, seat: int) -> float:
    odds = BEFORE + added_up(weight * sign for weight, sign in zip(WEIGHTS, signs(view, seat), strict=True))
    against = power_of_e(-abs(odds))
    share = (against if odds < 0 else 1.0) / (1.0 + against)
    return min(share, MOST) if share >= LEAST else 0.0


def who_is_careless(shares: Sequence[float], worlds: int, seed: str) -> Counter[tuple[bool, ...]]:
    """In how many of the worlds just these seats play on as novices: each in its share of them, as near as can be."""
    dice = random.Random(seed)
    columns = []
    for share in shares:
        count = int(share * worlds + dice.random()) if share else 0
        column = [True] * count + [False] * (worlds - count)
        if 0 < count < worlds:
            dice.shuffle(column)
        columns.append(column)
    return Counter(zip(*columns, strict=True))
