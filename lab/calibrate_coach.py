"""Make the coach's tables of chances from self-play: python -m lab.calibrate_coach [--rounds 12] [--jobs 2]

Every built-in ruleset with each of its numbers of seats is played by club players, every contract `--rounds` times, and
each throw of a seat that has not laid is followed: does somebody else go out before the seat's next turn, does the seat
lay within one, two, three turns. The counts go to kalooki_tui/evaluation/tables/, a file a ruleset.
`--check` plays other deals instead and prints how often what the tables say has happened (docs/learn.md).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from kalooki_tui.engine.actions import Discard
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import CallRefused, Drew, Laid
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.evaluation.facts import MOST_AWAY, MOST_OTHERS, TURNS, Chances, chances_for
from kalooki_tui.players import make_player
from kalooki_tui.players.memory import unseen_copies
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.solver import useful_cards
from lab.deals import dealt, rules_of

TABLES = Path(__file__).parents[1] / "kalooki_tui" / "judging" / "tables"
PLAYER = "club"


class Throw(NamedTuple):
    """One throw of a seat that had not laid, and what came of it."""

    away: int
    share: float
    """Share of the unseen cards that bring the hand nearer."""
    others_laid: int
    ended: bool | None
    """Whether another seat went out before the seat's next turn; None: the deal was void before."""
    laid_after: int | None
    """Turns until the seat laid; None: it never did."""
    turns_seen: int
    """Turns the seat still had, the one in which it laid included, or until the deal ended."""
    over: bool
    """Whether the deal ended by somebody going out, not void."""


class _Open:
    """A throw that is still being followed."""

    def __init__(self, seat: int, away: int, share: float, laid: int) -> None:
        self.seat, self.away, self.share, self.laid = seat, away, share, laid
        self.turns = 0
        self.ended: bool | None = None
        self.laid_after: int | None = None


def throws(ruleset: str, seats: int, seed: str, number: int) -> list[Throw]:
    """Play one deal, and follow its throws."""
    rules = rules_of(ruleset, seats)
    deal = dealt(rules, number, number % seats, f"{seed}/{number}")
    players = [make_player(PLAYER, f"{seed}/{seat}") for seat in range(seats)]
    followed: list[_Open] = []
    while deal.actor is not None:
        seat = deal.actor
        view = deal.view(seat)
        action = players[seat].decide(view).action
        events = deal.apply(action)
        for event in events:
            if isinstance(event, Drew | CallRefused):
                _begin_turn(followed, event.seat)
            elif isinstance(event, Laid):
                for throw in followed:
                    if throw.seat == event.seat and throw.laid_after is None:
                        throw.laid_after = throw.turns
        is_over = deal.void or deal.out is not None
        if isinstance(action, Discard) and not is_over and deal.laid[seat] is HasLaid.NO:
            followed.append(_followed(deal, seat))
    if deal.out is not None:
        for throw in followed:
            if throw.turns == 0:
                throw.ended = True
    return [
        Throw(
            throw.away, throw.share, throw.laid, False if throw.turns else throw.ended, throw.laid_after, throw.turns,
            deal.out is not None,
        )
        for throw in followed
    ]  # fmt: skip


def _begin_turn(followed: list[_Open], seat: int) -> None:
    for throw in followed:
        if throw.seat == seat and throw.laid_after is None:
            throw.turns += 1


def _followed(deal: Deal, seat: int) -> _Open:
    view = deal.view(seat)
    away, helps = useful_cards(view.rules, view.contract, view.hand)
    unseen = unseen_copies(view)
    share = sum(unseen[card] for card in helps) / max(1, sum(unseen))
    others = [state for other, state in enumerate(deal.laid) if other != seat and deal.in_deal[other]]
    return _Open(seat, away, share, sum(state is not HasLaid.NO for state in others))


class Task(NamedTuple):
    """Deals of one ruleset and number of seats."""

    ruleset: str
    seats: int
    rounds: int
    seed: str


def play(task: Task) -> list[Throw]:
    """All throws of every contract, `rounds` times."""
    deals = len(load_ruleset(task.ruleset).deals)
    contracts = range(1, deals + 1) if deals > 1 else [1] * 6
    return [
        throw
        for count in range(task.rounds)
        for place, number in enumerate(contracts)
        for throw in throws(task.ruleset, task.seats, f"{task.seed}/{count}/{place}", number)
    ]


def table(found: list[Throw]) -> dict[str, object]:
    """The counts of one ruleset and number of seats, as the coach reads them."""
    ends = [[0, 0] for _ in range(MOST_OTHERS + 1)]
    lays = [[[0, 0] for _ in range(TURNS)] for _ in range(MOST_AWAY)]
    shares: dict[int, list[float]] = defaultdict(list)
    for throw in found:
        if throw.ended is not None:
            _count(ends[min(throw.others_laid, MOST_OTHERS)], throw.ended)
        if throw.away:
            away = min(throw.away, MOST_AWAY)
            shares[away].append(throw.share)
            for turn in range(1, TURNS + 1):
                if _is_known(throw, turn):
                    _count(lays[away - 1][turn - 1], throw.laid_after is not None and throw.laid_after <= turn)
    return {
        "ends": ends,
        "lays": lays,
        "shares": [
            round(sum(values) / len(values), 4) if (values := shares[away]) else 0.0 for away in range(1, MOST_AWAY + 1)
        ],
    }


def _is_known(throw: Throw, turn: int) -> bool:
    """Whether it is known if the seat laid within so many turns: not where a void deal cut them off."""
    return throw.over or throw.turns_seen >= turn or throw.laid_after is not None


def _count(cell: list[int], happened: bool) -> None:
    cell[0] += 1
    cell[1] += happened


def tasks(rounds: int, seed: str, only: list[str]) -> Iterator[Task]:
    """Every built-in ruleset with each of its numbers of seats."""
    for entry in available():
        if entry.builtin and (not only or entry.id in only):
            for seats in load_ruleset(entry.id).seat_counts:
                yield Task(entry.id, seats, rounds, seed)


def make(rounds: int, jobs: int, seed: str, only: list[str]) -> None:
    """Write the tables."""
    TABLES.mkdir(exist_ok=True)
    made: dict[str, dict[str, object]] = defaultdict(dict)
    todo = list(tasks(rounds, seed, only))
    started = time.process_time()
    with ProcessPoolExecutor(jobs) as pool:
        for task, found in zip(todo, pool.map(play, todo), strict=True):
            made[task.ruleset][str(task.seats)] = table(found)
            print(f"{task.ruleset} {task.seats}: {len(found)} throws", flush=True)
    for ruleset, seats in made.items():
        about = {"made_by": "lab/calibrate_coach.py", "player": PLAYER, "rounds": rounds, "seed": seed}
        text = json.dumps({**about, "seats": seats}, separators=(",", ":"))
        (TABLES / f"{ruleset}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{time.process_time() - started:.0f} s of this process")


def check(rounds: int, jobs: int, seed: str, only: list[str]) -> None:
    """Print what the tables said of other deals, and what happened."""
    todo = list(tasks(rounds, f"{seed}/held out", only))
    by_ruleset: dict[str, list[tuple[str, float, bool]]] = defaultdict(list)
    with ProcessPoolExecutor(jobs) as pool:
        for task, found in zip(todo, pool.map(play, todo), strict=True):
            chances = chances_for(task.ruleset, task.seats)
            by_ruleset[task.ruleset] += [said for throw in found for said in _said(chances, throw)]
    print("| ruleset | what | said | happened | n |\n|---|---|---|---|---|")
    for ruleset, said in by_ruleset.items():
        for what in ("goes out before my turn", "lays in 1", "lays in 3"):
            rows = [(chance, happened) for kind, chance, happened in said if kind == what]
            for low, high in ((0.0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 1.01)):
                here = [(chance, happened) for chance, happened in rows if low <= chance < high]
                if len(here) >= 30:
                    expected = sum(chance for chance, _ in here) / len(here)
                    happened = sum(happened for _, happened in here) / len(here)
                    error = 1.96 * math.sqrt(happened * (1 - happened) / len(here))
                    print(f"| {ruleset} | {what} | {expected:.0%} | {happened:.0%} ± {error:.0%} | {len(here)} |")


def _said(chances: Chances, throw: Throw) -> Iterator[tuple[str, float, bool]]:
    if throw.ended is not None:
        yield "goes out before my turn", chances.end_before_turn(throw.others_laid), throw.ended
    for turns in (1, TURNS):
        if throw.away and _is_known(throw, turns):
            laid = throw.laid_after is not None and throw.laid_after <= turns
            yield f"lays in {turns}", chances.lay_within(throw.away, turns, throw.share), laid


def main() -> None:
    """Make the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=12, help="times each contract is played")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="coach")
    parser.add_argument("--ruleset", action="append", default=[], help="only this ruleset")
    parser.add_argument("--check", action="store_true", help="compare the tables with other deals")
    chosen = parser.parse_args()
    (check if chosen.check else make)(chosen.rounds, chosen.jobs, chosen.seed, chosen.ruleset)


if __name__ == "__main__":
    main()
