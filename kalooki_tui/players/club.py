"""The club player: weighs cards by the ways to the contract they belong to, the copies still unseen, points at risk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Discard, Kind, Lay
from kalooki_tui.engine.permissions import has_laid, next_seat
from kalooki_tui.engine.public import Public, public_of, unseen_copies
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.endgame import LAY_EFFORT, fits_table, further_melds, nearly_fits, next_addition
from kalooki_tui.players.numbers import added_up
from kalooki_tui.players.plans import meld_chances, prospect
from kalooki_tui.players.seat import AiSeat, least_left, may_lay_groups, open_card, without
from kalooki_tui.playouts.worlds import CoreSeat, Style
from kalooki_tui.solver import best_lay, best_lay_of, distance
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.solver.shape import Effort

#: Cards over, the discard among them, with which a contract may be held back.
MOST_HELD: Final = 3
#: Steps that looking for the distance may take; hardly a hand in play needs a tenth of them.
AWAY_EFFORT: Final = 3_000
#: Points that keep a joker from being thrown while any other card can be.
JOKER_WORTH: Final = 1000.0


class Club(AiSeat):
    def __init__(self, seed: str, style: Style | None = None) -> None:
        super().__init__(seed)
        self.style = style or Style()

    def weights(self, ruleset: str) -> CoreSeat:
        return CoreSeat(self.style)

    def wants_to_call(self, view: View) -> bool:
        """Call any card that brings the contract nearer, or, if the style asks for it, opens more ways to it."""
        card = open_card(view)
        if card is None or has_laid(view, view.seat):
            return False
        if public_of(view).calls[view.seat] >= view.rules.ruleset.calls.limit:
            return False
        before = away(view, view.hand)
        if before == 0:
            return False
        if away(view, (*view.hand, card)) < before:
            return True
        enough = self.enough_to_call(view)
        return enough != inf and self.gain(view, card) > enough

    def enough_to_call(self, view: View) -> float:
        """Return how many times an unseen card's average worth makes a card worth a call; infinite: nothing does."""
        return self.style.call_gain

    def gain(self, view: View, card: Card) -> float:
        """Return the worth of one more `card`, in units of an unseen card's average worth."""
        unseen = unseen_copies(view)
        want = prospect(view.rules, view.contract, view.hand, unseen, self.style.horizon).want
        total = added_up(want.get(other, 0.0) * copies for other, copies in enumerate(unseen) if copies)
        return want.get(card, 0.0) * sum(unseen) / total if total else 0.0

    def wants_to_refuse(self, view: View) -> bool:
        """Refuse when the card is worth more to oneself than one from the stock.

        Refusing merely to hinder a caller, always or from its second or third call on, was measured and loses points.
        """
        return self.wants_to_take(view)

    def wants_to_take(self, view: View) -> bool:
        card = open_card(view)
        if card is None:
            return False
        if has_laid(view, view.seat):
            return self.useful_when_laid(view, card)
        before = away(view, view.hand)
        if before == 0:
            return False
        return away(view, (*view.hand, card)) < before or self.gain(view, card) > self.style.take_gain

    def useful_when_laid(self, view: View, card: Card) -> bool:
        """Check that a seat that has laid can put the card on the table, by itself or in a further meld."""
        if fits_table(view, card):
            return True
        found = best_lay_of(view, (*view.hand, card), laid=True, effort=Effort(LAY_EFFORT))
        return found is not None and any(card in group.cards for group in found.groups)

    def first_lay(self, view: View) -> PlayerChoice | None:
        """Lay as soon as the hand holds the contract, unless the style holds it back."""
        found = lay_contract(view)
        if found is None or not isinstance(found.action, Lay):
            return found
        laid = [card for group in found.action.groups for card in group.cards]
        left = without(view.hand, laid)
        others_laid = any(state is not HasLaid.NO for state in view.laid)
        if not self.style.hold or len(left) > MOST_HELD or others_laid or goes_out(view.rules, left):
            return found
        return None if self.random_at(view, "hold").random() < self.style.hold else found

    def shed(self, view: View) -> PlayerChoice | None:
        action = further_melds(view) or next_addition(view)
        return None if action is None else PlayerChoice(action)

    def discard(self, view: View) -> Card:
        return self.throws(view)[0].card

    def throws(self, view: View) -> list[Weighed]:
        """Return the throws, best first; those that the nearest plan needs last."""
        ordered = sorted(self.weigh_throws(view), key=lambda one: -one.total)
        if not has_laid(view, view.seat):
            now = away(view, view.hand)
            ordered.sort(key=lambda one: away(view, without(view.hand, (one.card,))) > now)
        return ordered

    def weigh_throws(self, view: View) -> list[Weighed]:
        """Weigh every throw: ways to the contract against points at risk and help to others."""
        public = public_of(view)
        candidates = sorted({action.card for action in view.legal if isinstance(action, Discard)})
        if has_laid(view, view.seat):
            return self._throws_when_laid(view, public, candidates)
        unseen = unseen_copies(view)
        found = prospect(view.rules, view.contract, view.hand, unseen, self.style.horizon)
        worth = max(found.worth, 1e-9)
        style = self.style
        laid = sum(state is not HasLaid.NO for state in view.laid)
        risk = style.risk + style.risk_laid * laid
        for_sets = bool(view.contract.sets or view.contract.points)
        melds = meld_chances(view.rules, view.hand, unseen, horizon=self.style.horizon) if view.contract.points else {}
        ranks = Counter(RANK[card] for card in view.hand if card != JOKER)
        return [
            Weighed(
                card,
                -style.keep * (found.keep.get(card, 0.0) / worth)
                + risk * view.rules.values[card]
                - JOKER_WORTH * (card in view.rules.stand_ins)
                - style.meld * melds.get(card, 0.0)
                - style.pair * (for_sets and ranks[RANK[card]] == 2)
                - self.danger(view, public, card),
            )
            for card in candidates
        ]

    def danger(self, view: View, public: Public, card: Card) -> float:
        """Estimate the worth of the card to the seats that could take or call it, by what they took and threw."""
        contract, limit = view.contract, view.rules.ruleset.calls.limit
        for_sets, for_runs = bool(contract.sets or contract.points), bool(contract.runs or contract.points)
        following = next_seat(view.in_deal, view.seat)
        danger = 0.0
        for seat, laid in enumerate(view.laid):
            if seat == view.seat or laid is not HasLaid.NO or not view.in_deal[seat]:
                continue
            if seat != following and public.calls[seat] >= limit:
                continue
            wish = 1.0 + sum(goes_with(view.rules, card, other, for_sets, for_runs) for other in public.taken[seat])
            if any(goes_with(view.rules, card, other, for_sets, for_runs) for other in public.thrown[seat][-6:]):
                wish *= 0.4
            danger += wish
        return danger * self.style.feed

    def _throws_when_laid(self, view: View, public: Public, candidates: Sequence[Card]) -> list[Weighed]:
        values, style = view.rules.values, self.style
        ranks: set[int] = set()
        suits: set[int] = set()
        if view.rules.ruleset.lay.repeats == "refused":
            own = [meld for meld in view.melds if meld.owner == view.seat]
            ranks = {meld.rank for meld in own if meld.kind is Kind.SET}
            suits = {meld.suit for meld in own if meld.kind is Kind.RUN}
        unseen = unseen_copies(view)
        chances = meld_chances(view.rules, view.hand, unseen, ranks, suits, self.style.horizon)
        return [
            Weighed(card, -JOKER_WORTH)
            if card == JOKER
            else Weighed(
                card,
                values[card]
                - style.laid_meld * chances.get(card, 0.0)
                - style.laid_near * any(nearly_fits(view.rules, meld, card) for meld in view.melds),
            )
            for card in candidates
        ]

    def suspect(self, view: View) -> int | None:
        """Return a seat whose allowed calls, which everybody saw, exceed the limit and are not charged yet."""
        public, limit = public_of(view), view.rules.ruleset.calls.limit
        for target in view.may_challenge:
            if public.calls[target] - limit > public.found[target]:
                return target
        return None

    def buys_in(self, view: View) -> bool:
        """Buy in if the share of the pool to be hoped for is worth the stake."""
        limit = view.rules.ruleset.end.eliminate_over
        still_in = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
        stake = view.rules.settings.buy_in_stake
        room = [limit + 20 - total for total in still_in]
        share = min(room) / (sum(room) + min(room))
        return share * (view.pool + stake) > stake


#: Places in a run between two cards that are near enough to be meant for one meld.
NEAR: Final = 3


def goes_with(rules: Rules, card: Card, other: Card, for_sets: bool, for_runs: bool) -> bool:
    if RANK[card] == RANK[other]:
        return for_sets
    return for_runs and SUIT[card] == SUIT[other] and rules.ruleset.runs.apart(card, other) <= NEAR


def away(view: View, hand: Sequence[Card]) -> int:
    """Return the cards that the hand is away from the contract, as far as a seat cares to look."""
    return distance(view.rules, view.contract, hand, Effort(AWAY_EFFORT))


def lay_contract(view: View) -> PlayerChoice | None:
    """Return the best first lay-down that the rules allow now, or None."""
    if not view.may_lay:
        return None
    found = best_lay(view.rules, view.contract, view.hand, effort=Effort(LAY_EFFORT))
    if found is None:
        return None
    if len(found.left) < least_left(view):
        # Bending is forbidden (F2): lay less, so that a card besides the discard stays.
        effort = Effort(LAY_EFFORT)
        for card in sorted(set(view.hand), key=lambda card: view.rules.values[card]):
            rest = without(view.hand, (card,))
            fewer = best_lay(view.rules, view.contract, rest, effort=effort)
            if fewer is not None and len(fewer.left) + 1 >= least_left(view):
                found = fewer
                break
    if not may_lay_groups(view, found.groups):
        return None
    return PlayerChoice(Lay(view.seat, found.groups))


class Weighed(NamedTuple):
    card: Card
    total: float
