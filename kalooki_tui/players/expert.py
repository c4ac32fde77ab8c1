"""The expert: the club player's judgement of cards, with whole turns planned exactly and calls chosen more freely.

What it does otherwise than the club player is what was measured to gain points (`benchmarks/duplicate.py`); what was
tried and gained none is listed in `docs/performance.md`.
"""

from __future__ import annotations

from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Lay, Tack
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.club import Club, lay_contract
from kalooki_tui.players.lawful import is_open, may_lay_groups
from kalooki_tui.players.memory import calls_made, remember, unseen_copies
from kalooki_tui.players.plans import prospect
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.seat import open_card
from kalooki_tui.solver import Laydown, best_lay, distance
from kalooki_tui.solver.lay import goes_out

#: How many times as good as an unseen card on average a card must be that is called though it brings the contract no
#: nearer: a call gives two cards for no turn. From 0.5 to 1.5 it makes no difference that could be measured.
CALL_GAIN: Final = 1.0


class Expert(Club):
    """Plays better than the club player; its decisions, too, depend on the view alone."""

    def reason_to_call(self, view: View) -> str:
        """Call what the club player calls, and where sets prevail what merely opens more ways to the contract.

        In the other contracts a card that brings them no nearer was measured to be worth no call.
        """
        reason = super().reason_to_call(view)
        card, contract = open_card(view), view.contract
        if reason or card is None or contract.sets <= contract.runs or view.laid[view.seat] is not HasLaid.NO:
            return reason
        if calls_made(view, view.seat) >= view.rules.ruleset.calls.limit:
            return ""
        if distance(view.rules, contract, view.hand) == 0 or self._gain(view, card) <= CALL_GAIN:
            return ""
        return f"{view.rules.faces.symbol(card)} opens more ways to the contract, and a call costs no turn"

    def _gain(self, view: View, card: Card) -> float:
        """The worth of one more `card`, in units of an unseen card's average worth."""
        unseen = unseen_copies(view, remember(view))
        want = prospect(view.rules, view.contract, view.hand, unseen).want
        total = sum(want.get(other, 0.0) * copies for other, copies in enumerate(unseen))
        return want.get(card, 0.0) * sum(unseen) / total if total else 0.0

    def reason_to_take(self, view: View) -> str:
        """With the contract complete, take a card that goes onto the table with the rest; else as the club player."""
        card = open_card(view)
        if card is None or view.laid[view.seat] is not HasLaid.NO or view.contract.points:
            return super().reason_to_take(view)
        if distance(view.rules, view.contract, view.hand) > 0:
            return super().reason_to_take(view)
        without, with_card = _whole_turn(view, view.hand), _whole_turn(view, (*view.hand, card))
        if without is None or with_card is None or len(with_card.left) > len(without.left):
            return ""
        return f"{view.rules.faces.symbol(card)} can be laid or tacked in this turn"

    def first_lay(self, view: View) -> Decision | None:
        """Lay the contract so that, with the tacks after it, the turn leaves least; going out comes before all."""
        plain = lay_contract(view)
        if plain is None or not _may_plan(view):
            return plain
        found = _whole_turn(view, view.hand)
        if found is None or not may_lay_groups(view, found.groups):
            return plain
        if goes_out(view.rules, found.left):
            return Decision(Lay(view.seat, found.groups), "the whole hand can be played: this bends the table")
        cards = "card" if len(found.left) == 1 else "cards"
        return Decision(Lay(view.seat, found.groups), f"the contract is complete; {len(found.left)} {cards} will stay")

    def shed(self, view: View) -> Decision | None:
        """The next step of the turn that leaves least in the hand."""
        if view.may_lay and _may_plan(view):
            found = _whole_turn(view, view.hand)
            if found is not None:
                reason = "the rest of the hand can be played" if goes_out(view.rules, found.left) else ""
                step = Lay(view.seat, found.groups) if found.groups else found.tacks[0]
                if isinstance(step, Tack):
                    # One card at a time: only such tacks are listed as open, and the next is planned anew.
                    step = Tack(step.seat, step.cards[:1], step.meld, step.end)
                if is_open(view, step):
                    return Decision(step, reason)
        return super().shed(view)


def _may_plan(view: View) -> bool:
    """Whether what one turn has done so far does not limit what it may still do (K6, K10)."""
    ruleset = view.rules.ruleset
    return ruleset.tack.end_limit is None and ruleset.swap != "use-at-once"


def _whole_turn(view: View, hand: tuple[Card, ...]) -> Laydown | None:
    """The lay-down, tacks and swaps that leave least of `hand`, with what is on the table."""
    own = [meld for meld in view.melds if meld.owner == view.seat]
    laid = view.laid[view.seat] is not HasLaid.NO
    return best_lay(view.rules, view.contract, hand, own_melds=own, table=view.melds, laid=laid, seat=view.seat)
