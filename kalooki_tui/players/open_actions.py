"""Whether an action is open to a seat, judged from its view alone, and a plain action that always is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import BUY_IN, END_TURN, LEAVE, Action, Challenge, Cut, Discard, Group, Lay, Swap
from kalooki_tui.engine.melds import check_lay
from kalooki_tui.engine.moments import cards_to_keep, has_laid
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase, View


def least_left(view: View) -> int:
    """Return the fewest cards a lay, tack or swap must leave in the hand (G1, F2)."""
    return cards_to_keep(view, view.seat, view.bend_forbidden)


def may_lay_groups(view: View, groups: Sequence[Group]) -> bool:
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


def is_open(view: View, action: Action) -> bool:
    """Check that the action is a listed one, or one of those never listed: a cut, a challenge, a valid lay-down."""
    if isinstance(action, Lay):
        return may_lay_groups(view, action.groups)
    if isinstance(action, Cut):
        return view.phase is Phase.CUT and 0 < action.count < view.rules.deck_size
    if isinstance(action, Swap) and (action.use is not None or action.lay):
        # `shedding` has asked the rules about both halves already; the list holds only plain swaps.
        return view.rules.ruleset.swap == "use-at-once"
    if isinstance(action, Challenge):
        return action.target in view.may_challenge
    return action in view.legal


def plain_action(view: View) -> Action:
    """Return an action that is always open: pass, allow, draw from the stock, throw the dearest natural, leave."""
    if view.phase is Phase.CUT:
        return Cut(view.seat, sum(view.in_deal) * view.contract.cards)
    if view.phase is Phase.BUY_IN:
        return LEAVE[view.seat] if LEAVE[view.seat] in view.legal else BUY_IN[view.seat]
    if view.phase is not Phase.PLAY:
        return view.legal[0]
    discards = [action for action in view.legal if isinstance(action, Discard)]
    if not discards:
        return END_TURN[view.seat] if END_TURN[view.seat] in view.legal else view.legal[0]
    values = view.rules.values
    return max(discards, key=lambda action: (action.card != JOKER, values[action.card], -action.card))
