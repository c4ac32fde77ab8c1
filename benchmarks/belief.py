"""How far beliefs about hidden cards are wrong: python -m benchmarks.belief [--ruleset jamaican] [--deals 700]

Club players play deals among themselves by the native core. At decisions taken by chance, and at every lay-down, the
hidden cards are dealt anew from the view of the seat that decides, and those worlds are played to their end as well:
what the seat expects less what came, in points against the average of the others, should be nothing on average. Below
zero the belief flatters. Beside it how much further than the real ones the hands of the others are from the contract;
and by contract how far the cards of hands that have not laid are wrong, as the squared error of how many of each card a
hand holds, added up over the cards. All of it also for cards dealt by chance among all that is possible.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean, variance
from typing import Final

from kalooki_tui.cards import KINDS_OF_CARD, Card
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Pass, Refuse
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.players.belief import Belief
from kalooki_tui.playouts import endings, play_deal
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.solver import distance

#: Decisions of a deal that are looked at, besides lay-downs.
LOOKED_AT: Final = 6
KINDS: Final[dict[type[Action], str]] = {
    Discard: "throw",
    Lay: "lay",
    Draw: "draw",
    Call: "call",
    Pass: "pass",
    Allow: "allow or refuse",
    Refuse: "allow or refuse",
}


class Errors:
    """What was expected less what came, by kind of decision, and how much too far hands were."""

    def __init__(self) -> None:
        self.margins: dict[str, list[float]] = defaultdict(list)
        self.distances: list[float] = []
        self.cards: dict[int, list[float]] = defaultdict(list)
        """By deal: squared errors of a hand's cards."""

    def add(self, kind: str, deal: Deal, belief: Belief, margin: float, worlds: int, dice: random.Random) -> None:
        """Look at one decision of a deal that came to `margin` for the seat."""
        seat = belief.view.seat
        drawn = belief.worlds(worlds, f"{dice.random()}")
        ends = endings(deal, drawn)[0]
        self.margins[kind].append(sum(end.margin(seat) for end in ends) / worlds - margin)
        for other, laid in enumerate(deal.laid):
            if other != seat and laid is HasLaid.NO:
                away = distance(deal.rules, deal.contract, drawn[0].hands[other])
                self.distances.append(away - distance(deal.rules, deal.contract, deal.hands[other]))
                self.cards[deal.number].append(wrong_cards(deal.hands[other], [world.hands[other] for world in drawn]))


def wrong_cards(hand: Sequence[Card], drawn: Sequence[Sequence[Card]]) -> float:
    """The squared error of how many of each card a hand holds, by what the worlds say on average.

    That the average is of few worlds makes it look wrong; this part is known, and taken off.
    """
    held, error = Counter(hand), 0.0
    counts = [Counter(cards) for cards in drawn]
    for card in range(KINDS_OF_CARD):
        found = [count[card] for count in counts]
        error += (fmean(found) - held[card]) ** 2 - variance(found) / len(found)
    return error


def interval(values: list[float]) -> str:
    """Mean and half of its 95% interval."""
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return f"{mean:+.2f} ± {1.96 * math.sqrt(squares / len(values)):.2f} ({len(values):,})"


def look(deal: Deal, found: dict[bool, Errors], worlds: int, dice: random.Random) -> None:
    """Play a deal and look at some of its decisions."""
    played = play_deal(deal)
    if played.ending.void:
        return
    chosen = set(dice.sample(range(len(played.actions)), min(LOOKED_AT, len(played.actions))))
    for number, (action, stock) in enumerate(played.actions):
        kind, seat = KINDS.get(type(action)), deal.actor
        if kind is not None and seat is not None and (number in chosen or kind == "lay"):
            if deal.laid[seat] is not HasLaid.NO:
                kind += ", laid"
            for matched, errors in found.items():
                belief = Belief(deal.view(seat), matched=matched)
                errors.add(kind, deal, belief, played.ending.margin(seat), worlds, dice)
        deal.next_stock = stock
        deal.apply(action)


def main() -> None:
    """Look at decisions and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--deals", type=int, default=700)
    parser.add_argument("--worlds", type=int, default=6, help="worlds drawn at a decision")
    parser.add_argument("--first", type=int, default=1, help="number of the first deal's shuffle")
    arguments = parser.parse_args()
    seats = min(4, max(load_ruleset(arguments.ruleset).seat_counts))
    ruleset = resolve(arguments.ruleset, (), seats)
    rules = make_rules(ruleset, seats, Referee.STRICT, make_settings(ruleset, {}))
    names = tuple(f"Seat{seat + 1}" for seat in range(seats))
    dice = random.Random(arguments.first)
    found = {True: Errors(), False: Errors()}
    for shuffle in range(arguments.first, arguments.first + arguments.deals):
        number, dealer = shuffle % len(ruleset.deals) + 1, shuffle % seats
        deal = Deal.blank(rules, names, number, dealer, (dealer + 1) % seats, f"belief/{shuffle}")
        deal.begin()
        look(deal, found, arguments.worlds, dice)
    print(f"{arguments.deals} deals of {ruleset.name}: mean ± half of the 95% interval (how many)")
    print(f"{'':22} {'matched hands':>26} {'dealt by chance':>26}")
    both = [interval(errors.distances) for errors in found.values()]
    print(f"{'cards too far away':22} {both[0]:>26} {both[1]:>26}")
    for number in sorted(found[True].cards):
        both = [interval(errors.cards[number]) for errors in found.values()]
        print(f"{f'wrong cards, deal {number}':22} {both[0]:>26} {both[1]:>26}")
    for kind in sorted(found[True].margins):
        both = [interval(errors.margins[kind]) for errors in found.values()]
        print(f"{kind:22} {both[0]:>26} {both[1]:>26}")


if __name__ == "__main__":
    main()
