"""What one's decisions in a deal cost, luck apart: each real decision with the option that would have been better.

The loss of a decision is what the position is worth after it (own points less the mean of the others'), less the same
after the best option. First it is read from the fitted value at once; with the native core suspects are then played out
over common worlds, hidden cards dealt anew from what the seat saw, and only what is above two standard errors is called
a loss. Whatever it says comes from the seat's view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.coach.facts import Situation
from kalooki_tui.coach.value import Holding, Positions, fitted
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, EndTurn, Lay, Pass, Refuse, Source, Tack
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.seat import open_card
from kalooki_tui.solver import best_lay, useful_cards
from kalooki_tui.solver.lay import goes_out

#: Points from which on a loss is a slip, a mistake, a blunder.
SLIP, MISTAKE, BLUNDER = 3.0, 6.0, 12.0
#: Suspects of a deal that are played out.
MOST_SUSPECTS: Final = 8
#: Points of value from which on a decision is one.
SUSPECT: Final = 2.0


class Verdict(StrEnum):
    """What a decision comes to."""

    FINE = "fine"
    CLOSE = "too close to call"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat saw and did."""

    place: int
    """Actions of the deal before it."""
    turn: int
    """The seat's own turn, from 1."""
    view: View
    action: Action
    got: Card | None = None
    """The card that a draw from the stock brought."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with what it cost. Losses are points; none is below zero."""

    decision: Decision
    kind: str
    """draw, call, allow, throw, lay or tack."""
    best: Action
    loss: float
    error: float | None = None
    """One standard error; None: read from the value alone."""
    ranked: tuple[Action, ...] = ()
    """The options, best first, as the value sees them."""
    luck: float = 0.0
    """What a drawn card was worth beside a mean one; above zero is unlucky."""

    @property
    def verdict(self) -> Verdict:
        """Only what is above two standard errors is a loss."""
        if self.error is not None and self.loss <= 2 * self.error:
            return Verdict.FINE if self.loss < SLIP else Verdict.CLOSE
        for least, verdict in ((BLUNDER, Verdict.BLUNDER), (MISTAKE, Verdict.MISTAKE), (SLIP, Verdict.SLIP)):
            if self.loss >= least:
                return verdict
        return Verdict.FINE


def judge(decision: Decision) -> Judged | None:
    """The decision by the fitted value; None where there was nothing to choose, or nothing that can be valued."""
    view = decision.view
    if view.actor != view.seat:
        return None
    positions = Positions(Situation(view))
    match decision.action:
        case Discard() | EndTurn():
            return _throw(decision, positions)
        case Lay():
            return None
        case Call() | Pass() | Allow() | Refuse() | Draw():
            return _take(decision, positions)
    return None


def _worth(positions: Positions, holding: Holding, steps: int) -> float:
    return fitted().of(positions.vector(holding, steps))


def _throw(decision: Decision, positions: Positions) -> Judged | None:
    view, situation = decision.view, positions.situation
    options: dict[Action, float] = {}
    others = len(situation.others)
    for action in view.legal:
        if isinstance(action, Discard):
            left = list(view.hand)
            left.remove(action.card)
            options[action] = _worth(positions, positions.holding(left), others)
    kind = "throw"
    throws = dict(options)
    if not situation.has_laid and view.may_lay:
        laid = _lay(view, positions)
        if laid is not None:
            options |= laid
            kind = "lay"
    elif situation.has_laid:
        tacks = [action for action in view.legal if isinstance(action, Tack)]
        if tacks and throws:
            best = min(throws, key=throws.__getitem__)
            for tack in tacks:
                left = list(view.hand)
                for card in (*tack.cards, *([best.card] if isinstance(best, Discard) else [])):
                    if card in left:
                        left.remove(card)
                options[tack] = _worth(positions, positions.holding(left), others)
            kind = "tack"
    return _judged(
        decision, kind if options and min(options, key=options.__getitem__) not in throws else "throw", options
    )


def _lay(view: View, positions: Positions) -> dict[Action, float] | None:
    """The best lay-down with a throw after it, valued."""
    found = best_lay(view.rules, view.contract, view.hand, table=view.melds, seat=view.seat)
    if found is None or not found.groups:
        return None
    situation = positions.situation
    action = Lay(view.seat, found.groups)
    if goes_out(view.rules, found.left):
        factor = 2 if view.rules.ruleset.score.doubling != "none" else 1
        sizes = [view.hand_sizes[seat] for seat in situation.others]
        return {action: -factor * situation.average_points * sum(sizes) / max(1, len(sizes))}
    melds = [*view.melds, *(make_meld(view.rules.ruleset, view.seat, group) for group in found.groups)]
    left = sorted(found.left, key=lambda card: (card == JOKER, -view.rules.values[card]))[1:]
    holding = positions.holding(left, laid=True, melds=melds)
    return {action: _worth(positions, holding, len(situation.others))}


def _take(decision: Decision, positions: Positions) -> Judged | None:
    """Have the open card or not: by call, by refusing a call, by drawing it."""
    view, situation = decision.view, positions.situation
    card = open_card(view)
    if situation.has_laid:
        return None
    options: dict[Action, float] = {}
    luck = 0.0
    if view.phase in (Phase.CALL_WINDOW, Phase.FLIP_WINDOW):
        if card is None:
            return None
        steps = (view.seat - view.turn) % len(view.names)
        for action in view.legal:
            if isinstance(action, Call):
                holding = positions.holding((*view.hand, card), unknown=1, calls=1)
                options[action] = _worth(positions, holding, steps)
            elif isinstance(action, Pass):
                options[action] = _worth(positions, positions.holding(view.hand), steps)
        return _judged(decision, "call", options)
    others = len(situation.others)
    from_stock = _from_stock(positions, others)
    for action in view.legal:
        if isinstance(action, Allow) or (isinstance(action, Draw) and action.source is Source.STOCK):
            options[action] = from_stock
        elif isinstance(action, Refuse | Draw) and card is not None:
            options[action] = _with_card(positions, card, others)
    if decision.got is not None:
        luck = _with_card(positions, decision.got, others) - from_stock
    found = _judged(decision, "allow" if view.phase in (Phase.DECISION, Phase.FLIP_DECISION) else "draw", options)
    if found is None:
        # Nothing to choose, but a card was drawn.
        return Judged(decision, "draw", decision.action, 0.0, luck=luck) if luck else None
    return replace(found, luck=luck)


def _with_card(positions: Positions, card: Card, others: int) -> float:
    """The turn's end with this card drawn: the better of throwing it and of throwing another."""
    hand, situation = positions.situation.view.hand, positions.situation
    after = positions.holding((*hand, card))
    thrown = situation.average_points
    after = replace(
        after, cards=after.cards - 1, points=after.points - thrown, loose_points=after.loose_points - thrown
    )
    return min(_worth(positions, after, others), _worth(positions, positions.holding(hand), others))


def _from_stock(positions: Positions, others: int) -> float:
    """The mean over all cards that may lie there; those that bring the hand no nearer are thrown again."""
    situation, view = positions.situation, positions.situation.view
    plain = _worth(positions, positions.holding(view.hand), others)
    _, helps = useful_cards(view.rules, view.contract, view.hand)
    total = max(1, situation.unseen_total)
    gained = 0.0
    for card in helps:
        copies = situation.unseen[card]
        if copies:
            gained += copies * (_with_card(positions, card, others) - plain)
    return plain + gained / total


def _judged(decision: Decision, kind: str, options: dict[Action, float]) -> Judged | None:
    if len(options) < 2 or decision.action not in options:
        return None
    ranked = tuple(sorted(options, key=options.__getitem__))
    loss = max(0.0, options[decision.action] - options[ranked[0]])
    return Judged(decision, kind, ranked[0], loss, ranked=ranked)


def suspects(judged: Sequence[Judged]) -> list[int]:
    """Places of the decisions that are worth playing out, the dearest first."""
    found = [place for place, one in enumerate(judged) if one.ranked and one.loss >= SUSPECT]
    return sorted(found, key=lambda place: -judged[place].loss)[:MOST_SUSPECTS]
