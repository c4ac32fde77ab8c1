"""From cards chosen in any order to melds: every way in which all of them make valid ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from kalooki_tui.cards import ACE, JOKER, RANK, SUIT, SUITS, Card, make_card
from kalooki_tui.engine.actions import Group, Kind
from kalooki_tui.engine.melds import HIGH_ACE, Meld, check_repeats, judge_run, judge_set, make_meld
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.notation.melding import arrange_run
from kalooki_tui.rulesets.model import Ruleset

#: Ways looked for; a person is asked to choose among these.
MOST_WAYS: Final = 12
#: Partial ways looked at. Only a whole hand with many jokers comes near it.
MOST_STEPS: Final = 20_000

Groups = tuple[Group, ...]


def arrangements(rules: Rules, seat: int, cards: Sequence[Card], others: Sequence[Meld]) -> list[Groups] | Refusal:
    """The ways in which all the cards make melds beside the seat's `others` (M1-M9), fewest melds first.

    Ways differ in what the melds are, or in what a joker of a run stands for. A reason instead where there is none.
    """
    search = _Search(rules.ruleset, cards)
    search.run()
    if not search.found and search.jokers:
        search = _Search(rules.ruleset, cards, generous=True)
        search.run()
    if not search.found:
        return _reason(rules.ruleset, cards)
    fitting: list[Groups] = []
    refusal: Refusal | None = None
    for groups in sorted(search.found, key=len):
        try:
            check_repeats(rules.ruleset, [*others, *(make_meld(rules.ruleset, seat, group) for group in groups)])
        except Refused as refused:
            refusal = refusal or refused.refusal
        else:
            fitting.append(groups)
    if fitting or refusal is None:
        return fitting[:MOST_WAYS]
    return refusal


class _Search:
    """Takes one natural after another and tries every meld it can be in."""

    def __init__(self, ruleset: Ruleset, cards: Sequence[Card], *, generous: bool = False) -> None:
        self.ruleset = ruleset
        self.generous = generous
        """Whether a joker may stand in a run for a card that is at hand, and that a set may need."""
        self.left = Counter(cards)
        self.jokers = self.left.pop(JOKER, 0)
        self.groups: list[Group] = []
        self.found: dict[Groups, None] = {}
        self.steps = 0

    def run(self) -> None:
        """Find ways, up to the limits."""
        self.steps += 1
        if self.steps > MOST_STEPS or len(self.found) > 4 * MOST_WAYS:
            return
        card = min((card for card, count in self.left.items() if count), default=None)
        if card is None:
            if not self.jokers and self.groups:
                key = sorted(self.groups, key=lambda group: (group.kind == Kind.RUN, group.cards))
                self.found[tuple(key)] = None
            return
        for group in (*self._sets_with(card), *self._runs_with(card)):
            self._take(group, -1)
            self.groups.append(group)
            self.run()
            self.groups.pop()
            self._take(group, 1)

    def _take(self, group: Group, sign: int) -> None:
        for card in group.cards:
            if card == JOKER:
                self.jokers += sign
            else:
                self.left[card] += sign

    def _sets_with(self, card: Card) -> Iterator[Group]:
        rank = RANK[card]
        suits = [make_card(suit, rank) for suit in range(SUITS)]
        counts = [range(self.left[other], -1, -1) for other in suits]
        for chosen in product(*counts):
            if not chosen[SUIT[card]]:
                continue
            naturals = tuple(other for other, count in zip(suits, chosen, strict=True) for _ in range(count))
            for jokers in range(self.jokers + 1):
                cards = (*naturals, *(JOKER,) * jokers)
                if judge_set(self.ruleset, cards) is None:
                    yield Group(cards, Kind.SET)

    def _runs_with(self, card: Card) -> Iterator[Group]:
        for position in (ACE, HIGH_ACE) if RANK[card] == ACE else (RANK[card],):
            for low in range(position, 0, -1):
                for high in range(max(position, low + self.ruleset.runs.minimum - 1), HIGH_ACE + 1):
                    for cards in self._filled(SUIT[card], low, high, (), self.jokers):
                        if card in cards and judge_run(self.ruleset, cards) is None:
                            yield Group(cards, Kind.RUN)

    def _filled(
        self, suit: int, low: int, high: int, before: tuple[Card, ...], jokers: int
    ) -> Iterator[tuple[Card, ...]]:
        """The run of these positions after `before`, jokers in the gaps; nothing where there are too few of them."""
        if low > high:
            yield before
            return
        card = make_card(suit, low)
        # Of one ace only one of the two places can be filled.
        held = self.left[card] > (card in before)
        if held:
            yield from self._filled(suit, low + 1, high, (*before, card), jokers)
        if jokers and (self.generous or not held):
            yield from self._filled(suit, low + 1, high, (*before, JOKER), jokers - 1)


def _reason(ruleset: Ruleset, cards: Sequence[Card]) -> Refusal:
    """Why the cards make no melds: judged as the one meld they look like."""
    naturals = [card for card in cards if card != JOKER]
    words, symbols = ruleset.vocabulary, ruleset.faces.symbols
    why: Refusal | None = None
    if len({RANK[card] for card in naturals}) <= 1:
        why = judge_set(ruleset, cards)
    elif len({SUIT[card] for card in naturals}) == 1:
        why = _no_run(ruleset, cards, sorted(naturals))
    return why or Refusal("lay.melds", "M1, M2", f"{symbols(cards)} do not all fit into {words.sets} and {words.runs}.")


def _no_run(ruleset: Ruleset, cards: Sequence[Card], naturals: list[Card]) -> Refusal | None:
    """Why cards of one suit are no run: of the orders from each of them upwards, that which says most."""
    in_place = arrange_run(ruleset, cards)
    if in_place is not None:
        return None
    jokers = (JOKER,) * (len(cards) - len(naturals))
    turned = (naturals[start:] + naturals[:start] for start in range(len(naturals)))
    reasons = [why for why in (judge_run(ruleset, (*order, *jokers)) for order in turned) if why is not None]
    return next((why for why in reasons if why.code != "run.order"), reasons[0])
