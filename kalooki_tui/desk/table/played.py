"""A match being played: the table as it is now, how it runs, what is kept of it, and taking back.

It asks nobody and knows no place: `Sitting` lets people sit down at it, and `Flow` plays it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.setup.keeping import ASKING, last_lay_down, past_totals
from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.desk.table.asking import WhenAsked, asked_each
from kalooki_tui.desk.table.desk import NOTHING_KEPT
from kalooki_tui.desk.table.held_reasons import HeldReasons
from kalooki_tui.desk.table.messages import AskedAtOnce, Happened, Message, Noticed, TakenBack, Waits
from kalooki_tui.desk.table.taking_back import Past, TakeBack, take_back
from kalooki_tui.desk.words.settlement import SeatSettlement, settlement
from kalooki_tui.desk.words.telling import step_words
from kalooki_tui.engine.actions import Discard, Group, Pass
from kalooki_tui.engine.events import Dealt, PassedOver, Scored, public
from kalooki_tui.engine.moments import AFTER_DEAL, WINDOWS
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.facts import MatchFacts
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.scanning import facts_of
from kalooki_tui.store.undo_trail import shows_nothing
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Moment, Step, Table, TableSetup

#: Why nothing can be done for the moment, at a disk so slow that anybody notices.
WRITING: Final = "The last step is still being written to the disk: one moment."


class PlayedMatch:
    """One match, from where it stands to its result."""

    def __init__(
        self, plan: MatchPlan, table: Table, live: LiveMatch | None, ask_calls: AskCalls, past: Past | None
    ) -> None:
        """`ask_calls`: which calls one person alone is asked about, where the plan does not say it.

        `live` None: nothing is written down; `past`: how steps are taken back where the match has no record.
        """
        self._live = live
        self.speed = plan.speed
        self.ask_calls = plan.ask_calls or ask_calls
        """Which calls one person alone with AI seats is asked about."""
        kept = {} if live is None else live.ui_state.get(ASKING)
        each = asked_each(plan, table.match.names)
        self.asking = WhenAsked(plan.ask_several, kept if isinstance(kept, dict) else {}, each)
        """When each of several people is asked about calls."""
        self.answer_seconds = plan.answer_seconds
        """How long people at their own screens have for an answer; 0: as long as it takes."""
        self._hints_for = plan.hints_for
        self.stand_ins: dict[int, str] = {}
        """Levels of the AI players that sit in for people who are away, by seat."""
        self.paused = False
        """Whether somebody has stopped the AI seats."""
        self.is_held = False
        """Whether a step was taken back, and nothing has happened since."""
        self.is_asking = False
        """Whether people are asked to let a step be taken back."""
        self.totals: list[tuple[int, ...]] = [] if live is None else past_totals(live)
        """Running totals after each deal scored or passed over."""
        self.revision = 0
        """Goes up with each step, and with each that is taken back."""
        self.changed = asyncio.Event()
        """Set when something has happened, or somebody waits no more."""
        self.opens_hands = False
        """Whether a lesson lets everybody see the hands of AI seats."""
        self._asked: AskedAtOnce | None = None
        self._past: Past | None = past or live
        self._reasons = HeldReasons()
        self._reason = ""
        """Why an AI seat makes the move that it is making, where only AI seats play."""
        self._follow(table)

    def _follow(self, table: Table) -> None:
        self._table = table
        table.listen(lambda step: self._on_step(table, step))

    # What everybody may know

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names, clockwise."""
        return self._table.match.names

    @property
    def rules(self) -> Rules:
        """What the match is played by."""
        return self._table.match.rules

    @property
    def setup(self) -> TableSetup:
        """What the table was opened with."""
        return self._table.setup

    @property
    def plans(self) -> tuple[SeatPlan, ...]:
        """Who plays each seat, clockwise."""
        return self._table.plans

    @property
    def people(self) -> tuple[int, ...]:
        """Seats played by people, at whichever place."""
        return self._table.people

    @property
    def asked(self) -> tuple[int, ...]:
        """Those of them who are asked: for the others an AI sits in."""
        return tuple(seat for seat in self.people if seat not in self.stand_ins)

    @property
    def moment(self) -> Moment:
        """The decision that stands."""
        return self._table.moment

    @property
    def asked_at_once(self) -> AskedAtOnce | None:
        """The people who are asked at once now, and what they have answered."""
        return self._asked if self._asked is not None and self._asked.moment == self.moment else None

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won, once the match is over."""
        return self._table.match.winners

    @property
    def is_finished(self) -> bool:
        """Whether the match is over."""
        return self._table.match.finished

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why AI seats moved, a line each; none before the deal is over, for they speak of hands (V2)."""
        return self._reasons.lines if self._table.match.phase in AFTER_DEAL else ()

    def why_no_reseat(self) -> str:
        """Why no seat can have another name or player; empty: one can."""
        if self.is_finished:
            return "The match is over."
        if self.duplicate:
            return "The others play these cards too, each from this seat: nobody changes places here."
        return ""

    def why_no_hint(self, seat: int) -> str:
        """Why a person has no hints in this match, in a sentence; empty: they have."""
        if not self._hints_for or self.names[seat] in self._hints_for:
            return ""
        return f"In this match hints are for {' and '.join(self._hints_for)} alone."

    # How the match runs

    def set_paused(self, paused: bool) -> None:
        """Let AI seats wait, or go on."""
        self.paused = paused
        self.wake()

    @property
    def waits(self) -> bool:
        """Whether AI seats and clocks wait: for people, for one that is asked about a step, or for the disk."""
        return self.paused or self.is_held or self.is_asking or self.is_writing

    @property
    def is_writing(self) -> bool:
        """Whether a step has been made that nobody sees yet, since it is not on disk: nothing else is done then."""
        return self._live is not None and self._live.is_writing

    async def written(self) -> None:
        """Wait until every step is on disk and has been told."""
        while self.is_writing:
            self.changed.clear()
            await self.changed.wait()

    def _when_written(self, then: Callable[[], None]) -> None:
        """Do it once all that has been done is on disk: at once, as a rule."""
        if self._live is None:
            then()
        else:
            self._live.when_written(then)

    async def wait_paused(self, revision: int | None = None) -> None:
        """Wait while AI seats are to, or until something has happened since that revision."""
        revision = self.revision if revision is None else revision
        while self.waits and revision == self.revision:
            self.changed.clear()
            await self.changed.wait()

    def wake(self) -> None:
        """Let whoever waits for something to change look again."""
        self.changed.set()

    def keep(self, **values: object) -> None:
        """Keep values that its record does not say with the match."""
        if self._live is not None:
            self._live.keep(**values)

    # What the record says

    @property
    def teaching(self) -> bool:
        """Whether a person may take back anything done in this deal, and is told what it could have been."""
        return self._live is not None and self._live.teaching

    @property
    def duplicate(self) -> tuple[str, ...]:
        """Of a match that others play with the same cards: by what it is known, then the people."""
        return () if self._live is None else self._live.duplicate

    @property
    def record(self) -> tuple[str, ...]:
        """The lines of the record, which show every hand; none while a deal is played (V2)."""
        deal_is_over = self._table.match.phase in AFTER_DEAL
        return self._live.lines if self._live is not None and deal_is_over else ()

    async def facts(self) -> MatchFacts | None:
        """What the match has come to, seat by seat; None where nothing was written down, or it is not over."""
        if self._live is None or not self.is_finished:
            return None
        try:
            return await asyncio.to_thread(facts_of, f"match {self._live.id}", self._live.lines)
        except StoreError as error:
            log_fault(error)
            return None

    def settlement(self) -> list[SeatSettlement]:
        """Who took what of the counters; empty where none are played for, or nothing was written down."""
        if self._live is None or not self.is_finished:
            return []
        return settlement(self._table.view(0), self.winners, self._live.lines)

    def last_lay_down(self) -> tuple[int, tuple[Group, ...]]:
        """The winner who comes first, and what that seat laid for its last contract; nothing without a record."""
        seat = self.winners[0] if self.winners else 0
        return seat, () if self._live is None else last_lay_down(self._live, seat)

    def leave_words(self) -> str:
        """What becomes of the match when it is left."""
        live = self._live
        if live is None:
            return "It is not saved: what was played here is lost when you leave."
        if live.trouble is None and live.is_kept:
            return "It is saved: the first screen offers to continue it from here."
        if live.unsaved == len(live.lines) or not live.is_kept:
            return "It could not be saved, and is lost when you leave."
        return "It is saved up to where saving failed; what was played since is lost when you leave."

    # What happens

    @property
    def explains(self) -> bool:
        """Whether anybody will read why AI seats move: in a teaching match, and where only AI seats play."""
        return not self.people or self.opens_hands or (self._past is not None and self._past.teaching)

    def ask_at_once(self, seats: Sequence[int], *, is_hidden: bool) -> AskedAtOnce:
        """Who is asked at once now. What was answered at this moment stands, unless all had answered."""
        before = self.asked_at_once
        given = before.given if before is not None and {*before.seats} - {*before.given} else {}
        given = {seat: answer for seat, answer in given.items() if seat in seats}
        self._asked = AskedAtOnce(self.moment, tuple(seats), is_hidden, given)
        self._tell(Waits())
        return self._asked

    def end_asking(self) -> None:
        """Nobody is asked at once any more."""
        self._asked = None

    def note_answers(self, asked: AskedAtOnce, answers: Mapping[int, bool | None]) -> None:
        """Some of these people have answered."""
        asked.given |= answers
        self._tell(Waits())

    def explain(self, seat: int, reason: str) -> None:
        """Why an AI seat moves: told with its move where only AI seats play, to people when the deal is over (V2)."""
        if self.people:
            self._reasons.hold(seat, reason)
        else:
            self._reason = reason

    def _on_step(self, table: Table, step: Step) -> None:
        if table is not self._table:
            return  # it was taken back: what is still done there does not count
        self.revision += 1
        self.is_held = False
        events = tuple(map(public, step.events))
        self._reasons.happened(len(table.match.deal.history) - len(events), events, self.names, self.rules)
        if self._live is not None and any(isinstance(event, Dealt) for event in events):
            # The match may be left before anybody opens a new hand.
            self._live.forget_hands()
        self.totals += [event.totals for event in events if isinstance(event, PassedOver)]
        self._withdraw()
        if self._reason:
            self._tell(Noticed(f"({self._reason})"))
            self._reason = ""
        self._tell(Happened(events, step.refusal))
        self.wake()

    def note_totals(self) -> None:
        """Note the totals of a deal that has been scored, for the chart."""
        view = self._table.view(0)
        scored = view.history[-1] if view.history else None
        if not isinstance(scored, Scored):
            return
        before = tuple(total - points for total, points in zip(scored.totals, scored.points, strict=True))
        # A match that goes on in the middle has no rows for the deals before.
        self.totals += [before] * (view.deal - 1 - len(self.totals))
        if len(self.totals) < view.deal:
            self.totals.append(scored.totals)

    # Taking back

    def may_take_back(
        self, here: Collection[int], elsewhere: Sequence[int], seat: int | None, *, looked: bool
    ) -> TakeBack:
        """What the person of a seat `here`, or with None anybody here, may take back."""
        if self.is_writing:
            return TakeBack(WRITING)
        return take_back(
            self._past, self.names, people=self.people, here=here, elsewhere=elsewhere, seat=seat, looked=looked
        )

    def comes_back(self, action: Discard) -> bool:
        """Whether a throw could be taken back: it shows nothing new, and a person is asked next."""
        if self._past is None:
            return False
        match = self._table.match.clone()
        try:
            events = match.apply(action)
        except Refused:
            return False
        if match.phase in AFTER_DEAL or self._past.teaching:
            return match.phase not in AFTER_DEAL
        race = match.phase in WINDOWS and match.rules.settings.race
        asked = [seat for seat in range(len(match.names)) if match.legal(seat)] if race else [match.actor]
        return shows_nothing(events) and all(seat in self.asked for seat in asked)

    def undo(self, seats: Collection[int] | None = None) -> str:
        """Take a person's last step back, and let AI seats wait; why that could not be, else an empty sentence.

        `seats`: the last step of one of these, with all that followed it.
        """
        if self._past is None:
            return NOTHING_KEPT
        if self.is_writing:
            return WRITING
        step = self._past.last_action(self.people if seats is None else seats)
        try:
            table = self._past.undo(seats)
        except StoreError as error:
            return str(error)
        words = "who calls is asked again"
        if step is not None and not isinstance(step, Pass):
            words = step_words(step, self.names, self.rules)
        self._go_back_when_written(self._before_passes(self._past, table), f"Taken back: {words}.")
        return ""

    def take_back_passes(self) -> bool:
        """If the last that happened is that people did not call, have them asked again; whether it was that."""
        past = self._past
        if past is None or past.why_not_undo() is not None or not past.passed_last:
            return False
        self._go_back_when_written(self._before_passes(past, past.undo()), "")
        return True

    def _go_back_when_written(self, table: Table, words: str) -> None:
        self._when_written(lambda: self._go_back_to(table, words))

    def _before_passes(self, past: Past, table: Table) -> Table:
        """The table before those passes that several people made with one key."""
        while len(self.people) > 1 and past.why_not_undo() is None and past.passed_last:
            table = past.undo()
        return table

    def _go_back_to(self, table: Table, words: str) -> None:
        self.revision += 1
        self._asked = None
        self._follow(table)
        if self._live is not None:
            self.totals = past_totals(self._live)
        self.is_held = True
        self._withdraw(all_of_them=True)
        self._tell(TakenBack(words))
        self.wake()

    # What its owner does about it

    def _tell(self, message: Message) -> None:
        """Let every place hear it."""

    def _withdraw(self, *, all_of_them: bool = False) -> None:
        """Withdraw questions that have lost their moment, or all."""
