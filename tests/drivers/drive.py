"""Play whole matches through the app as people at one keyboard would: python tests/drivers/drive.py --minutes 30

For each ruleset the drives go round one, two and three people, the rest AI seats, both referees, calls in turn and by
the first key, the dealer's cut, options. Everything is done by keys, chosen by what is on the screen. A drive fails if
the app raises anything, says that something went wrong, or stands still. Exit code 1 if any did; what is needed to see
it again is printed at once.
"""

import argparse
import asyncio
import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session import turn_loop
from kalooki_tui.session.plan import MatchPlan, Speed
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.home import HomeScreen
from tests.drivers.keyboard import Keyboard, Thinks, watched
from tests.drivers.people import Fault, People

PEOPLE: Final = ("Ann", "Bob", "Cat")
#: Who sits beside the people, in turn.
BESIDE: Final = ("ai:club/caller", "ai:club", "ai:novice")
#: Steps without any change of the match after which it is taken to stand still, and the least time they must take.
MOST_STEPS: Final = 120
LEAST_SECONDS: Final = 30.0
#: A contract that was void so often is passed over.
MOST_REDEALS: Final = 1


@dataclass(frozen=True)
class Drive:
    ruleset: str
    people: int
    seats: int
    referee: Referee
    race: bool
    seed: int
    cut: bool = False
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        extra = (*self.options, *(["cut"] if self.cut else ()))
        return (
            f"{self.ruleset} {self.people} of {self.seats} people, {self.referee},"
            f" {'race' if self.race else 'in turn'}, seed {self.seed}{', ' if extra else ''}{' '.join(extra)}"
        )

    def plan(self) -> MatchPlan:
        beside = (BESIDE[(place + self.seed) % len(BESIDE)] for place in range(self.seats - self.people))
        settings: dict[str, object] = {"race": self.race, "max_redeals": MOST_REDEALS}
        if self.cut:
            settings["dealer_cut"] = True
        if load_ruleset(self.ruleset).end.after == "elimination":
            del settings["max_redeals"]
        return MatchPlan(
            ruleset=self.ruleset, seats=parse_seats([*PEOPLE[: self.people], *beside]), options=self.options,
            referee=self.referee, settings=settings, seed=self.seed, speed=Speed.INSTANT,
            curtain=self.seed % 3 != 0, teaching=self.seed % 4 == 0,
        )  # fmt: skip


@dataclass
class Result:
    drive: Drive
    finished: bool = False
    deals: int = 0
    steps: int = 0
    """How often somebody pressed keys for a question or a move."""
    keys: int = 0
    wrong: str | None = None
    not_done: list[str] = field(default_factory=list)


def drives(rulesets: Sequence[str], people: Sequence[int], seeds: Sequence[int]) -> Iterator[Drive]:
    """Every configuration, for each seed: each ruleset with each number of people first, then again another way."""
    for seed, turn in product(seeds, range(4)):
        for place, (ruleset_id, count) in enumerate(product(rulesets, people)):
            ways = _ways(ruleset_id, count, seed)
            if turn < len(ways):
                yield ways[(place + turn) % len(ways)]


def _ways(ruleset_id: str, people: int, seed: int) -> list[Drive]:
    """Referee and race in all combinations; the number of seats, the cut and the options go round with them."""
    base = load_ruleset(ruleset_id)
    counts = [seats for seats in base.seat_counts if people <= seats <= max(4, people)]
    if not counts:
        return []
    referees = list(Referee) if base.infractions is not None else [Referee.STRICT]
    options = [(), *((name,) for name, option in base.options.items() if option.seats is None)]
    return [
        Drive(
            ruleset_id, people, counts[(seed + number) % len(counts)], referee, race, seed * 100 + number,
            cut=base.dealer_cut_bonus is not None and (seed + number) % 2 == 1,
            options=options[(seed + number) % len(options)],
        )
        for number, (referee, race) in enumerate(product(referees, (False, True)))
    ]  # fmt: skip


async def play(
    drive: Drive, *, most_steps: int | None = None, asides: float = 0.02, until: float | None = None
) -> Result:
    """Play a match to its end, or until `most_steps` steps have been taken or the clock shows `until`."""
    result = Result(drive)

    async def played(keyboard: Keyboard) -> None:
        people = People(keyboard, drive.seed, asides=asides)
        result.not_done = people.not_done
        await _play_on(people, result, most_steps, until)

    app = KalookiApp(routes.new_match(drive.plan()), Thinks())
    result.keys, result.wrong = await watched(app, (80, 24), played)
    return result


async def _play_on(people: People, result: Result, most_steps: int | None, until: float | None) -> None:
    moment, since, steps = people.moment(), time.monotonic(), 0
    while not (people.over and isinstance(people.screen, HomeScreen)):
        if not people.keyboard.app.is_running:
            raise Fault("the app has ended")
        keys = people.keyboard.keys
        await people.step()
        result.steps += people.keyboard.keys > keys
        if (table := people.table) is not None:
            result.deals = max(result.deals, table.session._table.match.deal.number)
        if people.moment() != moment:
            moment, since, steps = people.moment(), time.monotonic(), 0
        steps += 1
        if steps > MOST_STEPS and time.monotonic() - since > LEAST_SECONDS:
            raise Fault(f"stands still at {moment} on {people.screen}")
        if people.keyboard.lost:
            raise Fault("a task failed")
        if (most_steps is not None and result.steps >= most_steps) or (until is not None and time.monotonic() > until):
            return
    result.finished = True


def drive_all(chosen: Sequence[Drive], minutes: float) -> list[Result]:
    """Play the matches one after the other, printing each."""
    end = time.monotonic() + 60 * minutes
    results = []
    for drive in chosen:
        if time.monotonic() > end:
            break
        with tempfile.TemporaryDirectory() as folder:
            os.environ["KALOOKI_HOME"] = folder
            # What the app prints when it falls over is told in few words.
            with contextlib.redirect_stderr(io.StringIO()):
                result = asyncio.run(play(drive, until=end))
        results.append(result)
        verdict = "FAILED" if result.wrong else "finished" if result.finished else "bounded"
        print(f"{verdict:9} {result.deals:3} deals {result.steps:6} steps {result.keys:6} keys  {drive}")
        print(*filter(None, (result.wrong, *(f"    not done: {why}" for why in result.not_done))), sep="\n", flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", action="append", help="default: all built-in ones")
    parser.add_argument("--people", type=int, action="append", choices=(1, 2, 3), help="default: 1, 2 and 3")
    parser.add_argument("--seeds", type=int, default=1, help="how many matches of each configuration")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long")
    arguments = parser.parse_args()
    turn_loop.SPEED_FACTOR[Speed.NATURAL] = question.SECOND = 0.01
    question.QUIET_SECONDS = 0.0
    names = arguments.ruleset or [entry.id for entry in available() if entry.builtin]
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    chosen = list(drives(names, arguments.people or (1, 2, 3), seeds))
    results = drive_all(chosen, arguments.minutes)
    failed = sum(result.wrong is not None for result in results)
    print(f"{len(results)} of {len(chosen)} configurations, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
