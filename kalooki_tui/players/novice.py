"""The novice: plays by the rules, sees only the hand, forgets what has gone, and overlooks things now and then."""

from __future__ import annotations

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Discard, Tack
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.seat import AiSeat, open_card
from kalooki_tui.players.shedding import further_melds, next_addition

#: How often a tack or a swap is overlooked in a turn, and a further meld.
OVERLOOKS = 0.25
#: How often a card that looks useful is called.
CALLS = 0.6


class Novice(AiSeat):
    """Collects pairs and neighbours, ignores the other seats, lays at once."""

    def wants_to_call(self, view: View) -> bool:
        """Call what goes with two cards of the hand, on some days."""
        card = open_card(view)
        if card is None or has_laid(view, view.seat):
            return False
        calls = public_of(view).calls[view.seat]
        if calls >= view.rules.ruleset.calls.limit or not looks_useful(view, card, 2):
            return False
        return self.random_at(view, "call").random() <= CALLS

    def wants_to_refuse(self, view: View) -> bool:
        """Refuse what looks useful."""
        return self.wants_to_take(view)

    def wants_to_take(self, view: View) -> bool:
        """Take what goes with two cards of the hand."""
        card = open_card(view)
        return card is not None and looks_useful(view, card, 2)

    def first_lay(self, view: View) -> Decision | None:
        """Lay at once."""
        return lay_contract(view)

    def shed(self, view: View) -> Decision | None:
        """Tack what is noticed."""
        if self.random_at(view, "meld").random() >= OVERLOOKS:
            more = further_melds(view)
            if more is not None:
                return Decision(more)
        action = next_addition(view)
        if action is None or self.random_at(view, "tack").random() < OVERLOOKS:
            return None
        if isinstance(action, Tack) and action.cards[0] == JOKER and len(view.hand) > 3:
            return None
        return Decision(action)

    def discard(self, view: View) -> Card:
        """Throw the card worth most without a partner, otherwise the one with the fewest."""
        candidates = sorted({action.card for action in view.legal if isinstance(action, Discard)})
        values = view.rules.values
        return min(candidates, key=lambda card: (card == JOKER, min(partners(view, card), 2), -values[card], card))


def partners(view: View, card: Card) -> int:
    """Cards of the hand of the same rank, or near in the same suit, as far as the contract asks for such melds."""
    contract, count = view.contract, 0
    for other in view.hand:
        if other in (JOKER, card):
            continue
        if RANK[other] == RANK[card]:
            count += bool(contract.sets or contract.points)
        elif SUIT[other] == SUIT[card] and abs(other - card) <= 2:
            count += bool(contract.runs or contract.points)
    return count


def looks_useful(view: View, card: Card, wanted: int) -> bool:
    """Whether at least `wanted` cards of the hand go with the card."""
    return card == JOKER or (card not in view.hand and partners(view, card) >= wanted)
