"""What experts have learnt from practice: choices described by numbers, and small trees that say what each way gains.

In practice deals of AI seats (`lab/train_advantage.py`) choices were tried both ways, the deal played to its end
after each with the cards as they lay. What doing a thing came to over not doing it is what the trees foretell, in
points against the average of the others: below zero is good. They see nothing but what the seat may know, and a choice
that the weights of the club player make is changed only where the trees promise more than a threshold.

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

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.memory import Memory
from kalooki_tui.players.shedding import fits_table
from kalooki_tui.playouts import Advice
from kalooki_tui.values import dataclass

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


class Choice(StrEnum):
    """Kinds of choices, in the core's order."""

    CALL = "call"
    REFUSE = "refuse"
    TAKE = "take"
    LAY = "lay"


#: What the numbers of a choice are: of all choices, ...
COMMON: Final = (
    "sets of the contract", "runs of the contract", "seats in the deal", "own cards", "own points", "own jokers",
    "cards from the contract", "own calls", "calls of the others", "stock", "own throws", "others that have laid",
    "fewest cards of another", "fewest cards of another that has laid", "cards of the next seat", "next seat has laid",
    "seats from the turn", "reshuffles", "worth of the hand",
)  # fmt: skip
#: ... of a card to call, refuse or take (the other seat is the caller of what may be refused, else the one at turn),
#: ...
OF_CARD: Final = (
    "cards from the contract with it", "gain", "the weights would", "points", "is a joker", "own of its rank",
    "own near it", "fits the table", "copies unseen", "seats to the other", "cards of the other", "calls of the other",
    "the other has laid", "cards left by laying", "points left by laying", "cards left by laying with it", "danger",
    "gain of a card on average",
)  # fmt: skip
#: ... and of laying the contract.
OF_LAYING: Final = (
    "cards left", "points left", "left that fit the table", "dearest left", "left with a neighbour", "jokers left",
    "melds",
)  # fmt: skip
#: The longest list of numbers.
FEATURES: Final = len(COMMON) + len(OF_CARD)
WORTH: Final = len(COMMON) - 1


@dataclass(frozen=True, slots=True)
class Trees:
    """What is known of one kind of choice."""

    threshold: float
    trees: tuple[Tree, ...]

    def gained(self, features: Sequence[float]) -> float:
        """What doing it comes to over not doing it."""
        total = 0.0
        for tree in self.trees:
            node = tree
            while isinstance(node, list):
                node = node[2] if features[node[0]] <= node[1] else node[3]
            total += node
        return total

    def chooses(self, own: bool, features: Sequence[float]) -> bool:
        """Whether to do it, where the weights alone would or would not."""
        return self.prefers(own, self.gained(features))

    def prefers(self, own: bool, gained: float) -> bool:
        """Whether to do what comes to `gained` over leaving it, where the weights alone would or would not."""
        return gained <= self.threshold if own else gained < -self.threshold


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What is known by one ruleset, by kind of choice."""

    kinds: dict[Choice, Trees]
    advice: Advice
    """The same for the native core."""


@cache
def learned_by(ruleset: str) -> Learned | None:
    """What experts have learnt by a ruleset; None: nothing, so that the weights alone decide."""
    path = FOLDER / f"{ruleset}.json"
    if path.exists():
        return read_learned(path.read_text(encoding="utf-8"))
    return learned_by(LIKE[ruleset]) if ruleset in LIKE else None


@cache
def leaning(learned: Learned, leans: tuple[tuple[str, float], ...]) -> Learned:
    """The same, as a temperament sees it that thinks so many points better of some kinds of choices."""
    # A number is a tree as well.
    kinds = {
        choice: Trees(known.threshold, (*known.trees, -dict(leans).get(choice.value, 0.0)))
        for choice, known in learned.kinds.items()
    }
    return Learned(kinds, Advice(tuple(_numbers(kinds))))


def read_learned(text: str) -> Learned:
    """Read a table."""
    found = json.loads(text)["kinds"]
    kinds = {Choice(name): Trees(one["threshold"], tuple(one["trees"])) for name, one in found.items()}
    return Learned(kinds, Advice(tuple(_numbers(kinds))))


def _numbers(kinds: dict[Choice, Trees]) -> Iterator[float]:
    """As the core reads them: for each kind its threshold, how many trees, and these with the low branches first."""
    for choice in Choice:
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


def common_features(view: View, memory: Memory, away: int) -> list[float]:
    """What is known at every choice, with room for the rest; `away`: how far the hand is from the contract."""
    seat, seats = view.seat, len(view.names)
    others = [other for other in range(seats) if other != seat and view.in_deal[other]]
    laid = [other for other in others if view.laid[other] is not HasLaid.NO]
    sizes, values = view.hand_sizes, view.rules.values
    following = next(other for step in range(1, seats + 1) if view.in_deal[other := (seat + step) % seats])
    features = [
        view.contract.sets,
        view.contract.runs,
        sum(view.in_deal),
        len(view.hand),
        sum(values[card] for card in view.hand),
        view.hand.count(JOKER),
        -1 if has_laid(view, seat) else away,
        memory.calls[seat],
        sum(memory.calls[other] for other in others),
        view.stock,
        min(MOST_COUNTED, len(memory.thrown[seat])),
        len(laid),
        min((sizes[other] for other in others), default=NOBODY),
        min((sizes[other] for other in laid), default=NOBODY),
        sizes[following],
        view.laid[following] is not HasLaid.NO,
        (seat - view.turn) % seats,
        view.reshuffles,
        0.0,
    ]
    return [*map(float, features), *[0.0] * len(OF_CARD)]


def neighbours(cards: Sequence[Card], card: Card) -> tuple[int, int]:
    """Cards of the card's rank, and others of its suit within two places."""
    if card == JOKER:
        return 0, 0
    naturals = [other for other in cards if other != JOKER]
    of_rank = sum(RANK[other] == RANK[card] for other in naturals)
    near = sum(SUIT[other] == SUIT[card] and abs(other - card) <= 2 and other != card for other in naturals)
    return of_rank, near


def laying_features(view: View, left: Sequence[Card], melds: int) -> list[float]:
    """Of laying so many melds so that the cards `left` stay."""
    values = view.rules.values
    paired = sum(of_rank > 1 or near > 0 for of_rank, near in (neighbours(left, card) for card in left))
    features = [
        len(left),
        sum(values[card] for card in left),
        sum(fits_table(view, card) for card in left),
        max((values[card] for card in left), default=0),
        paired,
        left.count(JOKER),
        melds,
    ]
    return [*map(float, features)]
