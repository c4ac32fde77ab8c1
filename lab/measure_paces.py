"""What more work is worth to the master: python -m lab.measure_paces [--deals 60]

Four experts play, and in one seat of each deal every pace of the master is asked at each decision. What it chooses and
what the expert does are valued in the hands as they lie, with the stock in many orders; so the paces are compared at
the same decisions and by the same luck. Points are summed over a deal, less than zero is good; the interval of a
difference is that of the paired deals.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import Final

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.players import PACES
from kalooki_tui.players.master import Master
from kalooki_tui.playouts import CoreSeat, play_deal
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from lab.measure_master import in_the_real_hands, interval, same, weights_of

#: Shuffles that no number was chosen by.
FRESH: Final = 200_001
STOCKS: Final = 100


class Paces:
    """The paces at the decisions of many deals."""

    def __init__(self, worlds: dict[str, int]) -> None:
        self.worlds = worlds
        self.gains: dict[str, list[float]] = {pace: [] for pace in worlds}
        """By pace: what each deal's choices come to beside the expert's."""
        self.times: dict[str, list[float]] = defaultdict(list)
        self.others: dict[str, int] = defaultdict(int)
        """Decisions that are not the expert's."""

    def play(self, rules: Rules, shuffle: int, style: CoreSeat) -> None:
        """Add a deal."""
        seats, deals = rules.seats, len(rules.ruleset.deals)
        name, dealer, seat = f"paces/{shuffle}", shuffle % seats, (shuffle // deals) % seats
        names = tuple(f"Seat{one + 1}" for one in range(seats))
        deal = Deal.blank(rules, names, (shuffle - 1) % deals + 1, dealer, (dealer + 1) % seats, name)
        deal.begin()
        masters = {pace: Master(name, worlds=worlds) for pace, worlds in self.worlds.items()}
        gains = dict.fromkeys(masters, 0.0)
        for action, stock in play_deal(deal, styles=[style] * seats, seed=name).actions:
            if deal.actor == seat:
                for pace, gain in self._ask(deal, action, masters, [style] * seats, name).items():
                    gains[pace] += gain
            deal.next_stock = stock
            deal.apply(action)
        for pace, gain in gains.items():
            self.gains[pace].append(gain)

    def _ask(
        self, deal: Deal, usual: Action, masters: dict[str, Master], styles: list[CoreSeat], name: str
    ) -> dict[str, float]:
        """By pace: what its choice is worth beside the expert's."""
        assert deal.actor is not None
        view = deal.view(deal.actor)
        chosen: dict[str, Action] = {}
        for pace, master in masters.items():
            start = time.process_time()
            action = master.decide(view).action
            self.times[pace].append(time.process_time() - start)
            chosen[pace] = usual if same(action, usual) else action
            self.others[pace] += chosen[pace] != usual
        ways = list(dict.fromkeys([usual, *chosen.values()]))
        if len(ways) == 1:
            return {}
        worth = dict(zip(ways, in_the_real_hands(deal, ways, styles, name, STOCKS), strict=True))
        return {pace: worth[action] - worth[usual] for pace, action in chosen.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--first", type=int, default=FRESH)
    parser.add_argument("--worlds", type=int, nargs="+", help="most worlds of each pace, instead of the game's own")
    given = parser.parse_args()
    seats = min(4, max(load_ruleset(given.ruleset).seat_counts))
    ruleset = resolve(given.ruleset, (), seats)
    rules = make_rules(ruleset, seats, Referee.STRICT, make_settings(ruleset, {}))
    own = {pace or "usual": worlds for pace, worlds in PACES.items()}
    found = Paces({str(worlds): worlds for worlds in given.worlds} if given.worlds else own)
    for shuffle in range(given.first, given.first + given.deals):
        found.play(rules, shuffle, weights_of("expert", ruleset.id))
    print(f"{given.ruleset}, {given.deals} deals, points a deal beside the expert's")
    first = next(iter(found.gains))
    for pace, gains in found.gains.items():
        times = sorted(found.times[pace])
        beside = [one - other for one, other in zip(gains, found.gains[first], strict=True)]
        print(
            f"{pace:6} {interval(gains)}, beside {first} {interval(beside)}; {found.others[pace]} of {len(times)} "
            f"decided otherwise; processor seconds: mean {sum(times) / len(times):.3f}, "
            f"99th percentile {times[len(times) * 99 // 100]:.2f}, longest {times[-1]:.2f}"
        )


if __name__ == "__main__":
    main()
