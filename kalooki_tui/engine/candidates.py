"""Every meld that cards can make (M1-M9), wherever its jokers lie, and the ways to count wild cards (H7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import combinations, product
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import ACE, HIGH_ACE, JOKER, KINDS_OF_CARD, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.melds import Meld, judge_run, judge_set
from kalooki_tui.rulesets.model import Ruleset, RunRules, SetRules

#: Ranks and suits of hands whose melds are remembered at a time: enough for a match, no burden in a long simulation.
MOST_KNOWN: Final = 10_000
ANY_LENGTH: Final = 1_000
"""Cards; more than any hand holds."""


def possible_melds(ruleset: Ruleset, cards: Sequence[Card], owner: int = 0, fewest_jokers: int = 0) -> Iterator[Meld]:
    """Yield every meld that `owner` could lay with at least `fewest_jokers` jokers; sets first."""
    yield from possible_sets(ruleset, cards, owner, fewest_jokers)
    yield from possible_runs(ruleset, cards, owner, fewest_jokers)


def possible_sets(
    ruleset: Ruleset, cards: Sequence[Card], owner: int = 0, fewest_jokers: int = 0, longest: int = ANY_LENGTH
) -> Iterator[Meld]:
    """Yield the sets among them, of up to `longest` cards."""
    yield from _read(ruleset, cards, _sets_of, (fewest_jokers, longest, owner))


def _sets_of(forming: _Forming, counts: list[int], limits: tuple[int, int, int]) -> Iterator[Meld]:
    fewest, longest, owner = limits
    for rank in range(RANKS):
        of_rank = tuple(counts[rank:JOKER:RANKS])
        if any(of_rank):
            yield from forming.sets(rank, of_rank, (fewest, counts[JOKER], longest, owner))


def possible_runs(
    ruleset: Ruleset, cards: Sequence[Card], owner: int = 0, fewest_jokers: int = 0, longest: int = ANY_LENGTH
) -> Iterator[Meld]:
    """Yield the runs of up to `longest` cards: most naturals first, then fewest jokers, then jokers at the high end."""
    yield from _read(ruleset, cards, _runs_of, (fewest_jokers, longest, owner))


def _runs_of(forming: _Forming, counts: list[int], limits: tuple[int, int, int]) -> Iterator[Meld]:
    fewest, longest, owner = limits
    for suit in range(SUITS):
        of_suit = counts[suit * RANKS : (suit + 1) * RANKS]
        held = tuple([rank for rank, copies in enumerate(of_suit) if copies])
        if held:
            yield from forming.runs(suit, held, of_suit[0] > 1, (fewest, counts[JOKER], longest, owner))


def _read(
    ruleset: Ruleset,
    cards: Sequence[Card],
    melds_of: Callable[[_Forming, list[int], tuple[int, int, int]], Iterator[Meld]],
    limits: tuple[int, int, int],
) -> Iterator[Meld]:
    """Yield melds of the cards, each once, with its wild cards as jokers or as themselves (H7)."""
    forming, counts, wild = _forming(ruleset), count_cards(cards), ruleset.wild_cards
    if not any(counts[card] for card in wild):
        yield from melds_of(forming, counts, limits)
        return
    found: set[Meld] = set()
    for reading in readings(wild, counts):
        for meld in melds_of(forming, reading.counts, limits):
            for jokers in dict.fromkeys(combinations(reading.jokers, meld.cards.count(JOKER))):
                known = replace(meld, cards=filled(meld.cards, iter(jokers)))
                if known not in found:
                    found.add(known)
                    yield known


def count_cards(cards: Iterable[Card]) -> list[int]:
    """Return the copies of each card, by card number."""
    counts = [0] * KINDS_OF_CARD
    for card in cards:
        counts[card] += 1
    return counts


class Reading(Struct, frozen=True):
    """Counts of a hand in which some wild cards count as jokers."""

    counts: list[int]
    jokers: tuple[Card, ...]
    """Cards that count as jokers: the jokers first, then the wild ones that do."""


def filled(cards: Iterable[Card], jokers: Iterator[Card]) -> tuple[Card, ...]:
    """Return the cards with the next of what counts as jokers in each joker's place."""
    return tuple([next(jokers) if card == JOKER else card for card in cards])


def readings(wild: Set[Card], counts: list[int]) -> Iterator[Reading]:
    """Yield every way to count the hand, the one with most jokers first."""
    jokers = (JOKER,) * counts[JOKER]
    held = [card for card in sorted(wild) if counts[card]]
    for taken in product(*(range(counts[card], -1, -1) for card in held)):
        read = counts[:]
        more: list[Card] = []
        for card, copies in zip(held, taken, strict=True):
            read[card] -= copies
            more += [card] * copies
        read[JOKER] += len(more)
        yield Reading(read, (*jokers, *more))


#: Fewest and most jokers, most cards, owner.
_Wanted: TypeAlias = tuple[int, int, int, int]


class _Forming:
    """Melds of a ruleset by the cards held of a rank or a suit: searches ask for the same ones many times."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._melds: dict[tuple[object, ...], tuple[Meld, ...]] = {}

    def sets(self, rank: int, copies: tuple[int, ...], wanted: _Wanted) -> tuple[Meld, ...]:
        """Return the sets of a rank (0: aces), given the number of copies of each suit's card."""
        key = (rank, copies, wanted)
        known = self._melds.get(key)
        return known if known is not None else self._remember(key, list(self._new_sets(rank, copies, wanted)))

    def runs(self, suit: int, ranks: tuple[int, ...], two_aces: bool, wanted: _Wanted) -> tuple[Meld, ...]:
        """Return the runs of a suit that holds the ranks (0: the ace, two of them or not)."""
        key = (suit, ranks, two_aces, wanted)
        known = self._melds.get(key)
        return known if known is not None else self._remember(key, self._new_runs(suit, ranks, two_aces, wanted))

    def _remember(self, key: tuple[object, ...], melds: list[Meld]) -> tuple[Meld, ...]:
        if len(self._melds) >= MOST_KNOWN:
            self._melds.clear()
        self._melds[key] = found = tuple(melds)
        return found

    def _new_sets(self, rank: int, copies: tuple[int, ...], wanted: _Wanted) -> Iterator[Meld]:
        fewest, jokers, longest, owner = wanted
        of_rank, limits = [suit * RANKS + rank for suit in range(SUITS) for _ in range(copies[suit])], self.ruleset.sets
        for number in range(limits.naturals, longest + 1):
            for chosen in dict.fromkeys(combinations(of_rank, number)):
                for used in range(max(fewest, limits.minimum - number), min(jokers, longest - number) + 1):
                    cards = (*chosen, *[JOKER] * used)
                    if judge_set(self.ruleset, cards) is None:
                        yield Meld(owner, Kind.SET, cards, rank=rank + 1)

    def _new_runs(self, suit: int, ranks: tuple[int, ...], two_aces: bool, wanted: _Wanted) -> list[Meld]:
        fewest, jokers, longest, owner = wanted
        held = {make_card(suit, rank + 1) for rank in ranks}
        aces = 1 + two_aces if 0 in ranks else 0
        longest = min(longest, self.ruleset.runs.longest)
        melds = [
            Meld(owner, Kind.RUN, cards, suit=suit, low=low)
            for low in range(1, HIGH_ACE)
            for cards in self._runs_from(held, aces, suit, low, (), jokers, longest)
        ]
        melds.sort(key=_order)
        if self.ruleset.runs.corner:
            melds = _once_round(melds)
        return [meld for meld in melds if meld.cards.count(JOKER) >= fewest]

    def _runs_from(
        self, held: set[Card], aces: int, suit: int, low: int, begun: tuple[Card, ...], jokers: int, longest: int
    ) -> Iterator[tuple[Card, ...]]:
        """Yield the runs from position `low` that begin with the cards `begun`; `jokers` and `aces` are left."""
        position, runs = low + len(begun), self.ruleset.runs
        if len(begun) >= runs.minimum and judge_run(self.ruleset, begun) is None:
            yield begun
        if len(begun) == longest or not runs.has_place(position):
            return
        natural = make_card(suit, position)
        is_ace = position in (ACE, HIGH_ACE)
        if natural in held and (not is_ace or aces):
            yield from self._runs_from(held, aces - is_ace, suit, low, (*begun, natural), jokers, longest)
        if jokers and (runs.kisses or not begun or begun[-1] != JOKER):
            yield from self._runs_from(held, aces, suit, low, (*begun, JOKER), jokers - 1, longest)


def _naturals(meld: Meld) -> tuple[int, ...]:
    return tuple([meld.low + index for index, card in enumerate(meld.cards) if card != JOKER])


def _order(meld: Meld) -> tuple[object, ...]:
    places = _naturals(meld)
    return (-len(places), len(meld.cards) - len(places), places, -meld.low)


def _once_round(melds: Iterable[Meld]) -> list[Meld]:
    """Keep of complete suits of the same cards one: where it begins makes no difference (H15)."""
    found: dict[object, Meld] = {}
    for meld in melds:
        found.setdefault(frozenset(meld.cards) if len(meld.cards) == RANKS else meld, meld)
    return list(found.values())


#: What is remembered, by all that says which melds there are; rulesets that differ elsewhere share it.
_known: Final[dict[tuple[SetRules, RunRules, str], _Forming]] = {}


def _forming(ruleset: Ruleset) -> _Forming:
    key = (ruleset.sets, ruleset.runs, ruleset.lay.jokers)
    known = _known.get(key)
    if known is None:
        known = _known[key] = _Forming(ruleset)
    return known
