"""Decisions of a review played out over common worlds: hidden cards dealt again from what the seat saw.

A `Rollout` is one decision on its way. It is cheap to hand to another process, and goes on in short rounds:

1. Few worlds, in which all options are compared. Those that come out clearly worse than what was done drop out.
2. The two best of what is left are played out in fresh worlds, and again in more of them while it is open whether
   anything was lost. Each half of these worlds chooses one of the two, which the other half values.

So no option is valued in the worlds that made it look best. The worlds are those in which a hint of the same moment
plays its choices on (`race`), and more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub
from statistics import fmean
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Discard, Lay
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.evaluation.decisions import SLIP, Fate, Judged
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.master import KEEP_FLATTERED, Master
from kalooki_tui.players.race import FIRST_ROUND, moment
from kalooki_tui.playouts import LIGHT, PlayoutFault, available, mean_gain, mean_of

#: Whose worlds they are, with the moment's.
SEED: Final = "coach"
#: Worlds that a decision which may have cost something is played out in.
WORLDS: Final = 2000
#: Fewest of them: of those that value options, each half chooses for the other.
LEAST: Final = 4
#: Share of them in which all options are compared; in the others the best are valued.
LOOKING: Final = 1 / 6
#: And of each round more that is asked for.
MORE: Final = 1 / 2
#: Options that are compared, and those valued.
MOST_WAYS: Final = 5
MOST_VALUED: Final = 2
#: Standard errors by which an option that drops out is worse than what was done; at the end of looking it is worse.
CLEARLY: Final = 2.0
#: A standard error that is small enough.
CLOSE_ENOUGH: Final = 1.0

Margins = tuple[float, ...]


class Rollout(Struct, frozen=True):
    judged: Judged
    ways: tuple[Action, ...]
    """Options still compared; the first is what was done."""
    worlds: int
    looked: tuple[Margins, ...] = ()
    """Margins by option, in the worlds that compare."""
    valued: tuple[Margins, ...] = ()
    fates: tuple[Fate, ...] = ()
    """Endings by option, in all worlds so far."""
    is_over: bool = False

    @property
    def played(self) -> int:
        return sum(len(margins[0]) for margins in (self.looked, self.valued) if margins)

    @property
    def looks(self) -> bool:
        """True if the next round compares all options."""
        return not self.valued and (not self.played or 2 * self.played <= LOOKING * self.worlds)

    @property
    def result(self) -> Judged:
        """Decision as far as it is known; by value alone as long as nothing has been played out."""
        judged, done = replace(self.judged, is_open=not self.is_over), self.judged.decision.action
        if not self.looked:
            return judged
        if self.valued:
            best, gains = _gains(self.valued)
        else:
            # For the time being in the worlds that chose it.
            best = min(range(1, len(self.looked)), key=lambda way: fmean(self.looked[way]))
            gains = tuple(map(sub, self.looked[0], self.looked[best]))
        gain = mean_of(gains)
        if gain.points <= 0:
            return replace(judged, best=done, loss=0.0, error=gain.error, why="")
        fates = (self.fates[0], self.fates[best]) if self.fates else None
        return replace(judged, best=self.ways[best], loss=gain.points, error=gain.error, why="", fates=fates)


def begin(judged: Judged, worlds: int = WORLDS) -> Rollout:
    """Start the rollout of a decision; it is over at once without a core or a choice."""
    view, done = judged.decision.view, judged.decision.action
    expert = Expert(SEED).decide(view).action
    first = [expert] if expert in judged.ranked else []
    ways = tuple(dict.fromkeys([done, *first, *judged.ranked]))[:MOST_WAYS]
    is_over = len(ways) < 2 or not judged.ranked or not available()
    return Rollout(judged, ways, max(worlds, LEAST), is_over=is_over)


def go_on(rollout: Rollout) -> Rollout:
    """Play one round. Where the core cannot play the moment, the rollout is over."""
    if rollout.is_over:
        return rollout
    left = rollout.worlds - rollout.played
    try:
        found, fates = _play(rollout, min(rollout.played or FIRST_ROUND, max(0, left)) or round(rollout.worlds * MORE))
    except (ValueError, PlayoutFault, Refused):
        return replace(rollout, is_over=True)
    together = tuple(map(add, rollout.fates, fates)) if rollout.fates else fates
    after = replace(rollout, fates=together)
    if rollout.looks:
        return _looked(after, _joined(rollout.looked, found))
    after = replace(after, valued=_joined(rollout.valued, found))
    gain = mean_of(_gains(after.valued)[1])
    is_known = gain.points <= 0 or gain.points + 2 * gain.error < SLIP or gain.error <= CLOSE_ENOUGH
    return replace(after, is_over=is_known or after.played >= rollout.worlds)


def look(judged: Judged) -> Rollout:
    """Play the rounds that compare all options; it is then over unless the decision may have cost something."""
    rollout = begin(judged)
    while not rollout.is_over and rollout.looks:
        rollout = go_on(rollout)
    return rollout


def further(rollout: Rollout) -> Rollout:
    """Play one more round that values, though the rollout was over."""
    while True:
        after = go_on(replace(rollout, is_over=len(rollout.ways) < 2 or not available()))
        if after.valued or after.played == rollout.played:
            return after
        rollout = after


def settled(judged: Judged, worlds: int = WORLDS) -> Judged:
    rollout = begin(judged, worlds)
    while not rollout.is_over:
        rollout = go_on(rollout)
    return rollout.result


def _play(rollout: Rollout, count: int) -> tuple[tuple[Margins, ...], tuple[Fate, ...]]:
    view, ways = rollout.judged.decision.view, [[way] for way in rollout.ways]
    seat, name = view.seat, f"{SEED}/{moment(view)}/{rollout.played}"
    master = Master(SEED)
    found = Belief(view).played_out(ways, count, name, own=master.goes_on(view), others=LIGHT, threads=master.threads)
    # Keeping the contract in the hand looks better than it is, beside laying it.
    lays = any(isinstance(way, Lay) for way in rollout.ways) and not has_laid(view, seat)
    flattered = [KEEP_FLATTERED if lays and isinstance(way, Discard) else 0.0 for way in rollout.ways]
    margins = tuple(
        tuple(ending.margin(seat) + more for ending in by_world)
        for by_world, more in zip(found, flattered, strict=True)
    )
    fates = []
    for by_world in found:
        left = [ending.points[seat] for ending in by_world if ending.out not in (None, seat)]
        out = sum(ending.out == seat for ending in by_world)
        fates.append(Fate(len(by_world), out, len(left), sum(left), sum(points * points for points in left)))
    return margins, tuple(fates)


def _joined(before: Sequence[Margins], more: Sequence[Margins]) -> tuple[Margins, ...]:
    return tuple(map(add, before, more)) if before else tuple(more)


def _looked(rollout: Rollout, looked: tuple[Margins, ...]) -> Rollout:
    """Let options drop out; at the end of looking, all but the best few."""
    gains = {way: mean_gain(looked[way], looked[0]) for way in range(1, len(looked))}
    is_last = not replace(rollout, looked=looked).looks
    kept = [way for way, gain in gains.items() if gain.is_beyond(0.0, 0.0 if is_last else -CLEARLY)]
    if is_last:
        kept = sorted(kept, key=lambda way: -gains[way].points)[:MOST_VALUED]
    # The one that came nearest says how sure it is that nothing was lost.
    stay = (0, *(kept or [max(gains, key=lambda way: gains[way].points)]))
    ways, fates, margins = (tuple(by_way[way] for way in stay) for by_way in (rollout.ways, rollout.fates, looked))
    return replace(rollout, ways=ways, fates=fates, looked=margins, is_over=not kept)


def _gains(margins: Sequence[Margins]) -> tuple[int, Margins]:
    """Return the best option, and its gains by world: in each half those of the option best in the other half."""
    half = len(margins[0]) // 2
    choices = range(1, len(margins))
    early = min(choices, key=lambda way: fmean(margins[way][:half]))
    late = min(choices, key=lambda way: fmean(margins[way][half:]))
    gains = (*map(sub, margins[0][:half], margins[late]), *map(sub, margins[0][half:], margins[early][half:]))
    return min(choices, key=lambda way: fmean(margins[way])), gains
