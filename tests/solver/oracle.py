"""A slow solver that shares nothing with the real one: it tries every choice of all melds the engine accepts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from kalooki_tui.cards import HIGH_ACE, JOKER, RANK, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import Meld, check_contract, check_repeats, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract


def all_melds(rules: Rules, hand: Sequence[Card]) -> list[Group]:
    """Every meld the cards can make, one for each multiset of cards and each place of its jokers."""
    counts = Counter(hand)
    held = [JOKER] * counts.pop(JOKER, 0)
    wild = [card for card in hand if card in rules.wild]
    groups = [Group(cards, Kind.SET) for cards in _sets(rules, counts, len(held + wild))]
    groups += [Group(cards, Kind.RUN) for cards in _runs(rules, counts, len(held + wild))]
    return [found for group in groups for found in _filled(group, held, Counter(wild))]


def _filled(group: Group, jokers: list[Card], wild: Counter[Card]) -> Iterator[Group]:
    """The group with jokers, and wild cards that it does not hold as themselves, in the places of jokers (H7)."""
    free = [*jokers, *(wild - Counter(group.cards)).elements()]
    for chosen in sorted(set(combinations(sorted(free, reverse=True), group.cards.count(JOKER)))):
        left = iter(chosen)
        yield Group(tuple(next(left) if card == JOKER else card for card in group.cards), group.kind)


def _sets(rules: Rules, counts: Counter[Card], jokers: int) -> Iterator[tuple[Card, ...]]:
    for rank in range(1, RANKS + 1):
        cards = [card for card in sorted(counts.elements()) if RANK[card] == rank]
        for number in range(1, len(cards) + 1):
            for chosen in sorted(set(combinations(cards, number))):
                for used in range(jokers + 1):
                    if judge_set(rules.ruleset, (*chosen, *[JOKER] * used)) is None:
                        yield (*chosen, *[JOKER] * used)


def _runs(rules: Rules, counts: Counter[Card], jokers: int) -> Iterator[tuple[Card, ...]]:
    corner = rules.ruleset.runs.corner
    for suit, low in product(range(SUITS), range(1, RANKS + 1)):
        for high in range(low + 1, low + RANKS if corner else HIGH_ACE + 1):
            faces = [
                [make_card(suit, position), JOKER] if counts[make_card(suit, position)] else [JOKER]
                for position in range(low, high + 1)
            ]
            if sum(len(options) == 1 for options in faces) > jokers:
                continue
            for cards in product(*faces):
                fits = cards.count(JOKER) <= jokers and all(
                    card == JOKER or cards.count(card) <= counts[card] for card in cards
                )
                if fits and judge_run(rules.ruleset, cards) is None:
                    meld = make_meld(rules.ruleset, 0, Group(cards, Kind.RUN))
                    if (meld.suit, meld.low) == (suit, low):
                        yield cards


def all_laydowns(
    rules: Rules,
    contract: Contract,
    hand: Sequence[Card],
    own_melds: Sequence[Meld] = (),
    *,
    laid: bool = False,
    keep: bool = True,
) -> Iterator[tuple[list[Meld], tuple[Card, ...]]]:
    """Every choice of melds that may be laid at once, with the cards left; `keep`: one, where it must be thrown."""
    melds = [make_meld(rules.ruleset, 0, group) for group in all_melds(rules, hand)]

    def choose(start: int, chosen: list[Meld], left: Counter[Card]) -> Iterator[tuple[list[Meld], tuple[Card, ...]]]:
        if chosen and allowed(chosen):
            rest = tuple(sorted(left.elements()))
            if rest or not keep or rules.ruleset.discard.last_card == "any":
                yield chosen, rest
        for index in range(start, len(melds)):
            used = Counter(melds[index].cards)
            if used <= left:
                try:
                    check_repeats(rules.ruleset, [*own_melds, *chosen, melds[index]])
                except Refused:
                    continue
                yield from choose(index, [*chosen, melds[index]], left - used)

    def allowed(chosen: list[Meld]) -> bool:
        if laid:
            return True
        try:
            check_contract(rules, contract, chosen)
        except Refused:
            return False
        return True

    yield from choose(0, [], Counter(hand))


def fewest_points(
    rules: Rules, contract: Contract, hand: Sequence[Card], own_melds: Sequence[Meld] = (), *, laid: bool = False
) -> int | None:
    """Fewest points that a lay-down leaves, or None: nothing can be laid."""
    lefts = (rules.points(left) for _, left in all_laydowns(rules, contract, hand, own_melds, laid=laid))
    return min(lefts, default=None)


def can_go_out(
    rules: Rules, contract: Contract, hand: Sequence[Card], own_melds: Sequence[Meld] = (), *, laid: bool = False
) -> bool:
    discardable = rules.ruleset.discard.jokers
    return any(
        not left or (len(left) == 1 and (discardable or left[0] != JOKER))
        for _, left in all_laydowns(rules, contract, hand, own_melds, laid=laid)
    )


def holds_contract(rules: Rules, contract: Contract, hand: Sequence[Card]) -> bool:
    return any(all_laydowns(rules, contract, hand, keep=False))
