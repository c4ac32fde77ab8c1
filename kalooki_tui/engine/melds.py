"""Sets and runs: what makes cards a valid meld, and what the first lay-down must contain (§3, §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from kalooki_tui.cards import ACE, HIGH_ACE, JOKER, RANK, RANKS, SUIT, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Asked, Contract, Ruleset, RunRules, Vocabulary
from kalooki_tui.wording import counted, listed


class Meld(Struct, frozen=True):
    """Meld on the table. A run's cards are in order from its low end; a set's in the order they came."""

    owner: int
    kind: Kind
    cards: tuple[Card, ...]
    rank: int = 0
    """Rank of a set, 1-13; 0 for a run."""
    suit: int = -1
    """Suit of a run, 0-3; -1 for a set."""
    low: int = 0
    """Position of a run's first card, 1 (low ace) to 14 (high ace), at most 13 with H15; 0 for a set."""

    @property
    def high(self) -> int:
        return self.low + len(self.cards) - 1

    @property
    def roles(self) -> tuple[Card, ...]:
        """Cards by what they are here: a joker for each wild card that is not in its own place (H7)."""
        if self.kind is Kind.SET:
            return tuple([card if RANK[card] == self.rank else JOKER for card in self.cards])
        return tuple(
            [card if card == make_card(self.suit, self.low + index) else JOKER for index, card in enumerate(self.cards)]
        )

    @property
    def jokers(self) -> int:
        return self.roles.count(JOKER)


def jokers_in(rules: Rules, meld: Meld) -> int:
    """Count the jokers of a meld: in a game without wild cards they can be counted as they lie."""
    return meld.jokers if rules.wild else meld.cards.count(JOKER)


def stands_for(meld: Meld, index: int) -> Card | None:
    """Return the card that place `index` of a run is (M5); None for a set."""
    if meld.kind is Kind.SET:
        return None
    return make_card(meld.suit, meld.low + index)


def meant_by(meld: Meld, index: int) -> Card | None:
    """Return the card that the joker or wild card in a place of a run stands for; None for any other card (M5, H7)."""
    return stands_for(meld, index) if meld.roles[index] == JOKER else None


def judge_set(ruleset: Ruleset, cards: Sequence[Card]) -> Refusal | None:
    """Return why the cards are no set, or None (M1, M7)."""
    rules, word = ruleset.sets, ruleset.vocabulary.set

    def text() -> str:
        # Written only where somebody reads it: most cards that are looked at are fine.
        return ruleset.faces.symbols(cards)

    naturals = [card for card in _roles_in_set(ruleset.wild_cards, cards) if card != JOKER]
    if len({RANK[card] for card in naturals}) > 1:
        return Refusal("set.rank", "M1", f"{text()} are not all of one rank, as a {word} must be.")
    if len(cards) < rules.minimum:
        return Refusal("set.size", "M1", f"A {word} needs {rules.minimum} cards; {text()} has too few.")
    if rules.suits == "distinct" and len(set(naturals)) < len(naturals):
        return Refusal(
            "set.suit-repeated", "M1", f"The suits of a {word} must all be different; in {text()} one repeats."
        )
    if rules.maximum is not None and len(cards) > rules.maximum:
        return Refusal("set.size", "M1", f"A {word} holds at most {rules.maximum} cards; {text()} is longer.")
    if len(naturals) < rules.naturals:
        return Refusal(
            "set.naturals",
            "M7",
            f"A {word} needs {counted(rules.naturals, 'natural card')}; {text()} has {len(naturals)}.",
        )
    return _too_many_jokers(ruleset, "set.jokers", word, cards, len(naturals))


def _roles_in_set(wild: frozenset[Card], cards: Sequence[Card]) -> Sequence[Card]:
    """Return the cards of a set with a joker for each wild card of another rank than the set's (H7)."""
    if not wild:
        return cards
    known = [card for card in cards if card != JOKER]
    # Where all are wild, the first says which set it is.
    rank = next((RANK[card] for card in known if card not in wild), RANK[known[0]] if known else 0)
    return [JOKER if card in wild and RANK[card] != rank else card for card in cards]


def _roles_in_run(ruleset: Ruleset, cards: Sequence[Card]) -> Sequence[Card]:
    """Return the cards of a run with a joker for each wild card that is not in its own place (H7)."""
    wild, runs = ruleset.wild_cards, ruleset.runs
    if not wild:
        return cards
    fixed = [index for index, card in enumerate(cards) if card not in ruleset.stand_ins]
    # Where all are wild, the first that may be in its own place says which run it is.
    roles = cards
    for index in fixed[:1] or range(len(cards)):
        if cards[index] == JOKER:
            continue
        low = run_position(runs, [card if place == index else JOKER for place, card in enumerate(cards)]) or 0
        places = [make_card(SUIT[cards[index]], low + place) for place in range(len(cards))]
        roles = [JOKER if card in wild and card != own else card for card, own in zip(cards, places, strict=True)]
        if low in runs.lows(len(cards)):
            break
    return roles


def _too_many_jokers(ruleset: Ruleset, code: str, word: str, cards: Sequence[Card], naturals: int) -> Refusal | None:
    """Return why a meld holds too many jokers for its naturals, or None (H11)."""
    if naturals >= ruleset.lay.fewest_naturals(len(cards)):
        return None
    jokers, as_many = ruleset.vocabulary.jokers, "no more" if ruleset.lay.jokers == "half" else "fewer"
    text = ruleset.faces.symbols(cards)
    return Refusal(
        code,
        "H11",
        f"A {word} holds {as_many} {jokers} than other cards; {text} has {len(cards) - naturals}.",
    )


def run_position(rules: RunRules, cards: Sequence[Card]) -> int | None:
    """Return the position of a run's first card; None: all are jokers. An ace is low only as the first card (M3)."""
    for index, card in enumerate(cards):
        if card != JOKER:
            rank = RANK[card]
            if rules.corner:
                return (rank - index - 1) % RANKS + 1
            if rank == ACE and index > 0:
                rank = HIGH_ACE
            return rank - index
    return None


def judge_run(ruleset: Ruleset, cards: Sequence[Card]) -> Refusal | None:
    """Return why the cards, in this order, are no run, or None (M2, M3, M4, M6, M7, M9, H15)."""
    rules, word = ruleset.runs, ruleset.vocabulary.run

    def text() -> str:
        return ruleset.faces.symbols(cards)

    roles = _roles_in_run(ruleset, cards)
    naturals = [card for card in roles if card != JOKER]
    suits = {SUIT[card] for card in naturals}
    if len(suits) > 1:
        return Refusal("run.suit", "M2", f"{text()} are not all of one suit, as a {word} must be.")
    low = run_position(rules, roles)
    if low is None or len(naturals) < rules.naturals:
        return Refusal(
            "run.naturals",
            "M7",
            f"A {word} needs at least {counted(rules.naturals, 'natural card')}; {text()} has {len(naturals)}.",
        )
    (suit,) = suits
    if any(card not in (JOKER, make_card(suit, low + index)) for index, card in enumerate(roles)):
        return Refusal("run.order", "M2", f"{text()} is not in sequence.")
    if not (rules.has_place(low) and rules.has_place(low + len(cards) - 1)):
        return Refusal("run.wrap", "M3", f"{text()} goes round the corner: the ace lies only at an end.")
    if len(cards) < rules.minimum:
        return Refusal("run.size", "M2", f"A {word} needs {rules.minimum} cards; {text()} has too few.")
    if len(cards) > rules.longest:
        return Refusal(
            "run.length", "M4", f"A {word} is complete with {rules.longest} cards; {text()} has {len(cards)}."
        )
    if not rules.kisses and has_kiss(roles):
        return Refusal("run.kiss", "M6", f"Two jokers lie side by side in {text()}.")
    few = rules.jokers_when_shortest
    if few is not None and len(cards) == rules.minimum and len(cards) - len(naturals) > few:
        return Refusal(
            "run.jokers",
            "M9",
            f"A {word} laid with {rules.minimum} cards holds at most {few} joker; {text()} has more.",
        )
    return _too_many_jokers(ruleset, "run.jokers", word, cards, len(naturals))


def has_kiss(cards: Sequence[Card]) -> bool:
    return any(left == JOKER == right for left, right in pairwise(cards))


def make_meld(ruleset: Ruleset, owner: int, group: Group) -> Meld:
    """Make a meld of a group, a set if it can be one, unless it says run; raise Refused if it is none."""
    cards = group.cards
    if group.kind is not Kind.RUN:
        no_set = judge_set(ruleset, cards)
        if no_set is None:
            rank = next(RANK[card] for card in _roles_in_set(ruleset.wild_cards, cards) if card != JOKER)
            return Meld(owner, Kind.SET, cards, rank=rank)
        if group.kind is Kind.SET:
            raise Refused(no_set)
    no_run = judge_run(ruleset, cards)
    if no_run is None:
        roles = _roles_in_run(ruleset, cards)
        suit = next(SUIT[card] for card in roles if card != JOKER)
        low = run_position(ruleset.runs, roles)
        assert low is not None
        return Meld(owner, Kind.RUN, cards, suit=suit, low=low)
    naturals = [card for card in cards if card not in ruleset.stand_ins]
    ranks, suits = {RANK[card] for card in naturals}, {SUIT[card] for card in naturals}
    if group.kind is None and (len(ranks) <= 1 or (len(ranks) < len(naturals) and len(suits) > 1)):
        # They look more like a set than like a run.
        raise Refused(no_set)  # type: ignore[arg-type]
    raise Refused(no_run)


def cards_for(ruleset: Ruleset, meld: Meld, place: int) -> tuple[Card, ...]:
    """Return the cards that could lie in this place of the meld (M1, M2)."""
    card = stands_for(meld, place)
    naturals = [make_card(suit, meld.rank) for suit in range(SUITS)] if card is None else [card]
    before, after, judge = meld.cards[:place], meld.cards[place + 1 :], judge_set if card is None else judge_run
    return tuple(one for one in (*naturals, JOKER) if judge(ruleset, (*before, one, *after)) is None)


def find_repeated(ruleset: Ruleset, melds: Iterable[Meld]) -> Meld | None:
    """Find among one seat's melds the first that repeats the rank of a set or the suit of a run (M8)."""
    if ruleset.lay.repeats == "free":
        return None
    seen = set[tuple[int, int]]()
    for meld in melds:
        key = (meld.rank, meld.suit)
        if key in seen:
            return meld
        seen.add(key)
    return None


def check_repeats(ruleset: Ruleset, melds: Iterable[Meld]) -> None:
    """Refuse two sets of a rank or two runs of a suit among one seat's melds (M8)."""
    meld, words = find_repeated(ruleset, melds), ruleset.vocabulary
    if meld is not None and meld.kind is Kind.SET:
        name = ruleset.faces.rank_name(meld.rank)
        told = f"Two {words.sets} of {name}: all of yours must be of different ranks."
        raise Refused(Refusal("meld.rank-repeated", "M8", told))
    if meld is not None:
        name = ruleset.faces.suit_names[meld.suit]
        told = f"Two {words.runs} in {name}: all of yours must be of different suits."
        raise Refused(Refusal("meld.suit-repeated", "M8", told))


def meld_points(rules: Rules, meld: Meld) -> int:
    """Return the points of a meld towards the threshold; a joker counts as the card it stands for (L5)."""
    values = rules.values
    if meld.kind is Kind.SET:
        return values[make_card(0, meld.rank)] * len(meld.cards)
    return sum(values[make_card(meld.suit, meld.low + index)] for index in range(len(meld.cards)))


def check_contract(rules: Rules, contract: Contract, melds: Sequence[Meld]) -> None:
    """Refuse a first lay-down that does not contain the contract (L1, L5, L6)."""
    words = rules.ruleset.vocabulary
    if contract.points:
        worth = sum(meld_points(rules, meld) for meld in melds)
        if worth < contract.points:
            raise refuse(
                "lay.points", "L5", f"The first melds must be worth {contract.points} points; these are worth {worth}."
            )
        return
    sets = [len(meld.cards) for meld in melds if meld.kind is Kind.SET]
    runs = [len(meld.cards) for meld in melds if meld.kind is Kind.RUN]
    ruleset = rules.ruleset
    stands_in = ruleset.lay.full_suit_for_three_runs and contract.runs == 3 and RANKS in runs
    asked_runs, asked_sets = contract.run_lengths(ruleset.runs.minimum), contract.set_lengths(ruleset.sets.minimum)
    enough = are_long_enough(runs, asked_runs) or stands_in
    if not enough or not are_long_enough(sets, asked_sets):
        shown = (tuple(sets), tuple(runs)) if contract.by_length else (len(sets), len(runs))
        held = _melds_text(words, *shown)
        raise refuse("lay.contract", "L1", f"The contract is {contract_text(words, contract)}; this is {held}.")
    too_many = len(runs) > len(asked_runs) or len(sets) > len(asked_sets)
    too_long = not contract.whole and (sum(runs) > sum(asked_runs) or sum(sets) > sum(asked_sets))
    if ruleset.lay.exact and (too_many or too_long):
        more = "meld" if too_many else "card"
        raise refuse("lay.exact", "H10", f"The contract is {contract_text(words, contract)}, and no {more} more.")


def why_left(ruleset: Ruleset, contract: Contract, left: Sequence[Card]) -> Refusal | None:
    """Return why the first lay-down may not leave these cards in the hand, or None (H9)."""
    if not contract.whole or not left:
        return None
    return Refusal("lay.whole", "H9", f"In this {ruleset.vocabulary.deal} the whole hand is laid at once.")


def are_long_enough(lengths: Sequence[int], asked: Sequence[int]) -> bool:
    """Check melds of these lengths against the fewest cards of each one that is asked for, longest first (L1, H8)."""
    found = sorted(lengths, reverse=True)
    return len(found) >= len(asked) and all(length >= few for length, few in zip(found, asked, strict=False))


def contract_text(words: Vocabulary, contract: Contract) -> str:
    """Write the contract in the ruleset's own words, such as `1 three and 2 fours`."""
    if contract.points:
        return f"melds worth {contract.points} points"
    return _melds_text(words, contract.asked_sets, contract.asked_runs) + hand_words(contract)


def _melds_text(words: Vocabulary, sets: Asked, runs: Asked) -> str:
    parts = melds_words(words, sets, runs, str)
    return listed(parts) if parts else "no melds"


def hand_words(contract: Contract) -> str:
    """Return what is said after a contract's melds where they take the whole hand (H9); empty elsewhere."""
    return " with every card of the hand" if contract.whole else ""


def melds_words(words: Vocabulary, sets: Asked, runs: Asked, number: Callable[[int], str]) -> list[str]:
    """Write melds by kind, such as `2 runs`, or by length too, such as `1 run of 7`, longest first (H8)."""
    parts = []
    for asked, one, many in ((sets, words.set, words.sets), (runs, words.run, words.runs)):
        if isinstance(asked, int):
            parts += [f"{number(asked)} {one if asked == 1 else many}"] if asked else []
            continue
        for length, count in sorted(Counter(asked).items(), reverse=True):
            parts.append(f"{number(count)} {one if count == 1 else many} of {number(length)}")
    return parts


def check_groups(groups: Sequence[Group]) -> None:
    """Refuse a lay-down of no melds, or of a meld of no cards (M1, L1)."""
    if not groups:
        raise refuse("lay.empty", "L1", "Choose at least one meld to lay.")
    if not all(group.cards for group in groups):
        raise refuse("lay.empty", "M1", "A meld needs cards.")


def check_lay(
    rules: Rules,
    contract: Contract,
    owner: int,
    groups: Sequence[Group],
    own_melds: Sequence[Meld],
    first: bool,
) -> list[Meld]:
    """Make the melds of a lay-down; refuse a group that is none (M1-M9), a repeat (M8), a missing contract (L1, L5)."""
    ruleset = rules.ruleset
    melds = [make_meld(ruleset, owner, group) for group in groups]
    check_repeats(ruleset, [*own_melds, *melds])
    if first:
        check_contract(rules, contract, melds)
    return melds
