"""A match being played: its one owner, whatever screens come and go.

A sitting holds the match, the flow that asks people, and the places they sit at. It needs no screen: what can be asked
of nobody waits until somebody comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from kalooki_tui.desk.setup.keeping import PLAYED
from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.desk.table.ai_seats import Thinks
from kalooki_tui.desk.table.flow import Flow
from kalooki_tui.desk.table.messages import Ask, Message, Noticed, Question, Reseated, Said, Trouble
from kalooki_tui.desk.table.place import Place, place_of
from kalooki_tui.desk.table.played import PlayedMatch
from kalooki_tui.desk.table.taking_back import Past, TakeBack
from kalooki_tui.desk.words.phrases import plain_words, wrong_to_say
from kalooki_tui.desk.words.telling import step_words
from kalooki_tui.engine.events import Discarded, TurnEnded
from kalooki_tui.notation.seats import seating_words
from kalooki_tui.players import check_level
from kalooki_tui.store.errors import JournalError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import Table
from kalooki_tui.wording import capital, does

#: Seconds after which anybody may let an AI sit in for a person who is away.
PATIENCE: Final = 60.0
#: Seconds after which the log says that somebody is away: whoever loads a page again is back before.
RELOAD: Final = 4.0
#: Seconds between two things that are said from one place.
BREATH: Final = 2.0
#: Seconds in which people elsewhere answer whether a step may be taken back; who does not has not agreed.
CONSENT_SECONDS: Final = 30.0
#: Seconds between two looks at what has become of it.
TICK: Final = 0.1
#: How long a minute of the match is, in seconds.
MINUTE = 60.0


class Sitting(PlayedMatch):
    """Lets people sit down at a match, and plays it. Its places, and nobody else, may see hands by it."""

    def __init__(
        self,
        plan: MatchPlan,
        table: Table,
        thinker: Thinks,
        live: LiveMatch | None = None,
        *,
        ask_calls: AskCalls = AskCalls.ALWAYS,
        past: Past | None = None,
    ) -> None:
        super().__init__(plan, table, live, ask_calls, past)
        self.places: list[Place] = []
        """The first is the host's."""
        self._away_since = dict.fromkeys(self.people, monotonic())
        """When people went away, or might have come."""
        self._told_away: set[int] = set()
        """Of whom the log says that they are away."""
        self._spoke: WeakKeyDictionary[Place, float] = WeakKeyDictionary()
        """When people at a place last said something."""
        self._task: asyncio.Task[None] | None = None
        self._asking_back: asyncio.Task[None] | None = None
        self._asked_back: set[tuple[Place, int, int]] = set()
        """The turns, by deal and number, in which a place has asked the others to let a step be taken back."""
        self._minutes, self._since = plan.minutes, monotonic()
        self._clock: asyncio.TimerHandle | None = None
        """Rings when the match has been played as long as its people wanted."""
        self._loop = asyncio.get_running_loop()
        self._flow = Flow(self, self.places, thinker, table)
        if live is not None:
            live.on_trouble = self._tell_trouble

    def _follow(self, table: Table) -> None:
        super()._follow(table)
        table.hear(self._hear)

    def sit(self, here: Iterable[int] | None = None) -> Place:
        """A place for the people of these seats; for all people of the match, where none are named.

        Raises:
            ValueError: a seat is no person's, or its person sits at another place.
        """
        seats = self.people if here is None else tuple(here)
        for seat in seats:
            if seat not in self.people:
                raise ValueError(f"no person plays seat {seat}")
            if place_of(seat, self.places) is not None:
                raise ValueError(f"the person of seat {seat} sits at another place")
        place = Place(
            self, lambda: self._table, self._live, seats, is_host=not self.places, begin=self.begin, leave=self.leave,
            say=self.say, elsewhere=lambda: self._elsewhere(place), ask_back=self._ask_back, reseat=self.reseat,
        )  # fmt: skip
        self.places.append(place)
        self._take_back_seats(seats)
        if self._live is not None and self._live.trouble is not None:
            place.tell(Trouble(_trouble_words(self._live.trouble)))
        self.wake()
        return place

    def leave(self, place: Place) -> None:
        """A place goes; with the last one the sitting ends, and another program may play the match."""
        if place not in self.places:
            return
        self.places.remove(place)
        place.close()
        if not self.places:
            self.wake()
            self._close()
            return
        if place.here and not self.is_finished:
            self._away_since |= dict.fromkeys(place.here, monotonic())
            self._loop.call_later(RELOAD, self._tell_away, place.here)
        self.wake()

    # Who is away

    def _tell_away(self, seats: tuple[int, ...]) -> None:
        """Say who of these people has not come back."""
        gone = [seat for seat in seats if seat in self.away and seat not in self._told_away]
        if gone and self.places:
            self._told_away |= {*gone}
            self._tell(Noticed(f"{self._names(gone)} away: the table waits."))

    @property
    def away(self) -> tuple[int, ...]:
        """People who sit at no place, and for whom nobody sits in."""
        return tuple(seat for seat in self.asked if place_of(seat, self.places) is None)

    @property
    def long_away(self) -> tuple[int, ...]:
        """Those of them whom anybody, and not the host alone, may let an AI sit in for."""
        now = monotonic()
        return tuple(seat for seat in self.away if now - self._away_since.get(seat, now) >= PATIENCE)

    def absent_for(self, place: Place) -> tuple[int, ...]:
        """People who are away, and for whom a place may let an AI sit in."""
        if place.why_not_allowed("seats"):
            return ()
        return self.away if place.is_host else self.long_away

    def sit_in(self, seat: int, level: str) -> None:
        """Let an AI of a level play for a person who is away, until that person is here again.

        Raises:
            ValueError: no person plays the seat, its person is here, or there is no such level.
        """
        check_level(level)
        if seat not in self.people or place_of(seat, self.places) is not None:
            raise ValueError(f"nobody who plays seat {seat} is away")
        self.stand_ins[seat] = level
        self._flow.ask_people()
        self._tell(Noticed(f"An AI, {level}, sits in for {self.names[seat]}."))
        self.wake()

    def _take_back_seats(self, seats: tuple[int, ...]) -> None:
        """People are here again: nobody sits in for them."""
        was_played = {seat for seat in seats if self.stand_ins.pop(seat, None) is not None}
        if was_played:
            self._flow.ask_people()
        back = [seat for seat in seats if seat in was_played | self._told_away]
        self._told_away -= {*back}
        if back and self._task is not None and len(self.places) > 1:
            self._tell(Noticed(f"{self._names(back)} here."))

    def _names(self, seats: Iterable[int]) -> str:
        """People and the verb that follows them: ``Ann is``, ``Ann and Bob are``."""
        names = [self.names[seat] for seat in seats]
        return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"

    def set_paused(self, paused: bool) -> None:
        """Let AI seats wait, or go on; screens elsewhere are told."""
        super().set_paused(paused)
        if len(self.places) > 1:
            self._tell(Noticed("The match is paused." if paused else "The match goes on."))

    def say(self, place: Place, words: str) -> str:
        """Let everybody read what the people of a place say; why not, in a sentence, else an empty one."""
        said = place.why_not_allowed("hosted-say") or wrong_to_say(words) or self._too_soon(place)
        if not said:
            self._spoke[place] = monotonic()
            self._tell(Said(" and ".join(self.names[seat] for seat in place.here), plain_words(words)))
        return said

    def _too_soon(self, place: Place) -> str:
        since = monotonic() - self._spoke.get(place, -BREATH)
        return "" if since >= BREATH else "You have just said something: wait a moment."

    def _tell(self, message: Message) -> None:
        for place in self.places:
            place.tell(message)

    def _tell_trouble(self, trouble: JournalError | None) -> None:
        self._tell(Trouble(_trouble_words(trouble)))

    def _hear(self, notice: str) -> None:
        """A program at a seat fails in a thread of its own."""
        with suppress(RuntimeError):  # the loop has ended, and with it everybody who could hear of it
            self._loop.call_soon_threadsafe(self._tell, Noticed(notice))

    # Who plays

    def reseat(self, place: Place, seat: int, plan: SeatPlan) -> str:
        """Give a seat another name or player, whose person sits at `place`; why that cannot be, else nothing."""
        before, sits = self.plans[seat], place_of(seat, self.places)
        why = place.why_not_allowed("reseat") or self.why_no_reseat() or self._why_not_this(place, seat, plan)
        if why:
            return why

        def seated() -> None:
            self.stand_ins.pop(seat, None)
            if before.is_human and not plan.is_human and sits is not None:
                sits.here = tuple(one for one in sits.here if one != seat)
            elif plan.is_human and not before.is_human:
                place.here = tuple(sorted((*place.here, seat)))
            self._flow.ask_people()
            self._tell(Reseated(seating_words(before.name, plan.name, plan.player)))
            self.wake()

        try:
            if self._live is None:
                self._table.reseat(seat, plan)
                seated()
            else:
                self._live.reseat(seat, plan, seated)
        except ValueError as error:
            return f"{capital(str(error))}."
        return ""

    def _why_not_this(self, place: Place, seat: int, plan: SeatPlan) -> str:
        before = self.plans[seat]
        if before.is_outside or plan.is_outside:
            return "A program keeps its seat until the match is over."
        if before.is_human and seat not in place.here:
            return f"{does(before.name, 'sit')} at another screen."
        if before.is_human and not plan.is_human and len(self.people) == 1:
            return "Somebody must stay: the match goes on only while a person plays."
        return ""

    # Taking back what others have seen

    def _elsewhere(self, place: Place) -> tuple[int, ...]:
        """People who sit at other places."""
        return tuple(seat for other in self.places if other is not place for seat in other.here)

    def _ask_back(self, place: Place, found: TakeBack) -> None:
        """Ask people elsewhere to let a step be taken back; AI seats wait meanwhile."""
        turn = sum(isinstance(event, Discarded | TurnEnded) for event in self._table.match.deal.history)
        asked = place, self._table.match.deal.number, turn
        if self.is_asking or asked in self._asked_back:
            when = "already" if self.is_asking else "once in this turn"
            place.tell(Noticed(f"The others have been asked {when}."))
            return
        self._asked_back.add(asked)
        self.is_asking = True
        self._asking_back = asyncio.get_running_loop().create_task(self._agree(place, found, self.revision))

    async def _agree(self, place: Place, found: TakeBack, revision: int) -> None:
        """Take a step back once all people elsewhere agree; a step made meanwhile is an answer, too: no."""
        step = found.step
        assert step is not None
        others = [other for other in self.places if other is not place and other.here]
        words = f"{does(self.names[step.seat], 'want')} to take back {step_words(step, self.names, self.rules)}."
        place.tell(Noticed(f"{self._names(found.asks)} asked to let it be taken back."))
        seconds = round(CONSENT_SECONDS)
        answers = {other: other.ask(Question(Ask.CONSENT, other.here, seconds, words)) for other in others}
        try:
            left, deadline = set(answers.values()), monotonic() + CONSENT_SECONDS
            while left and self.revision == revision and monotonic() < deadline:
                done, left = await asyncio.wait(left, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
                if any(one.cancelled() or not one.result() for one in done):
                    break
            await self.written()
            against = [other for other, one in answers.items() if one.done() and (one.cancelled() or not one.result())]
            silent = [other for other, one in answers.items() if not one.done()]
            if self.revision != revision:
                self._tell(Noticed("Somebody has made a move meanwhile: nothing is taken back."))
            elif against or silent:
                names = " and ".join(self.names[seat] for seat in [*against, *silent][0].here)
                what = "did not agree" if against else "has not answered"
                self._tell(Noticed(f"{names} {what}: nothing is taken back."))
            else:
                self.is_asking = False
                self.undo(found.seats)
        finally:
            self.is_asking = False
            for one in answers.values():
                one.cancel()
            self.wake()

    # How the match runs

    def begin(self) -> None:
        """Play on, in a task of the sitting's own; nothing where it runs already."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._flow.run())
            self._start_clock()

    def _start_clock(self) -> None:
        if self._minutes and self._clock is None and not self.is_finished:
            self._since = monotonic()
            left = max(0.0, self._minutes * MINUTE - self._played)
            self._clock = self._loop.call_later(left, self._time_is_over)

    @property
    def _played(self) -> float:
        """Seconds that the match was played before this sitting."""
        kept = None if self._live is None else self._live.ui_state.get(PLAYED)
        return float(kept) if isinstance(kept, (int, float)) else 0.0

    def _time_is_over(self) -> None:
        """The deal that is played is the last; between deals, the next one."""
        match = self._table.match
        if match.finished or match.last_deal is not None:
            return
        if self._live is None:
            match.last_deal = match.ending_deal
        else:
            self._live.end_after_this_deal()
        self._when_written(self._tell_last_deal)

    def _tell_last_deal(self) -> None:
        match = self._table.match
        which = "this" if match.last_deal == match.deal.number else "the next"
        self._tell(Noticed(f"The time is over: {which} {self.rules.ruleset.vocabulary.deal} is the last."))

    def note_totals(self) -> None:
        """Note the totals of a deal that has been scored, and how long has been played."""
        super().note_totals()
        self._keep_time()

    def _keep_time(self) -> None:
        if self._clock is not None:
            now = monotonic()
            self.keep(**{PLAYED: round(self._played + now - self._since)})
            self._since = now

    def _close(self) -> None:
        """End programs, write what is missing, and let another program play the match."""
        self._keep_time()
        for task in filter(None, (self._task, self._asking_back)):
            task.cancel()
        if self._clock is not None:
            self._clock.cancel()
        self._flow.driver.close()
        if self._live is not None:
            self._live.on_trouble = None
            self._live.close()

    # What happens

    def _withdraw(self, *, all_of_them: bool = False) -> None:
        self._flow.withdraw(all_of_them=all_of_them)

    def _go_back_to(self, table: Table, words: str) -> None:
        super()._go_back_to(table, words)
        self._flow.sit_down(table)


def _trouble_words(trouble: JournalError | None) -> str:
    return "" if trouble is None else f"{trouble}. You can play on."
