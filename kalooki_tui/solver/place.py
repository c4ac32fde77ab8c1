"""A place on the table for a discard that was drawn and has to be used in the same turn (H6).

Tacks and swaps are tried in turn as on the way out, as far as they can help the card; the first place will do. Whether
there is one, the engine says: this search finds the lay-down that leaves the fewest points, as the native core does.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, SUIT, Card
from kalooki_tui.engine.actions import Action, Lay, Swap, Tack
from kalooki_tui.engine.additions import Added
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.permissions import cards_to_keep, has_laid
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.rulesets.model import Contract
from kalooki_tui.solver.away import cards_away
from kalooki_tui.solver.lay import NEEDED_WEIGHT, NOTHING_FOUND, Laydown, LaySearch
from kalooki_tui.solver.shape import Counts
from kalooki_tui.solver.tack_search import Move
from kalooki_tui.solver.way_out import GoingOutSearch


def way_to_use(view: View) -> tuple[Action, ...]:
    """Return actions that put the drawn discard of the view's seat on the table; empty: none was found."""
    assert view.drawn is not None
    seat, laid = view.seat, has_laid(view, view.seat)
    adds = view.rules.ruleset.lay.same_turn_tack or view.laid[seat] is HasLaid.EARLIER
    keeps = cards_to_keep(view, seat, view.bend_forbidden)
    search = PlaceSearch(
        view.rules, view.contract, view.hand, view.melds, seat, view.drawn, laid=laid, adds=adds,
        added=dict(view.added), keeps=keeps,
    )  # fmt: skip
    return search.actions()


class PlaceSearch(GoingOutSearch):
    """Search of a seat: `actions` are those that put the `card` of its hand on the table, if any do."""

    def __init__(
        self,
        rules: Rules,
        contract: Contract,
        hand: Sequence[Card],
        melds: Sequence[Meld],
        seat: int,
        card: Card,
        *,
        laid: bool,
        adds: bool,
        added: Added,
        keeps: int,
    ) -> None:
        super().__init__(rules, contract, hand, melds, seat, laid=laid, adds=adds, added=added)
        self.card, self.keeps = card, keeps
        self.sinks_it = False
        """Whether a set takes the card in the end that takes it at any time."""

    def actions(self) -> tuple[Action, ...]:
        if self.contract.whole:
            return super().actions()
        if not self.laid and cards_away(self.rules, self.contract, self.counts, 1, 0):
            return ()
        if not self._looks():
            return self._behind_lay_down()
        lays = () if self.laydown is None else (Lay(self.seat, self.laydown.groups),)
        tack = (Tack(self.seat, (self.card,), self.sinks[self.card]),) if self.sinks_it else ()
        return (*self.path, *lays, *tack) if self.laid else (*lays, *self.path, *tack)

    def _behind_lay_down(self) -> tuple[Action, ...]:
        """Return a way behind the best lay-down, with its own melds or with a joker that comes free only then (L9)."""
        if self.laid or not self.adds:
            return ()
        self.counts[self.card] -= 1
        found = self._lay(None)
        self.counts[self.card] += 1
        if found is None:
            return ()
        melds = [*self.melds, *(make_meld(self.rules.ruleset, self.seat, group) for group in found.groups)]
        later = PlaceSearch(
            self.rules, self.contract, (*found.left, self.card), melds, self.seat, self.card, laid=True, adds=True,
            added=self.added, keeps=self.keeps,
        ).actions()  # fmt: skip
        return (Lay(self.seat, found.groups), *later) if later else ()

    def _is_hopeless(self) -> bool:
        return False

    def _is_placed(self) -> bool:
        """Check that the last tack or swap has put the card on the table."""
        return bool(self.path) and self.card in self._cards_of(self.path[-1])

    @staticmethod
    def _cards_of(action: Tack | Swap) -> list[Card]:
        """Return the cards of the hand that the action uses."""
        cards = [*action.cards]
        if isinstance(action, Swap) and action.lay:
            cards += action.lay[0].cards
            cards.remove(JOKER)
        return cards

    def _ends(self) -> bool:
        """Check that the card lies on the table, or can be laid, or goes to a set that takes it at any time."""
        placed = self._is_placed()
        self.sinks_it = self.card in self.sinks and not placed
        if self.laid and (placed or self.sinks_it):
            return sum(self.counts) - self.sinks_it >= self.keeps
        if placed or self.sinks_it:
            self.counts[self.card] -= self.sinks_it
            self.laydown = self._lay(None)
            self.counts[self.card] += self.sinks_it
        if self.laydown is None and not placed and self.may_lay:
            self.sinks_it = False
            self.laydown = self._lay(self.card)
        return self.laydown is not None

    def _lay(self, needed: Card | None) -> Laydown | None:
        """Return the best lay-down, with the needed card in it, that leaves as many cards as have to stay."""
        counts = self.counts
        found = self._best(counts, needed)
        if found is None or len(found.left) >= self.keeps:
            return found
        for card in sorted((card for card in range(KINDS_OF_CARD) if counts[card]), key=self.rules.values.__getitem__):
            counts[card] -= 1
            found = self._best(counts, needed)
            counts[card] += 1
            if found is not None and len(found.left) + 1 >= self.keeps:
                return replace(found, left=(*found.left, card))
        return None

    def _best(self, counts: Counts, needed: Card | None) -> Laydown | None:
        rules, contract = self.rules, self.contract
        if not self.laid and cards_away(rules, contract, counts, 1, 0):
            return None
        bound = NOTHING_FOUND if needed is None else counts[needed] * NEEDED_WEIGHT
        return LaySearch(rules, contract, counts, self.own, bound, needed=needed).solve()

    def _ways(self) -> list[Move]:
        return [] if self._is_placed() else [move for move in super()._ways() if self._helps(move)]

    def _helps(self, move: Move) -> bool:
        """Check that the move may help: what is done to runs of other suits does not, but where it frees a joker."""
        card, action = self.card, move.action
        frees = move.frees is not None or self.rules.ruleset.uses_freed_jokers
        if frees or card == JOKER or card in self._cards_of(action):
            return True
        return self.melds[action.meld].suit == SUIT[card]
