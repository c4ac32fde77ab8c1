"""Endings of a deal and their cost (S3, G1-G5, §11)."""

from __future__ import annotations

from kalooki_tui.engine.events import Charged, Event, Scored, Voided, WentOut
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.state import State, note
from kalooki_tui.engine.view import HasLaid, Phase


def charge(state: State, seat: int, points: int, clause: str, events: list[Event], *, bonus: bool = False) -> None:
    """Put penalty points (or a bonus) down for a seat; they are added when the deal is scored (D23)."""
    (state.bonus if bonus else state.penalties)[seat] += points
    note(state, events, Charged(seat, points, clause))


def make_void(state: State, events: list[Event], turns: int | None = None) -> None:
    """Void the deal: nobody scores (S3). `turns`: so many of each seat were without a lay-down (D33)."""
    state.void = True
    note(state, events, Voided(state.number, state.attempt, turns))
    _close(state)


def _close(state: State) -> None:
    state.phase = Phase.OVER
    state.actor = None
    state.asked = []


def go_out(state: State, events: list[Event]) -> None:
    """End the play of the turn seat, whose hand is empty: on to the final add-on, or to the score (G1, G5)."""
    seat = state.turn
    state.out = seat
    state.idle_turns = 0
    state.bent = state.laid[seat] is HasLaid.THIS_TURN
    note(state, events, WentOut(seat, state.bent))
    if state.bent and state.rules.ruleset.score.bend_bonus:
        charge(state, seat, state.rules.ruleset.score.bend_bonus, "H14", events)
    state.bad_lay_open = False
    if state.rules.ruleset.score.add_on:
        state.asked = [other for other in state.clockwise_from(seat) if other != seat and has_laid(state, other)]
        state.added = {}
    else:
        state.asked = []
    next_add_on(state, events)


def next_add_on(state: State, events: list[Event]) -> None:
    """Ask the next seat to add on, or score (G5)."""
    if state.asked:
        state.phase = Phase.ADD_ON
        state.turn = state.actor = state.asked[0]
    else:
        score(state, events)


def is_doubled(state: State) -> bool:
    """Check that the cards left count double (G4)."""
    doubling = state.rules.ruleset.score.doubling
    if not state.bent or doubling == "none":
        return False
    others = (laid for seat, laid in enumerate(state.laid) if seat != state.out)
    return doubling == "bend" or all(laid is HasLaid.NO for laid in others)


def score(state: State, events: list[Event]) -> None:
    """Add up the cards left, doubled or not, and the penalties, which are never doubled (G2-G4, D22, D23)."""
    state.doubled = is_doubled(state)
    times = 2 if state.doubled else 1
    # With one seat left in the deal it scores nothing, though it did not go out (D13).
    alone = state.out is None
    for seat, hand in enumerate(state.hands):
        counts = state.in_deal[seat] and not alone
        left = state.rules.points(hand) * times if counts else 0
        state.points[seat] = left + state.penalties[seat] + state.bonus[seat]
    totals = tuple(before + points for before, points in zip(state.standing.totals, state.points, strict=True))
    hands = tuple(tuple(hand) for hand in state.hands)
    note(state, events, Scored(state.out, state.bent, state.doubled, hands, tuple(state.points), totals))
    _close(state)
