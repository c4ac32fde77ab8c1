"""What more work is worth to the master: python -m lab.measure_paces [--decisions 400]

Experts play against club players. At decisions of one seat in each deal, drawn by chance, every pace of the master is
asked, and what it chooses is valued beside the expert's choice in fresh likely worlds: the same ones for all, and more
of them than any pace plays. So the paces are compared at the same decisions and by the same luck. Points below zero are
good; what a deal comes to is that of a decision times the decisions in a deal that are played on at all.

Work is counted in steps of the core, which are the same on every machine.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from typing import Final

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.players import PACES
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.master import Master
from kalooki_tui.playouts import LIGHT, play_deal
from lab.deals import dealt, rules_of
from lab.measure_master import FRESH, interval, same, styles_of, weights_of

#: Worlds that value a choice.
VALUED: Final = 4_000
#: How often a decision that a master would play on is taken.
TAKEN: Final = 0.25


class Paces:
    """The paces at decisions of many deals."""

    def __init__(self, worlds: dict[str, int]) -> None:
        self.worlds = worlds
        self.gains: dict[str, list[float]] = {pace: [] for pace in worlds}
        """By pace: what each choice comes to beside the expert's."""
        self.steps: dict[str, list[int]] = defaultdict(list)
        self.others: dict[str, int] = defaultdict(int)
        """Decisions that are not the expert's."""
        self.deals = self.played_on = 0
        """Deals, and their decisions that were played on."""

    def play(self, rules: Rules, shuffle: int) -> None:
        """Add a deal."""
        seats, deals, ruleset = rules.seats, len(rules.ruleset.deals), rules.ruleset.id
        name, dealer, seat = f"paces/{shuffle}", shuffle % seats, (shuffle // deals) % seats
        deal = dealt(rules, (shuffle - 1) % deals + 1, dealer, name)
        styles = styles_of(weights_of("expert", ruleset), [weights_of("club", ruleset)], seats, seat)
        dice = random.Random(name)
        self.deals += 1
        for action, stock in play_deal(deal, styles=styles, seed=name).actions:
            if deal.actor == seat:
                view = deal.view(seat)
                glance = Master(name, worlds=1, threads=1)
                glance.decide(view)
                if glance.raced is not None:
                    self.played_on += 1
                    if dice.random() < TAKEN:
                        self._ask(view, action, name)
            deal.next_stock = stock
            deal.apply(action)

    def _ask(self, view: View, usual: Action, name: str) -> None:
        """Note what each pace chooses, and what that is worth beside the expert's choice."""
        chosen: dict[str, Action] = {}
        for pace, worlds in self.worlds.items():
            master = Master(name, worlds=worlds)
            action = master.decide(view).action
            chosen[pace] = usual if same(action, usual) else action
            race = master.raced
            self.steps[pace].append(race.drawing.taken + race.playing.taken if race is not None else 0)
            self.others[pace] += chosen[pace] != usual
        ways = list(dict.fromkeys([usual, *chosen.values()]))
        worth = dict.fromkeys(ways, 0.0)
        if len(ways) > 1:
            own, seed = Master(name).goes_on(view), f"{name}/{len(view.history)}/worth"
            found = Belief(view).played_out([[way] for way in ways], VALUED, seed, own=own, others=LIGHT, threads=2)
            for way, by_world in zip(ways, found, strict=True):
                worth[way] = sum(ending.margin(view.seat) for ending in by_world) / VALUED
        for pace, action in chosen.items():
            self.gains[pace].append(worth[action] - worth[usual])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--first", type=int, default=FRESH)
    parser.add_argument("--worlds", type=int, nargs="+", help="most worlds of each pace, instead of the game's own")
    given = parser.parse_args()
    rules = rules_of(given.ruleset)
    own = {pace or "usual": worlds for pace, worlds in PACES.items()}
    found = Paces({str(worlds): worlds for worlds in given.worlds} if given.worlds else own)
    first = next(iter(found.gains))
    while len(found.gains[first]) < given.decisions:
        found.play(rules, given.first + found.deals)
    each = found.played_on / found.deals
    print(
        f"{given.ruleset}: {len(found.gains[first])} decisions of {found.deals} deals, of which {each:.1f} a deal are "
        "played on; points a decision beside the expert's"
    )
    for pace, gains in found.gains.items():
        beside = [one - other for one, other in zip(gains, found.gains[first], strict=True)]
        steps = found.steps[pace]
        print(
            f"{pace:6} {interval(gains)}, beside {first} {interval(beside)}; {found.others[pace]} decided otherwise; "
            f"million steps: mean {sum(steps) / len(steps) / 1e6:.2f}, most {max(steps) / 1e6:.2f}"
        )


if __name__ == "__main__":
    main()
