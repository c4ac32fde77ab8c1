"""Random hands and tables with something in them, and matches that stand there."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kalooki_tui.cards import JOKER, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.melds import HIGH_ACE, Meld, check_repeats, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import Contract

RULESETS = (
    ("jamaican", ()),
    ("jamaican", ("one-joker-fours",)),
    ("trinidad", ()),
    ("classic", ()),
    ("air-jamaica", ()),
    ("kalooki-short", ()),
    ("super-kalooki", ()),
    ("baby", ()),
    ("tuluki", ()),
    ("kalookie-40", ()),
    ("kooky", ()),
)


def rules_of(ruleset_id: str, options: Sequence[str] = ()) -> Rules:
    """The rules of a ruleset with its fewest seats."""
    ruleset = load_ruleset(ruleset_id)
    seats = ruleset.seat_counts[0]
    return make_rules(resolve(ruleset, tuple(options), seats), seats)


def random_hand(dice: random.Random, size: int, most_jokers: int) -> list[Card]:
    """A hand of up to two copies of a card, often crowded into two suits or a few neighbouring ranks."""
    low = dice.randrange(RANKS)
    pool = dice.choice(
        [
            [*range(JOKER)],
            [suit * RANKS + rank for suit in dice.sample(range(SUITS), 2) for rank in range(RANKS)],
            [suit * RANKS + (low + step) % RANKS for suit in range(SUITS) for step in range(6)],
        ]
    )
    jokers = min(dice.randint(0, most_jokers), size)
    return dice.sample(pool * 2, min(size - jokers, len(pool) * 2)) + [JOKER] * jokers


def random_table(dice: random.Random, rules: Rules, number: int) -> list[Meld]:
    """Up to `number` melds of seats 0 and 1, some with jokers, often in the same suits."""
    melds: list[Meld] = []
    suits = dice.sample(range(SUITS), 2)
    for _ in range(number * 3):
        if len(melds) == number:
            break
        owner = dice.randrange(2)
        if dice.random() < 0.35:
            rank = dice.randint(1, RANKS)
            cards = [make_card(suit, rank) for suit in dice.sample(range(SUITS), dice.choice([3, 3, 4]))]
            kind = Kind.SET
        else:
            length = dice.choice([3, 4, 4, 5, 6, 9])
            low = dice.randint(1, HIGH_ACE - length + 1)
            suit = dice.choice(suits)
            cards = [make_card(suit, position) for position in range(low, low + length)]
            kind = Kind.RUN
        for _ in range(dice.choice([0, 0, 1, 1, 2])):
            cards[dice.randrange(len(cards))] = JOKER
        try:
            meld = make_meld(rules.ruleset, owner, Group(tuple(cards), kind))
            check_repeats(rules.ruleset, [meld, *(other for other in melds if other.owner == owner)])
        except Refused:
            continue
        melds.append(meld)
    return melds


def match_at(
    rules: Rules,
    contract: Contract,
    hand: Sequence[Card],
    table: Sequence[Meld] = (),
    *,
    laid: HasLaid = HasLaid.EARLIER,
) -> Match:
    """A match in which seat 0 is to play, with this hand and this table; other hands and the stock are as dealt."""
    match = Match.start(MatchSetup(rules, tuple("ABCDEFGHIJK"[: rules.seats]), 1))
    state = match.deal
    state.contract = contract
    state.turn = state.actor = 0
    state.phase = Phase.PLAY
    state.hands[0] = list(hand)
    state.melds = list(table)
    state.laid[0] = laid
    state.asked = []
    return match
