"""How much a level gains over another: python scripts/measure_master.py --into FILE [--base expert] [--deals 200]

One seat is played by the level, all others by the club player, and each deal is played a second time with the base in
that seat. Two figures come of it, in points a deal against the average of the others; below zero is good.

- *paired*: the points of the deal less those of the same deal played by the base.
- *by decision*: wherever the level decides otherwise than the base would, both choices are played to the end with the
  base in the seat, in the hands as they truly lie and with the stock shuffled anew, and what the choice gains is added
  up over the deal. On average that is the same gain, since what is left to be gained after a choice is counted at the
  choices that follow; it varies far less, as luck that no choice changed is not in it.

What the level gains over a club player is that and what the base gains over one, which `benchmarks.strength` measures
in thousands of deals.

FILE takes a line a deal. Run again, the script goes on after the deals that are there; `--report` only adds up.
Shuffles are numbered: those from 1 on have served to choose the master's numbers, those from 100,001 on have not.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from kalooki_tui.engine.actions import Action, Discard, Lay
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.players import make_player
from kalooki_tui.players.club import Club
from kalooki_tui.players.protocol import Player
from kalooki_tui.playouts import CLUB, Cards, Ending, Played, play_deal, playouts
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

#: Shuffles that no number was chosen by.
FRESH: Final = 100_001
#: Stocks in which a choice is valued.
STOCKS: Final = 150


class Measured:
    """One deal played by the level and by the base."""

    def __init__(self, rules: Rules, shuffle: int, player: Player, base: Club, stocks: int) -> None:
        seats, deals = rules.seats, len(rules.ruleset.deals)
        self.rules, self.player, self.stocks, self.name = rules, player, stocks, f"measure/{shuffle}"
        self.number, self.dealer = (shuffle - 1) % deals + 1, shuffle % seats
        self.seat = (shuffle // deals) % seats
        self.styles = [CLUB] * seats
        self.styles[self.seat] = base.weights(rules.ruleset.id)
        self.choices: list[tuple[str, float]] = []
        """Kind and gain of each choice that is not the base's."""
        self.asked: dict[str, int] = defaultdict(int)
        self.times: list[float] = []
        """Processor seconds of each decision."""
        alone = self._by_base(self._begin()).ending
        ending = self._play()
        self.paired = ending.margin(self.seat) - alone.margin(self.seat)

    def line(self, shuffle: int) -> str:
        """What is written down."""
        return json.dumps(
            {
                "shuffle": shuffle,
                "number": self.number,
                "paired": round(self.paired, 2),
                "choices": [(kind, round(gain, 2)) for kind, gain in self.choices],
                "asked": self.asked,
                "times": [round(seconds, 4) for seconds in self.times],
            }
        )

    def _begin(self) -> Deal:
        names = tuple(f"Seat{seat + 1}" for seat in range(self.rules.seats))
        first = (self.dealer + 1) % self.rules.seats
        deal = Deal.blank(self.rules, names, self.number, self.dealer, first, self.name)
        deal.begin()
        return deal

    def _by_base(self, deal: Deal) -> Played:
        return play_deal(deal, styles=self.styles, seed=self.name)

    def _play(self) -> Ending:
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
        return Ending(tuple([0] * len(deal.hands) if deal.void else deal.points), deal.out, deal.void)

    def _choose(self, deal: Deal, usual: Action) -> Action:
        view = deal.view(self.seat)
        start = time.process_time()
        chosen = self.player.decide(view).action
        self.times.append(time.process_time() - start)
        laid = deal.laid[self.seat] is not HasLaid.NO
        kind = "lay" if isinstance(usual, Lay) and not laid else type(usual).__name__.lower() + ", laid" * laid
        self.asked[kind] += 1
        if chosen == usual or _same(chosen, usual):
            return usual
        dice = random.Random(f"{self.name}/{len(deal.history)}")
        worlds = [Cards(deal.hands, dice.sample(deal.stock, len(deal.stock))) for _ in range(self.stocks)]
        before, after = playouts(
            deal, worlds, [[usual], [chosen]], seat=self.seat, styles=self.styles, seed=self.name, apart=True
        )
        self.choices.append((kind, (sum(after) - sum(before)) / self.stocks))
        return chosen


def _same(one: Action, other: Action) -> bool:
    """Two cards of one face are the same throw, and groups in another order the same lay-down."""
    if isinstance(one, Discard) and isinstance(other, Discard):
        return one.card == other.card
    if isinstance(one, Lay) and isinstance(other, Lay):
        return sorted(sorted(group.cards) for group in one.groups) == sorted(
            sorted(group.cards) for group in other.groups
        )
    return False


def interval(values: Sequence[float]) -> str:
    """Mean and half of its 95% interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return f"{mean:+.2f} ± {1.96 * math.sqrt(variance / len(values)):.2f}"


def report(lines: Iterable[str]) -> None:
    """Add the deals up and print what they come to."""
    deals: list[dict[str, Any]] = [json.loads(line) for line in lines]
    print(f"{len(deals)} deals, points a deal: mean ± half of the 95% interval")
    print(f"paired       {interval([deal['paired'] for deal in deals])}")
    print(f"by decision  {interval([sum(gain for _, gain in deal['choices']) for deal in deals])}")
    gains: dict[str, list[float]] = defaultdict(list)
    asked: dict[str, int] = defaultdict(int)
    for deal in deals:
        for kind, gain in deal["choices"]:
            gains[kind].append(gain)
        for kind, count in deal["asked"].items():
            asked[kind] += count
    for kind in sorted(gains, key=lambda kind: sum(gains[kind])):
        found = gains[kind]
        each = f"{len(found)} of {asked[kind]} decided otherwise, {interval(found)} each"
        print(f"  {kind:14} {sum(found) / len(deals):+6.2f} a deal: {each}")
    times = sorted(seconds for deal in deals for seconds in deal["times"])
    print(
        f"processor seconds a decision: mean {sum(times) / len(times):.3f}, median {times[len(times) // 2]:.3f}, "
        f"99th percentile {times[len(times) * 99 // 100]:.2f}, longest {times[-1]:.2f}"
    )


def main() -> None:
    """Play what is lacking, then report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="master")
    parser.add_argument("--base", choices=("club", "expert"), default="expert")
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=FRESH, help="number of the first deal's shuffle")
    parser.add_argument("--stocks", type=int, default=STOCKS, help="in which a choice is valued")
    parser.add_argument("--into", type=Path, required=True, help="file of deals, a line each")
    parser.add_argument("--report", action="store_true", help="only add up what is there")
    arguments = parser.parse_args()
    done = arguments.into.read_text(encoding="utf-8").splitlines() if arguments.into.exists() else []
    played = {json.loads(line)["shuffle"] for line in done}
    seats = min(4, max(load_ruleset(arguments.ruleset).seat_counts))
    ruleset = resolve(arguments.ruleset, (), seats)
    rules = make_rules(ruleset, seats, Referee.STRICT, make_settings(ruleset, {}))
    if not arguments.report:
        with arguments.into.open("a", encoding="utf-8") as file:
            for shuffle in range(arguments.first, arguments.first + arguments.deals):
                if shuffle not in played:
                    player = make_player(arguments.level, f"measure/{shuffle}")
                    base = make_player(arguments.base, f"measure/{shuffle}")
                    assert isinstance(base, Club)
                    done.append(Measured(rules, shuffle, player, base, arguments.stocks).line(shuffle))
                    file.write(done[-1] + "\n")
                    file.flush()
    report(done)


if __name__ == "__main__":
    main()
