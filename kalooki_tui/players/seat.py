"""Base of all AI seats: one method for each phase, and a plain fallback if a level's own choice is not allowed."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine import actions as do
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.engine.permissions import cards_to_keep, has_laid, owes
from kalooki_tui.engine.public import public_of
from kalooki_tui.engine.reconstruction import rebuild
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players import PlayerChoice
from kalooki_tui.solver.place import way_to_use
from kalooki_tui.solver.way_out import GoingOutSearch

#: Spread of an AI's cut: with it one cut in twelve holds exactly the right number of cards (B1).
CUT_SPREAD: Final = 4.79


def lifted(aim: int, deck: int, dice: random.Random) -> int:
    """Return how many of a deck's cards a hand lifts that aims at a number: about so many (B1)."""
    return min(max(1, round(dice.gauss(aim, CUT_SPREAD))), deck - 1)


class AiSeat(ABC):
    """AI seat; `seed` names its random stream, so that view and seed decide alone."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def decide(self, view: View) -> PlayerChoice:
        return self._open_choice(_sparing(view))

    def keeps_it(self, view: View, action: do.Action) -> bool:
        """Play the turn in its head, which nothing hidden can matter to: would it keep the open card, once had?"""
        deal, card = with_blank_cards(view), open_card(view)
        deal.apply(action)
        if not view.rules.ruleset.draw.must_use:
            deal.drawn = None  # asked is what it would throw, not whether it may (H5)
        while deal.phase is Phase.PLAY:
            following = self._open_choice(deal.view(view.seat)).action
            if isinstance(following, do.Discard):
                return following.card != card
            deal.apply(following)
        return True

    def _open_choice(self, view: View) -> PlayerChoice:
        decision = self._choose(view)
        return decision if is_open(view, decision.action) else PlayerChoice(view.legal[0])

    def random_at(self, view: View, purpose: str) -> random.Random:
        """Return the seat's own random stream for this moment of the deal."""
        moment = f"{view.deal}.{view.attempt}.{len(view.history)}"
        return random.Random(f"{self.seed}/{view.seat}/{moment}/{purpose}")

    def _choose(self, view: View) -> PlayerChoice:
        seat = view.seat
        if view.may_challenge:
            target = self.suspect(view)
            if target is not None:
                return PlayerChoice(do.Challenge(seat, target))
        match view.phase:
            case Phase.CUT:
                # What this deal hands out (B1): a hand aims at it and does not hit it often.
                return PlayerChoice(self.cut_near(view, sum(view.in_deal) * view.contract.cards))
            case Phase.CALL_WINDOW | Phase.FLIP_WINDOW:
                # The cards that a call brings would all have to be laid too (H9).
                idle = view.contract.whole or goes_round(view) or called_nearer(view)
                calls = not idle and self.wants_to_call(view)
                return PlayerChoice(do.CALL[seat] if calls else do.PASS[seat])
            case Phase.DECISION | Phase.FLIP_DECISION:
                if do.REFUSE[seat] not in view.legal:
                    return PlayerChoice(do.ALLOW[seat])
                wanted = not goes_round(view) and self.wants_to_refuse(view) and self.keeps_it(view, do.REFUSE[seat])
                return PlayerChoice(do.REFUSE[seat] if wanted or goes_out_with_it(view) else do.ALLOW[seat])
            case Phase.DRAW:
                return self._draw(view)
            case Phase.PLAY:
                return self._play(view)
            case Phase.ADD_ON:
                return self.shed(view) or PlayerChoice(do.DONE[seat])
            case Phase.BUY_IN:
                return PlayerChoice(do.BUY_IN[seat] if self.buys_in(view) else do.LEAVE[seat])
            case _:
                raise ValueError("the deal is over: there is nothing to decide")

    def cut_near(self, view: View, aim: int) -> do.Cut:
        """Cut a packet of about `aim` cards, as imprecisely as a hand that aims at that number (B1)."""
        return do.Cut(view.seat, lifted(aim, view.rules.deck_size, self.random_at(view, "cut")))

    def _draw(self, view: View) -> PlayerChoice:
        offered: do.Action = do.DRAW_FLIP[view.seat] if view.flip is not None else do.DRAW_DISCARD[view.seat]
        if offered not in view.legal:
            return PlayerChoice(do.DRAW_STOCK[view.seat])
        if goes_out_with_it(view):
            return PlayerChoice(offered)
        wanted = not goes_round(view) and self.wants_to_take(view) and self.keeps_it(view, offered)
        return PlayerChoice(offered if wanted else do.DRAW_STOCK[view.seat])

    def _play(self, view: View) -> PlayerChoice:
        going_out = way_out(view, view.hand)
        if going_out:
            return PlayerChoice(going_out[0])
        if owes(view):
            return PlayerChoice(use_of_drawn(view))
        found = self.first_lay(view) if not has_laid(view, view.seat) else self.shed(view)
        if found is not None:
            return found
        if do.END_TURN[view.seat] in view.legal:
            return PlayerChoice(do.END_TURN[view.seat])
        return PlayerChoice(do.DISCARD[view.seat][self.discard(view)])

    @abstractmethod
    def wants_to_call(self, view: View) -> bool: ...

    @abstractmethod
    def wants_to_refuse(self, view: View) -> bool: ...

    @abstractmethod
    def wants_to_take(self, view: View) -> bool: ...

    @abstractmethod
    def first_lay(self, view: View) -> PlayerChoice | None:
        """Return the first lay-down, or None: not yet."""

    @abstractmethod
    def shed(self, view: View) -> PlayerChoice | None:
        """Return the next meld, tack or swap of a seat that has laid, or None: no more."""

    @abstractmethod
    def discard(self, view: View) -> Card: ...

    def suspect(self, view: View) -> int | None:
        return None

    def buys_in(self, view: View) -> bool:
        return True


def open_card(view: View) -> int | None:
    """Return the card that may be called or taken now: Tuluki's flip, else the top discard."""
    return view.flip if view.flip is not None else view.discard


def goes_out_with_it(view: View) -> bool:
    """Check that the seat, in its turn, could go out at once if it took the open card."""
    card = open_card(view)
    return card is not None and bool(way_out(view, (*view.hand, card), card))


def way_out(view: View, hand: Sequence[Card], drawn: Card | None = None) -> tuple[do.Action, ...]:
    """Return the actions with which the seat goes out in its turn with this hand; empty where it cannot (G1).

    `drawn`: the open card, where it is not the seat's yet but is among them.
    """
    if least_left(view) > 1:
        return ()
    drawn = view.drawn if drawn is None else drawn
    stays = drawn if view.rules.ruleset.draw.must_use and drawn is not None and hand.count(drawn) == 1 else None
    laid, added = has_laid(view, view.seat), dict(view.added)
    adds = view.rules.ruleset.lay.same_turn_tack or view.laid[view.seat] is HasLaid.EARLIER
    return GoingOutSearch(
        view.rules, view.contract, hand, view.melds, view.seat, laid=laid, adds=adds, added=added, stays=stays
    ).actions()


def use_of_drawn(view: View) -> do.Action:
    """Return the next action on the way of the drawn discard to the table (H6)."""
    steps = way_to_use(view)
    return steps[0] if steps else view.legal[0]


def _sparing(view: View) -> View:
    """Return the view without the throw of a card drawn in the open, as long as another may be thrown."""
    face = public_of(view).drawn_in_the_open(view.seat) if view.phase is Phase.PLAY else None
    if face is None:
        return view
    again = do.DISCARD[view.seat][face]
    others = tuple(action for action in view.legal if action != again)
    return replace(view, legal=others) if any(isinstance(action, do.Discard) for action in others) else view


def with_blank_cards(view: View) -> Deal:
    """Rebuild the deal as it looks to the seat; hidden cards are jokers, since nobody looks at them."""
    hands = [[JOKER] * size for size in view.hand_sizes]
    hands[view.seat] = list(view.hand)
    pile = [JOKER] * view.pile
    if view.discard is not None:
        pile[-1] = view.discard
    face_down = view.pile if view.discard is None else 0
    return rebuild(view, hands, [JOKER] * view.stock, pile, face_down, "")


def goes_round(view: View) -> bool:
    """Check whether open cards have gone round twice with no stock card and no meld: AI seats then let them lie."""
    return public_of(view).circling >= 2 * len(view.names)


def called_nearer(view: View) -> bool:
    """Check that a seat has called that gets the card before this one (H3)."""
    count = len(view.names)
    return any((seat - view.turn) % count < (view.seat - view.turn) % count for seat in public_of(view).callers)


def least_left(view: View) -> int:
    """Return the fewest cards a lay, tack or swap must leave in the hand (G1, F2)."""
    return cards_to_keep(view, view.seat, view.bend_forbidden)


def may_lay_groups(view: View, groups: Sequence[do.Group]) -> bool:
    """Check that the seat may lay these melds now (L1-L8, G1, F2)."""
    if not view.may_lay or not groups:
        return False
    cards = [card for group in groups for card in group.cards]
    if len(view.hand) - len(cards) < least_left(view) or not Counter(cards) <= Counter(view.hand):
        return False
    own = [meld for meld in view.melds if meld.owner == view.seat]
    first = not has_laid(view, view.seat)
    try:
        check_lay(view.rules, view.contract, view.seat, groups, own, first)
    except Refused:
        return False
    return True


def without(cards: Iterable[Card], gone: Iterable[Card]) -> list[Card]:
    """Return the cards less others; raise ValueError if they do not hold them all."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def is_open(view: View, action: do.Action) -> bool:
    """Check that the action is a listed one, or one of those never listed: a cut, a challenge, a valid lay-down."""
    if isinstance(action, do.Lay):
        return may_lay_groups(view, action.groups)
    if isinstance(action, do.Cut):
        return view.phase is Phase.CUT and 0 < action.count < view.rules.deck_size
    if isinstance(action, do.Swap) and (action.use is not None or action.lay):
        # `endgame` has asked the rules about both halves already; the list holds only plain swaps.
        return view.rules.ruleset.uses_freed_jokers
    if isinstance(action, do.Challenge):
        return action.target in view.may_challenge
    return action in view.legal
