"""Deals for studies: the rules of a game at its usual table, and a deal by them before its first action."""

from __future__ import annotations

from typing import Final

from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Referee, Rules, make_rules
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
