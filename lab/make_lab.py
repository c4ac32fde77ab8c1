"""Make docs/lab.md from simulations: python -m lab.make_lab [--matches 16] [--jobs 2] [--level club]

Every built-in ruleset with each of its numbers of seats, and Jamaican and Classic Kalooki with the third pack.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.simulation.results import ContractResult, Results, number, percent, summarise
from kalooki_tui.simulation.runner import plan_simulation, simulate

PAGE = Path(__file__).parents[1] / "docs" / "lab.md"
THIRD_PACK = {"jamaican": (4, 5, 6), "classic": (4, 5, 6)}

INTRODUCTION = """# The lab: how the games play

This page shows what happens in matches between equal computer players. `make lab` generates it; do not edit it by hand.

Each line comes from {matches} matches of `ai:{level}` players with the seed {seed}; {total} matches and {deals} deals
in all. A void deal is dealt again up to three times, then its contract is passed over. The number after ± is half of a
95% interval, and the numbers in brackets are its ends, where each match is one independent observation.

- **void**: deals that ended because the stock ran out a second time (S3), as a share of all deals dealt.
- **turns**: turns of all seats together in a deal that was scored.
- **calls**: allowed calls of all seats together in a deal.
- **bends**: scored deals that ended with a bend: a seat laid and went out in the same turn.
- **points**: points of a seat in a scored deal, including the seat that went out.
- **first seat wins**: scored deals won by the seat with the first turn. It sits at the dealer's left, except in Kooky,
  where the winner of the last deal begins. **fair** is what it would win if its place did not matter.

People play differently: they call more or less, and remember more or less. These numbers show how the packs,
the seats and the contracts affect each other.

"""

PACKS = """## How many packs

Void deals by contract in Jamaican Kalooki, with the two packs of the sources and with the option `third-pack`. This is
why the set-up screen recommends the third pack from five seats. Seven and eight seats play with four packs (D10).

"""


def tables() -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Ruleset, seats and options of each line, in the order of the page."""
    for entry in available():
        if entry.builtin:
            for seats in load_ruleset(entry.id).seat_counts:
                yield entry.id, seats, ()
                if seats in THIRD_PACK.get(entry.id, ()):
                    yield entry.id, seats, ("third-pack",)


def run(ruleset: str, seats: int, options: tuple[str, ...], matches: int, seed: int, level: str) -> Results:
    plan = plan_simulation(ruleset=ruleset, seats=[f"ai:{level}"] * seats, matches=matches, seed=seed, options=options)
    return summarise(plan, simulate(plan))


def page(found: list[Results], matches: int, seed: int, level: str) -> str:
    deals = sum(results.deals for results in found)
    total = sum(results.matches for results in found)
    text = INTRODUCTION.format(matches=matches, seed=seed, level=level, total=f"{total:,}", deals=f"{deals:,}")
    text += PACKS + void_table([results for results in found if results.simulation.ruleset.id == "jamaican"])
    for ruleset_id in dict.fromkeys(results.simulation.ruleset.id for results in found):
        lines = [results for results in found if results.simulation.ruleset.id == ruleset_id]
        text += f"\n## {lines[0].simulation.ruleset.name}\n\n" + ruleset_table(lines)
    return text


def void_table(lines: list[Results]) -> str:
    """Void deals by contract, a column a table."""
    heads = [seats_of(results) for results in lines]
    numbers = [contract.deal for contract in lines[0].contracts]
    rows = [[str(deal), *(share(results.contracts[index]) for results in lines)] for index, deal in enumerate(numbers)]
    rows.append(["all", *(share(results.all_contracts) for results in lines)])
    return markdown(["deal", *heads], rows)


def ruleset_table(lines: list[Results]) -> str:
    """A line a number of seats."""
    heads = ["seats", "cards", "deals", "void", "turns", "calls", "bends", "points", "first seat wins", "fair"]
    rows = []
    for results in lines:
        simulation, deals = results.simulation, results.all_contracts
        pack = simulation.ruleset.pack_for(len(simulation.seats))
        rows.append(
            [
                seats_of(results),
                str(pack.packs * 52 + pack.jokers),
                str(deals.deals),
                percent(deals.estimates["void"]),
                number(deals.estimates["turns"]),
                number(deals.estimates["calls"], 2),
                percent(deals.estimates["bends"]),
                number(deals.estimates["points_a_seat"]),
                percent(deals.estimates["first_seat_wins"]),
                f"{fair_share(results):.1%}",
            ]
        )
    return markdown(heads, rows)


def fair_share(results: Results) -> float:
    """What each seat dealt in would win, all being equal: seats can be out of a match, and drop out of it."""
    if results.simulation.ruleset.end.after == "last-deal":
        return 1 / len(results.simulation.seats)
    won = [player.estimates["deals_won"] for player in results.players]
    return won[0].value if won[0] is not None else 0.0


def seats_of(results: Results) -> str:
    """The seats of a line, with its options."""
    options = results.simulation.options
    return f"{len(results.simulation.seats)}{' + ' + ', '.join(options) if options else ''}"


def share(contract: ContractResult) -> str:
    void = contract.estimates["void"]
    return "–" if void is None else f"{void.value:.0%}"


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main() -> None:
    """Play everything and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--level", default="club")
    parser.add_argument("--output", type=Path, default=PAGE)
    arguments = parser.parse_args()
    lines = list(tables())
    found = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        running = [pool.submit(run, *line, arguments.matches, arguments.seed, arguments.level) for line in lines]
        for number, line in enumerate(running, start=1):
            found.append(line.result())
            print(f"{number} of {len(lines)}: {found[-1].simulation.ruleset.id}", file=sys.stderr, flush=True)
    text = page(found, arguments.matches, arguments.seed, arguments.level)
    arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
