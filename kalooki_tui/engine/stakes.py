"""Kalookie 40's counters and eliminations (§10). The counters of all seats and the pool always sum to the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import BoughtIn, Eliminated, Event, Paid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import Standing

Value = TypeVar("Value")


def opening(rules: Rules) -> Standing:
    """Return the first standing: a handicap's totals, and the initial stakes paid, where there are any (P1)."""
    standing = Standing.at_start(rules.seats)
    standing = replace(standing, totals=rules.settings.handicap or standing.totals)
    if rules.ruleset.end.after != "elimination":
        return standing
    stake = rules.settings.initial_stake
    return replace(standing, money=(-stake,) * rules.seats, pool=stake * rules.seats)


def _pay(deal: Deal, reason: str, changes: Sequence[int], events: list[Event]) -> None:
    """Move counters by seat; payments go to the pool, and receipts come from it or other seats."""
    standing = deal.standing
    money = tuple(map(sum, zip(standing.money, changes, strict=True)))
    to_pool = -sum(changes)
    deal.standing = replace(standing, money=money, pool=standing.pool + to_pool)
    events.append(Paid(reason, tuple(changes), to_pool))


def settle(deal: Deal, events: list[Event]) -> None:
    """Pay the winner of the deal (P2) and eliminate the seats over the limit (P3)."""
    seats = range(len(deal.hands))
    if deal.out is not None:
        settings = deal.rules.settings
        amount = settings.kalookie if deal.bent else settings.call_up
        changes = [-amount if deal.in_deal[seat] and seat != deal.out else 0 for seat in seats]
        changes[deal.out] = -sum(changes)
        _pay(deal, "kalookie" if deal.bent else "call-up", changes, events)
    limit = deal.rules.ruleset.end.eliminate_over
    standing = deal.standing
    over = [seat for seat in seats if deal.in_deal[seat] and standing.totals[seat] > limit]
    deal.standing = replace(standing, eliminated=tuple(standing.eliminated[seat] or seat in over for seat in seats))
    events += [Eliminated(seat) for seat in over]


def buyers(rules: Rules, standing: Standing, dealer: int, in_deal: Sequence[bool] | None = None) -> list[int]:
    """Return eliminated seats that may buy in, from the dealer's left; `in_deal`: only those of this deal (D12)."""
    count = rules.seats
    order = [(dealer + step) % count for step in range(1, count + 1)]
    return [
        seat
        for seat in order
        if standing.eliminated[seat]
        and standing.buy_ins[seat] < rules.settings.max_buy_ins
        and (in_deal is None or in_deal[seat])
    ]


def buy_in(deal: Deal, seat: int) -> list[Event]:
    """Take an eliminated seat back at the highest total still in, for the buy-in stake (P3)."""
    standing = deal.standing
    highest = max(total for total, gone in zip(standing.totals, standing.eliminated, strict=True) if not gone)
    events: list[Event] = []
    changes = [0] * len(standing.money)
    changes[seat] = -deal.rules.settings.buy_in_stake
    _pay(deal, "buy-in", changes, events)
    deal.standing = replace(
        deal.standing,
        totals=_with(standing.totals, seat, highest),
        buy_ins=_with(standing.buy_ins, seat, standing.buy_ins[seat] + 1),
        eliminated=_with(standing.eliminated, seat, False),
    )
    return [*events, BoughtIn(seat, highest)]


def pay_pool(deal: Deal, winners: Sequence[int], events: list[Event]) -> None:
    """Share the pool; what cannot be divided goes to the winners nearest to the dealer's left (P4, D32)."""
    seats = len(deal.standing.money)
    share, rest = divmod(deal.standing.pool, len(winners))
    changes = [0] * seats
    for place, seat in enumerate(sorted(winners, key=lambda seat: (seat - deal.dealer - 1) % seats)):
        changes[seat] = share + (place < rest)
    _pay(deal, "pool", changes, events)


def _with(values: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    return (*values[:index], value, *values[index + 1 :])
