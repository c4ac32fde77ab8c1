"""Why the better choice of a reviewed decision was better, against what was done.

First what could be counted at the table (`judging.differences`); where that does not speak for the choice, what the
worlds tell apart in which both were played out; and where that does not either, one sentence says so plainly.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Final

from kalooki_tui.coach.catalogue import sentences
from kalooki_tui.coach.reasons import reason
from kalooki_tui.judging.decisions import Fate, Judged, Quality
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.playing_out import WORLDS, Race, further, go_on, look, settled
from kalooki_tui.judging.recommending import difference

#: Standard errors by which two shares or means must differ to be told apart.
APART: Final = 2.0
#: Worlds that shares are told of.
HUNDRED: Final = 100


def explained(judged: Judged) -> Judged:
    """With the reason why the best option was better."""
    return replace(judged, why=why_better(judged))


def played_out(judged: Judged, worlds: int = WORLDS) -> Judged:
    """The decision after its whole race, with the reason."""
    return explained(settled(judged, worlds))


def played_on(judged: Judged, race: Race | None) -> tuple[Race, Judged]:
    """A step further with a decision: its race, and what is known, with the reason once it is over.

    The first step compares all options, each of the others is a round that values them.
    """
    race = go_on(race) if race else look(judged)
    return race, explained(race.result) if race.is_over else race.result


def played_further(judged: Judged, race: Race | None) -> tuple[Race, Judged]:
    """A round more with a decision whose race was over, or to its end."""
    race = further(race or look(judged))
    return race, explained(race.result)


def why_better(judged: Judged) -> str:
    """The reason, as one or two sentences; empty where nothing was better."""
    done = judged.decision.action
    if judged.verdict in (Quality.FINE, Quality.CLOSE) or judged.best == done:
        return ""
    situation = Situation(judged.decision.view)
    fact = difference(situation, judged.best, done)
    if fact.explains:
        return reason(situation, fact)
    if judged.error is None:
        return ""
    return sentences("facts")["worlds"]["nothing"] if judged.fates is None else of_worlds(*judged.fates)


def of_worlds(done: Fate, best: Fate) -> str:
    """What the worlds tell apart most clearly: who goes out, or what is left to pay."""
    counted = {
        "out": (_apart(best.out, best.worlds, done.out, done.worlds), done.out / done.worlds, best.out / best.worlds),
        "beaten": (
            _apart(done.beaten, done.worlds, best.beaten, best.worlds),
            done.beaten / done.worlds,
            best.beaten / best.worlds,
        ),
    }
    case, (errors, was, would_be) = max(counted.items(), key=lambda one: one[1][0])
    left = _left_apart(done, best)
    if max(errors, left) < APART:
        return sentences("facts")["worlds"]["nothing"]
    if left > errors:
        points, best_points = done.left / done.beaten, best.left / best.beaten
        return sentences("facts")["worlds"]["left"].format(points=f"{points:.0f}", best_points=f"{best_points:.0f}")
    shares = {"share": f"{was * HUNDRED:.0f}", "best_share": f"{would_be * HUNDRED:.0f}"}
    return sentences("facts")["worlds"][case].format(**shares)


def _apart(more: int, of_more: int, less: int, of_less: int) -> float:
    """Standard errors by which the first share is greater than the second."""
    share, other = more / of_more, less / of_less
    error = sqrt(share * (1 - share) / of_more + other * (1 - other) / of_less)
    return (share - other) / error if error else 0.0


def _left_apart(done: Fate, best: Fate) -> float:
    """Standard errors by which less is left to pay on average, in the worlds in which another seat goes out."""
    if min(done.beaten, best.beaten) < 2:
        return 0.0
    error = sqrt(sum((one.squares / one.beaten - (one.left / one.beaten) ** 2) / one.beaten for one in (done, best)))
    return (done.left / done.beaten - best.left / best.beaten) / error if error else 0.0
