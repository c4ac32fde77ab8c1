"""Session of a match: its one owner, whatever screens come and go; a question to nobody waits until somebody comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from kalooki_tui.engine.actions import Discard, Group, Pass
from kalooki_tui.engine.events import Dealt, Discarded, PassedOver, Scored, TurnEnded, public
from kalooki_tui.engine.permissions import AFTER_DEAL, WINDOWS
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.match.live_match import MatchStep, Moment, Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.notation.seat_text import seating_words
from kalooki_tui.players import check_level
from kalooki_tui.presenter.sentences import SeatSettlement, plain_words, settlement, step_words, wrong_to_say
from kalooki_tui.presenter.turn_state import WRITING
from kalooki_tui.records.checkpoints import shows_nothing
from kalooki_tui.session.client import AskedAtOnce, Client, Message, Question, QuestionKind, TakeBack, client_of
from kalooki_tui.session.plan import ASKING, CLOSED, PLAYED, AskCalls, MatchPlan, last_lay_down, past_totals
from kalooki_tui.session.turn_loop import HeldReasons, Thinks, TurnLoop, WhenAsked
from kalooki_tui.storage.files import JournalError, StoreError
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_facts import MatchFacts
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.storage.scan import facts_of
from kalooki_tui.wording import does, listed, sentence, whose

#: Seconds after which anybody may let an AI sit in for a person who is away.
PATIENCE: Final = 60.0
#: Seconds after which the log says that somebody is away: whoever loads a page again is back before.
RELOAD: Final = 4.0
#: Seconds between two things that are said at one screen.
BREATH: Final = 2.0
#: Seconds in which people elsewhere answer whether a step may be taken back; who does not has not agreed.
CONSENT_SECONDS: Final = 30.0
#: Seconds between two looks at what has become of it.
TICK: Final = 0.1
#: How long a minute of the match is, in seconds.
MINUTE = 60.0


class MatchSession:
    """Match in play, from where it stands to its result; hands are seen through its clients alone."""

    def __init__(
        self, plan: MatchPlan, live: MatchJournal, thinker: Thinks, *, ask_calls: AskCalls = AskCalls.ALWAYS
    ) -> None:
        self._live, table = live, live.table
        self.speed = plan.speed
        self.ask_calls = plan.ask_calls or ask_calls
        kept = live.ui_state.get(ASKING)
        self.asking = WhenAsked(plan, table.match.names, kept if isinstance(kept, dict) else {})
        self.answer_seconds = plan.answer_seconds
        """Time to answer at screens of their own; 0: unlimited."""
        self._hints_for = plan.hints_for
        self.stand_ins: dict[int, str] = {}
        """Levels of the AI players that sit in for people who are away, by seat."""
        self.paused = False
        self.is_held = False
        """True after a step was taken back, until the next one."""
        self.is_asking = False
        """True while people are asked to let a step be taken back."""
        self.totals: list[tuple[int, ...]] = past_totals(live)
        self.revision = 0
        """Number of steps, those taken back included."""
        self.changed = asyncio.Event()
        self.opens_hands = plan.open_hands
        self.is_taught = plan.teach
        self.hands_are_open = plan.teach and live.ui_state.get(CLOSED) is not True
        self._asked: AskedAtOnce | None = None
        self._reasons = HeldReasons()
        self._reason = ""
        """Reason for the move an AI seat makes now, where only AI seats play."""
        self._follow(table)
        self.clients: list[Client] = []
        """The first is the host's."""
        self._away_since = dict.fromkeys(self.people, monotonic())
        self._told_away: set[int] = set()
        self._spoke: WeakKeyDictionary[Client, float] = WeakKeyDictionary()
        self._task: asyncio.Task[None] | None = None
        self._asking_back: asyncio.Task[None] | None = None
        self._asked_back: set[tuple[Client, int, int]] = set()
        self._minutes, self._since = plan.minutes, monotonic()
        self._clock: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self.when_read: Callable[[], object] = lambda: None
        """Called where nobody plays at the host's screen, once those who have played have read the result."""
        self._flow = TurnLoop(self, self.clients, thinker, table)
        live.on_trouble = self._tell_trouble

    def _follow(self, table: Table) -> None:
        self._table = table
        table.listen(lambda step: self._on_step(table, step))
        table.hear(self._hear)

    @property
    def names(self) -> tuple[str, ...]:
        return self._table.match.names

    @property
    def rules(self) -> Rules:
        return self._table.match.rules

    @property
    def setup(self) -> TableSetup:
        return self._table.setup

    @property
    def plans(self) -> tuple[SeatPlan, ...]:
        return self._table.plans

    @property
    def people(self) -> tuple[int, ...]:
        return self._table.people

    @property
    def asked(self) -> tuple[int, ...]:
        """People who are asked; an AI sits in for the others."""
        return tuple(seat for seat in self.people if seat not in self.stand_ins)

    @property
    def moment(self) -> Moment:
        return self._table.moment

    @property
    def asked_at_once(self) -> AskedAtOnce | None:
        return self._asked if self._asked is not None and self._asked.moment == self.moment else None

    @property
    def winners(self) -> tuple[int, ...]:
        return self._table.match.winners

    @property
    def is_finished(self) -> bool:
        return self._table.match.finished

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons of AI seats, a line each; none before the deal is over, for they speak of hands (V2)."""
        return self._reasons.lines if self._table.match.phase in AFTER_DEAL else ()

    def why_no_reseat(self) -> str:
        """Return why no seat can have another name or player; empty: one can."""
        if self.is_finished:
            return "The match is over."
        if self.duplicate:
            return "The others play these cards too, each from this seat: nobody changes places here."
        return ""

    def why_no_hint(self, seat: int) -> str:
        """Return why a person has no hints in this match; empty: they have."""
        if not self._hints_for or self.names[seat] in self._hints_for:
            return ""
        return f"In this match hints are for {' and '.join(self._hints_for)} alone."

    def turn_hands(self) -> None:
        """Open all hands at a table where somebody teaches, or close them."""
        self.hands_are_open = not self.hands_are_open
        self.keep(**{CLOSED: not self.hands_are_open})
        self.notice("All hands lie open." if self.hands_are_open else "The hands are closed: each sees their own.")
        self._tell(lambda front: front.show_missing())

    def set_paused(self, paused: bool) -> None:
        self.paused = paused
        self.wake()
        if len(self.clients) > 1:
            self.notice("The match is paused." if paused else "The match goes on.")

    @property
    def waits(self) -> bool:
        return self.paused or self.is_held or self.is_asking or self.is_writing

    @property
    def is_writing(self) -> bool:
        """True while a step that nobody sees yet is written: nothing else is done then."""
        return self._live.is_writing

    async def written(self) -> None:
        while self.is_writing:
            await self.change()

    async def wait_paused(self, revision: int | None = None) -> None:
        """Wait while AI seats do, or until something has happened since `revision`."""
        revision = self.revision if revision is None else revision
        while self.waits and revision == self.revision:
            await self.change()

    async def change(self) -> None:
        self.changed.clear()
        await self.changed.wait()

    def wake(self) -> None:
        self.changed.set()

    def keep(self, **values: object) -> None:
        self._live.keep(**values)

    @property
    def duplicate(self) -> tuple[str, ...]:
        """Key of a match that others play with the same cards, then its people."""
        return self._live.duplicate

    @property
    def record(self) -> tuple[str, ...]:
        """Lines of the record, which show every hand; none while a deal is played (V2), or where none is written."""
        return self._live.lines if self._live.id and self._table.match.phase in AFTER_DEAL else ()

    async def facts(self) -> MatchFacts | None:
        """Read the results of each seat; None: no record, or not over."""
        if not self.record or not self.is_finished:
            return None
        try:
            return await asyncio.to_thread(facts_of, f"match {self._live.id}", self._live.lines)
        except StoreError as error:
            log_fault(error)
            return None

    def settlement(self) -> list[SeatSettlement]:
        """Return how the counters were settled; empty: none are played for, or no record."""
        return settlement(self._table.view(0), self.winners, self.record) if self.is_finished else []

    def last_lay_down(self) -> tuple[int, tuple[Group, ...]]:
        seat = self.winners[0] if self.winners else 0
        return seat, last_lay_down(self._live, seat)

    def leave_words(self) -> str:
        live = self._live
        if not live.is_kept:
            return "It is not saved: what was played here is lost when you leave."
        if live.trouble is None:
            if not self.people:
                return "It is saved: open it in the list of matches to go on watching."
            return "It is saved: the first screen offers to continue it from here."
        if live.unsaved == len(live.lines):
            return "It could not be saved, and is lost when you leave."
        return "It is saved up to where saving failed; what was played since is lost when you leave."

    @property
    def explains(self) -> bool:
        """True if anybody will read why AI seats move: in a teaching match, and where only AI seats play."""
        return not self.people or self._live.teaching

    def ask_at_once(self, seats: Sequence[int], *, is_hidden: bool) -> AskedAtOnce:
        """Begin to ask these seats; answers of the same moment stand, unless all had answered."""
        before = self.asked_at_once
        given = before.given if before is not None and {*before.seats} - {*before.given} else {}
        given = {seat: answer for seat, answer in given.items() if seat in seats}
        self._asked = AskedAtOnce(self.moment, tuple(seats), is_hidden, given)
        self._tell(lambda front: front.show_missing())
        return self._asked

    def end_asking(self) -> None:
        self._asked = None

    def note_answers(self, asked: AskedAtOnce, answers: Mapping[int, bool | None]) -> None:
        asked.given |= answers
        self._tell(lambda front: front.show_missing())

    def explain(self, seat: int, reason: str) -> None:
        """Explain an AI seat's move: at once where only AI seats play, to people after the deal (V2)."""
        if self.people:
            self._reasons.hold(seat, reason)
        else:
            self._reason = reason

    def _on_step(self, table: Table, step: MatchStep) -> None:
        if table is not self._table:
            return  # it was taken back: what is still done there does not count
        self.revision += 1
        self.is_held = False
        events = tuple(map(public, step.events))
        self._reasons.happened(len(table.match.deal.history) - len(events), events, self.names, self.rules)
        if any(isinstance(event, Dealt) for event in events):
            # The match may be left before anybody opens a new hand.
            self._live.forget_hands()
        self.totals += [event.totals for event in events if isinstance(event, PassedOver)]
        self._flow.withdraw()
        if self._reason:
            self.notice(f"({self._reason})")
            self._reason = ""
        self._tell(lambda front: front.told(events, step.refusal))
        self.wake()

    def note_totals(self) -> None:
        self._keep_time()
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

    def may_take_back(self, client: Client, seat: int | None, *, looked: bool) -> TakeBack:
        """Find what a seat at `client`, or anybody there, may take back; `looked`: a hand was looked at since."""
        live, own = self._live, client.here if seat is None else (seat,)
        if self.is_writing:
            return TakeBack(WRITING)
        why, last = live.why_not_undo(), live.last_action(self.people)
        if why is None and last is not None:
            may = live.teaching or live.passed_last or last.seat in own
            if last.seat in client.here and may:
                why = "Somebody has looked at a hand since: a step can be taken back only until then."
                return TakeBack(why if looked and not live.teaching else "", last)
            why = f"The last step was {whose(self.names[last.seat])} own: only that player can take it back."
        step, others = live.last_action(own), self.elsewhere(client)
        # Nobody is asked about a pass: it cost nobody anything.
        if others and step is not None and not isinstance(step, Pass) and live.why_not_undo(own) is None:
            return TakeBack("", step, own, others)
        return TakeBack(why or "There is nothing to take back in this deal.")

    def comes_back(self, action: Discard) -> bool:
        """Return whether a throw could be taken back: it shows nothing new, and a person is asked next."""
        match = self._table.match.clone()
        try:
            events = match.apply(action)
        except Refused:
            return False
        if match.phase in AFTER_DEAL or self._live.teaching:
            return match.phase not in AFTER_DEAL
        race = match.phase in WINDOWS and match.rules.settings.race
        asked = [seat for seat in range(len(match.names)) if match.legal(seat)] if race else [match.actor]
        return shows_nothing(events) and all(seat in self.asked for seat in asked)

    def undo(self, seats: Collection[int] | None = None) -> str:
        """Take back a person's last step, or one of `seats`; return why not. AI seats wait then."""
        if self.is_writing:
            return WRITING
        step = self._live.last_action(self.people if seats is None else seats)
        try:
            table = self._live.undo(seats)
        except StoreError as error:
            return str(error)
        words = "who calls is asked again"
        if step is not None and not isinstance(step, Pass):
            words = step_words(step, self.names, self.rules)
        self._go_back(table, f"Taken back: {words}.")
        return ""

    def take_back_passes(self) -> bool:
        """Have people asked again who have just passed; return whether that was the last step."""
        if self._live.why_not_undo() is not None or not self._live.passed_last:
            return False
        self._go_back(self._live.undo(), "")
        return True

    def _go_back(self, table: Table, words: str) -> None:
        """Go back to `table`, or further, before the passes that several people made with one key."""
        while len(self.people) > 1 and self._live.why_not_undo() is None and self._live.passed_last:
            table = self._live.undo()
        self._live.when_written(lambda: self._go_back_to(table, words))

    def _go_back_to(self, table: Table, words: str) -> None:
        self.revision += 1
        self._asked = None
        self._follow(table)
        self.totals = past_totals(self._live)
        self.is_held = True
        self._flow.withdraw(all_of_them=True)
        self._tell(lambda front: front.taken_back(words))
        self.wake()
        self._flow.sit_down(table)

    def sit(self, here: Iterable[int] | None = None) -> Client:
        """Seat a client for these seats, by default all people's; raise ValueError if one is not free."""
        seats = self.people if here is None else tuple(here)
        for seat in seats:
            if seat not in self.people:
                raise ValueError(f"no person plays seat {seat}")
            if client_of(seat, self.clients) is not None:
                raise ValueError(f"the person of seat {seat} sits at another place")
        client = Client(self, lambda: self._table, self._live, seats)
        self.clients.append(client)
        was_played = {seat for seat in seats if self.stand_ins.pop(seat, None) is not None}
        if was_played:
            self._flow.ask_people()
        back = [seat for seat in seats if seat in was_played | self._told_away]
        self._told_away -= {*back}
        if back and self._task is not None and len(self.clients) > 1:
            self.notice(f"{self._names(back)} here.")
        if self._live.trouble is not None:
            self._tell_trouble(self._live.trouble, (client,))
        self.wake()
        return client

    def leave(self, client: Client) -> None:
        """Remove a client; with the last one the session ends, and another program may play the match."""
        if client not in self.clients:
            return
        self.clients.remove(client)
        client.close()
        if not self.clients:
            self.wake()
            self._close()
            return
        if client.here and not self.is_finished:
            self._away_since |= dict.fromkeys(client.here, monotonic())
            self._loop.call_later(RELOAD, self._tell_away, client.here)
        self.wake()

    def _tell_away(self, seats: tuple[int, ...]) -> None:
        gone = [seat for seat in seats if seat in self.away and seat not in self._told_away]
        if gone and self.clients:
            self._told_away |= {*gone}
            self.notice(f"{self._names(gone)} away: the table waits.")

    @property
    def away(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.asked if client_of(seat, self.clients) is None)

    @property
    def away_words(self) -> str:
        return f"{self._names(self.away)} away" if self.away else ""

    def absent_for(self, client: Client) -> tuple[int, ...]:
        """Return the people for whom this client may let an AI sit in: the host at once, others after a while."""
        if client.why_not_allowed("seats"):
            return ()
        now = monotonic()
        waits = 0.0 if client.is_host else PATIENCE
        return tuple(seat for seat in self.away if now - self._away_since.get(seat, now) >= waits)

    def sit_in(self, seat: int, level: str) -> None:
        """Let an AI play for a person who is away, until they return; raise ValueError if they are not."""
        check_level(level)
        if seat not in self.people or client_of(seat, self.clients) is not None:
            raise ValueError(f"nobody who plays seat {seat} is away")
        self.stand_ins[seat] = level
        self._flow.ask_people()
        self.notice(f"An AI, {level}, sits in for {self.names[seat]}.")
        self.wake()

    def _names(self, seats: Iterable[int]) -> str:
        """Return names with their verb: ``Ann is``, ``Ann and Bob are``."""
        names = [self.names[seat] for seat in seats]
        return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"

    def say(self, client: Client, words: str) -> str:
        why = client.why_not_allowed("hosted-say") or wrong_to_say(words)
        if not why and monotonic() - self._spoke.get(client, -BREATH) < BREATH:
            why = "You have just said something: wait a moment."
        if not why:
            self._spoke[client] = monotonic()
            who, said = " and ".join(self.names[seat] for seat in client.here), plain_words(words)
            self._tell(lambda front: front.said(who, said))
        return why

    def notice(self, words: str) -> None:
        self._tell(lambda front: front.hear(words))

    def _tell(self, message: Message) -> None:
        for client in self.clients:
            client.tell(message)

    def _tell_trouble(self, trouble: JournalError | None, clients: Sequence[Client] | None = None) -> None:
        words = "" if trouble is None else f"{trouble}. You can play on."
        for client in self.clients if clients is None else clients:
            client.tell(lambda front: front.show_trouble(words))

    def _hear(self, notice: str) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it everybody who could hear of it
            self._loop.call_soon_threadsafe(self.notice, notice)

    def reseat(self, client: Client, seat: int, plan: SeatPlan) -> str:
        before, sits = self.plans[seat], client_of(seat, self.clients)
        why = client.why_not_allowed("reseat") or self.why_no_reseat()
        if why:
            return why
        if before.is_outside or plan.is_outside:
            return "A program keeps its seat until the match is over."
        if before.is_human and seat not in client.here:
            return f"{does(before.name, 'sit')} at another screen."
        if before.is_human and not plan.is_human and len(self.people) == 1:
            return "Somebody must stay: the match goes on only while a person plays."

        def seated() -> None:
            self.stand_ins.pop(seat, None)
            if before.is_human and not plan.is_human and sits is not None:
                sits.here = tuple(one for one in sits.here if one != seat)
            elif plan.is_human and not before.is_human:
                client.here = tuple(sorted((*client.here, seat)))
            self._flow.ask_people()
            words = seating_words(before.name, plan.name, plan.player)
            self._tell(lambda front: front.reseated(words))
            self.wake()

        try:
            self._live.reseat(seat, plan, seated)
        except ValueError as error:
            return sentence(str(error))
        return ""

    # Taking back what others have seen

    def elsewhere(self, client: Client) -> tuple[int, ...]:
        return tuple(seat for other in self.clients if other is not client for seat in other.here)

    @property
    def _turn(self) -> tuple[int, int]:
        deal = self._table.match.deal
        return deal.number, sum(isinstance(event, Discarded | TurnEnded) for event in deal.history)

    def ask_back(self, client: Client, found: TakeBack) -> str:
        """Ask people elsewhere to let a step be taken back; they may play on, and AI seats wait. Return why not."""
        asked = client, *self._turn
        if self.is_asking or asked in self._asked_back:
            when = "already" if self.is_asking else "once in this turn"
            return f"The others have been asked {when}."
        self._asked_back.add(asked)
        self.is_asking = True
        self._asking_back = self._loop.create_task(self._agree(client, found))
        return ""

    async def _agree(self, client: Client, found: TakeBack) -> None:
        step, turn, player = found.step, self._turn, self._table.match.deal.turn
        assert step is not None
        others = [other for other in self.clients if other is not client and other.here]
        words = f"{does(self.names[step.seat], 'want')} to take back {step_words(step, self.names, self.rules)}."
        client.notice(f"{self._names(found.asks)} asked to let it be taken back.")
        seconds = round(CONSENT_SECONDS)
        answers = {other: other.ask(Question(QuestionKind.CONSENT, other.here, seconds, words)) for other in others}

        def may_be() -> bool:
            return self._turn == turn and self._live.last_action(found.seats) is step and not self.is_finished

        try:
            left, deadline = set(answers.values()), monotonic() + CONSENT_SECONDS
            while left and may_be() and monotonic() < deadline:
                done, left = await asyncio.wait(left, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
                if any(one.cancelled() or not one.result() for one in done):
                    break
            await self.written()
            said = {other: one.result() for other, one in answers.items() if one.done() and not one.cancelled()}
            against = [other for other, agrees in said.items() if not agrees]
            # Whoever has left has ended it.
            silent = sorted({*answers} - {*said}, key=lambda other: (not answers[other].cancelled(), other.here))
            if not may_be():
                self.notice(f"{does(self.names[player], 'have')} played on: nothing is taken back.")
            elif against or silent:
                names = " and ".join(self.names[seat] for seat in [*against, *silent][0].here)
                what = "did not agree" if against else "has not answered"
                self.notice(f"{names} {what}: nothing is taken back.")
            else:
                self.is_asking = False
                self.undo(found.seats)
        finally:
            self.is_asking = False
            for one in answers.values():
                one.cancel()
            self.wake()

    def begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._flow.run())
            if self._minutes and self._clock is None and not self.is_finished:
                self._since = monotonic()
                left = max(0.0, self._minutes * MINUTE - self._played)
                self._clock = self._loop.call_later(left, self._time_is_over)

    @property
    def _played(self) -> float:
        kept = self._live.ui_state.get(PLAYED)
        return float(kept) if isinstance(kept, (int, float)) else 0.0

    def _time_is_over(self) -> None:
        match = self._table.match
        if match.finished or match.last_deal is not None:
            return
        self._live.end_after_this_deal()

        def told() -> None:
            match, word = self._table.match, self.rules.ruleset.vocabulary.deal
            which = "this" if match.last_deal == match.deal.number else "the next"
            self.notice(f"The time is over: {which} {word} is the last.")

        self._live.when_written(told)

    def _keep_time(self) -> None:
        if self._clock is not None:
            now = monotonic()
            self.keep(**{PLAYED: round(self._played + now - self._since)})
            self._since = now

    def _close(self) -> None:
        self._keep_time()
        for task in filter(None, (self._task, self._asking_back)):
            task.cancel()
        if self._clock is not None:
            self._clock.cancel()
        self._flow.driver.close()
        self._live.on_trouble = None
        self._live.close()
