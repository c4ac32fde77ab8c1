"""Random hands and tables with something in them, and matches that stand there."""

import random
from collections.abc import Sequence
from pathlib import Path

from kalooki_tui.cards import HIGH_ACE, JOKER, RANKS, SUITS, Card, full_deck, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.melds import Meld, check_repeats, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules, make_rules
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.rulesets.loader import load_file, load_ruleset, resolve
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver import distance

ROOT = Path(__file__).parents[2]
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
    ("contract-rummy", ()),
    ("shanghai", ()),
    ("shanghai", ("twos-wild",)),
    ("carioca", ()),
    ("carioca", ("round-the-corner",)),
    ("tests/solver/strange.yaml", ()),
    ("tests/solver/circle.yaml", ()),
)

#: A hand of the ninth Jamaican deal, full of neighbours, and what two other seats have laid: 60,000 positions of tacks
#: and swaps.
CROWDED_HAND = "4H 2H 3H 5D JK 2C 6H 4S JC 5S JK 10C 6S 7S 2D 4C QC 8S 9C 3C 4D AD KS"
CROWDED_TABLE = (
    ("AC 2C 3C JK 5C", "5D 6D 7D 8D", "9H 10H JH QH", "2S 3S 4S JK"),
    ("5C 6C 7C 8C", "AD 2D 3D 4D", "4H 5H 6H 7H 8H", "8S 9S 10S JS QS"),
)


def rules_of(ruleset_id: str, options: Sequence[str] = ()) -> Rules:
    ruleset = load_file(ROOT / ruleset_id) if "." in ruleset_id else load_ruleset(ruleset_id)
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
            low = dice.randint(1, RANKS if rules.ruleset.runs.corner else HIGH_ACE - length + 1)
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


def deal_with_contract(dice: random.Random, rules: Rules) -> tuple[Contract, list[Card]]:
    """A contract of the ruleset and a hand of 16 to 22 cards of its deck which holds it.

    The contract's melds are put in, one card in six a joker, and cards of the rest of the deck are drawn to them. In a
    third of the hands all the deck's jokers, or as many as there is room for, are among the first drawn.
    """
    deals = [contract for contract in rules.ruleset.deals if _fewest_cards(rules, contract) <= 20]
    while True:
        contract = dice.choice(deals)
        size = dice.randint(max(16, _fewest_cards(rules, contract) + 1), 22)
        deck = full_deck(rules.packs, rules.jokers)
        dice.shuffle(deck)
        if dice.random() < 1 / 3:
            deck.sort(key=JOKER.__eq__)
        hand = _melds_of(dice, rules, contract, deck)
        while len(hand) < size:
            hand.append(deck.pop())
        if len(hand) == size and distance(rules, contract, hand) == 0:
            dice.shuffle(hand)
            return contract, hand


def _fewest_cards(rules: Rules, contract: Contract) -> int:
    return sum(contract.set_lengths(rules.ruleset.sets.minimum)) + sum(contract.run_lengths(rules.ruleset.runs.minimum))


def _melds_of(dice: random.Random, rules: Rules, contract: Contract, deck: list[Card]) -> list[Card]:
    melds = [Kind.SET] * contract.sets + [Kind.RUN] * contract.runs
    if contract.points:
        melds = [dice.choice(list(Kind)) for _ in range(4)]
    ranks, suits = dice.sample(range(RANKS), RANKS), dice.sample(range(SUITS), SUITS)
    hand: list[Card] = []
    for kind in melds:
        if kind is Kind.SET:
            rank = ranks.pop()
            cards = dice.sample(
                [make_card(suit, rank + 1) for suit in range(SUITS)], min(4, rules.ruleset.sets.minimum)
            )
        else:
            low = dice.randint(1, RANKS if rules.ruleset.runs.corner else HIGH_ACE - rules.ruleset.runs.minimum + 1)
            suit = suits.pop() if suits else dice.randrange(SUITS)
            cards = [make_card(suit, position) for position in range(low, low + rules.ruleset.runs.minimum)]
        for card in cards:
            wanted = JOKER if dice.random() < 1 / 6 and JOKER in deck else card
            if wanted in deck:
                deck.remove(wanted)
                hand.append(wanted)
    return hand
