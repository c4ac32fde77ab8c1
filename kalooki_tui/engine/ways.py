"""The ways to meet a contract with no card too many (L1, L5, L6, H8-H11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kalooki_tui.cards import JOKER, RANK, RANKS, SUIT, Card
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.candidates import ANY_LENGTH, count_cards, possible_melds, possible_runs, possible_sets
from kalooki_tui.engine.melds import Meld, check_contract, find_repeated, judge_run, judge_set, meld_points
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract, Ruleset


class Ways:
    """Ways to lay the contract with cards of a hand."""

    def __init__(self, rules: Rules, contract: Contract, hand: Sequence[Card]) -> None:
        self.rules, self.contract, self.counts = rules, contract, count_cards(hand)
        ruleset = rules.ruleset
        limits = ruleset.sets, ruleset.runs
        self.sets = sets = contract.set_lengths(max(limits[0].minimum, limits[0].naturals))
        self.runs = runs = contract.run_lengths(max(limits[1].minimum, limits[1].naturals))
        self.melds: list[Meld] = []
        if contract.points:
            self.melds = list(possible_melds(ruleset, hand))
        else:
            if sets:
                found = possible_sets(ruleset, hand, longest=sets[0])
                self.melds = [meld for meld in found if len(meld.cards) in sets]
            if runs:
                self.melds += self._runs_as_asked(hand)
        # A run that is longer for its jokers (M9, H11) is as long as asked.
        self.lengths = [longest_met(runs if meld.kind is Kind.RUN else sets, len(meld.cards)) for meld in self.melds]
        self.full_suits: list[Meld] = []
        if ruleset.lay.full_suit_for_three_runs and contract.runs == 3:
            self.full_suits = [run for run in possible_runs(ruleset, hand) if len(run.cards) == RANKS]

    def _runs_as_asked(self, hand: Sequence[Card]) -> list[Meld]:
        """Return the runs of a length that is asked for, or longer only to hold their jokers (M7, M9, H11)."""
        ruleset, asked = self.rules.ruleset, self.runs
        limits, exact = ruleset.runs, ruleset.lay.exact or self.contract.whole
        held_back = limits.jokers_when_shortest is not None or ruleset.lay.jokers != "any" or limits.naturals > 1
        longest = ANY_LENGTH if held_back and not exact else asked[0]
        runs = []
        for run in possible_runs(ruleset, hand, longest=longest):
            met = longest_met(asked, len(run.cards))
            if met == len(run.cards) or (met and not exact and is_shortest(ruleset, run, met)):
                runs.append(run)
        return runs

    def may_need(self, meld: Meld, card: Card) -> bool:
        """Check that no shorter meld which holds the card too does as well, in the contract or beside it."""
        ruleset, is_set = self.rules.ruleset, meld.kind is Kind.SET
        shortest = ruleset.sets.minimum if is_set else ruleset.runs.minimum
        met = longest_met(self.sets if is_set else self.runs, len(meld.cards)) or shortest
        if self.contract.points or (not is_set and self.full_suits and len(meld.cards) == RANKS):
            return True
        return any(is_shortest(ruleset, meld, least, card) for least in {shortest, met})

    def ways(self) -> Iterator[list[Meld]]:
        """Yield every way; the same melds in another order are the same way."""
        if self.contract.points:
            yield from self._worth(0, self.contract.points, [])
        else:
            yield from self._counted(self.sets, self.runs, [])

    def with_meld(self, meld: Meld) -> Iterator[list[Meld]]:
        """Yield ways in which this meld, of any length, is one of the contract's; it comes first."""
        if not self._take(meld):
            return
        size, worth, is_set = len(meld.cards), meld_points(self.rules, meld), meld.kind is Kind.SET
        asked = self.sets if is_set else self.runs
        met = longest_met(asked, size)
        if self.contract.points:
            yield from self._worth(0, self.contract.points - worth, [meld], 1)
        elif met and (met == size or not self.rules.ruleset.lay.exact):
            place = asked.index(met)
            rest = asked[:place] + asked[place + 1 :]
            yield from self._counted(rest if is_set else self.sets, self.runs if is_set else rest, [meld])
            if size == RANKS and not is_set and self.full_suits:
                yield from self._count(0, self.sets, (), [meld])
        self._give_back(meld)

    def beside_meld(self, meld: Meld) -> Iterator[list[Meld]]:
        """Yield ways that a contract of so many melds can be laid in with another meld; it comes first."""
        if self._take(meld):
            yield from self._counted(self.sets, self.runs, [meld])
            self._give_back(meld)

    def _counted(self, sets: tuple[int, ...], runs: tuple[int, ...], chosen: list[Meld]) -> Iterator[list[Meld]]:
        yield from self._count(0, sets, runs, chosen)
        for full in self.full_suits:
            if self._goes_with(full, chosen) and self._take(full):
                yield from self._count(0, sets, (), [*chosen, full])
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
            if sets and not is_set:
                # Sets come before runs.
                return
            asked = sets if is_set else runs
            if length not in asked or not self._goes_with(meld, chosen) or not self._take(meld):
                continue
            place = asked.index(length)
            rest = asked[:place] + asked[place + 1 :]
            yield from self._count(index, rest if is_set else sets, runs if is_set else rest, [*chosen, meld])
            self._give_back(meld)

    def _worth(self, start: int, wanted: int, chosen: list[Meld], begun: int = 0) -> Iterator[list[Meld]]:
        """Choose melds, the first `begun` of which are chosen already, of which none of the others could be spared."""
        if wanted <= 0:
            spare = -wanted
            if all(meld_points(self.rules, meld) > spare for meld in chosen[begun:]):
                yield chosen[:]
            return
        for index in range(start, len(self.melds)):
            meld = self.melds[index]
            if self._goes_with(meld, chosen) and self._take(meld):
                yield from self._worth(index, wanted - meld_points(self.rules, meld), [*chosen, meld], begun)
                self._give_back(meld)


def longest_met(asked: Sequence[int], size: int) -> int:
    """Return the longest of the lengths asked for that a meld of so many cards meets; 0: none (H8)."""
    return next((length for length in asked if length <= size), 0)


def is_shortest(ruleset: Ruleset, meld: Meld, least: int, card: Card | None = None) -> bool:
    """Check that no part of the meld, of `least` cards or more and with the card, if one is named, is a meld too."""
    cards = meld.cards
    parts: Iterator[tuple[Card, ...]]
    if meld.kind is Kind.SET:
        judge = judge_set
        parts = ((*cards[:place], *cards[place + 1 :]) for place in range(len(cards)) if len(cards) > least)
    else:
        judge = judge_run
        sizes = range(least, len(cards))
        parts = (cards[start : start + size] for size in sizes for start in range(len(cards) - size + 1))
    return not any((card is None or card in part) and judge(ruleset, part) is None for part in parts)


class WholeHand:
    """Search for a lay-down of every card (H9): the meld of the lowest natural, then those of the rest."""

    def __init__(self, rules: Rules, contract: Contract, hand: Sequence[Card]) -> None:
        self.rules, self.contract, self.counts = rules, contract, count_cards(hand)
        self._hopeless = set[object]()

    def way(self, chosen: tuple[Meld, ...] = ()) -> tuple[Meld, ...] | None:
        """Return the melds, these among them; None: there is no way."""
        counts, exact = self.counts, self.rules.ruleset.lay.exact
        lowest = next((card for card in range(JOKER) if counts[card]), None)
        if lowest is None:
            return chosen if not counts[JOKER] and self._is_contract(chosen) else None
        lengths = sorted((meld.kind, len(meld.cards)) for meld in chosen)
        closed = {(meld.rank, meld.suit) for meld in chosen} if self.rules.ruleset.lay.repeats == "refused" else ()
        key = (tuple(counts), tuple(lengths), frozenset(closed))
        if key in self._hopeless or (exact and self._room(chosen) < sum(counts)):
            return None
        for meld in self._melds_with(lowest):
            if find_repeated(self.rules.ruleset, [*chosen, meld]) is None:
                for card in meld.cards:
                    counts[card] -= 1
                found = self.way((*chosen, meld))
                for card in meld.cards:
                    counts[card] += 1
                if found is not None:
                    return found
        self._hopeless.add(key)
        return None

    def _room(self, chosen: Sequence[Meld]) -> int:
        """Return how many cards the melds hold at most that the contract still asks for (H10)."""
        sets = sum(meld.kind is Kind.SET for meld in chosen)
        longest = self.rules.ruleset.sets.maximum or ANY_LENGTH
        runs = self.contract.runs - len(chosen) + sets
        return (self.contract.sets - sets) * longest + runs * self.rules.ruleset.runs.longest

    def _melds_with(self, card: Card) -> list[Meld]:
        """Return the melds with the card, long ones first."""
        ruleset, counts = self.rules.ruleset, self.counts
        cards = [one for one, copies in enumerate(counts) for _ in range(copies)]
        melds = [*possible_runs(ruleset, [one for one in cards if one == JOKER or SUIT[one] == SUIT[card]])]
        if self.contract.sets or not ruleset.lay.exact:
            melds += possible_sets(ruleset, [one for one in cards if one == JOKER or RANK[one] == RANK[card]])
        return sorted((meld for meld in melds if card in meld.cards), key=lambda meld: -len(meld.cards))

    def _is_contract(self, melds: Sequence[Meld]) -> bool:
        try:
            check_contract(self.rules, self.contract, melds)
        except Refused:
            return False
        return True
