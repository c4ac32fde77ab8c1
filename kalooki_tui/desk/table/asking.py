"""Which cards thrown people are asked about: one person alone with AI seats, or each of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.desk.table.prompt import card_in_question
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.view import View
from kalooki_tui.solver import distance

ASK_WORDS: Final = {
    AskCalls.ALWAYS: "about every call you could make",
    AskCalls.HELPS: "about calls that bring the contract nearer",
    AskCalls.TURN: "about no calls before your turn",
}
#: The same for one of several people.
SEVERAL_WORDS: Final = {
    AskCalls.ALWAYS: "always",
    AskCalls.HELPS: "when it brings me nearer",
    AskCalls.TURN: "not in this deal",
}


def wants_asking(view: View, ask: AskCalls) -> bool:
    """Whether the view's seat, in a call window, is asked; on its own turn it always is.

    Where the fastest call wins, who is left out passes while the clocks of others run: that must not tell them of the
    hand, so what the card is worth to it counts for nothing there.
    """
    if ask is AskCalls.ALWAYS or view.turn == view.seat:
        return True
    return ask is AskCalls.HELPS and (view.rules.settings.race or brings_nearer(view))


def brings_nearer(view: View) -> bool:
    """Whether the card in question shortens the way from the hand to its contract."""
    card, _ = card_in_question(view)
    if card is None or has_laid(view, view.seat):
        return False
    now = distance(view.rules, view.contract, view.hand)
    return now > 0 and distance(view.rules, view.contract, (*view.hand, card)) < now


class WhenAsked:
    """What each of several people has chosen at the table, kept with the match.

    For all others `each` holds, what they chose before it, by seat, and `usual` for whom it does not name.
    """

    def __init__(
        self,
        usual: AskCalls = AskCalls.ALWAYS,
        kept: Mapping[str, object] | None = None,
        each: Mapping[int, AskCalls] | None = None,
    ) -> None:
        self.usual = usual
        self._each = dict(each or {})
        self._chosen = {
            int(seat): AskCalls(str(value))
            for seat, value in (kept or {}).items()
            if seat.isdigit() and value in set(AskCalls)
        }

    def of(self, seat: int) -> AskCalls:
        return self._chosen.get(seat, self._each.get(seat, self.usual))

    def choose(self, seat: int, ask: AskCalls) -> None:
        """The person wants it otherwise."""
        self._chosen[seat] = ask

    def begin_deal(self) -> None:
        """What was meant for one deal holds no more."""
        self._chosen = {seat: ask for seat, ask in self._chosen.items() if ask is not AskCalls.TURN}

    def to_keep(self) -> dict[str, str]:
        """As it is kept with a match."""
        return {str(seat): ask.value for seat, ask in self._chosen.items()}

    def wants(self, view: View) -> bool:
        """Whether the person whose view it is wants to be asked about the card in question.

        Whose turn it is has the keyboard next anyway, and is asked about the card before Tuluki's flip as others are.
        """
        ask = self.of(view.seat)
        if view.turn != view.seat or ask is AskCalls.ALWAYS:
            return wants_asking(view, ask)
        return ask is AskCalls.HELPS and (bool(view.rules.settings.race) or brings_nearer(view))


def asked_each(plan: MatchPlan, names: Sequence[str]) -> dict[int, AskCalls]:
    """What people chose when the match was set up, by their seats at the table: those may be drawn (D11)."""
    return {seat: plan.ask_each[name] for seat, name in enumerate(names) if name in plan.ask_each}
