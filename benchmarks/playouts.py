"""Deals played to their end a second of processor time, by Python and by the native core: python -m benchmarks.playouts

Both play the club player at every seat, the contracts of a ruleset in turn. Python's time is that of the engine, the
views and the players, the core's includes handing the worlds over and reading what they come to. The two take turns,
contract by contract, so that whatever else the machine does weighs on both.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from kalooki_tui.cards import full_deck
from kalooki_tui.engine.deal import Deal
from kalooki_tui.players import make_player
from kalooki_tui.playouts import Cards, endings, why_not
from kalooki_tui.playouts.compiler import LIBRARY
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from lab.deals import SEATS, dealt, rules_of


def play_in_python(deals: Sequence[Deal]) -> None:
    """Play deals by the engine and the club player."""
    for deal in deals:
        player = make_player("club", "0")
        while deal.actor is not None:
            deal.apply(player.decide(deal.view(deal.actor)).action)


def other_cards(deal: Deal, count: int) -> list[Cards]:
    """Worlds in which all but the hand of the seat to act is dealt anew."""
    assert deal.actor is not None
    worlds = []
    for number in range(count):
        deck = full_deck(deal.rules.packs, deal.rules.jokers)
        for card in (*deal.hands[deal.actor], *deal.pile):
            deck.remove(card)
        random.Random(number).shuffle(deck)
        hands = []
        for seat in range(deal.rules.seats):
            size = 0 if seat == deal.actor else len(deal.hands[seat])
            hands.append(deck[:size])
            del deck[:size]
        worlds.append(Cards(hands, deck))
    return worlds


def timed(play: Callable[[], object]) -> float:
    started = time.process_time()
    play()
    return time.process_time() - started


def main() -> None:
    """Print a line for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=2, help="deals of each contract that Python plays")
    parser.add_argument("--worlds", type=int, default=200, help="deals of each contract that the core plays")
    parser.add_argument("--ruleset", action="append", help="only this ruleset")
    arguments = parser.parse_args()
    if why_not():
        print(why_not())
        return
    print(f"the core: {LIBRARY.stat().st_size // 1024} kB\n")
    print("| ruleset, seats | Python, deals a second | native core | times as fast |\n|---|---|---|---|")
    for name in arguments.ruleset or [entry.id for entry in available()]:
        counts = load_ruleset(name).seat_counts
        rules = rules_of(name, min(counts, key=lambda count: abs(count - SEATS)))
        contracts = range(1, len(rules.ruleset.deals) + 1)
        slow = fast = 0.0
        endings(dealt(rules, 1, 0, "benchmark 0"))
        for contract in contracts:
            deals = [dealt(rules, contract, 0, f"benchmark {number}") for number in range(arguments.deals)]
            slow += timed(partial(play_in_python, deals))
            deal = dealt(rules, contract, 0, "benchmark 0")
            worlds = other_cards(deal, arguments.worlds)
            fast += timed(partial(endings, deal, worlds))
        python = len(contracts) * arguments.deals / slow
        native = len(contracts) * arguments.worlds / fast
        title = f"{rules.ruleset.name}, {rules.seats}"
        print(f"| {title} | {python:.1f} | {native:,.0f} | {native / python:.0f} |", flush=True)


if __name__ == "__main__":
    main()
