"""Tacks and swaps: every hand that they can leave (K1-K10).

Cards that a set takes at any time need no search. For the rest every order of tacks and swaps is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import JOKER, RANKS, Card
from kalooki_tui.engine.actions import End, Kind, Swap, Tack
from kalooki_tui.engine.additions import Added, Reach, single_tacks, swaps, uses
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.tacks import has_grown, joined, put, takes_jokers
from kalooki_tui.solver.shape import Counts, Effort, list_cards

#: Positions looked at for one plan. Only tables full of jokers come near it; the best found so far is the plan then.
MOST_POSITIONS: Final = 20_000
#: What a position costs, where the effort is limited.
STEPS_A_POSITION: Final = 3


class Move(Struct, frozen=True):
    action: Tack | Swap
    cards: tuple[Card, ...]
    melds: tuple[Meld, ...]
    frees: Card | None = None


class TackSearch:
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
        self.keeps_one = rules.ruleset.discard.last_card == "discard"
        self.keeps = 1 if self.keeps_one else 0
        sets, any_jokers = rules.ruleset.sets, rules.ruleset.lay.jokers == "any"
        self.open_sets = sets.maximum is None and sets.suits == "any" and any_jokers
        """Sets take any number of cards, so that what they take needs no search."""
        self.sinks: dict[Card, int] = {}
        """Cards that a set takes at any time, and which meld that is."""
        if self.open_sets:
            for index, meld in enumerate(melds):
                if meld.kind is Kind.SET:
                    for card in range(meld.rank - 1, JOKER, RANKS):
                        self.sinks.setdefault(card, index)
                    if takes_jokers(self.rules, self.seat, meld):
                        for card in sorted(rules.stand_ins):
                            self.sinks.setdefault(card, index)
        self.visited: set[tuple[object, ...]] = set()
        self.reserve = 0
        self.path: list[Tack | Swap] = []

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

    def _make(self, move: Move) -> tuple[tuple[Meld, ...], dict[tuple[int, End], int]]:
        undo = (self.melds, self.added)
        for card in move.cards:
            self.counts[card] -= 1
        if move.frees is not None:
            self.counts[move.frees] += 1
        if self.rules.ruleset.tack.end_limit is not None:
            self.added = self._added_by(move)
        self.melds = move.melds
        self.path.append(move.action)
        return undo

    def _undo(self, move: Move, undo: tuple[tuple[Meld, ...], dict[tuple[int, End], int]]) -> None:
        for card in move.cards:
            self.counts[card] += 1
        if move.frees is not None:
            self.counts[move.frees] -= 1
        self.melds, self.added = undo
        self.path.pop()

    def _added_by(self, move: Move) -> dict[tuple[int, End], int]:
        action = move.action
        index = action.meld if isinstance(action, Tack) else action.use
        if index is None or self.melds[index].kind is Kind.SET:
            return self.added
        end = End.LOW if has_grown(self.melds[index], move.melds[index], End.LOW) else End.HIGH
        return {**self.added, (index, end): self.added.get((index, end), 0) + 1}

    def _moves(self) -> Iterator[Move]:
        hand = list_cards(self.counts)
        reach = Reach(self.rules, self.seat, hand, self.melds, self.keeps, self.added)
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
            cards = [*way.action.cards]
            melds = self._with(way.changed)
            if way.laid is not None:
                cards += way.laid.cards
                cards.remove(JOKER)
                melds += (way.laid,)
            yield Move(way.action, tuple(cards), melds, frees=way.frees)
        yield from jokers

    def _with(self, changed: Mapping[int, Meld]) -> tuple[Meld, ...]:
        return tuple([changed.get(index, meld) for index, meld in enumerate(self.melds)])
