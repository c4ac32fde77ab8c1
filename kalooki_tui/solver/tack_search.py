"""The best tacks and swaps: a sequence that leaves the fewest points in the hand (K1-K10).

Cards that a set takes at any time need no search. For the rest every order of tacks and swaps is tried, but for tacks
that can harm no other, which are made at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANKS, SUIT, Card, make_card
from kalooki_tui.engine.actions import End, Kind, Swap, Tack
from kalooki_tui.engine.additions import Added, Reach, single_tacks, swaps, uses, wanted
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.melds import HIGH_ACE, Meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import joined, put, takes_jokers
from kalooki_tui.solver.sets import POINT_WEIGHT
from kalooki_tui.solver.shape import Counts, Effort, list_cards

#: Positions looked at for one plan. Only tables full of jokers come near it; the best found so far is the plan then.
MOST_POSITIONS: Final = 20_000
#: What a position costs, where the effort is limited.
STEPS_A_POSITION: Final = 3


class TackPlan(Struct, frozen=True):
    actions: tuple[Tack | Swap, ...]
    left: tuple[Card, ...]
    points_left: int


class Move(Struct, frozen=True):
    action: Tack | Swap
    cards: tuple[Card, ...]
    melds: tuple[Meld, ...]
    frees: bool = False


def tack_plan(
    rules: Rules, hand: Sequence[Card], melds: Sequence[Meld], seat: int, *, added: Added | None = None
) -> TackPlan:
    """Return the tacks and swaps that leave the fewest points in `hand`, of equal ones the fewest cards.

    A plan that goes out, with nothing left or one card that may be discarded, is better than any other. Where the last
    card must be a discard, one is kept (G1). `added`: cards already added this turn (K6). New melds are laid only
    with a joker freed for them (K10).
    """
    search = TackSearch(rules, count_cards(hand), tuple(melds), seat, added or {})
    return search.solve()


class TackSearch:
    """Search for tacks; `solve` for the best plan, `reachable` for everything runs can take."""

    def __init__(
        self,
        rules: Rules,
        counts: Counts,
        melds: tuple[Meld, ...],
        seat: int,
        added: Added,
        effort: Effort | None = None,
    ) -> None:
        self.rules, self.seat = rules, seat
        self.effort = effort or Effort()
        self.counts = counts
        self.melds = melds
        self.added = dict(added)
        self.weights = [value * POINT_WEIGHT + 1 for value in rules.values]
        self.keeps_one = rules.ruleset.discard.last_card == "discard"
        self.frees_at_once = rules.ruleset.swap == "use-at-once"
        sets = rules.ruleset.sets
        self.open_sets = sets.maximum is None and sets.suits == "any"
        """Sets take any number of cards, so that what they take needs no search."""
        self.sinks: dict[Card, int] = {}
        """Cards that a set takes at any time, and which meld that is."""
        if self.open_sets:
            for index, meld in enumerate(melds):
                if meld.kind is Kind.SET:
                    for card in range(meld.rank - 1, JOKER, RANKS):
                        self.sinks.setdefault(card, index)
                    if takes_jokers(self.rules, self.seat, meld):
                        self.sinks.setdefault(JOKER, index)
        self.visited: set[tuple[object, ...]] = set()
        self.best: tuple[bool, int] | None = None
        self.best_actions: tuple[Tack | Swap, ...] = ()
        self.best_left: tuple[Card, ...] = ()
        self.least = self.reserve = 0
        self.path: list[Tack | Swap] = []

    def solve(self) -> TackPlan:
        self.least = self._hopeless_weight()
        self._explore(safe=True)
        return TackPlan(self.best_actions, self.best_left, self.rules.points(self.best_left))

    def reachable(self) -> dict[tuple[Card, ...], tuple[Tack | Swap, ...]]:
        """Return, by the hand that stays, tacks onto runs and swaps; spends half of the effort at the most."""
        self.reserve = self.effort.left // 2
        found: dict[tuple[Card, ...], tuple[Tack | Swap, ...]] = {}
        self._collect(found)
        return found

    def _collect(self, found: dict[tuple[Card, ...], tuple[Tack | Swap, ...]]) -> None:
        effort = self.effort
        if effort.left < self.reserve:
            effort.stopped = True
            return
        effort.left -= STEPS_A_POSITION
        if not self._is_new():
            return
        left = list_cards(self.counts)
        if left not in found or len(found[left]) > len(self.path):
            found[left] = tuple(self.path)
        for move in list(self._moves()):
            undo = self._make(move)
            self._collect(found)
            self._undo(move, undo)

    def _is_new(self) -> bool:
        key = (
            bytes(self.counts),
            tuple((meld.low, meld.cards) for meld in self.melds if not self.open_sets or meld.kind is Kind.RUN),
        )
        if key in self.visited or len(self.visited) >= MOST_POSITIONS:
            return False
        self.visited.add(key)
        return True

    def _explore(self, *, safe: bool) -> bool:
        """Note what can be left from here, and look further; return True once nothing better can come."""
        if not self._is_new():
            return False
        if self._note():
            return True
        moves = list(self._moves())
        for move in moves:
            if safe and self._is_safe(move):
                moves = [move]
                break
        for move in moves:
            undo = self._make(move)
            done = self._explore(safe=safe)
            self._undo(move, undo)
            if done:
                return True
        return False

    def _note(self) -> bool:
        left = self.counts[:]
        actions: list[Tack | Swap] = []
        kept: Card | None = None
        if self.keeps_one and not any(copies for card, copies in enumerate(left) if card not in self.sinks):
            # One card must be kept for the discard: the cheapest, a joker only where there is nothing else.
            kept = min(
                (card for card, copies in enumerate(left) if copies),
                key=lambda card: (card == JOKER, self.weights[card]),
                default=None,
            )
        for card, index in self.sinks.items():
            number = left[card] - (card == kept)
            if number > 0:
                left[card] -= number
                actions += [Tack(self.seat, (card,) * number, index)]
        weight = sum(copies * self.weights[card] for card, copies in enumerate(left) if copies)
        number = sum(left)
        out = number == 0 or (number == 1 and (not left[JOKER] or self.rules.ruleset.discard.jokers))
        key = (not out, weight)
        if self.best is None or key < self.best:
            self.best = key
            self.best_actions = (*self.path, *actions)
            self.best_left = list_cards(left)
        return weight <= self.least and (out or number > 1 or not self.least)

    def _make(self, move: Move) -> tuple[tuple[Meld, ...], dict[tuple[int, End], int]]:
        undo = (self.melds, self.added)
        for card in move.cards:
            self.counts[card] -= 1
        self.counts[JOKER] += move.frees
        if self.rules.ruleset.tack.end_limit is not None:
            self.added = self._added_by(move)
        self.melds = move.melds
        self.path.append(move.action)
        return undo

    def _undo(self, move: Move, undo: tuple[tuple[Meld, ...], dict[tuple[int, End], int]]) -> None:
        for card in move.cards:
            self.counts[card] += 1
        self.counts[JOKER] -= move.frees
        self.melds, self.added = undo
        self.path.pop()

    def _added_by(self, move: Move) -> dict[tuple[int, End], int]:
        action = move.action
        index = action.meld if isinstance(action, Tack) else action.use
        if index is None or self.melds[index].kind is Kind.SET:
            return self.added
        end = End.LOW if move.melds[index].low < self.melds[index].low else End.HIGH
        return {**self.added, (index, end): self.added.get((index, end), 0) + 1}

    def _is_safe(self, move: Move) -> bool:
        """Check that a move can cost nothing: a natural goes to a run, and nothing else could want card or place."""
        action = move.action
        if isinstance(action, Swap) or action.cards[0] == JOKER or self.rules.ruleset.tack.end_limit is not None:
            return False
        if self.frees_at_once or not self.open_sets:
            return False
        if self.counts[JOKER] and JOKER not in self.sinks:
            return False
        if any(self.counts[card] for meld in self.melds if JOKER in meld.cards for card in wanted(self.rules, meld)):
            return False
        suit = SUIT[action.cards[0]]
        return sum(meld.suit == suit for meld in self.melds) == 1

    def _moves(self) -> Iterator[Move]:
        hand = list_cards(self.counts)
        reach = Reach(self.rules, self.seat, hand, self.melds, 1 if self.keeps_one else 0, self.added)
        jokers: list[Move] = []
        for action, end in single_tacks(reach, onto_sets=not self.open_sets):
            index, card = action.meld, action.cards[0]
            meld = self.melds[index]
            grown = joined(meld, card) if end is None else put(meld, card, end)
            move = Move(action, (card,), self._with({index: grown}))
            if card == JOKER:
                jokers.append(move)
            else:
                yield move
        for way in (*swaps(reach), *uses(reach)):
            assert isinstance(way.action, Swap)
            cards = [way.action.card]
            melds = self._with(way.changed)
            if way.laid is not None:
                cards += way.laid.cards
                cards.remove(JOKER)
                melds += (way.laid,)
            yield Move(way.action, tuple(cards), melds, frees=way.frees)
        yield from jokers

    def _with(self, changed: Mapping[int, Meld]) -> tuple[Meld, ...]:
        return tuple([changed.get(index, meld) for index, meld in enumerate(self.melds)])

    def _hopeless_weight(self) -> int:
        """Return the weight of cards that no tacks and swaps can place: a bound on what is left."""
        counts = self.counts
        on_table = sum(meld.cards.count(JOKER) for meld in self.melds)
        if self.frees_at_once and (on_table or counts[JOKER]):
            # A freed joker may make a new meld with any of the cards.
            return 0
        hopeful = set(self.sinks)
        if not self.open_sets:
            hopeful.update(
                card for meld in self.melds if meld.kind is Kind.SET for card in range(meld.rank - 1, JOKER, RANKS)
            )
        if any(takes_jokers(self.rules, self.seat, meld) for meld in self.melds):
            hopeful.add(JOKER)
        jokers = counts[JOKER] + on_table
        for meld in self.melds:
            if meld.kind is Kind.RUN:
                hopeful.update(wanted(self.rules, meld))
                self._reach(meld, jokers, hopeful)
        return sum(copies * self.weights[card] for card, copies in enumerate(counts) if copies and card not in hopeful)

    def _reach(self, meld: Meld, jokers: int, hopeful: set[Card]) -> None:
        for beyond in (range(meld.high + 1, HIGH_ACE + 1), range(meld.low - 1, 0, -1)):
            gaps = 0
            for position in beyond:
                card = make_card(meld.suit, position)
                if self.counts[card]:
                    hopeful.add(card)
                else:
                    gaps += 1
                    if gaps > jokers:
                        break
