"""The table's side of a match's journal: what is kept beside the steps, trouble with the disk, steps taken back."""

from __future__ import annotations

import asyncio
from typing import Final

from kalooki_tui.desk.commands import choose
from kalooki_tui.desk.desk import NOTHING_KEPT
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.flow import Flow
from kalooki_tui.desk.front import Arrangement, TableFront
from kalooki_tui.desk.keeping import past_totals
from kalooki_tui.desk.settlement import SeatSettlement, settlement
from kalooki_tui.desk.telling import undone_words
from kalooki_tui.engine.events import public
from kalooki_tui.store.errors import JournalError, StoreError
from kalooki_tui.store.facts import MatchFacts
from kalooki_tui.store.live import HANDS, LiveMatch
from kalooki_tui.store.scanning import facts_of
from kalooki_tui.table.table import Table
from kalooki_tui.wording import whose

#: Orders of the open hand that are remembered for taking steps back.
PAST_ORDERS: Final = 400
#: Name under which the bundles of hands are kept with the match, by seat.
BUNDLES: Final = "groups"
#: Seconds after which the order of a hand is kept: a card that is dragged passes many places.
KEEP_SECONDS: Final = 0.4


class Journal:
    """What a table does with the match's journal; `live` None: nothing is written down."""

    def __init__(self, front: TableFront, live: LiveMatch | None) -> None:
        self.live = live
        self._front = front
        self._timer: asyncio.TimerHandle | None = None
        self._to_keep: tuple[int, Arrangement] | None = None
        self._past_orders: list[Arrangement] = []
        """How the open hand lay before each of the last steps; none is left where the hand is covered."""

    def begin(self) -> dict[int, Arrangement]:
        """Tell of trouble from now on; returns the orders in which people had their hands."""
        if self.live is None:
            return {}
        self._front.flow.totals = past_totals(self.live)
        self.live.on_trouble = self._show_trouble
        self._show_trouble(self.live.trouble)
        orders = {seat: self._kept_order(self.live, seat) for seat in self._front.table.humans}
        return {seat: order for seat, order in orders.items() if order.cards}

    @staticmethod
    def _kept_order(live: LiveMatch, seat: int) -> Arrangement:
        return Arrangement(live.hand_order(seat), tuple(live.ui_state.get(BUNDLES, {}).get(str(seat), ())))

    def end(self) -> None:
        """Write what is missing, and let another window play the match."""
        if self.live is not None:
            self.keep_order()
            self.live.on_trouble = None
            self.live.close()

    def _show_trouble(self, trouble: JournalError | None) -> None:
        """Say that the match is not being saved, for as long as that is so; play goes on."""
        self._front.show_trouble(None if trouble is None else f"{trouble}. You can play on.")

    def leave_words(self) -> str:
        """What becomes of the match when it is left."""
        if self.live is None:
            return "It is not saved: what was played here is lost when you leave."
        if self.live.trouble is None and self._front.saves:
            return "It is saved: the first screen offers to continue it from here."
        if self.live.unsaved == len(self.live.lines):
            return "It could not be saved, and is lost when you leave."
        return "It is saved up to where saving failed; what was played since is lost when you leave."

    async def facts(self) -> MatchFacts | None:
        """What the match has come to, seat by seat; None where nothing was written down."""
        if self.live is None:
            return None
        try:
            return await asyncio.to_thread(facts_of, f"match {self.live.id}", self.live.lines)
        except StoreError as error:
            log_fault(error)
            return None

    async def could_have(self) -> str:
        """What each person could have done better in this deal, a line each; empty unless it is a teaching match."""
        live = self.live
        if live is None or not live.teaching:
            return ""
        from kalooki_tui.coach.costs import could_have

        table = self._front.table
        seen = {table.match.names[seat]: live.decisions(seat) for seat in table.humans}
        try:
            told = [(name, await asyncio.to_thread(could_have, decisions)) for name, decisions in seen.items()]
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the remark
            log_fault(error)
            return ""
        whose = len(seen) > 1
        return "\n".join(f"{name}: {words}" if whose else words for name, words in told if words)

    def settlement(self) -> list[SeatSettlement]:
        """Who took what of the counters; empty where none are played for, or nothing was written down."""
        match = self._front.table.match
        if self.live is None or not match.finished:
            return []
        return settlement(match.view(0), match.winners, self.live.lines)

    # What is kept beside the steps

    def keep(self, **values: object) -> None:
        """Keep values that its record does not say with the match."""
        if self.live is not None:
            self.live.keep(**values)

    def keep_order_soon(self) -> None:
        """Keep how the open hand lies, once it has lain so for a moment."""
        seat, order = self._front.desk.seat, self._front.hand.arrangement
        if self.live is None or seat is None or not order.cards:
            return
        self._to_keep = seat, order
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(KEEP_SECONDS, self.keep_order)

    def keep_order(self) -> None:
        """Keep how the open hand lies, or lay until now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.live is not None and self._to_keep is not None:
            seat, order = self._to_keep
            self._to_keep = None
            kept = self._kept_order(self.live, seat)
            if kept.cards != order.cards:
                self.live.keep_hand_order(seat, order.cards)
            if kept.bundles != order.bundles:
                self.live.keep(**{BUNDLES: {**self.live.ui_state.get(BUNDLES, {}), str(seat): [*order.bundles]}})

    def note_order(self) -> None:
        """Remember how the open hand lies, before a step changes it."""
        order = self._front.hand.arrangement
        if order.cards:
            self._past_orders = [*self._past_orders[-PAST_ORDERS:], order]

    def begin_deal(self) -> None:
        """Forget how hands lay in the last deal, on disk too: the match may be left before anybody opens a new one."""
        self.forget_orders()
        self._to_keep = None
        if self.live is not None and self.live.ui_state.get(HANDS):
            self.live.keep(**{HANDS: {}, BUNDLES: {}})

    def forget_orders(self) -> None:
        """Leave nothing of a hand behind."""
        self._past_orders.clear()

    # Taking back

    def why_no_undo(self) -> str | None:
        """Why the person whose hand lies open cannot take a step back."""
        if self.live is None:
            return NOTHING_KEPT
        front = self._front
        why, other = self.live.why_not_undo(), front.flow.last_seat
        if why is None and not self.live.teaching and other is not None and other != front.desk.seat:
            name = front.table.match.names[other]
            return f"The last step was {whose(name)} own: only that player can take it back."
        return why

    @property
    def may_take_back_any(self) -> bool:
        """Whether the last step of whichever person it was can be taken back, while no hand lies open."""
        return self.live is not None and self.live.teaching and self.live.why_not_undo() is None

    def undo(self) -> None:
        """Take a step back: the table as it was, and AI seats wait for the person."""
        assert self.live is not None
        front, before = self._front, self._front.table.match.deal
        try:
            table = self.live.undo()
        except StoreError as error:
            front.tell(choose("", str(error)))
            return
        table = self._before_passes(table)
        after = table.match.deal
        same = (before.number, before.attempt) == (after.number, after.attempt)
        gone = list(map(public, before.history[len(after.history) if same else 0 :]))
        self._go_back_to(table)
        front.tell_undone(f"Taken back: {undone_words(gone, table.match.names, table.match.rules)}.")

    def take_back_passes(self) -> bool:
        """If the last that happened is that people did not call, ask them again; whether it was that."""
        live = self.live
        if live is None or live.why_not_undo() is not None or not live.passed_last:
            return False
        self._go_back_to(self._before_passes(live.undo()))
        return True

    def _before_passes(self, table: Table) -> Table:
        """The table before those passes that several people made with one key."""
        live = self.live
        assert live is not None
        while len(table.humans) > 1 and live.why_not_undo() is None and live.passed_last:
            table = live.undo()
        return table

    def _go_back_to(self, table: Table) -> None:
        front, old = self._front, self._front.flow
        old.close()
        flow = Flow(table, front.thinker, front.stage, old.speed, ask_calls=old.ask_calls, opened=True)
        flow.totals = [] if self.live is None else past_totals(self.live)
        flow.set_paused(old.paused)
        flow.hold()
        front.go_back_to(flow, self._former_order(flow))

    def _former_order(self, flow: Flow) -> Arrangement | None:
        """How the open hand lay when it last held these cards."""
        if self._front.viewer is None:
            return None
        hand = sorted(flow.view(self._front.viewer).hand)
        return next((order for order in reversed(self._past_orders) if sorted(order.cards) == hand), None)
