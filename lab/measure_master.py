"""How much a level gains over another: python -m lab.measure_master --into FILE [--base expert] [--deals 200]

One seat is played by the level, all others by the field (club players, or `--field expert`; for a mixed field
`--field novice club expert`, one for each other seat in turn), and each deal is played a second time with the base in
that seat. Two figures come of it, in points a deal against the average of the others;
below zero is good.

- *paired*: the points of the deal less those of the same deal played by the base.
- *by decision*: wherever the level decides otherwise than the base would, both choices are played to the end with the
  base in the seat, in the hands as they truly lie and with the stock shuffled anew, and what the choice gains is added
  up over the deal. On average that is the same gain, since what is left to be gained after a choice is counted at the
  choices that follow; it varies far less, as luck that no choice changed is not in it.

What the level gains over a club player is that and what the base gains over one, which `benchmarks.strength` measures
in thousands of deals. Where the field is the base there is nothing to add: among equals nobody gains.

FILE takes a line a deal. Run again, the script goes on after the deals that are there; `--report` only adds up.
Shuffles are numbered: those from 1 on have served to choose the master's numbers, those from 100,001 on have not.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks.strength import weights_of
from kalooki_tui.engine.actions import Action, Discard, Lay
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.players import LEVEL_TEXTS, PACES, Player, make_player
from kalooki_tui.playouts import CoreSeat, PlayoutRecord, PlayoutResult, play_deal
from lab.deals import dealt, in_the_hands_held, interval, rules_of

#: Shuffles that no number was chosen by.
FRESH: Final = 100_001
#: Stocks in which a choice is valued.
STOCKS: Final = 150


class Measured:
    """One deal played by the level and by the base."""

    def __init__(
        self, rules: Rules, shuffle: int, player: Player, base: CoreSeat, field: Sequence[CoreSeat], stocks: int
    ) -> None:
        seats, deals = rules.seats, len(rules.ruleset.deals)
        self.rules, self.player, self.stocks, self.name = rules, player, stocks, f"measure/{shuffle}"
        self.number, self.dealer = (shuffle - 1) % deals + 1, shuffle % seats
        self.seat = (shuffle // deals) % seats
        self.styles = styles_of(base, field, seats, self.seat)
        self.choices: list[tuple[str, float]] = []
        """Kind and gain of each choice that is not the base's."""
        self.asked: dict[str, int] = defaultdict(int)
        self.times: list[float] = []
        """Processor seconds of each decision."""
        alone = self._by_base(self._begin()).ending
        self.ending = self._play()
        self.paired = self.ending.margin(self.seat) - alone.margin(self.seat)

    def line(self, shuffle: int) -> str:
        return json.dumps(
            {
                "shuffle": shuffle,
                "number": self.number,
                "seat": self.seat,
                "paired": round(self.paired, 2),
                "choices": [(kind, round(gain, 2)) for kind, gain in self.choices],
                "asked": self.asked,
                "times": [round(seconds, 4) for seconds in self.times],
            }
        )

    def _begin(self) -> Deal:
        return dealt(self.rules, self.number, self.dealer, self.name)

    def _by_base(self, deal: Deal) -> PlayoutRecord:
        return play_deal(deal, styles=self.styles, seed=self.name)

    def _play(self) -> PlayoutResult:
        deal = self._begin()
        while deal.actor is not None:
            for action, stock in self._by_base(deal).actions:
                chosen = action
                if deal.actor == self.seat:
                    chosen = self._choose(deal, action)
                if chosen == action:
                    deal.next_stock = stock
                deal.apply(chosen)
                if chosen != action:
                    break
        return PlayoutResult(tuple([0] * len(deal.hands) if deal.void else deal.points), deal.out, deal.void)

    def _choose(self, deal: Deal, usual: Action) -> Action:
        view = deal.view(self.seat)
        start = time.process_time()
        chosen = self.player.decide(view).action
        self.times.append(time.process_time() - start)
        laid = deal.laid[self.seat] is not HasLaid.NO
        kind = "lay" if isinstance(usual, Lay) and not laid else type(usual).__name__.lower() + ", laid" * laid
        self.asked[kind] += 1
        if chosen == usual or same(chosen, usual):
            return usual
        name = f"{self.name}/{len(deal.history)}"
        before, after = map(fmean, in_the_hands_held(deal, [usual, chosen], self.stocks, name, self.styles))
        self.choices.append((kind, after - before))
        return chosen


def same(one: Action, other: Action) -> bool:
    """Two cards of one face are the same throw, and groups in another order the same lay-down."""
    if isinstance(one, Discard) and isinstance(other, Discard):
        return one.card == other.card
    if isinstance(one, Lay) and isinstance(other, Lay):
        return sorted(sorted(group.cards) for group in one.groups) == sorted(
            sorted(group.cards) for group in other.groups
        )
    return False


def styles_of(base: CoreSeat, field: Sequence[CoreSeat], seats: int, seat: int) -> list[CoreSeat]:
    """By seat: the base in its own, and the field in the others, in turn from the next one on."""
    return [base if other == seat else field[(other - seat - 1) % seats % len(field)] for other in range(seats)]


def report(deals: Sequence[dict[str, Any]], contracts: int) -> None:
    """Add the deals up and print what they come to."""
    print(f"{len(deals)} deals, points a deal: mean ± half of the 95% interval")
    print(f"paired       {interval([deal['paired'] for deal in deals])}")
    print(f"by decision  {interval(by_decision(deals))}")
    for number in range(1, contracts + 1):
        found = [deal for deal in deals if deal["number"] == number]
        if found:
            print(f"  contract {number}: {interval(by_decision(found))} ({len(found)})")
    gains: dict[str, list[float]] = defaultdict(list)
    asked: dict[str, int] = defaultdict(int)
    for deal in deals:
        for kind, gain in deal["choices"]:
            gains[kind].append(gain)
        for kind, count in deal["asked"].items():
            asked[kind] += count
    for kind in sorted(gains, key=lambda kind: sum(gains[kind])):
        each = f"{len(gains[kind])} of {asked[kind]} decided otherwise, {interval(gains[kind])} each"
        print(f"  {kind:14} {sum(gains[kind]) / len(deals):+6.2f} a deal: {each}")
    times = sorted(seconds for deal in deals for seconds in deal["times"])
    print(
        f"processor seconds a decision: mean {sum(times) / len(times):.3f}, median {times[len(times) // 2]:.3f}, "
        f"99th percentile {times[len(times) * 99 // 100]:.2f}, longest {times[-1]:.2f}"
    )


def by_decision(deals: Sequence[dict[str, Any]]) -> list[float]:
    """What the choices of each deal gain."""
    return [sum(gain for _, gain in deal["choices"]) for deal in deals]


def main() -> None:
    """Play what is lacking, then report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="master")
    parser.add_argument("--base", choices=("club", "expert"), default="expert")
    parser.add_argument(
        "--field", nargs="+", choices=LEVEL_TEXTS[: -len(PACES)], default=["club"], help="the other seats"
    )
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=FRESH, help="number of the first deal's shuffle")
    parser.add_argument("--stocks", type=int, default=STOCKS, help="in which a choice is valued")
    parser.add_argument("--into", type=Path, required=True, help="file of deals, a line each")
    parser.add_argument("--report", action="store_true", help="only add up what is there")
    arguments = parser.parse_args()
    done = arguments.into.read_text(encoding="utf-8").splitlines() if arguments.into.exists() else []
    played = {json.loads(line)["shuffle"] for line in done}
    rules = rules_of(arguments.ruleset)
    ruleset = rules.ruleset
    base = weights_of(arguments.base, ruleset.id)
    field = [weights_of(level, ruleset.id) for level in arguments.field]
    if not arguments.report:
        with arguments.into.open("a", encoding="utf-8") as file:
            for shuffle in range(arguments.first, arguments.first + arguments.deals):
                if shuffle not in played:
                    player = make_player(arguments.level, f"measure/{shuffle}")
                    done.append(Measured(rules, shuffle, player, base, field, arguments.stocks).line(shuffle))
                    file.write(done[-1] + "\n")
                    file.flush()
    report([json.loads(line) for line in done], len(ruleset.deals))


if __name__ == "__main__":
    main()
