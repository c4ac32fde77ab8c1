"""Choices of one seat played on in common likely worlds: the better they do, the longer they stay in the race.

What playing on says is weighed against what was thought before: a choice starts with the points by which such choices
are usually worse than the one that is there already, and a run of luck in few worlds does not make up for them. So the
one that comes out best need not be asked again in other worlds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.view import View
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.numbers import added_up, hoped_for
from kalooki_tui.playouts import LIGHT, CoreSeat, Mean, Steps, mean_gain, mean_of

#: Worlds after which those choices go that are behind; each number is twice the one before.
FIRST_ROUND: Final = 20
#: Steps of the core in all, for each of the most worlds: where deals are long, and where many choices stay close to
#: each other, there are fewer worlds. Eight hundred times as many take 0.6 to 0.76 s of processor time.
MOST_STEPS: Final = 5_000
#: A choice is played on as long as that may be worth more than so many points: what it may come out better by than the
#: best so far, times how likely that is. So much for as many worlds; with fewer of them more, with more of them less.
WORTH_KNOWING: Final = 1.2
#: The same where the choice is not only made but told, with how sure it is; and worlds for the best two, at the least.
WORTH_TELLING: Final = 0.3
LEAST_TOLD: Final = 160
USUAL_WORLDS: Final = 800
#: Points by which two choices differ from world to world, as a standard deviation, and worlds that this counts for
#: beside those played.
USUAL_LUCK: Final = 111.0
LUCK_WORLDS: Final = 20


def moment(view: View) -> str:
    """Name a moment of a match: playouts from it under one seed use the same worlds."""
    return f"{view.deal}.{view.attempt}.{len(view.history)}"


class Contender(Struct, frozen=True):
    actions: tuple[Action, ...]
    handicap: float = 0.0
    """Points by which such a choice is usually worse than the first one."""
    spread: float = 1.0
    """Standard deviation of these points between decisions."""
    flattered: float = 0.0
    """Points by which playing on makes such a choice look better beside the first one than it is."""


class _Standing(Struct, frozen=True):
    """Points by which a choice is worse than the first one, and their error."""

    mean: float
    error: float


class Race:
    """Choices played on in the same worlds, fewer and fewer of them."""

    def __init__(
        self,
        view: View,
        choices: Sequence[Contender],
        own: CoreSeat,
        seed: str,
        *,
        worlds: int,
        threads: int,
        worth: float = WORTH_KNOWING,
        least: int = 0,
    ) -> None:
        """Play on as `own` in at most so many `worlds`, `least` for the best two, while `worth` points are open."""
        self.choices, self.own, self.seed, self.threads = choices, own, seed, threads
        self.worth, self.least = worth, least
        self.most = worlds
        self.belief = Belief(view)
        self.drawing, self.playing = Steps(), Steps()
        """Work spent on drawing worlds and on playing on in them."""
        self.usual: list[float] = []
        """By world: what the first choice came to, its seat's points less the mean of the others'."""
        self.behind: list[list[float]] = [[] for _ in choices]
        """By choice and world: points by which it was worse than the first one."""

    def run(self) -> int:
        """Return the number of the best choice; raise PlayoutFault if the native core gives up."""
        running, played, deals, more = list(range(1, len(self.choices))), 0, 0, min(FIRST_ROUND, self.most)
        while True:
            self._play(running, more, f"{self.seed}/{moment(self.belief.view)}/{played}")
            played += more
            deals += more * (len(running) + 1)
            standings = {number: self._standing(number) for number in running}
            best = min(running, key=lambda number: standings[number].mean)
            lead = min(0.0, standings[best].mean)
            running = self._in_doubt(standings, best if lead else 0) or ([best] if played < self.least else [])
            each = self.drawing.taken // played + self.playing.taken // deals * (len(running) + 1)
            left = MOST_STEPS * self.most - self.drawing.taken - self.playing.taken
            more = min(played, self.most - played, left // each)
            if not running or more <= 0:
                return best if lead < 0 else 0

    def _in_doubt(self, standings: Mapping[int, _Standing], leader: int) -> list[int]:
        """Return the choices worth playing on: those that may still be best, and the best so far."""
        lead = standings[leader].mean if leader else 0.0
        enough = self.worth * sqrt(USUAL_WORLDS / self.most)
        found = [
            number
            for number, one in standings.items()
            if number != leader and one.error * hoped_for((one.mean - lead) / one.error) > enough
        ]
        if not leader:
            return found
        error = standings[leader].error
        first_may_be = error * hoped_for(-lead / error) > enough
        return [leader, *found] if found or first_may_be else []

    def worse(self, number: int) -> float:
        """Return the points by which a choice is worse than the first one, priors included."""
        return self._standing(number).mean if number else 0.0

    def number(self, action: Action) -> int | None:
        return next((at for at, choice in enumerate(self.choices) if choice.actions[0] == action), None)

    def expected(self, number: int) -> Mean:
        """Return a choice's margin: its seat's points less the mean of the others', priors included."""
        usual, more = mean_of(self.usual), self.apart(number, 0)
        return Mean(usual.points + more.points, _joint(usual.error, more.error) * sqrt(more.worlds), more.worlds)

    def apart(self, number: int, other: int) -> Mean:
        """Return the points by which a choice is worse than another, priors included."""
        error = _joint(*(self._standing(one).error for one in (number, other) if one and number != other))
        worlds = len(self._behind(number))
        return Mean(self.worse(number) - self.worse(other), error * sqrt(worlds), worlds)

    def gain(self, number: int, other: int) -> Mean:
        """Return the gain of one choice over another in the worlds of both, less what playing on flatters."""
        flattered = self.choices[other].flattered - self.choices[number].flattered
        found = mean_gain(self._behind(number), self._behind(other))
        return Mean(found.points + flattered, found.deviation, found.worlds)

    def _behind(self, number: int) -> list[float]:
        return self.behind[number] if number else [0.0] * max(map(len, self.behind))

    def _play(self, running: Sequence[int], count: int, seed: str) -> None:
        found = self.belief.played_out(
            [self.choices[number].actions for number in (0, *running)],
            count,
            seed,
            own=self.own,
            others=LIGHT,
            threads=self.threads,
            drawing=self.drawing,
            playing=self.playing,
        )
        seat = self.belief.view.seat
        usual, *others = ([ending.margin(seat) for ending in by_world] for by_world in found)
        self.usual += usual
        for number, margins in zip(running, others, strict=True):
            self.behind[number] += [mine - its for mine, its in zip(margins, usual, strict=True)]

    def _standing(self, number: int) -> _Standing:
        """Combine the prior estimate and the worlds' result, each weighted by its certainty."""
        found, choice = self.behind[number], self.choices[number]
        mean = added_up(found) / len(found)
        seen = mean + choice.flattered
        squares = added_up((one - mean) * (one - mean) for one in found) + LUCK_WORLDS * USUAL_LUCK * USUAL_LUCK
        sure = len(found) * (len(found) + LUCK_WORLDS) / squares
        sure_before = 1 / (choice.spread * choice.spread)
        both = sure + sure_before
        return _Standing((seen * sure + choice.handicap * sure_before) / both, sqrt(1 / both))


def _joint(*errors: float) -> float:
    return sqrt(added_up(error * error for error in errors))
