"""Novice: collects what the contract wants, keeps dear cards, watches nobody, and overlooks things now and then."""

from __future__ import annotations

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Discard, Tack
from kalooki_tui.engine.permissions import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.club import away, lay_contract
from kalooki_tui.players.endgame import further_melds, next_addition
from kalooki_tui.players.seat import AiSeat, open_card, without

#: How often a tack or a swap is overlooked in a turn, and a further meld.
OVERLOOKS = 0.35
#: How often a card that looks useful is called.
CALLS = 0.45
#: How often a card is thrown without a look at what the nearest plan needs.
CARELESS = 0.2


class Novice(AiSeat):
    """Player that collects pairs and neighbours and what its nearest plan lacks, ignores others, lays at once."""

    def wants_to_call(self, view: View) -> bool:
        card = open_card(view)
        if card is None or has_laid(view, view.seat):
            return False
        calls = public_of(view).calls[view.seat]
        if calls >= view.rules.ruleset.calls.limit or not looks_useful(view, card):
            return False
        return self.random_at(view, "call").random() <= CALLS

    def wants_to_refuse(self, view: View) -> bool:
        return self.wants_to_take(view)

    def wants_to_take(self, view: View) -> bool:
        card = open_card(view)
        return card is not None and looks_useful(view, card)

    def first_lay(self, view: View) -> PlayerChoice | None:
        return lay_contract(view)

    def shed(self, view: View) -> PlayerChoice | None:
        if self.random_at(view, "meld").random() >= OVERLOOKS:
            more = further_melds(view)
            if more is not None:
                return PlayerChoice(more)
        action = next_addition(view)
        if action is None or self.random_at(view, "tack").random() < OVERLOOKS:
            return None
        if isinstance(action, Tack) and action.cards[0] == JOKER and len(view.hand) > 3:
            return None
        return PlayerChoice(action)

    def discard(self, view: View) -> Card:
        """Throw the cheapest card without a partner, else with the fewest; mostly none that the nearest plan needs."""
        candidates = sorted({action.card for action in view.legal if isinstance(action, Discard)})
        looks = not has_laid(view, view.seat) and self.random_at(view, "throw").random() >= CARELESS
        now, values = away(view, view.hand) if looks else 0, view.rules.values

        def worth(card: Card) -> tuple[bool, bool, int, int]:
            needed = looks and away(view, without(view.hand, (card,))) > now
            return card in view.rules.stand_ins, needed, min(partners(view, card), 2), values[card]

        return min(candidates, key=worth)


def partners(view: View, card: Card) -> int:
    """Count cards of the hand of the same rank, or near in suit, as far as the contract asks for such melds."""
    contract, runs, count = view.contract, view.rules.ruleset.runs, 0
    for other in view.hand:
        if other in (JOKER, card):
            continue
        if RANK[other] == RANK[card]:
            count += bool(contract.sets or contract.points)
        elif SUIT[other] == SUIT[card] and runs.apart(other, card) <= 2:
            count += bool(contract.runs or contract.points)
    return count


def looks_useful(view: View, card: Card) -> bool:
    if card in view.rules.stand_ins or (card not in view.hand and partners(view, card) >= 2):
        return True
    return not has_laid(view, view.seat) and away(view, (*view.hand, card)) < away(view, view.hand)
