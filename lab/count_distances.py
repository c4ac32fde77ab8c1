"""Count how far hands are from their contract while it is not laid, for the seats that guess at hidden hands.

    python -m lab.count_distances [--ruleset jamaican] [--matches 200] [--jobs 2]

Club players play deals of every ruleset among themselves, by the native core. A hand is counted each time it comes to
rest: when it is dealt, after each own turn and after each allowed call, by the deal's number, the turns and calls the
seat has had, and the cards it is away from the contract. The tables lie in `kalooki_tui/players/tables/`, a file a
ruleset; the same seed makes the same files. A ruleset takes some ten seconds of processor time.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Final, NamedTuple

from kalooki_tui.engine.events import CallAllowed, Dealt, Discarded, Event, TurnEnded
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.players.belief import MOST_CALLS, MOST_TURNS, TABLES
from kalooki_tui.playouts import play_deal
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.solver import distance
from lab.deals import dealt, rules_of

SEED: Final = "distances"

Cell = tuple[int, int, int]
"""Deal, own turns, calls."""


class Task(NamedTuple):
    """One deal of a ruleset: `shuffle` says which cards."""

    ruleset: str
    number: int
    shuffle: int


def count_deal(task: Task) -> Counter[tuple[Cell, int]]:
    """Play a deal and count the hands that have not laid, by cell and distance."""
    rules = rules_of(task.ruleset)
    name = f"{SEED}/{task.ruleset}/{task.number}/{task.shuffle}"
    deal = dealt(rules, task.number, task.shuffle % rules.seats, name)
    turns, found = [0] * rules.seats, Counter[tuple[Cell, int]]()
    events: Sequence[Event] = tuple(deal.history)
    for action, stock in play_deal(deal, seed=name).actions:
        for seat in rested(events, turns):
            if deal.laid[seat] is HasLaid.NO:
                away = distance(rules, deal.contract, deal.hands[seat])
                cell = (task.number, min(turns[seat], MOST_TURNS), min(deal.calls[seat], MOST_CALLS))
                found[cell, away] += 1
        deal.next_stock = stock
        events = deal.apply(action)
    return found


def rested(events: Sequence[Event], turns: list[int]) -> list[int]:
    """The seats whose hands have come to rest; their `turns` are counted."""
    seats: list[int] = []
    for event in events:
        match event:
            case Dealt():
                seats += range(len(turns))
            case Discarded(seat=seat) | TurnEnded(seat=seat):
                turns[seat] += 1
                seats.append(seat)
            case CallAllowed(caller=seat):
                seats.append(seat)
            case _:
                pass
    return seats


def table_of(ruleset: str, found: Counter[tuple[Cell, int]], matches: int) -> dict[str, object]:
    """The file's content: by deal, turns and calls the counts of each distance from 0 up."""
    deals = []
    for number in range(1, len(load_ruleset(ruleset).deals) + 1):
        turns = []
        for turn in range(MOST_TURNS + 1):
            rows = []
            for calls in range(MOST_CALLS + 1):
                counts = {away: count for (cell, away), count in found.items() if cell == (number, turn, calls)}
                rows.append([counts.get(away, 0) for away in range(max(counts, default=-1) + 1)])
            while rows and not rows[-1]:
                rows.pop()
            turns.append(rows)
        while turns and not turns[-1]:
            turns.pop()
        deals.append(turns)
    return {"made_by": "lab/count_distances.py", "player": "club", "matches": matches, "seed": SEED, "deals": deals}


def main() -> None:
    """Play, count and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", action="append", help="default: all that come with the game")
    parser.add_argument("--matches", type=int, default=200, help="deals of each contract")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--into", type=Path, default=TABLES)
    arguments = parser.parse_args()
    with Pool(arguments.jobs) as pool:
        for ruleset in arguments.ruleset or [entry.id for entry in available() if entry.builtin]:
            numbers = range(1, len(load_ruleset(ruleset).deals) + 1)
            tasks = [Task(ruleset, number, shuffle) for shuffle in range(arguments.matches) for number in numbers]
            found = sum(pool.imap_unordered(count_deal, tasks, chunksize=4), Counter[tuple[Cell, int]]())
            text = json.dumps(table_of(ruleset, found, arguments.matches), separators=(",", ":"))
            (arguments.into / f"{ruleset}.json").write_text(text + "\n", encoding="utf-8")
            print(f"{ruleset}: {found.total():,} hands", flush=True)


if __name__ == "__main__":
    main()
