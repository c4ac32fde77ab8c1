"""Going out in this turn: any way will do, so that the search ends with the first one (G1).

Tacks and swaps are tried in turn as in `tacks`; where they leave no more than the melds of a lay-down and one card to
throw, the way is found. A place is left at once where two cards can go nowhere: that is so in most turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.cards import HIGH_ACE, JOKER, RANKS, SUITS, Card
from kalooki_tui.engine.actions import DISCARD, Action, Kind, Lay, Swap, Tack
from kalooki_tui.engine.additions import Added
from kalooki_tui.engine.candidates import count_cards
from kalooki_tui.engine.melds import Meld, jokers_in
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away
from kalooki_tui.solver.lay import FREE, Laydown, lay_search, solve_lay
from kalooki_tui.solver.shape import Effort, list_cards, ranks_of, shape_of
from kalooki_tui.solver.tack_search import Move, TackSearch

#: Hands and tables that are looked at, the same number in the native core.
MOST_LOOKS: Final = 200
#: Where a joker that is swapped for comes free (K9, K10).
FREEING: Final = ("free-own", "free-runs", "use-at-once", "both-suits")
#: Steps that looking for lay-downs among them may take.
FINISH_EFFORT: Final = 6_000


class GoingOutSearch(TackSearch):
    """Search of a seat that may lay, or has laid and may tack: `actions` are those of a way out, if any."""

    def __init__(
        self,
        rules: Rules,
        contract: Contract,
        hand: Sequence[Card],
        melds: Sequence[Meld],
        seat: int,
        *,
        laid: bool,
        adds: bool,
        added: Added,
        stays: Card | None = None,
    ) -> None:
        super().__init__(rules, count_cards(hand), tuple(melds), seat, added, Effort(FINISH_EFFORT))
        self.laid, self.adds = laid, adds  # `adds`: it may tack and swap, or may once it has laid (H4)
        if not adds:
            self.sinks = {}
        self.contract = FREE if laid else contract
        self.may_lay = not laid or rules.ruleset.lay.further_melds
        self.own = [meld for meld in melds if meld.owner == seat]
        self.shape = shape_of(rules)
        kinds = JOKER + rules.ruleset.discard.jokers
        # `stays`: the card that the seat may not throw (H6).
        self.thrown = sorted((card for card in range(kinds) if card != stays), key=rules.values.__getitem__)
        self.kept: Card | None = None
        self.laydown: Laydown | None = None

    def actions(self) -> tuple[Action, ...]:
        """Return the actions in order, cards tacked one at a time, to the discard if there is one; empty: no way."""
        if self.contract.whole:
            found = solve_lay(self.rules, self.contract, self.counts)
            return () if found is None else (Lay(self.seat, found.groups),)
        if not self.laid and (len(self._lost()) > 1 or cards_away(self.rules, self.contract, self.counts, 1, 0)):
            return ()
        if not self._looks():
            return ()
        lays = () if self.laydown is None else (Lay(self.seat, self.laydown.groups),)
        steps = (*self.path, *lays) if self.laid else (*lays, *self.path)
        left = list_cards(self.counts) if self.laydown is None else self.laydown.left
        sunk = [card for card in left if card in self.sinks]
        if self.laydown is None and self.kept in sunk:
            sunk.remove(self.kept)
        throw = () if self.kept is None else (DISCARD[self.seat][self.kept],)
        return (*steps, *(Tack(self.seat, (card,), self.sinks[card]) for card in sunk), *throw)

    def _looks(self) -> bool:
        if len(self.visited) >= MOST_LOOKS or self._is_hopeless() or not self._is_new():
            return False
        if self._ends():
            return True
        for move in self._ways() if self.adds else ():
            undo = self._make(move)
            if self._looks():
                return True
            self._undo(move, undo)
        return False

    def _is_hopeless(self) -> bool:
        return len(self._lost()) > 1

    def _ends(self) -> bool:
        """Check that everything can go now, but for one card to throw: onto sets that take any card, and in melds."""
        counts = self.counts
        held = [card for card in self.thrown if counts[card]]
        total = sum(counts)
        bound_to_stay = [card for card, copies in enumerate(counts) if copies and card not in self.sinks]
        stay = sum([counts[card] for card in bound_to_stay])
        if self.laid and stay <= 1:
            if not stay and not self.keeps_one:
                return True
            thrown = [card for card in held if not stay or card in bound_to_stay]
            if thrown:
                self.kept = thrown[0]
                return True
        if not self.may_lay or total < min(self.shape.set_minimum, self.shape.run_minimum):
            return False
        lost = self._lost(table=False)
        if len(lost) > 1 or (lost and lost[0] not in self.thrown) or self._all_but(1) is None:
            return False
        for kept in lost or (held if self.keeps_one else (None, *held)):
            if kept is not None:
                counts[kept] -= 1
            found = self._all_but(0)
            if kept is not None:
                counts[kept] += 1
            if found is not None and found.groups:
                self.kept, self.laydown = kept, found
                return True
        return False

    def _all_but(self, number: int) -> Laydown | None:
        if not self.laid and cards_away(self.rules, self.contract, self.counts, 1, 0, self.effort):
            return None
        rules, contract, counts, bound = self.rules, self.contract, self.counts, number + 1
        return lay_search(rules, contract, counts, self.own, bound, self.sinks, self.effort, alike=True).solve()

    def _lost(self, *, table: bool = True) -> list[Card]:
        """Return two of the cards that can go nowhere, or as many as there are, however melds and table grow.

        Without the `table`: that can go into no new meld, and onto no set that takes any card.
        """
        counts, shape = self.counts, self.shape
        jokers = sum(counts[card] for card in self.rules.stand_ins)
        in_hand = jokers
        jokers += self._freed(None) * table
        of_ranks, places = 0, [0] * SUITS  # the ranks of sets; by suit, positions of runs: bit 0 is the low ace
        held = [
            shape.positions(sum([1 << rank for rank in range(RANKS) if counts[first + rank]]))
            for first in range(0, JOKER, RANKS)
        ]
        if self.may_lay:
            for rank in range(RANKS):
                if sum(counts[rank:JOKER:RANKS]) + jokers >= shape.set_minimum:
                    of_ranks |= 1 << rank
            window = (1 << shape.run_minimum) - 1
            for suit, here in enumerate(held):
                for low in shape.starts(shape.run_minimum):
                    if (here >> low & window).bit_count() + jokers >= shape.run_minimum:
                        places[suit] |= window << low
        for meld in self.melds if table else ():
            if meld.kind is Kind.SET:
                of_ranks |= 1 << meld.rank - 1
            else:
                places[meld.suit] |= self._beside(meld, held[meld.suit], in_hand + self._freed(meld))
        fitting = [of_ranks | ranks_of(there) for there in places]
        lost: list[Card] = []
        for card in range(JOKER):
            if not counts[card] or card in self.rules.stand_ins:
                continue
            if not fitting[card // RANKS] >> card % RANKS & 1 and (table or card not in self.sinks):
                lost += [card] * counts[card]
                if len(lost) > 1:
                    break
        return lost

    def _freed(self, meld: Meld | None) -> int:
        if self.rules.ruleset.swap in FREEING:
            return sum([jokers_in(self.rules, one) for one in self.melds])
        return 0 if meld is None else jokers_in(self.rules, meld)

    def _beside(self, meld: Meld, held: int, jokers: int) -> int:
        """Return positions of a run's suit whose cards it may take, with at most `jokers` gaps on the way."""
        places = (1 << meld.high) - (1 << meld.low - 1) if jokers_in(self.rules, meld) else 0
        # Round the corner (H15) to the card before the other end.
        first, last = (meld.high - RANKS + 1, meld.low + RANKS - 1) if self.shape.corner else (1, HIGH_ACE)
        for beyond in (range(meld.high + 1, last + 1), range(meld.low - 1, first - 1, -1)):
            gaps = 0
            for position in beyond:
                place = (position - 1) % RANKS
                if held >> place & 1:
                    places |= 1 << place
                elif (gaps := gaps + 1) > jokers:
                    break
        return places

    def _ways(self) -> list[Move]:
        """Return the tacks and swaps to try.

        A joker that comes into the hand is no help to a contract that is laid before. Of the uses of one that a card
        frees there is only the meld worth most, or else the first place on the table.
        """
        found: list[Move] = []
        uses: dict[tuple[Card, int, object], tuple[int, int]] = {}
        for move in self._moves():
            action = move.action
            if move.frees is not None and not self.laid:
                continue
            if isinstance(action, Swap) and (action.use is not None or action.lay):
                if action.lay and not self.rules.ruleset.lay.further_melds:
                    continue
                key = (action.card, action.meld, action.end)
                worth = self.rules.points(action.lay[0].cards) if action.lay else 0
                place, known = uses.setdefault(key, (len(found), -1))
                if worth <= known:
                    continue
                uses[key] = (place, worth)
                found[place : place + 1] = [move]
                continue
            found.append(move)
        return found
