"""Getting rid of cards once the contract is laid: further melds, tacks, swaps (§6, L8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kalooki_tui.cards import JOKER, RANK, RANKS, SUIT, Card, make_card
from kalooki_tui.engine.actions import Action, Kind, Lay, Swap, Tack
from kalooki_tui.engine.additions import reach_of, uses
from kalooki_tui.engine.melds import Meld
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.swaps import swap
from kalooki_tui.engine.tacks import end_counts, low_end_open, tack
from kalooki_tui.engine.view import View
from kalooki_tui.players.seat import may_lay_groups, without
from kalooki_tui.solver import best_lay_of
from kalooki_tui.solver.shape import Effort

#: Steps that looking for a lay-down may take; hardly a hand in play needs a tenth of them.
LAY_EFFORT: Final = 6_000


def further_melds(view: View) -> Lay | None:
    if not view.may_lay or len(view.hand) < view.rules.ruleset.runs.minimum - 1:
        return None
    found = best_lay_of(view, laid=True, effort=Effort(LAY_EFFORT))
    if found is None or not may_lay_groups(view, found.groups):
        return None
    return Lay(view.seat, found.groups)


def next_addition(view: View) -> Action | None:
    """Return the next tack or swap that gets a card out of the hand, or None.

    Naturals go first, those worth most before the others; a joker goes onto a run only where no set takes it, or where
    the hand continues the run behind it, because it closes the place to the card it stands for.
    """
    values = view.rules.values
    naturals = [card for card in view.hand if card != JOKER]
    # Where the last card must be discarded a hand of jokers alone cannot go out.
    may_spend_natural = len(naturals) > 1 or view.rules.ruleset.discard.last_card == "any"
    if may_spend_natural and view.rules.ruleset.swap == "both-suits" and (swapping := _swap_with_use(view)) is not None:
        # One of the two cards alone would close the set (H1).
        return swapping
    tacks = [action for action in view.legal if isinstance(action, Tack)]
    of_naturals = [action for action in tacks if action.cards[0] != JOKER]
    if of_naturals and may_spend_natural:
        return max(of_naturals, key=lambda action: (values[action.cards[0]], _follows(view, action), -action.meld))
    if may_spend_natural:
        found = _swap_with_use(view) or _swap(view)
        if found is not None:
            return found
    of_jokers = [action for action in tacks if action.cards[0] == JOKER]
    if of_jokers:
        return max(of_jokers, key=lambda action: (_joker_index(view, action), -action.meld))
    return None


def _follows(view: View, action: Tack) -> bool:
    if view.melds[action.meld].kind is Kind.SET:
        return False
    left = without(view.hand, action.cards)
    grown = _grown(view, action)
    return any(fits(view.rules, view.seat, grown, card) for card in left)


def _joker_index(view: View, action: Tack) -> int:
    """Rank a joker's tack: 2 the hand continues the run behind it; 1 onto a set; 0 onto the end of a run."""
    if view.melds[action.meld].kind is Kind.SET:
        return 1
    grown = _grown(view, action)
    return 2 * any(card != JOKER and fits(view.rules, view.seat, grown, card) for card in view.hand)


def _grown(view: View, action: Tack) -> Meld:
    """Return the meld after a tack; one that names no end goes to the end that this turn has left open (K6)."""
    counts = end_counts(dict(view.added), action.meld)
    return tack(view.rules, view.seat, view.melds[action.meld], action.cards, action.end, counts)


def fits(rules: Rules, seat: int, meld: Meld, card: Card) -> bool:
    if card not in rules.stand_ins:
        # Most cards fit nowhere: this answers for them without asking the rules.
        if meld.kind is Kind.SET:
            if RANK[card] != meld.rank:
                return False
        elif SUIT[card] != meld.suit:
            return False
    try:
        tack(rules, seat, meld, (card,), None)
    except Refused as refused:
        return refused.refusal.code == "tack.which-end"
    return True


def fits_table(view: View, card: Card, melds: Sequence[Meld] | None = None) -> bool:
    """Check that the seat could tack the card onto any meld on the table, had it laid."""
    on_table = view.melds if melds is None else melds
    return any(fits(view.rules, view.seat, meld, card) for meld in on_table)


def nearly_fits(rules: Rules, meld: Meld, card: Card) -> bool:
    """Check that one card more on the run would make this one fit."""
    if card == JOKER or meld.kind is Kind.SET or SUIT[card] != meld.suit:
        return False
    runs, high, low = rules.ruleset.runs, meld.high + 2, meld.low - 2
    if runs.corner and len(meld.cards) + 2 > RANKS:
        return False
    if runs.has_place(high) and make_card(meld.suit, high) == card:
        return True
    return runs.has_place(low) and low_end_open(rules, meld) and make_card(meld.suit, low) == card


def _swap(view: View) -> Swap | None:
    """Return a swap that leaves fewer cards: the joker stays on the table, or can go back onto it."""
    values, best = view.rules.values, None
    for action in view.legal:
        if not isinstance(action, Swap):
            continue
        meld = view.melds[action.meld]
        swapping = swap(view.rules, view.seat, meld, action.card, action.end)
        melds = [*view.melds[: action.meld], swapping.meld, *view.melds[action.meld + 1 :]]
        if swapping.freed is not None and not fits_table(view, swapping.freed, melds):
            continue
        if best is None or values[action.card] > values[best.card]:
            best = action
    return best


def _swap_with_use(view: View) -> Action | None:
    """Put a card in a joker's place and use the joker at once (K10): in the dearest new meld, else on the table."""
    reach = reach_of(view)
    best: Action | None = None
    highest = (-1, -1)
    for way in uses(reach) if reach is not None else ():
        assert isinstance(way.action, Swap)
        worth = view.rules.points(way.laid.cards) if way.laid is not None else 0
        key = (view.rules.points(way.action.cards), worth)
        if key > highest:
            best, highest = way.action, key
    return best
