"""Lessons of practice for experts: choices described by numbers, and small trees that predict the gain of each.

In practice deals of AI seats (`lab/train_advantage.py`) choices were tried both ways, the deal played to its end
after each with the same cards. The trees predict the difference between doing a thing and not doing it, in points
against the average of the others: below zero is good. They see only what the seat may know, and they overrule the
weights of the club player only if they promise more than a threshold.

The tables are files of their own, one a ruleset: `{"kinds": {"call": {"threshold": 3, "trees": [...]}, ...}}`, where a
tree is a number, or `[feature, cut, tree up to the cut, tree above it]`. The native core has the same trees, and works
out the same numbers (`playouts/core/learned.c`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.permissions import has_laid, next_seat
from kalooki_tui.engine.public import Public
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.endgame import fits_table
from kalooki_tui.playouts.worlds import EncodedLessons

FOLDER: Final = Path(__file__).with_name("advice")
#: Rulesets that are played by another table than their own, since that was measured to gain there too.
LIKE: Final = dict.fromkeys(("super-kalooki", "tuluki"), "jamaican")
#: Own throws that are counted.
MOST_COUNTED: Final = 6
#: Where nobody has laid, for the fewest cards of those who have; and where there is no lay-down.
NOBODY: Final = 99.0
NO_LAYDOWN: Final = (99.0, 999.0)

#: A number, or `[feature, cut, tree up to the cut, tree above it]`.
Tree: TypeAlias = Any


class ChoiceKind(StrEnum):
    """Kinds of choices, in the core's order."""

    CALL = "call"
    REFUSE = "refuse"
    TAKE = "take"
    LAY = "lay"


class Trees(Struct, frozen=True):
    threshold: float
    trees: tuple[Tree, ...]

    def gained(self, features: Sequence[float]) -> float:
        total = 0.0
        for tree in self.trees:
            node = tree
            while isinstance(node, list):
                node = node[2] if features[node[0]] <= node[1] else node[3]
            total += node
        return total

    def prefers(self, own: bool, gained: float) -> bool:
        return gained <= self.threshold if own else gained < -self.threshold


class Learned(Struct, frozen=True, eq=False):
    """Trees for one ruleset, by kind of choice."""

    kinds: dict[ChoiceKind, Trees]
    advice: EncodedLessons


@cache
def learned_by(ruleset: str) -> Learned | None:
    """Return the experts' trees for a ruleset; None: the weights alone decide."""
    path = FOLDER / f"{ruleset}.json"
    if path.exists():
        return read_learned(path.read_text(encoding="utf-8"))
    return learned_by(LIKE[ruleset]) if ruleset in LIKE else None


@cache
def leaning(learned: Learned, leans: tuple[tuple[str, float], ...]) -> Learned:
    """Return a copy biased, in points, towards some kinds of choice."""
    # A number is a tree as well.
    kinds = {
        choice: Trees(known.threshold, (*known.trees, -dict(leans).get(choice.value, 0.0)))
        for choice, known in learned.kinds.items()
    }
    return Learned(kinds, EncodedLessons(tuple(_numbers(kinds))))


def read_learned(text: str) -> Learned:
    found = json.loads(text)["kinds"]
    kinds = {ChoiceKind(name): Trees(one["threshold"], tuple(one["trees"])) for name, one in found.items()}
    return Learned(kinds, EncodedLessons(tuple(_numbers(kinds))))


def _numbers(kinds: dict[ChoiceKind, Trees]) -> Iterator[float]:
    """Yield the numbers that the core reads: for each kind its threshold and its trees, counted, low branches first."""
    for choice in ChoiceKind:
        one = kinds.get(choice, Trees(0.0, ()))
        yield one.threshold
        yield float(len(one.trees))
        for tree in one.trees:
            yield from _tree_numbers(tree)


def _tree_numbers(tree: Tree) -> Iterator[float]:
    if isinstance(tree, list):
        feature, cut, low, high = tree
        yield from (float(feature), float(cut))
        yield from _tree_numbers(low)
        yield from _tree_numbers(high)
    else:
        yield from (-1.0, float(tree))


def common_features(view: View, public: Public, away: int) -> dict[str, float]:
    """Return the features of every choice except the hand's worth; `away`: cards from the contract."""
    seat, seats = view.seat, len(view.names)
    others = [other for other in range(seats) if other != seat and view.in_deal[other]]
    laid = [other for other in others if view.laid[other] is not HasLaid.NO]
    sizes, values = view.hand_sizes, view.rules.values
    following = next_seat(view.in_deal, seat)
    return {
        "sets_of_the_contract": view.contract.sets,
        "runs_of_the_contract": view.contract.runs,
        "seats_in_the_deal": sum(view.in_deal),
        "own_cards": len(view.hand),
        "own_points": sum(values[card] for card in view.hand),
        "own_jokers": view.hand.count(JOKER),
        "cards_from_the_contract": -1 if has_laid(view, seat) else away,
        "own_calls": public.calls[seat],
        "calls_of_the_others": sum(public.calls[other] for other in others),
        "stock": view.stock,
        "own_throws": min(MOST_COUNTED, len(public.thrown[seat])),
        "others_that_have_laid": len(laid),
        "fewest_cards_of_another": min((sizes[other] for other in others), default=NOBODY),
        "fewest_cards_of_another_that_has_laid": min((sizes[other] for other in laid), default=NOBODY),
        "cards_of_the_next_seat": sizes[following],
        "next_seat_has_laid": view.laid[following] is not HasLaid.NO,
        "seats_from_the_turn": (seat - view.turn) % seats,
        "reshuffles": view.reshuffles,
    }


def neighbours(view: View, cards: Sequence[Card], card: Card) -> tuple[int, int]:
    """Count cards of the card's rank, and others of its suit within two places."""
    if card == JOKER:
        return 0, 0
    naturals, runs = [other for other in cards if other != JOKER], view.rules.ruleset.runs
    of_rank = sum(RANK[other] == RANK[card] for other in naturals)
    near = sum(SUIT[other] == SUIT[card] and 0 < runs.apart(other, card) <= 2 for other in naturals)
    return of_rank, near


def laying_features(view: View, left: Sequence[Card], melds: int) -> dict[str, float]:
    """Return the features of laying that many melds so that the cards `left` stay."""
    values = view.rules.values
    paired = sum(of_rank > 1 or near > 0 for of_rank, near in (neighbours(view, left, card) for card in left))
    return {
        "cards_left": len(left),
        "points_left": sum(values[card] for card in left),
        "left_that_fit_the_table": sum(fits_table(view, card) for card in left),
        "dearest_left": max((values[card] for card in left), default=0),
        "left_with_a_neighbour": paired,
        "jokers_left": left.count(JOKER),
        "melds": melds,
    }
