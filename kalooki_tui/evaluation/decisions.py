"""Cost of decisions in a deal, luck apart: each real decision with the option that would have been better.

The loss of a decision is what the position is worth after it (own points less the mean of the others'), less the same
after the best option. First it is read from the fitted value at once; with the native core every decision is then
played out over common worlds (`evaluation/rollouts.py`), hidden cards dealt again from what the seat saw; only what is
above two standard errors is called a loss. Whatever it says comes from the seat's view.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple, replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.permissions import DECISIONS, WINDOWS, has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.endgame import fits_table
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import Trees
from kalooki_tui.players.seat import open_card, without
from kalooki_tui.solver import useful_cards

#: Points from which on a loss is a slip, a mistake, a blunder.
SLIP, MISTAKE, BLUNDER = 3.0, 6.0, 12.0


class Quality(StrEnum):
    FINE = "fine"
    CLOSE = "too close to call"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Fate(Struct, frozen=True):
    """Endings of the deal for the seat, in worlds in which one option was played out."""

    worlds: int = 0
    out: int = 0
    beaten: int = 0
    """Worlds in which another seat went out."""
    left: int = 0
    """Points that the seat was left with in those, in all."""
    squares: int = 0

    def __add__(self, other: Fate) -> Fate:
        return Fate(
            self.worlds + other.worlds, self.out + other.out, self.beaten + other.beaten,
            self.left + other.left, self.squares + other.squares,
        )  # fmt: skip


class Decision(Struct, frozen=True):
    place: int
    """Actions of the deal before it."""
    turn: int
    """Own turn of the seat, from 1."""
    view: View
    action: do.Action
    got: Card | None = None


class Judged(Struct, frozen=True):
    """Decision with its cost. Losses are points; none is below zero."""

    decision: Decision
    kind: str
    """draw, call, allow, throw, lay or tack."""
    best: do.Action
    loss: float
    error: float | None = None
    """One standard error; None: read from the value alone."""
    ranked: tuple[do.Action, ...] = ()
    luck: float = 0.0
    """Worth of a drawn card beside a mean one; above zero is unlucky."""
    why: str = ""
    """Reason why the best option was better, in the coach's words; empty: none was, or not known yet."""
    fates: tuple[Fate, Fate] | None = None
    is_open: bool = False

    @property
    def is_loss(self) -> bool:
        return not self.is_open and self.verdict not in (Quality.FINE, Quality.CLOSE)

    @property
    def verdict(self) -> Quality:
        """Verdict; only what exceeds two standard errors is a loss."""
        if self.error is not None and self.loss <= 2 * self.error:
            return Quality.FINE if self.loss < SLIP else Quality.CLOSE
        for least, verdict in ((BLUNDER, Quality.BLUNDER), (MISTAKE, Quality.MISTAKE), (SLIP, Quality.SLIP)):
            if self.loss >= least:
                return verdict
        return Quality.FINE


def judge(decision: Decision) -> Judged | None:
    """Value a decision by the fitted value; None: no choice, or a challenge (F2), cut or buy-in."""
    view = decision.view
    if view.actor != view.seat:
        return None
    positions = Positions(Situation(view))
    match decision.action:
        case do.Discard() | do.Lay() | do.Tack() | do.Swap() | do.EndTurn() | do.Done():
            return _turn(decision, positions)
        case do.Call() | do.Pass() | do.Allow() | do.Refuse() | do.Draw():
            return _take(decision, positions)
    return None


def _worth(positions: Positions, holding: Holding, steps: int) -> float:
    return fitted().gained(positions.vector(holding, steps))


# The turn itself


def _turn(decision: Decision, positions: Positions) -> Judged | None:
    """Value throws, or putting cards on the table first: the action, and the best that could be done."""
    view, action = decision.view, decision.action
    options: dict[do.Action, float] = dict(_throws(positions))
    if isinstance(action, do.EndTurn | do.Done):
        ended = float(view.rules.points(view.hand))
        if view.phase is not Phase.ADD_ON:
            ended = _worth(positions, positions.holding(view.hand), len(positions.situation.others))
        options[action] = ended
    kind = "throw"
    # The best lay-down, even where the expert would wait, or what the expert would add.
    found = Expert("review").shed(view) if has_laid(view, view.seat) else lay_contract(view) if view.may_lay else None
    for first in dict.fromkeys((None if found is None else found.action, action)):
        if isinstance(first, do.Lay | do.Tack | do.Swap):
            worth = _after(view, first)
            if worth is not None:
                options[first] = worth
    if not options:
        return None
    for one in (action, min(options, key=options.__getitem__)):
        if kind == "throw" and not isinstance(one, do.Discard | do.EndTurn | do.Done):
            kind = "lay" if isinstance(one, do.Lay) else "tack"
    return _judged(decision, kind, options)


def _throws(positions: Positions) -> dict[do.Action, float]:
    view, others = positions.situation.view, len(positions.situation.others)
    found: dict[do.Action, float] = {}
    for action in view.legal:
        if isinstance(action, do.Discard):
            left = without(view.hand, (action.card,))
            found[action] = _worth(positions, positions.holding(left), others) if left else _out(positions)
    return found


def _after(view: View, action: do.Action) -> float | None:
    """Value the position after putting cards on the table and the best throw; None: the rules refuse it."""
    deal = Belief(view).start
    try:
        deal.apply(action)
    except Refused:
        return None
    seen = deal.view(view.seat)
    if view.phase is Phase.ADD_ON:
        return float(view.rules.points(seen.hand))
    if not seen.hand or deal.actor is None:
        return _out(Positions(Situation(view)))
    positions = Positions(Situation(seen))
    throws = _throws(positions) if deal.actor == view.seat else {}
    return min(throws.values()) if throws else _worth(positions, positions.holding(seen.hand), 0)


def _out(positions: Positions) -> float:
    situation = positions.situation
    view = situation.view
    bends = view.rules.ruleset.score.doubling != "none" and view.laid[view.seat] is not HasLaid.EARLIER
    sizes = [view.hand_sizes[seat] for seat in situation.others]
    return -(2 if bends else 1) * situation.average_points * sum(sizes) / max(1, len(sizes))


# The open card


def _take(decision: Decision, positions: Positions) -> Judged | None:
    """Value having the open card or not: by call, by refusing a call, by drawing it."""
    view, situation = decision.view, positions.situation
    card = open_card(view)
    options: dict[do.Action, float] = {}
    luck = 0.0
    if view.phase in WINDOWS:
        if card is None:
            return None
        steps = (view.seat - view.turn) % len(view.names)
        for action in view.legal:
            if isinstance(action, do.Call):
                holding = positions.holding((*view.hand, card), unknown=1, calls=1)
                options[action] = _worth(positions, holding, steps)
            elif isinstance(action, do.Pass):
                options[action] = _worth(positions, positions.holding(view.hand), steps)
        return _judged(decision, "call", options)
    others = len(situation.others)
    from_stock = _from_stock(positions, others)
    for action in view.legal:
        if isinstance(action, do.Allow) or (isinstance(action, do.Draw) and action.source is do.Source.STOCK):
            options[action] = from_stock
        elif isinstance(action, do.Refuse | do.Draw) and card is not None:
            options[action] = _with_card(positions, card, others)
    if decision.got is not None:
        luck = _with_card(positions, decision.got, others) - from_stock
    found = _judged(decision, "allow" if view.phase in DECISIONS else "draw", options)
    if found is None:
        # Nothing to choose, but a card was drawn.
        return Judged(decision, "draw", decision.action, 0.0, luck=luck) if luck else None
    return replace(found, luck=luck)


def _with_card(positions: Positions, card: Card, others: int) -> float:
    """Value the turn's end with this card drawn: throw it, or another."""
    hand, situation = positions.situation.view.hand, positions.situation
    if situation.has_laid:
        return _laid_with_card(positions, card, others)
    after = positions.holding((*hand, card))
    thrown = situation.average_points
    after = replace(
        after, cards=after.cards - 1, points=after.points - thrown, loose_points=after.loose_points - thrown
    )
    return min(_worth(positions, after, others), _worth(positions, positions.holding(hand), others))


def _laid_with_card(positions: Positions, card: Card, others: int) -> float:
    """Value the turn's end after laying: a card that fits is tacked, then the dearest loose card thrown."""
    view = positions.situation.view
    left = [*view.hand] if fits_table(view, card) else [*view.hand, card]
    if left:
        left.remove(max(left, key=lambda one: (one != JOKER, not fits_table(view, one), view.rules.values[one])))
    return _worth(positions, positions.holding(left), others) if left else _out(positions)


def _from_stock(positions: Positions, others: int) -> float:
    """Return the mean over all cards that may lie there; those that bring the hand no nearer are thrown."""
    situation, view = positions.situation, positions.situation.view
    total = max(1, situation.unseen_total)
    if situation.has_laid:
        cards = [card for card, copies in enumerate(situation.unseen) if copies]
        return sum(situation.unseen[card] * _with_card(positions, card, others) for card in cards) / total
    plain = _worth(positions, positions.holding(view.hand), others)
    _, helps = useful_cards(view.rules, view.contract, view.hand)
    gained = 0.0
    for card in helps:
        copies = situation.unseen[card]
        if copies:
            gained += copies * (_with_card(positions, card, others) - plain)
    return plain + gained / total


def _judged(decision: Decision, kind: str, options: dict[do.Action, float]) -> Judged | None:
    if len(options) < 2 or decision.action not in options:
        return None
    ranked = tuple(sorted(options, key=options.__getitem__))
    loss = max(0.0, options[decision.action] - options[ranked[0]])
    return Judged(decision, kind, ranked[0], loss, ranked=ranked)


# What a position is worth to a seat: expected points of its own less the mean of the others', from its view alone. The
# numbers come from small regression trees that `lab/fit_value.py` fits to self-play; their error is documented
# (docs/review.md). One set of trees judges every ruleset: what tells the rulesets apart is among the features.

FILE: Final = "value.json"
#: What is known of a position, in the order of the vectors.
FEATURES: Final = (
    "laid", "away", "helps", "points", "cards", "fitting", "loose_points", "calls_left",
    "steps", "turns", "others", "others_laid", "fewest", "fewest_laid", "cards_of_others", "taken", "stock",
    "sets", "runs", "contract_points", "dealt", "doubling", "joker_points",
)  # fmt: skip
#: Stands for the fewest cards of the others that have laid where none has.
NOBODY: Final = 30
_DOUBLING: Final = {"none": 0, "bend": 1, "first-bend": 2}

Vector: TypeAlias = tuple[float, ...]


class Holding(Struct, frozen=True):
    laid: bool
    away: int
    helps: float
    """Share of the unseen cards that bring it nearer; 0 once it is laid."""
    points: float
    cards: int
    fitting: int
    loose_points: float
    """Points of the other cards."""
    calls_left: int


class Positions:
    """Positions that a view may lead to, each as a vector of `FEATURES`."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self._table = _table_features(situation)

    def holding(self, hand: Sequence[Card], *, unknown: int = 0, calls: int = 0) -> Holding:
        """Return the seat's holding with this hand, `unknown` more cards, and so many further `calls`."""
        situation = self.situation
        view, rules = situation.view, situation.rules
        away, helps = (0, 0.0)
        if not situation.has_laid:
            away, cards = useful_cards(rules, view.contract, hand)
            helps = sum(situation.unseen[card] for card in cards) / max(1, situation.unseen_total)
        fitting = [card for card in hand if fits_table(view, card)]
        points = rules.points(tuple(hand)) + unknown * situation.average_points
        return Holding(
            situation.has_laid, away, helps, points, len(hand) + unknown, len(fitting),
            points - rules.points(tuple(fitting)), max(0, situation.calls_left - calls),
        )  # fmt: skip

    def vector(self, holding: Holding, steps: int) -> Vector:
        """Return the features; `steps`: other seats' turns before this one's next, from 0 to all of them."""
        return (*astuple(holding), steps, *self._table)


def _table_features(situation: Situation) -> Vector:
    view, rules = situation.view, situation.rules
    public, contract = public_of(view), view.contract
    sizes = [view.hand_sizes[seat] for seat in situation.others]
    laid = [view.hand_sizes[seat] for seat in situation.others if has_laid(view, seat)]
    taken = sum(len(public.taken[seat]) for seat in situation.others if not has_laid(view, seat))
    return (
        public.turns[view.seat], len(sizes), len(laid), min(sizes, default=NOBODY), min(laid, default=NOBODY),
        sum(sizes) / max(1, len(sizes)), taken / max(1, len(sizes)), view.stock,
        contract.sets, contract.runs, contract.points or 0, contract.cards,
        _DOUBLING[rules.ruleset.score.doubling], rules.values[JOKER],
    )  # fmt: skip


@cache
def fitted() -> Trees:
    """Return the trees that add up to a seat's expected points less the mean of the others'; below zero is good."""
    path = resources.files("kalooki_tui.evaluation") / "tables" / FILE
    return Trees(0.0, tuple(json.loads(path.read_text(encoding="utf-8"))["trees"]))
