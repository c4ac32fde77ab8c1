"""Who took what in a match played for counters: stakes, call-ups, kalookies, buying in, the pool (P1-P4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.records.writing import in_effect
from kalooki_tui.wording import counted, does


@dataclass(slots=True)
class SeatSettlement:
    """Counters of one seat, got above zero and paid below."""

    name: str
    stake: int = 0
    bought: int = 0
    """For coming back."""
    call_ups: int = 0
    """Got, less what was paid to others."""
    kalookies: int = 0
    pool: int = 0
    call_ups_won: int = 0
    """Deals won for a call-up."""
    kalookies_won: int = 0

    @property
    def total(self) -> int:
        return self.stake + self.bought + self.call_ups + self.kalookies + self.pool


def settlement(view: View, winners: Sequence[int], lines: Sequence[str]) -> list[SeatSettlement]:
    """Payments of each seat, from the lines of the match's record; seats in clockwise order.

    Empty if the match is not played for counters, or the record does not add up to the counters in play.
    """
    rules = view.rules
    if rules.ruleset.end.after != "elimination" or not lines:
        return []
    settings = rules.settings
    seats = [
        SeatSettlement(name, -settings.initial_stake, -bought * settings.buy_in_stake)
        for name, bought in zip(view.names, view.buy_ins, strict=True)
    ]
    for out, bent, dealt in _won_deals(lines):
        _pay(rules, seats, out, dealt, bent=bent)
    for seat in winners:
        # Counters that cannot be shared out evenly do not occur: one seat is left, and takes the pool.
        seats[seat].pool = -sum(one.stake + one.bought for one in seats)
    return seats if [one.total for one in seats] == list(view.money) else []


def _pay(rules: Rules, seats: list[SeatSettlement], out: int, dealt: Sequence[int], *, bent: bool) -> None:
    amount = rules.settings.kalookie if bent else rules.settings.call_up
    for seat in dealt:
        change = amount * (len(dealt) - 1) if seat == out else -amount
        if bent:
            seats[seat].kalookies += change
            seats[seat].kalookies_won += seat == out
        else:
            seats[seat].call_ups += change
            seats[seat].call_ups_won += seat == out


def _won_deals(lines: Sequence[str]) -> list[tuple[int, bool, tuple[int, ...]]]:
    """Each deal somebody went out in: who, whether in the turn of the first lay-down, and who was dealt in."""
    names: list[str] = []
    dealt: tuple[int, ...] = ()
    found: list[tuple[int, bool, tuple[int, ...]]] = []
    for line in in_effect(map(json.loads, lines)):
        if "deal" in line:
            names = [*line["hands"]]
            dealt = tuple(seat for seat, name in enumerate(names) if line["hands"][name])
        elif "scored" in line and line.get("out") is not None:
            found.append((names.index(line["out"]), bool(line["bent"]), dealt))
    return found


def settlement_words(seats: Sequence[SeatSettlement]) -> list[str]:
    """Who took the pool, and who won what: a sentence each."""
    told = [f"{does(one.name, 'take')} the pool of {one.pool} counters." for one in seats if one.pool]
    for one in sorted(seats, key=lambda one: (-one.kalookies_won, -one.call_ups_won)):
        won = [counted(one.call_ups_won, "call-up")] if one.call_ups_won else []
        won += [counted(one.kalookies_won, "kalookie")] if one.kalookies_won else []
        if won:
            told.append(f"{does(one.name, 'have')} won {' and '.join(won)}.")
    return told
