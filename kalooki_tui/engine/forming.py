"""Every meld that cards can make (M1-M9), wherever its jokers lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import HIGH_ACE, judge_run, judge_set
from kalooki_tui.rulesets.model import Ruleset


def possible_melds(ruleset: Ruleset, cards: Sequence[Card], fewest_jokers: int = 0) -> Iterator[Group]:
    """Every meld that some of the cards make, with at least `fewest_jokers` jokers; sets come first."""
    jokers = cards.count(JOKER)
    if jokers >= fewest_jokers:
        naturals = sorted(card for card in cards if card != JOKER)
        yield from _sets(ruleset, naturals, jokers, fewest_jokers)
        yield from _runs(ruleset, naturals, jokers, fewest_jokers)


def _sets(ruleset: Ruleset, naturals: Sequence[Card], jokers: int, fewest: int) -> Iterator[Group]:
    for rank in range(1, RANKS + 1):
        of_rank = [card for card in naturals if RANK[card] == rank]
        for number in range(1, len(of_rank) + 1):
            for chosen in dict.fromkeys(combinations(of_rank, number)):
                for used in range(fewest, jokers + 1):
                    cards = (*chosen, *[JOKER] * used)
                    if judge_set(ruleset, cards) is None:
                        yield Group(cards, Kind.SET)


def _runs(ruleset: Ruleset, naturals: Sequence[Card], jokers: int, fewest: int) -> Iterator[Group]:
    held = set(naturals)
    for suit in range(SUITS):
        aces = naturals.count(make_card(suit, ACE))
        if any(make_card(suit, position) in held for position in range(1, HIGH_ACE)):
            for low in range(1, HIGH_ACE):
                for cards in _runs_from(ruleset, held, aces, suit, low, (), jokers):
                    if cards.count(JOKER) >= fewest:
                        yield Group(cards, Kind.RUN)


def _runs_from(
    ruleset: Ruleset, held: set[Card], aces: int, suit: int, low: int, begun: tuple[Card, ...], jokers: int
) -> Iterator[tuple[Card, ...]]:
    """The runs from position `low` that begin with the cards `begun`; `jokers` are left, and `aces` of the suit."""
    position = low + len(begun)
    if len(begun) >= ruleset.runs.minimum and judge_run(ruleset, begun) is None:
        yield begun
    if position > HIGH_ACE or len(begun) == ruleset.runs.longest:
        return
    natural = make_card(suit, position)
    is_ace = RANK[natural] == ACE
    if natural in held and (not is_ace or aces):
        yield from _runs_from(ruleset, held, aces - is_ace, suit, low, (*begun, natural), jokers)
    if jokers and (ruleset.runs.kisses or not begun or begun[-1] != JOKER):
        yield from _runs_from(ruleset, held, aces, suit, low, (*begun, JOKER), jokers - 1)
