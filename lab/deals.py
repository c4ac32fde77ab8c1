"""Deals for studies, and what choices in them come to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.playouts import Cards, CoreSeat, endings, mean_of
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

#: Where a game can be played by so many.
SEATS: Final = 4


def rules_of(ruleset: str, seats: int = 0) -> Rules:
    """The strict rules of a ruleset for so many; 0: for four, or for as many as it takes."""
    found = load_ruleset(ruleset)
    seats = seats or min(SEATS, max(found.seat_counts))
    found = resolve(found, (), seats)
    return make_rules(found, seats, Referee.STRICT, make_settings(found, {}))


def dealt(rules: Rules, number: int, dealer: int, name: str) -> Deal:
    """The deal of a contract, from a shuffle of that name."""
    names = tuple(f"Seat{seat + 1}" for seat in range(rules.seats))
    deal = Deal(rules, names, number, dealer, (dealer + 1) % rules.seats, name)
    deal.begin()
    return deal


def in_the_hands_held(
    deal: Deal, choices: Sequence[Action], stocks: int, name: str, styles: Sequence[CoreSeat] | None = None
) -> list[list[float]]:
    """Return the margins of each choice: the hands as they are, the stock in so many orders."""
    assert deal.actor is not None
    dice = random.Random(name)
    worlds = [Cards(deal.hands, dice.sample(deal.stock, len(deal.stock))) for _ in range(stocks)]
    found = endings(deal, worlds, [[choice] for choice in choices], styles=styles, seed=name, apart=styles is not None)
    return [[ending.margin(deal.actor) for ending in by_world] for by_world in found]


def interval(values: Sequence[float]) -> str:
    """Write the mean and half of its 95% interval; fewer than two values have none."""
    if len(values) < 2:
        return "–"
    mean = mean_of(values)
    return f"{mean.points:+.2f} ± {1.96 * mean.error:.2f}"
