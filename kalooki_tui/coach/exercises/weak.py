"""What the weak rules that tell how hard a puzzle is see in cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.coach.exercises.model import Answer, Exercise
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import tack


def naturals(cards: Sequence[Card]) -> list[Card]:
    """All but the jokers."""
    return [card for card in cards if card != JOKER]


def without(cards: Sequence[Card], card: Card) -> list[Card]:
    """The cards but one copy of this."""
    rest = list(cards)
    rest.remove(card)
    return rest


def is_near(card: Card, others: Sequence[Card]) -> bool:
    """Whether the card goes with another: of its rank, or next to it in its suit."""
    return any(
        RANK[own] == RANK[card] or (SUIT[own] == SUIT[card] and abs(RANK[own] - RANK[card]) == 1)
        for own in naturals(others)
    )


def dearest(exercise: Exercise) -> Answer:
    """The card that costs most."""
    return Answer((max(naturals(exercise.hand), key=lambda card: exercise.rules.values[card]),))


def dearest_single(exercise: Exercise) -> Answer:
    """The dearest card whose rank comes once, if there is one."""
    ranks = Counter(RANK[card] for card in naturals(exercise.hand))
    alone = [card for card in naturals(exercise.hand) if ranks[RANK[card]] == 1] or naturals(exercise.hand)
    return Answer((max(alone, key=lambda card: exercise.rules.values[card]),))


def left_at_once(exercise: Exercise) -> list[Card]:
    """The cards that fit nowhere on the table as it lies."""
    fitting = [card for card in exercise.hand if _placed(exercise.rules, exercise.table, card) is not None]
    return list((Counter(exercise.hand) - Counter(fitting)).elements())


def left_after_tacks(exercise: Exercise) -> list[Card]:
    """What stays where the dearest card that fits goes first, then the next; nothing is swapped."""
    table, left = list(exercise.table), sorted(exercise.hand, key=lambda card: -exercise.rules.values[card])
    for _ in exercise.hand:
        for card in left:
            found = _placed(exercise.rules, table, card)
            if found is not None:
                place, meld = found
                table[place] = meld
                left.remove(card)
                break
    return left


def _placed(rules: Rules, table: Sequence[Meld], card: Card) -> tuple[int, Meld] | None:
    """The first meld that takes the card as it lies, and what becomes of it."""
    for place, meld in enumerate(table):
        try:
            return place, tack(rules, 0, meld, (card,), None)
        except Refused:
            continue
    return None
