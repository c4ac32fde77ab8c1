"""What a position is worth to a seat: expected points of its own less the mean of the others', from its view alone.

Below zero is good. The numbers come from small regression trees that `lab/fit_value.py` fits to self-play; they are
shipped as data, and their error is documented (docs/review.md). One set of trees judges every ruleset: what tells the
rulesets apart (contract, doubling, what a joker costs) is among the features.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, TypeAlias

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.judging.facts import Situation
from kalooki_tui.players.arithmetic import added_up
from kalooki_tui.players.shedding import fits_table
from kalooki_tui.solver import useful_cards

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


@dataclass(frozen=True, slots=True)
class Holding:
    """What one seat would hold after a choice: its hand, what it has of the contract, what lies on the table."""

    laid: bool
    away: int
    """Cards from the contract; 0 once it is laid."""
    helps: float
    """Share of the unseen cards that bring it nearer; 0 once it is laid."""
    points: float
    cards: int
    fitting: int
    """Cards that fit on a meld that lies on the table."""
    loose_points: float
    """What the others cost."""
    calls_left: int


class Positions:
    """The positions that one view may lead to, each as a vector of `FEATURES`."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self._table = _table_features(situation)

    def holding(
        self,
        hand: Sequence[Card],
        *,
        laid: bool | None = None,
        melds: Sequence[Meld] | None = None,
        unknown: int = 0,
        calls: int = 0,
    ) -> Holding:
        """The seat with this hand, and `unknown` cards more, after so many further `calls`; `melds`: those then on
        the table."""
        situation = self.situation
        view, rules = situation.view, situation.rules
        laid = situation.has_laid if laid is None else laid
        away, helps = (0, 0.0)
        if not laid:
            away, cards = useful_cards(rules, view.contract, hand)
            helps = sum(situation.unseen[card] for card in cards) / max(1, situation.unseen_total)
        fitting = [card for card in hand if fits_table(view, card, melds)]
        points = rules.points(tuple(hand)) + unknown * situation.average_points
        return Holding(
            laid, away, helps, points, len(hand) + unknown, len(fitting),
            points - rules.points(tuple(fitting)), max(0, situation.calls_left - calls),
        )  # fmt: skip

    def vector(self, holding: Holding, steps: int) -> Vector:
        """`steps`: how many other seats have their turns before this one's next, from 0 to all of them."""
        return (
            float(holding.laid), holding.away, holding.helps, holding.points, holding.cards, holding.fitting,
            holding.loose_points, holding.calls_left, steps, *self._table,
        )  # fmt: skip


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


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree in lists: at node n go left (`left[n]`) where the feature is at most the threshold, else right."""

    feature: tuple[int, ...]
    """-1: a leaf."""
    threshold: tuple[float, ...]
    """Of a leaf: its value."""
    left: tuple[int, ...]
    right: tuple[int, ...]

    def at(self, vector: Vector) -> float:
        """The value of the leaf that the vector leads to."""
        node = 0
        while (feature := self.feature[node]) >= 0:
            node = self.left[node] if vector[feature] <= self.threshold[node] else self.right[node]
        return self.threshold[node]


@dataclass(frozen=True, slots=True)
class Value:
    """The fitted sum of trees."""

    base: float
    trees: tuple[Tree, ...]

    def of(self, vector: Vector) -> float:
        """Expected points of the seat less the mean of the others'; below zero is good."""
        return self.base + added_up(tree.at(vector) for tree in self.trees)


@cache
def fitted() -> Value:
    """The trees that are shipped."""
    path = resources.files("kalooki_tui.judging") / "tables" / FILE
    data = json.loads(path.read_text(encoding="utf-8"))
    return Value(data["base"], tuple(Tree(*map(tuple, tree)) for tree in data["trees"]))
