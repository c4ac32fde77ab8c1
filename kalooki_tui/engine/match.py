"""A whole match as a pure state machine: deals one after another, totals, who deals, money, the result (§8-§10)."""

from __future__ import annotations

import random

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.engine import stakes
from kalooki_tui.engine.actions import BUY_IN, LEAVE, Action, BuyIn, Leave
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Event, MatchOver, PassedOver, SeatLeft
from kalooki_tui.engine.permissions import next_seat
from kalooki_tui.engine.refusals import Refusal, Refused, refuse
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import Standing
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.rulesets.model import Settings
from kalooki_tui.wording import does

#: Void deals of one contract in a row after which the table is asked whether to go on (D15).
VOIDS_BEFORE_ASKING = 3
#: How often a void contract is dealt again before it is passed over, where there is no table to ask (D15).
HEADLESS_REDEALS = 3
#: Turns of each seat without a lay-down after which a deal is void, where no person plays (D33).
HEADLESS_TURNS = 200


def headless(settings: Settings) -> Settings:
    """Return the settings of a match without people: whoever sits there, it comes to an end (D15, D32, D33)."""
    redeals, turns = settings.max_redeals or HEADLESS_REDEALS, settings.max_turns or HEADLESS_TURNS
    return replace(settings, max_redeals=redeals, max_turns=turns)


class MatchSetup(Struct, frozen=True):
    """Setup of a match. `names` are the seats in clockwise order."""

    rules: Rules
    names: tuple[str, ...]
    seed: int
    first_turn: int = 0
    """Seat that begins the first deal, where the ruleset has it named at setup (§9)."""

    def __post_init__(self) -> None:
        seats, names = self.rules.seats, len(self.names)
        if names != seats:
            raise ValueError(f"the rules are made for {seats} seats, but the names are {names}")
        if not 0 <= self.first_turn < seats:
            raise ValueError(f"there is no seat number {self.first_turn} to begin: seats count from 0 to {seats - 1}")


def draw_seats(names: tuple[str, ...], seed: int) -> tuple[int, ...]:
    """Draw cards ace to five for seats: the indexes of `names` in clockwise order, the ace first (D11)."""
    order = list(range(len(names)))
    random.Random(f"{seed}/seats").shuffle(order)
    return tuple(order)


class Match:
    """Match from its first deal to its result; `apply` and `next_deal` are the only ways to change it."""

    def __init__(self, setup: MatchSetup, deal: Deal) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.names = setup.names
        self.deal = deal
        self.dealer = deal.dealer
        """Dealer of this deal; once it is over, of the next."""
        self.first_turn = deal.turn
        """Seat that begins the next deal, once this one is over."""
        self.buying = [] if deal.phase is not Phase.BUY_IN else stakes.buyers(self.rules, deal.standing, deal.dealer)
        """Seats still to say whether they buy in (P3, D12)."""
        self.last_deal: int | None = None
        """Deal after which the match ends, where that is not the game's last."""
        self.finished = False
        self.winners: tuple[int, ...] = ()

    @classmethod
    def start(cls, setup: MatchSetup, deck: list[int] | None = None, dealer: int | None = None) -> Match:
        """Deal the first deal, or stand before its cut; stakes are paid, if any (P1).

        `deck` (the top last) and `dealer`: as a record has them, instead of the seed's.
        """
        rules = setup.rules
        if dealer is None and rules.ruleset.seating.first_dealer == "random":
            dealer = random.Random(f"{setup.seed}/first dealer").randrange(rules.seats)
        dealer = dealer or 0
        named = rules.ruleset.seating.first_turn == "named-then-winner"
        turn = setup.first_turn if named else (dealer + 1) % rules.seats
        standing = stakes.opening(rules)
        deal = Deal(rules, setup.names, 1, dealer, turn, f"{setup.seed}/deal 1.1", standing=standing)
        match = cls(setup, deal)
        deal.begin(deck)
        return match

    @property
    def phase(self) -> Phase:
        return Phase.BUY_IN if self.buying else self.deal.phase

    @property
    def actor(self) -> int | None:
        """Seat to decide; None between deals and at the end."""
        return self.buying[0] if self.buying else self.deal.actor

    @property
    def standing(self) -> Standing:
        return self.deal.standing

    @property
    def totals(self) -> tuple[int, ...]:
        return self.deal.standing.totals

    @property
    def asks_to_go_on(self) -> bool:
        """Ask the table: deal this contract again, or pass it over (D15), or end the match (D32)."""
        limit = self.rules.settings.max_redeals
        if not self.deal.void or (limit is not None and self._passes_over_by_itself()):
            return False
        return self.deal.attempt >= VOIDS_BEFORE_ASKING if limit is None else self.deal.attempt > limit

    @property
    def ending_deal(self) -> int:
        """Last deal if the match is to end: the one that is played, or the next where it is over."""
        return self.deal.number + (self.phase is Phase.OVER and not self.deal.void)

    def rename(self, names: tuple[str, ...]) -> None:
        """Rename the seats; the first names stay in `setup`."""
        self.names = self.deal.names = names

    def clone(self) -> Match:
        copy = object.__new__(Match)
        copy.__dict__.update(self.__dict__)
        copy.deal = self.deal.clone()
        copy.buying = self.buying[:]
        return copy

    def apply(self, action: Action) -> list[Event]:
        """Take an action and return what happened, hidden cards included; if Refused, only charges change it."""
        if self.buying or isinstance(action, BuyIn | Leave):
            return self._buy_in(action)
        events = self.deal.apply(action)
        if self.deal.actor is None:
            self._close(events)
        return events

    def why_not(self, action: Action) -> Refusal | None:
        """Return the refusal of the action, or None; nothing changes."""
        try:
            self.clone().apply(action)
        except Refused as refused:
            return refused.refusal
        return None

    def legal(self, seat: int) -> list[Action]:
        """Return the actions open to the seat, except those that `legal_actions` does not list."""
        if self.buying:
            return [BUY_IN[seat], LEAVE[seat]] if seat == self.buying[0] else []
        return self.deal.legal(seat)

    def view(self, seat: int) -> View:
        """Return the match as `seat` may know it (V1, V2)."""
        view = self.deal.view(seat)
        if self.buying:
            return replace(
                view,
                phase=Phase.BUY_IN,
                actor=self.buying[0],
                turn=self.buying[0],
                legal=tuple(self.legal(seat)),
            )
        return view

    def _close(self, events: list[Event]) -> None:
        deal = self.deal
        if deal.void:
            # The same seats deal and begin again (D27): dealer and first turn stay.
            return
        deal.standing = replace(
            deal.standing, totals=tuple(map(sum, zip(deal.standing.totals, deal.points, strict=True)))
        )
        if self.rules.ruleset.end.after == "elimination":
            stakes.settle(deal, events)
            self.buying = stakes.buyers(self.rules, deal.standing, deal.dealer, deal.in_deal)
            if self._alone() is not None:
                self.buying = []
        if not self.buying:
            self._settle_seats(events)

    def _alone(self) -> int | None:
        """Return the only seat not eliminated, if there is just one (P4)."""
        still_in = [seat for seat, gone in enumerate(self.standing.eliminated) if not gone]
        return still_in[0] if len(still_in) == 1 else None

    def _settle_seats(self, events: list[Event]) -> None:
        """Find the result, or the next deal's dealer and first turn (G6, P4, §9, D9)."""
        deal, seating = self.deal, self.rules.ruleset.seating
        last = len(self.rules.ruleset.deals) if self.last_deal is None else self.last_deal
        eliminates = self.rules.ruleset.end.after == "elimination"
        if self._alone() is not None if eliminates else deal.number >= last:
            self._finish(events)
            return
        if seating.next_dealer == "highest-score":
            self.dealer = highest_score(deal.points, self.totals, deal.dealer)
        else:
            self.dealer = self._next_in(deal.dealer)
        if seating.first_turn == "dealers-left":
            self.first_turn = self._next_in(self.dealer)
        elif deal.out is not None:
            self.first_turn = deal.out

    def _next_in(self, seat: int) -> int:
        return next_seat([not gone for gone in self.standing.eliminated], seat)

    def _finish(self, events: list[Event]) -> None:
        self.finished = True
        out = self.standing.eliminated
        best = min(total for total, gone in zip(self.totals, out, strict=True) if not gone)
        self.winners = tuple(seat for seat, total in enumerate(self.totals) if total == best and not out[seat])
        if self.rules.ruleset.end.after == "elimination":
            stakes.pay_pool(self.deal, self.winners, events)
        events.append(MatchOver(self.winners, self.totals))

    def _buy_in(self, action: Action) -> list[Event]:
        if not self.buying:
            raise refuse("turn.wrong-phase", "P3", "Nobody is buying in or leaving now.")
        if not isinstance(action, BuyIn | Leave):
            raise refuse("turn.wrong-phase", "P3", "Seats just eliminated must buy in or leave first.")
        if action.seat != self.buying[0]:
            raise refuse(
                "turn.not-yours", "D12", f"{does(self.names[self.buying[0]], 'be')} asked first whether to buy in."
            )
        left: list[Event] = [SeatLeft(action.seat)]
        events = stakes.buy_in(self.deal, action.seat) if isinstance(action, BuyIn) else left
        self.buying.pop(0)
        if not self.buying:
            self._settle_seats(events)
        return events

    def next_deal(self, deck: list[int] | None = None) -> list[Event]:
        """Deal the next contract, or a void one again up to `max_redeals` times (D15, D32); refuse it during a deal."""
        self._check_between()
        limit = self.rules.settings.max_redeals
        if self.deal.void and limit is not None and self.deal.attempt > limit and self._passes_over_by_itself():
            events = self.pass_over()
            return events if self.finished else events + self.next_deal(deck)
        old, again = self.deal, self.deal.void
        number, attempt = (old.number, old.attempt + 1) if again else (old.number + 1, 1)
        self.deal = Deal(
            self.rules,
            self.names,
            number,
            self.dealer,
            self.first_turn,
            f"{self.setup.seed}/deal {number}.{attempt}",
            attempt=attempt,
            standing=old.standing,
            penalties=old.penalties if again else [],
        )
        return self.deal.begin(deck)

    @property
    def is_void_for_good(self) -> bool:
        """True if it was dealt again so often that it is passed over where nobody can be asked (D15)."""
        return self.deal.void and self.deal.attempt > HEADLESS_REDEALS

    def _passes_over_by_itself(self) -> bool:
        """Let `max_redeals` decide; a match by elimination would end, so people are asked (D32)."""
        return self.rules.ruleset.end.after == "last-deal" or self.rules.settings.max_turns is not None

    def pass_over(self) -> list[Event]:
        """Pass over a void contract: penalties alone are scored (D15, D23); elimination ends with it (D32)."""
        self._check_between()
        deal = self.deal
        if not deal.void:
            raise refuse("turn.wrong-phase", "D15", "There is no void deal to pass over.")
        deal.points = deal.penalties[:]
        points = tuple(deal.points)
        totals = tuple(map(sum, zip(self.totals, points, strict=True)))
        deal.standing = replace(deal.standing, totals=totals)
        events: list[Event] = [PassedOver(deal.number, points, totals)]
        if self.rules.ruleset.end.after == "elimination":
            self._finish(events)
        else:
            self._settle_seats(events)
        deal.void = False
        return events

    def _check_between(self) -> None:
        if self.finished:
            raise refuse("turn.wrong-phase", "G6", "The match is over.")
        if self.deal.phase is not Phase.OVER or self.buying:
            raise refuse("turn.wrong-phase", "T1", "The deal is not over yet.")


def highest_score(points: list[int], totals: tuple[int, ...], last_dealer: int) -> int:
    """Return Kooky's next dealer: most points in the deal, then in total, then nearer to the dealer's left (D9)."""
    count = len(points)
    return max(range(count), key=lambda seat: (points[seat], totals[seat], -((seat - last_dealer - 1) % count)))
