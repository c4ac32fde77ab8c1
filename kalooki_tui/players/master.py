"""The master: the expert, with what to throw and whether to lay decided by playing on in likely worlds.

Each choice worth a thought is played to the end of the deal by the native core (`playouts`), in hidden cards dealt anew
as they are likely to be (`belief`), the same worlds for all choices. Half of the worlds choose, the others say what the
choice is worth; the expert's own is left only where that is clear. Without the core the master plays as the expert.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import sqrt
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import DISCARD, Action, Lay
from kalooki_tui.engine.view import View
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.protocol import Decision
from kalooki_tui.playouts import CLUB, PlayoutFault, Weights, available, playouts
from kalooki_tui.values import dataclass

#: Worlds that choose, after each of which those choices go that are clearly worse than the best, and worlds that value.
ROUNDS: Final = (10, 20, 40, 80)
VALUING: Final = 80
#: Most choices that are played on: those for which most speaks without it.
MOST_CHOICES: Final = 8
#: Cards to throw that are played on beside a lay-down.
MOST_BESIDE_LAYING: Final = 3
#: Standard errors by which a choice must be worse than the best to go, and by which the last one must be better.
CLEARLY: Final = 1.0
BETTER: Final = 0.5

Way = tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What playing on has found."""

    way: int
    """The number of the choice; 0 is the one that was there before."""
    gain: float
    """Points by which it is better than that one."""
    worlds: int


class Master(Expert):
    """Plays better than the expert, and takes a good part of a second for it."""

    def first_lay(self, view: View) -> Decision | None:
        """Lay as the expert does, unless throwing a card and going on with the contract in hand is better."""
        found = super().first_lay(view)
        if found is None or not isinstance(found.action, Lay):
            return found
        throws = [weighed.card for weighed in sorted(self.weigh_throws(view), key=lambda one: -one.total)]
        ways: list[Way] = [(found.action,)]
        ways += [(DISCARD[view.seat][card],) for card in throws[:MOST_BESIDE_LAYING]]
        better = self._play_on(view, ways, "lay")
        if better is None or better.way == 0:
            return found
        symbol = view.rules.faces.symbol(throws[better.way - 1])
        return Decision(ways[better.way][0], f"the contract is worth more in hand: {symbol} goes first")

    def discard(self, view: View) -> tuple[Card, str]:
        """The expert's card, unless another one is better where the deal is played on."""
        card, reason = super().discard(view)
        ordered = [weighed.card for weighed in sorted(self.weigh_throws(view), key=lambda one: -one.total)]
        cards = [card, *(other for other in ordered if other != card)][:MOST_CHOICES]
        better = self._play_on(view, [(DISCARD[view.seat][other],) for other in cards], "discard")
        if better is None or better.way == 0:
            return card, reason
        symbol = view.rules.faces.symbol
        thrown = cards[better.way]
        return thrown, f"played on {better.worlds} times, {symbol(thrown)} came out better than {symbol(card)}"

    def own_weights(self) -> Weights:
        """How the master's own seat goes on in the worlds."""
        style = self.style
        return Weights(
            keep=style.keep,
            risk=style.risk,
            risk_laid=style.risk_laid,
            take_gain=style.take_gain,
            call_gain=style.call_gain,
            pair=style.pair,
            feed=style.feed,
            meld=style.meld,
            laid_meld=style.laid_meld,
            laid_near=style.laid_near,
            horizon=self.horizon,
        )

    def _play_on(self, view: View, ways: Sequence[Way], purpose: str) -> Found | None:
        """The best of the ways, the first of which is there already; None: there is no core, or nothing to choose."""
        if len(ways) < 2 or not available():
            return None
        try:
            return _Race(self, view, ways, purpose).run()
        except PlayoutFault:
            return None


class _Race:
    """Choices played on in common worlds, fewer and fewer of them."""

    def __init__(self, master: Master, view: View, ways: Sequence[Way], purpose: str) -> None:
        self.view, self.ways = view, ways
        self.seed = f"{master.seed}/{view.deal}.{view.attempt}.{len(view.history)}/{purpose}"
        self.belief = Belief(view)
        self.styles = [CLUB] * len(view.names)
        self.styles[view.seat] = master.own_weights()
        self.threads = min(2, os.cpu_count() or 1)

    def run(self) -> Found:
        """The best choice, and what it gains in worlds that had no part in choosing it."""
        margins: dict[int, list[float]] = {way: [] for way in range(len(self.ways))}
        played = 0
        for worlds in ROUNDS:
            for way, more in self._margins(list(margins), worlds - played, f"{played}").items():
                margins[way] += more
            played = worlds
            best = min(margins, key=lambda way: (sum(margins[way]), way))
            for way in list(margins):
                if way not in (0, best) and _difference(margins[way], margins[best], -CLEARLY) > 0:
                    del margins[way]
            if len(margins) == 1:
                break
        best = min(margins, key=lambda way: (sum(margins[way]), way))
        if best == 0:
            return Found(0, 0.0, played)
        valued = self._margins([0, best], VALUING, "value")
        gain = -_difference(valued[best], valued[0], 0.0)
        if _difference(valued[best], valued[0], BETTER) >= 0:
            return Found(0, 0.0, VALUING)
        return Found(best, gain, VALUING)

    def _margins(self, ways: Sequence[int], count: int, name: str) -> dict[int, list[float]]:
        name = f"{self.seed}/{name}"
        worlds = self.belief.worlds(count, name, threads=self.threads)
        found = playouts(
            self.belief.start,
            worlds,
            [self.ways[way] for way in ways],
            seat=self.view.seat,
            styles=self.styles,
            seed=name,
            threads=self.threads,
        )
        return dict(zip(ways, found, strict=True))


def _difference(one: Sequence[float], other: Sequence[float], errors: float) -> float:
    """Mean difference of two choices in the same worlds, and so many standard errors of it."""
    differences = [mine - its for mine, its in zip(one, other, strict=True)]
    count = len(differences)
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / max(1, count - 1)
    return mean + errors * sqrt(variance / count)
