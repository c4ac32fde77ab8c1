"""The expert: the club player's judgement of cards, with whole turns planned exactly and calls chosen more freely.

What it does otherwise than the club player is what was measured to gain points (`benchmarks/duplicate.py`); what was
tried and gained none is listed in `docs/performance.md`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Lay, Tack
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.view import View
from kalooki_tui.players.club import Club, away, lay_contract
from kalooki_tui.players.lawful import is_open, may_lay_groups
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.seat import open_card
from kalooki_tui.solver import Laydown, best_lay
from kalooki_tui.solver.effort import Effort
from kalooki_tui.solver.lay import goes_out

#: How many times as good as an unseen card on average a card must be that is called though it brings the contract no
#: nearer: a call gives two cards for no turn. From 0.5 to 1.5 it makes no difference that could be measured.
CALL_GAIN: Final = 1.0
#: Steps that planning one whole turn may take: some 40 ms, where most turns take less than one.
TURN_EFFORT: Final = 4_000


class Expert(Club):
    """Plays better than the club player; its decisions, too, depend on the view alone."""

    horizon: ClassVar[float] = 6.0

    def enough_to_call(self, view: View) -> float:
        """With two sets and no fewer than runs, a call may go for what merely opens more ways to the contract.

        In the other contracts a card that brings them no nearer was measured to be worth no call.
        """
        freely = view.contract.sets >= max(2, view.contract.runs)
        return min(CALL_GAIN, self.style.call_gain) if freely else self.style.call_gain

    def reason_to_take(self, view: View) -> str:
        """With the contract complete, take a card that goes onto the table with the rest; else as the club player."""
        card = open_card(view)
        if card is None or has_laid(view, view.seat) or view.contract.points:
            return super().reason_to_take(view)
        if not _may_plan(view) or away(view, view.hand) > 0:
            return super().reason_to_take(view)
        without, is_best = _whole_turn(view, view.hand)
        with_card, _ = _whole_turn(view, (*view.hand, card))
        if without is None or not is_best or with_card is None or len(with_card.left) > len(without.left):
            return ""
        return f"{view.rules.faces.symbol(card)} can be laid or tacked in this turn"

    def first_lay(self, view: View) -> Decision | None:
        """Lay the contract so that, with the tacks after it, the turn leaves least; going out comes before all.

        Where a plan is not known to be the best one, and does not go out, the club player's lay-down may be better.
        """
        if not _may_plan(view):
            return super().first_lay(view)
        plain = lay_contract(view)
        if plain is None:
            return None
        found, is_best = _whole_turn(view, view.hand)
        if found is None or not may_lay_groups(view, found.groups):
            return plain
        if goes_out(view.rules, found.left):
            return Decision(Lay(view.seat, found.groups), "the whole hand can be played: this bends the table")
        if not is_best:
            return super().first_lay(view)
        if self.holds_back(view, found.left):
            return None
        cards = "card" if len(found.left) == 1 else "cards"
        return Decision(Lay(view.seat, found.groups), f"the contract is complete; {len(found.left)} {cards} will stay")

    def shed(self, view: View) -> Decision | None:
        """The next step of the turn that leaves least in the hand."""
        if view.may_lay and _may_plan(view):
            found, is_best = _whole_turn(view, view.hand)
            out = found is not None and goes_out(view.rules, found.left)
            if found is not None and (is_best or out):
                reason = "the rest of the hand can be played" if out else ""
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


def _whole_turn(view: View, hand: tuple[Card, ...]) -> tuple[Laydown | None, bool]:
    """The lay-down, tacks and swaps that leave least of `hand`, with what is on the table; whether none leaves less."""
    own = [meld for meld in view.melds if meld.owner == view.seat]
    laid, effort = has_laid(view, view.seat), Effort(TURN_EFFORT)
    found = best_lay(
        view.rules,
        view.contract,
        hand,
        own_melds=own,
        table=view.melds,
        laid=laid,
        seat=view.seat,
        effort=effort,
    )
    return found, not effort.is_spent
