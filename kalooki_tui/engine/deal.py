"""One deal as a pure state machine: `apply` is the only way to change it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from kalooki_tui.cards import full_deck
from kalooki_tui.engine import actions, calls, challenges, turns
from kalooki_tui.engine import laying as play
from kalooki_tui.engine.actions import Action
from kalooki_tui.engine.events import Event, History
from kalooki_tui.engine.legal import legal_actions
from kalooki_tui.engine.permissions import may_lay, may_tack_or_swap, owes
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.state import State
from kalooki_tui.engine.view import View

Handler = Callable[[State, Any], list[Event]]

_HANDLERS: Final[dict[type, Handler]] = {
    actions.Cut: turns.cut,
    actions.Draw: turns.draw,
    actions.Discard: turns.discard,
    actions.EndTurn: turns.end_turn,
    actions.Call: calls.call,
    actions.Pass: calls.pass_call,
    actions.Allow: calls.allow,
    actions.Refuse: calls.refuse_call,
    actions.Lay: play.lay,
    actions.Tack: play.tack_cards,
    actions.Swap: play.swap_joker,
    actions.Done: play.done,
    actions.Challenge: challenges.challenge,
}


class Deal(State):
    """Deal from the shuffle to the score, before any card is dealt: `begin` deals it."""

    __slots__ = ()

    def begin(self, deck: list[int] | None = None) -> list[Event]:
        """Shuffle and deal, or stand before the dealer's cut (B1). `deck`: use this order, the top last."""
        self.stock = full_deck(self.rules.packs, self.rules.jokers) if deck is None else list(deck)
        if deck is None:
            random.Random(f"{self.seed}/shuffle").shuffle(self.stock)
        if self.rules.settings.dealer_cut:
            return []
        return turns.deal_cards(self)

    def apply(self, action: Action) -> list[Event]:
        """Take an action and return what happened, hidden cards included; if Refused, only charges change the deal."""
        handler = _HANDLERS.get(type(action))
        if handler is None:
            raise refuse("turn.wrong-phase", "P3", "Nobody is buying in or leaving now.")
        no_place = play.why_no_place_behind(self, action) if owes(self) else None
        if no_place is not None:
            raise Refused(no_place)
        return handler(self, action)

    def why_not(self, action: Action) -> Refusal | None:
        try:
            self.clone().apply(action)
        except Refused as refused:
            return refused.refusal
        return None

    def legal(self, seat: int | None = None) -> list[Action]:
        """Return the actions open to the seat (default: the actor); see `legal_actions` for what is not listed."""
        if seat is None:
            if self.actor is None:
                return []
            seat = self.actor
        return legal_actions(self, seat)

    def view(self, seat: int) -> View:
        """Return the deal as `seat` may know it (V1, V2)."""
        standing = self.standing
        challengers = challenges.may_challenge(self, seat)
        return View(
            seat=seat,
            names=self.names,
            rules=self.rules,
            deal=self.number,
            attempt=self.attempt,
            contract=self.contract,
            dealer=self.dealer,
            turn=self.turn,
            phase=self.phase,
            actor=self.actor,
            hand=tuple(self.hands[seat]),
            hand_sizes=tuple(map(len, self.hands)),
            laid=tuple(self.laid),
            calls=None if self.rules.penalties else tuple(self.calls),
            bend_forbidden=self.bend_forbidden[seat],
            melds=tuple(self.melds),
            discard=self.top_discard,
            discarded_by=self.discarded_by,
            pile=len(self.pile),
            drawn=self.drawn,
            dead=self.dead,
            flip=self.flip,
            caller=self.caller,
            stock=len(self.stock),
            reshuffles=self.reshuffles,
            out=self.out,
            in_deal=tuple(self.in_deal),
            totals=standing.totals,
            penalties=tuple(map(sum, zip(self.penalties, self.bonus, strict=True))),
            money=standing.money,
            pool=standing.pool,
            buy_ins=standing.buy_ins,
            eliminated=standing.eliminated,
            history=History(self.history),
            legal=tuple(legal_actions(self, seat)),
            may_lay=may_lay(self, seat),
            may_add=may_tack_or_swap(self, seat),
            added=tuple(self.added.items()),
            may_challenge=tuple(
                target
                for target in range(len(self.hands))
                if challengers and challenges.may_be_challenged(self, seat, target)
            ),
        )
