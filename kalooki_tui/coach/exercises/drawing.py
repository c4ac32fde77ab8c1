"""Cards and melds drawn by dice for exercises, and chosen cards judged as one meld."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, full_deck, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import HIGH_ACE, Meld, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.solver import partition


def deck(rules: Rules, without: Iterable[Card] = ()) -> list[Card]:
    """The whole deck, some cards taken out."""
    cards = full_deck(rules.packs, rules.jokers)
    for card in without:
        cards.remove(card)
    return cards


def draw_meld(rules: Rules, dice: random.Random, kind: Kind, *, jokers: int = 0, more: int = 0) -> Meld:
    """A valid meld of the kind with so many jokers, `more` cards longer than it must be."""
    while True:
        cards = _draw_set(rules, dice, more) if kind is Kind.SET else _draw_run(rules, dice, more)
        places = dice.sample(range(len(cards)), min(jokers, len(cards)))
        filled = tuple(JOKER if place in places else card for place, card in enumerate(cards))
        try:
            return make_meld(rules.ruleset, 0, Group(filled, kind))
        except Refused:
            continue


def _draw_set(rules: Rules, dice: random.Random, more: int) -> tuple[Card, ...]:
    rank, sets = dice.randint(1, RANKS), rules.ruleset.sets
    copies = 1 if sets.suits == "distinct" else rules.packs
    every = [make_card(suit, rank) for suit in range(SUITS) for _ in range(copies)]
    return tuple(sorted(dice.sample(every, min(sets.minimum + more, sets.maximum or len(every)))))


def _draw_run(rules: Rules, dice: random.Random, more: int) -> tuple[Card, ...]:
    length = min(rules.ruleset.runs.minimum + more, rules.ruleset.runs.longest)
    suit, low = dice.randrange(SUITS), dice.randint(1, HIGH_ACE + 1 - length)
    return tuple(make_card(suit, low + place) for place in range(length))


def as_meld(rules: Rules, cards: Sequence[Card], kind: Kind) -> Meld | None:
    """The cards as one meld of the kind, in whatever order they come; None where they are none."""
    for groups in partition(rules, rules.contract(1), cards, laid=True):
        if len(groups) == 1 and groups[0].kind is kind:
            return make_meld(rules.ruleset, 0, groups[0])
    return None


def why_as_it_lies(ruleset: Ruleset, cards: Sequence[Card], kind: Kind) -> Refusal | None:
    """The rule that the cards break as a meld of the kind, in the order in which they lie; None: it is one."""
    return judge_set(ruleset, cards) if kind is Kind.SET else judge_run(ruleset, cards)


def why_no_meld(rules: Rules, cards: Sequence[Card], kind: Kind) -> Refusal | None:
    """The rule that the cards break as a meld of the kind; None where they break none."""
    if kind is Kind.SET:
        return judge_set(rules.ruleset, cards)
    refusals = [judge_run(rules.ruleset, _in_order(cards, high)) for high in (False, True)]
    # Beside a king the ace is meant as the high one: that order is the one to speak of.
    return None if None in refusals else refusals[any(RANK[card] == RANKS for card in cards if card != JOKER)]


def _in_order(cards: Sequence[Card], high: bool) -> list[Card]:
    """The cards as a run is written: jokers in the gaps as far as they go, those over at the high end."""

    def position(card: Card) -> int:
        return HIGH_ACE if high and RANK[card] == ACE else RANK[card]

    naturals = sorted((card for card in cards if card != JOKER), key=lambda card: (position(card), card))
    jokers = len(cards) - len(naturals)
    ordered = naturals[:1]
    for before, card in pairwise(naturals):
        gap = min(jokers, max(0, position(card) - position(before) - 1))
        ordered += [JOKER] * gap
        jokers -= gap
        ordered.append(card)
    return ordered + [JOKER] * jokers


def shuffled(dice: random.Random, cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in an order by dice."""
    listed = list(cards)
    dice.shuffle(listed)
    return tuple(listed)


def neighbours(card: Card) -> list[Card]:
    """Cards a learner may take for this one: the same rank in other suits, the ranks beside it in its suit."""
    suit, rank = card // RANKS, card % RANKS + 1
    same = [make_card(other, rank) for other in range(SUITS) if other != suit]
    return same + [make_card(suit, other) for other in (rank - 1, rank + 1) if 1 <= other <= RANKS]
