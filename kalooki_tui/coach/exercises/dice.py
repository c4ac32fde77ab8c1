"""Cards and melds drawn by dice for exercises, and chosen cards judged as one meld."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import ACE, JOKER, RANK, RANKS, SUITS, Card, full_deck, make_card
from kalooki_tui.engine.actions import End, Group, Kind
from kalooki_tui.engine.melds import Meld, find_repeated, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import tack
from kalooki_tui.players.seat import without
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import distance, partition, useful_cards

#: How often a meld holds a joker.
WITH_JOKER: Final = 0.4
#: Melds of a table that is drawn.
MELDS: Final = 3


def deck(rules: Rules, gone: Iterable[Card] = ()) -> list[Card]:
    return without(full_deck(rules.packs, rules.jokers), gone)


def may_be(rules: Rules, cards: Iterable[Card]) -> bool:
    return Counter(cards) <= Counter(deck(rules))


def draw_meld(rules: Rules, dice: random.Random, kind: Kind, *, jokers: int = 0, more: int = 0) -> Meld:
    """Draw a valid meld of the kind with so many jokers, `more` cards longer than the minimum."""
    sets, runs = rules.ruleset.sets, rules.ruleset.runs
    while True:
        if kind is Kind.SET:
            rank, copies = dice.randint(1, RANKS), 1 if sets.suits == "distinct" else rules.packs
            every = [make_card(suit, rank) for suit in range(SUITS) for _ in range(copies)]
            cards = tuple(sorted(dice.sample(every, min(sets.minimum + more, sets.maximum or len(every)))))
        else:
            length = min(runs.minimum + more, runs.longest)
            suit, low = dice.randrange(SUITS), dice.choice(runs.lows(length))
            cards = tuple(make_card(suit, low + place) for place in range(length))
        places = dice.sample(range(len(cards)), min(jokers, len(cards)))
        filled = tuple(JOKER if place in places else card for place, card in enumerate(cards))
        try:
            return make_meld(rules.ruleset, 0, Group(filled, kind))
        except Refused:
            continue


def is_meld(rules: Rules, cards: Sequence[Card], kind: Kind) -> bool:
    found = partition(rules, rules.contract(1), cards, laid=True)
    return any(len(groups) == 1 and groups[0].kind is kind for groups in found)


def why_as_it_lies(ruleset: Ruleset, cards: Sequence[Card], kind: Kind) -> Refusal | None:
    """Return the rule that the cards break as a meld, in the order in which they lie; None: it is one."""
    return judge_set(ruleset, cards) if kind is Kind.SET else judge_run(ruleset, cards)


def why_no_meld(rules: Rules, cards: Sequence[Card], kind: Kind) -> Refusal | None:
    """Return the rule that the cards break as a meld in their best order; None: it is one."""
    if kind is Kind.SET:
        return judge_set(rules.ruleset, cards)
    ranks = {RANK[card] for card in cards if card != JOKER}
    # Beside a king the ace is meant as the high one: that order is the one to speak of.
    lows = [ACE, ACE + 1] if RANKS in ranks else [ACE + 1, ACE]
    if rules.ruleset.runs.corner:
        # Round the corner (H15) it is the order with the largest gap outside.
        lows = sorted(ranks or {ACE}, key=lambda low: -max([(rank - low) % RANKS for rank in ranks], default=0))
    refusals = [judge_run(rules.ruleset, _in_order(cards, low)) for low in lows]
    return None if None in refusals else refusals[-1]


def _in_order(cards: Sequence[Card], low: int) -> list[Card]:
    """Order the cards as a run is written, from rank `low` on: jokers in the gaps, the rest of them at the high end."""

    def position(card: Card) -> int:
        return RANK[card] if RANK[card] >= low else RANK[card] + RANKS

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
    listed = list(cards)
    dice.shuffle(listed)
    return tuple(listed)


def neighbours(card: Card) -> list[Card]:
    """Return cards easily mistaken for this one: same rank in other suits, next ranks in its suit."""
    suit, rank = card // RANKS, card % RANKS + 1
    same = [make_card(other, rank) for other in range(SUITS) if other != suit]
    return same + [make_card(suit, other) for other in (rank - 1, rank + 1) if 1 <= other <= RANKS]


def one_wrong(cards: tuple[Card, ...], dice: random.Random) -> tuple[Card, ...]:
    place = dice.choice([place for place, card in enumerate(cards) if card != JOKER])
    return (*cards[:place], dice.choice(neighbours(cards[place])), *cards[place + 1 :])


def wanted_kind(rules: Rules, deal: int, dice: random.Random) -> Kind:
    """Draw a kind of meld that the deal's contract asks for."""
    contract = rules.contract(deal)
    kinds = [Kind.SET] * bool(contract.sets or contract.points) + [Kind.RUN] * bool(contract.runs or contract.points)
    return dice.choice(kinds)


def asked_melds(rules: Rules, contract: Contract) -> list[tuple[Kind, int]]:
    """Return the melds of a contract by kind, each with its cards beyond the fewest of a meld (H8).

    Where the whole hand is laid they hold the cards dealt and the one drawn (H9).
    """
    few, short = rules.ruleset.sets.minimum, rules.ruleset.runs.minimum
    sets, runs = contract.lengths_to_lay(few, short)
    return [(Kind.SET, length - few) for length in sets] + [(Kind.RUN, length - short) for length in runs]


def with_decoys(rules: Rules, dice: random.Random, cards: Sequence[Card], size: int) -> list[Card]:
    """Fill cards up to `size`; half of the others go with one of them."""
    hand = list(cards)
    while len(hand) < size:
        left = deck(rules, hand)
        naturals = [card for card in hand if card != JOKER]
        near = [card for card in neighbours(dice.choice(naturals)) if card in left]
        plain = [card for card in left if card != JOKER]
        hand.append(dice.choice(near if near and dice.random() < 0.5 else plain))
    return hand


def hand_at(rules: Rules, deal: int, dice: random.Random, away: int) -> tuple[Card, ...] | None:
    """Draw a hand of the deal's size, or larger where calls come first, at that distance; None: none was found."""
    contract = rules.contract(deal)
    needed = contract.fewest_cards(rules.ruleset.sets.minimum, rules.ruleset.runs.minimum)
    size = max(contract.cards, needed - away)
    hand = dice.sample(deck(rules), size)
    for _ in range(30):
        now, helps = useful_cards(rules, contract, hand)
        if now == away:
            return tuple(sorted(hand))
        left = deck(rules, hand)
        better = [card for card in left if card in helps and card != JOKER]
        hand.remove(dice.choice(hand))
        hand.append(dice.choice(better if now > away and better else left))
    is_long = contract.by_length or contract.whole or size > contract.cards
    return _hand_from(rules, contract, dice, away, size) if is_long else None


def _hand_from(rules: Rules, contract: Contract, dice: random.Random, away: int, size: int) -> tuple[Card, ...] | None:
    """Draw the melds of a contract and take so many cards away: few hands come near a long one by chance."""
    for _ in range(30):
        cards = cards_of(draw_meld(rules, dice, kind, more=more) for kind, more in asked_melds(rules, contract))
        hand = dice.sample(cards, max(0, min(len(cards) - away, size)))
        if not may_be(rules, cards) or not hand:
            continue
        hand += dice.sample(deck(rules, hand), size - len(hand))
        if distance(rules, contract, hand) == away:
            return tuple(sorted(hand))
    return None


def draw_table(rules: Rules, dice: random.Random, jokers: float = 0.3) -> tuple[Meld, ...] | None:
    """Draw melds of two seats that may lie together, the learner's own first; `jokers`: how often each holds one."""
    melds: list[Meld] = []
    for number in range(MELDS):
        kind = dice.choice((Kind.SET, Kind.RUN))
        drawn = draw_meld(rules, dice, kind, jokers=int(dice.random() < jokers), more=dice.choice((0, 0, 1)))
        melds.append(replace(drawn, owner=0 if number == 0 else 1))
    other = [meld for meld in melds if meld.owner == 1]
    if not may_be(rules, cards_of(melds)) or find_repeated(rules.ruleset, other) is not None:
        return None
    return tuple(melds)


def cards_of(melds: Iterable[Meld | Group]) -> list[Card]:
    return [card for meld in melds for card in meld.cards]


def near_to(table: Iterable[Meld]) -> list[Card]:
    return sorted({card for own in cards_of(table) if own != JOKER for card in neighbours(own)})


def why_not(rule: Callable[..., object], *about: object) -> Refusal | None:
    """Return the refusal of one of the engine's rules; None: it allows it."""
    try:
        rule(*about)
    except Refused as refused:
        return refused.refusal
    return None


def why_not_tacked(rules: Rules, meld: Meld, card: Card) -> Refusal | None:
    """Return why the learner, who has laid, cannot tack the card onto the meld; None: it fits."""
    ends = (None, End.HIGH, End.LOW) if meld.kind is Kind.RUN else (None,)
    refusals = [why_not(tack, rules, 0, meld, (card,), end) for end in ends]
    return None if None in refusals else refusals[0]


def fitting(rules: Rules, table: Sequence[Meld], cards: Iterable[Card]) -> list[Card]:
    """Return the cards that the learner, who has laid, can tack by themselves as the table lies."""
    return [card for card in cards if any(why_not_tacked(rules, meld, card) is None for meld in table)]


def is_swapped(rules: Rules, meld: Meld, card: Card) -> bool:
    """Check that the learner, who has laid, can swap the card for a joker of the meld."""
    refusal = why_not(swap, rules, 0, meld, card, None)
    return refusal is None or refusal.code == "swap.which-end"
