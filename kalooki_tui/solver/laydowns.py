"""The ways to meet a contract with no card too many, for a player to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from kalooki_tui.cards import JOKER, RANK, RANKS, SUIT, Card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.candidates import count_cards, possible_melds, possible_runs, possible_sets
from kalooki_tui.engine.melds import Meld, check_contract, find_repeated, judge_run, meld_points
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away, forms_of, lengths_for
from kalooki_tui.solver.lay import Laydown
from kalooki_tui.solver.shape import Counts, list_cards, shape_of

#: Ways looked at before the best are chosen.
MOST_WAYS: Final = 5_000


def lay_choices(
    rules: Rules, contract: Contract, hand: Sequence[Card], limit: int, size: int | None = None
) -> list[Laydown]:
    """Return up to `limit` ways to lay the contract alone, melds as short as possible, fewest points left first.

    With a point threshold (L5): melds of which none could be spared. Where the last card must be a discard a way
    leaves one (G1). A contract that takes the whole hand (H9) is laid with `size` cards, or else all.
    """
    counts = count_cards(hand)
    forms = forms_of(rules, contract, len(hand) if size is None else size)
    if not contract.whole and cards_away(rules, contract, counts, 1, 0):
        return []
    ways: dict[tuple[Group, ...], Laydown] = {}
    for melds in islice(chain.from_iterable(_Ways(rules, form, counts).ways() for form in forms), MOST_WAYS):
        left = counts[:]
        for meld in melds:
            for card in meld.cards:
                left[card] -= 1
        cards = list_cards(left)
        if cards or contract.whole or rules.ruleset.discard.last_card == "any":
            groups = tuple(Group(meld.cards, meld.kind) for meld in melds)
            ways.setdefault(groups, Laydown(groups, cards, rules.points(cards)))
    return sorted(ways.values(), key=lambda way: (way.points_left, len(way.left)))[:limit]


class _Ways:
    def __init__(self, rules: Rules, contract: Contract, counts: Counts) -> None:
        self.rules, self.contract, self.counts = rules, contract, counts[:]
        self.shape = shape = shape_of(rules)
        ruleset, hand = rules.ruleset, list_cards(counts)
        self.melds: list[Meld] = []
        self.runs = runs = contract.run_lengths(shape.run_minimum)
        self.sets = sets = contract.set_lengths(shape.set_minimum)
        if contract.points:
            self.melds = list(possible_melds(ruleset, hand))
        else:
            if sets:
                found = possible_sets(ruleset, hand, longest=sets[0])
                self.melds = [meld for meld in found if len(meld.cards) in sets]
            if runs:
                # A run has a length that is asked for, or is longer only to hold its jokers (M9, H11).
                jokers = counts[JOKER] + sum(counts[card] for card in rules.wild)
                lengths = [lengths_for(shape, asked, jokers, whole=contract.whole) for asked in runs]
                for run in possible_runs(ruleset, hand, longest=max(map(max, lengths))):
                    if len(run.cards) in runs or (any(len(run.cards) in some for some in lengths) and self._needs(run)):
                        self.melds.append(run)
        # A run that is longer for its jokers is as long as asked.
        self.lengths = [
            max((asked for asked in runs if asked <= len(meld.cards)), default=0)
            if meld.kind is Kind.RUN
            else len(meld.cards)
            for meld in self.melds
        ]
        self.full_suits: list[Meld] = []
        if shape.full_suit and contract.runs == 3:
            self.full_suits = [run for run in possible_runs(ruleset, hand) if len(run.cards) == RANKS]

    def _needs(self, run: Meld) -> bool:
        """Check that the run would be none with a card fewer at either end, or would have too many jokers (M9, H11)."""
        few = self.shape.shortest_jokers
        if self.shape.share is None:
            return few is not None and run.jokers > few
        return all(judge_run(self.rules.ruleset, part) for part in (run.cards[1:], run.cards[:-1]))

    def ways(self) -> Iterator[list[Meld]]:
        """Yield every way; the same melds in another order are the same way."""
        if self.contract.points:
            yield from self._worth(0, self.contract.points, [])
            return
        yield from self._count(0, self.sets, self.runs, [])
        for full in self.full_suits:
            if self._take(full):
                yield from self._count(0, self.sets, (), [full])
                self._give_back(full)

    def _take(self, meld: Meld) -> bool:
        for index, card in enumerate(meld.cards):
            self.counts[card] -= 1
            if self.counts[card] < 0:
                for taken in meld.cards[: index + 1]:
                    self.counts[taken] += 1
                return False
        return True

    def _give_back(self, meld: Meld) -> None:
        for card in meld.cards:
            self.counts[card] += 1

    def _goes_with(self, meld: Meld, chosen: list[Meld]) -> bool:
        return find_repeated(self.rules.ruleset, [*chosen, meld]) is None

    def _count(
        self, start: int, sets: tuple[int, ...], runs: tuple[int, ...], chosen: list[Meld]
    ) -> Iterator[list[Meld]]:
        if not sets and not runs:
            yield chosen[:]
            return
        for index in range(start, len(self.melds)):
            meld, length = self.melds[index], self.lengths[index]
            is_set = meld.kind is Kind.SET
            asked = sets if is_set else runs
            if length not in asked or not self._goes_with(meld, chosen) or not self._take(meld):
                continue
            place = asked.index(length)
            rest = asked[:place] + asked[place + 1 :]
            yield from self._count(index, rest if is_set else sets, runs if is_set else rest, [*chosen, meld])
            self._give_back(meld)

    def _worth(self, start: int, wanted: int, chosen: list[Meld]) -> Iterator[list[Meld]]:
        if wanted <= 0:
            spare = -wanted
            if all(meld_points(self.rules, meld) > spare for meld in chosen):
                yield chosen[:]
            return
        for index in range(start, len(self.melds)):
            meld = self.melds[index]
            if self._goes_with(meld, chosen) and self._take(meld):
                yield from self._worth(index, wanted - meld_points(self.rules, meld), [*chosen, meld])
                self._give_back(meld)


#: Splits looked at before the best are chosen; more than a screen could ever offer.
MOST_SPLITS: Final = 2_000


def partition(
    rules: Rules,
    contract: Contract,
    cards: Sequence[Card],
    limit: int = 12,
    *,
    own_melds: Sequence[Meld] = (),
    laid: bool = False,
) -> list[tuple[Group, ...]]:
    """Return up to `limit` ways to split `cards` into valid melds (M1-M9), the contract first unless `laid`."""
    found: dict[tuple[Group, ...], tuple[bool, int, int]] = {}
    for melds in _splits(rules, count_cards(cards), list(own_melds), []):
        key = tuple(Group(meld.cards, meld.kind) for meld in sorted(melds, key=_order))
        if key not in found:
            found[key] = (not laid and not _holds(rules, contract, melds), len(melds), len(found))
        if len(found) >= MOST_SPLITS:
            break
    return sorted(found, key=found.__getitem__)[:limit]


def _order(meld: Meld) -> tuple[bool, int, int, int, tuple[Card, ...]]:
    return (meld.kind is Kind.RUN, meld.rank, meld.suit, meld.low, meld.cards)


def _holds(rules: Rules, contract: Contract, melds: Sequence[Meld]) -> bool:
    try:
        check_contract(rules, contract, melds)
    except Refused:
        return False
    return True


def _splits(rules: Rules, counts: Counts, own: list[Meld], chosen: list[Meld]) -> Iterator[list[Meld]]:
    """Choose the melds of the lowest natural left, then those of the rest."""
    wild = rules.wild
    # A wild card stands in any meld, so that the others are placed first (H7).
    lowest = next((card for card in sorted(range(JOKER), key=wild.__contains__) if counts[card]), None)
    if lowest is None:
        if not counts[JOKER]:
            yield chosen[:]
        return
    cards = list_cards(counts)
    of_suit = [card for card in cards if card == JOKER or card in wild or SUIT[card] == SUIT[lowest]]
    of_rank = [card for card in cards if card == JOKER or card in wild or RANK[card] == RANK[lowest]]
    melds = [*possible_runs(rules.ruleset, of_suit), *possible_sets(rules.ruleset, of_rank)]
    # Long ones first, so that splits of few melds come first.
    for meld in sorted((meld for meld in melds if lowest in meld.cards), key=lambda meld: -len(meld.cards)):
        if find_repeated(rules.ruleset, [*own, *chosen, meld]) is not None:
            continue
        for card in meld.cards:
            counts[card] -= 1
        chosen.append(meld)
        yield from _splits(rules, counts, own, chosen)
        chosen.pop()
        for card in meld.cards:
            counts[card] += 1
