"""A match standing at a position."""

from __future__ import annotations

import random
from collections import Counter

from kalooki_tui.cards import Card, full_deck
from kalooki_tui.engine import turns
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.moments import AFTER_DEAL, has_laid, may_call
from kalooki_tui.engine.state import Standing
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.positions.position import Position
from kalooki_tui.problems import problem
from kalooki_tui.wording import does, says_of, whom


def set_up(position: Position) -> Match:
    """The match at that moment; cards named nowhere are in hands given as numbers, and lie shuffled below the named
    stock.

    Raises:
        InputError: the phase cannot be, such as a window in which nobody may call.
    """
    rules, seats = position.rules, position.seats
    standing = Standing(
        totals=tuple(seat.score for seat in seats),
        money=tuple(seat.money for seat in seats),
        buy_ins=tuple(seat.buy_ins for seat in seats),
        eliminated=tuple(seat.eliminated for seat in seats),
        pool=position.pool,
    )
    deal = Deal.blank(
        rules,
        position.names,
        position.deal,
        position.dealer,
        position.turn,
        f"{position.seed}/deal {position.deal}.1",
        standing=standing,
        # Points below zero can only be an exact cut's bonus (B1).
        penalties=[max(seat.penalties, 0) for seat in seats],
    )
    _put_seats(deal, position)
    deal.melds = list(position.table)
    deal.pile = list(reversed(position.discard))
    _put_unnamed(deal, position)
    deal.discarded_by = _thrower(position) if deal.pile else None
    deal.dead, deal.flip, deal.caller = position.dead, position.flip, position.caller
    deal.reshuffles = position.reshuffles
    _put_phase(deal, position)
    match = Match(MatchSetup(rules, position.names, position.seed), deal)
    if position.phase is Phase.BUY_IN:
        if position.turn not in match.buying:
            name = position.names[position.turn]
            raise problem(
                f"turn: {does(name, 'be', inside=True)} not eliminated, or {says_of(name, 'have')} no buy-in left",
                position.places.key("turn"),
            )
        match.buying = match.buying[match.buying.index(position.turn) :]
        deal.phase = Phase.OVER
    return match


def _put_seats(deal: Deal, position: Position) -> None:
    rules, seats = position.rules, position.seats
    limit = rules.ruleset.calls.limit
    infractions = rules.ruleset.infractions
    over_call = infractions.over_call if infractions else None
    deal.laid = [seat.laid for seat in seats]
    deal.calls = [seat.calls for seat in seats]
    deal.found = [max(0, seat.calls - limit) if seat.found_out else 0 for seat in seats]
    deal.bend_forbidden = [
        seat.bend_forbidden or (seat.found_out and over_call is not None and over_call.forbids_bend) for seat in seats
    ]
    deal.bonus = [min(seat.penalties, 0) for seat in seats]
    deal.in_deal = [seat.in_deal for seat in seats]


def _put_unnamed(deal: Deal, position: Position) -> None:
    """Put cards in the hands and the stock, named ones and others."""
    rest = _rest(position)
    deal.hands = [
        [rest.pop() for _ in range(seat.hand)] if isinstance(seat.hand, int) else list(seat.hand)
        for seat in position.seats
    ]
    named = list(reversed(position.stock))
    deal.stock = named if position.stock_only else rest + named


def _rest(position: Position) -> list[Card]:
    left = Counter(full_deck(position.rules.packs, position.rules.jokers))
    left.subtract(position.stock)
    left.subtract(position.discard)
    for seat in position.seats:
        left.subtract(() if isinstance(seat.hand, int) else seat.hand)
    for meld in position.table:
        left.subtract(meld.cards)
    if position.flip is not None:
        left[position.flip] -= 1
    rest = list(left.elements())
    random.Random(f"{position.seed}/position").shuffle(rest)
    return rest


def _put_phase(deal: Deal, position: Position) -> None:
    """Whose decision it is, and who is still to be asked."""
    phase = deal.phase = position.phase
    deal.actor = deal.turn
    if phase is Phase.CUT:
        deal.actor = deal.dealer
    elif phase is Phase.CALL_WINDOW:
        _put_window(deal, position, turns.who_may_call(deal))
    elif phase is Phase.FLIP_WINDOW:
        other = deal.left_of(deal.turn)
        _put_window(deal, position, [other] if may_call(deal, other) else [])
    elif phase is Phase.ADD_ON:
        _put_add_on(deal, position)
    elif phase in AFTER_DEAL:
        deal.actor = None
        deal.out = position.out


def _put_window(deal: Deal, position: Position, asked: list[int]) -> None:
    """Ask the seats that may call; a window opens only where somebody may (D30)."""
    if not asked:
        raise problem("phase: nobody may call here, so there is no window", position.places.key("phase"))
    deal.asked, deal.actor = asked, asked[0]


def _put_add_on(deal: Deal, position: Position) -> None:
    out = position.out
    assert out is not None
    deal.out = out
    deal.bent = deal.laid[out] is HasLaid.THIS_TURN
    laid = [seat for seat in deal.clockwise_from(out) if seat != out and has_laid(deal, seat)]
    if deal.turn not in laid:
        name = position.names[deal.turn]
        raise problem(
            f"turn: {does(name, 'have', inside=True)} not laid, or went out, and {says_of(name, 'do')} not add on",
            position.places.key("turn"),
        )
    if deal.hands[out]:
        raise problem(
            f"out: {whom(position.names[out])} went out and {says_of(position.names[out], 'hold')} no cards",
            position.places.key("out"),
        )
    deal.asked = laid[laid.index(deal.turn) :]


def _thrower(position: Position) -> int | None:
    """Who threw the top discard; the card turned up is nobody's (D2), or in Tuluki the dealer's (U5)."""
    if position.discarded_by is None and position.rules.ruleset.draw.offer == "flip":
        return position.dealer
    return position.discarded_by
