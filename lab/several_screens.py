"""Whole matches of every game at several screens, with both referees, and with people who go and come back.

    python -m lab.several_screens 2

For each game and referee: four people at three screens, two of them at one (two people at two screens in a game for
two), and four people at four; beside them an AI seat where there is room, in the shortest game a master. Without
drawing. It says what happened in them, and ends with an error where a match does not come to its end, or screens were
told different things.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from unittest.mock import patch

from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.desk.table import flow
from kalooki_tui.desk.table.sitting import Sitting
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.table.seats import parse_seats
from tests.desk.table.fronts import ClubFront, InThisProcess, play_out
from tests.property.tables import RULESETS

NAMES = ("Ann", "Bob", "Cat", "Dee")
#: Seconds for one match.
MOST = 600.0
TOLD = (
    "Called",
    "CallRefused",
    "Laid",
    "Tacked",
    "Swapped",
    "Challenged",
    "Flipped",
    "BoughtIn",
    "DroppedOut",
    "Voided",
)


def plan_for(ruleset: str, referee: Referee, seed: int) -> MatchPlan:
    """As many people as there is room for, four at most, and an AI seat beside them where there is more."""
    game = load_ruleset(ruleset)
    counts = game.seat_counts
    seats = min(counts, key=lambda number: abs(number - 5))
    people = min(4, seats)
    texts = [*NAMES[:people], *["ai:master" if ruleset == "baby" else "ai:expert"] * (seats - people)]
    used = referee if game.infractions is not None else Referee.STRICT
    return MatchPlan(ruleset=ruleset, seats=parse_seats(texts), seed=seed, speed=Speed.INSTANT, referee=used)


async def play(plan: MatchPlan, places: Sequence[Sequence[int]]) -> Counter[str]:
    """One match; how often each kind of event was told, and how often somebody went."""
    table, dice = plan.open(), random.Random(plan.seed)
    sitting = Sitting(plan, table, InThisProcess())
    seats = table.people
    fronts = [ClubFront(sitting.sit([seats[one] for one in here])) for here in places[:-1]]
    found: Counter[str] = Counter()

    async def comes_and_goes() -> None:
        """The people of the last screen."""
        last = [seats[one] for one in places[-1]]
        while not table.match.finished:
            place = sitting.sit(last)
            with suppress(TimeoutError):
                await asyncio.wait_for(place.serve(ClubFront(place)), dice.uniform(0.01, 0.4))
            if table.match.finished:
                break
            place.leave()
            found["went"] += 1
            await asyncio.sleep(dice.uniform(0, 0.01))

    goer = asyncio.ensure_future(comes_and_goes())
    await asyncio.wait_for(play_out(*fronts), MOST)
    goer.cancel()
    assert table.match.finished
    assert all(front.events == fronts[0].events for front in fronts), "screens were told different things"
    return found + Counter(type(event).__name__ for event in fronts[0].events)


async def main_async(matches: int) -> None:
    """All games in turn."""
    for ruleset in RULESETS:
        for referee in Referee:
            found: Counter[str] = Counter()
            for number in range(matches):
                plan = plan_for(ruleset, referee, 300_001 + number)
                people = sum(seat.is_human for seat in plan.seats)
                shared = [[0, 1], *([seat] for seat in range(2, people))] if people > 2 else [[0], [1]]
                for places in (shared, [[seat] for seat in range(people)]):
                    found += await play(plan, places)
            told = ", ".join(f"{name} {found[name]}" for name in (*TOLD, "went") if found[name])
            print(f"{ruleset:14} {referee.value:9} {told}", flush=True)


def main() -> None:
    """Play them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int)
    with patch.object(flow, "WINDOW", 0.0):
        asyncio.run(main_async(parser.parse_args().matches))


if __name__ == "__main__":
    main()
