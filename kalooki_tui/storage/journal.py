"""A match being played: every step is on disk before anybody at the table hears of it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from msgspec import Struct

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Pass, Source
from kalooki_tui.engine.events import Dealt, Event
from kalooki_tui.match.table import Step, Table, record_head
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.lines import CheckChain
from kalooki_tui.records.writing import Line, dump, last_deal_line, seat_line, start_lines, step_lines, undone_line
from kalooki_tui.storage.errors import JournalError, StoreError, reason
from kalooki_tui.storage.index import Index, Kept

if TYPE_CHECKING:
    from kalooki_tui.cards import Card
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.match import Match
    from kalooki_tui.engine.refusals import Refusal
    from kalooki_tui.engine.view import View
    from kalooki_tui.locks import FileLock
    from kalooki_tui.match.seats import SeatPlan
    from kalooki_tui.storage.match_file import MatchFile

HANDS: Final = "hands"
"""Under this name the players' own orders of their hands are kept, by seat."""
BUNDLES: Final = "groups"
"""Under this name the bundle of each card is."""
BREATH: Final = 0.05
"""Seconds that a step is waited for before screens are drawn without it: most disks need a hundredth of one."""
PATIENCE: Final = 10.0
"""Seconds after which a disk that has not answered counts as one that cannot be written to."""


def _nothing() -> None:
    """Follows a line of which nobody is to hear."""


class MatchJournal:
    """A match that this program plays, from `Store.begin` or `Store.resume` to `close`.

    Play goes on where nothing can be written: `trouble` says why, and every later step tries to write all that is
    still missing.
    """

    def __init__(
        self,
        match_id: str,
        taken_up: TakenUp,
        *,
        index: Index,
        file: MatchFile | None,
        lock: FileLock | None,
        kept: Kept,
        teaching: bool,
        tell: Callable[[str], None],
        duplicate: tuple[str, ...] = (),
    ) -> None:
        """`file` None: nothing is saved. `tell` gets notices about the file for the player."""
        self.id = match_id
        self.table = taken_up.table
        self.teaching = teaching
        """Whether a person may take back anything done in this deal."""
        self.duplicate = duplicate
        """Of a match that others play with the same cards: by what it is known, then the people."""
        self.trouble: JournalError | None = None
        """Why the last steps are not on disk."""
        self.on_trouble: Callable[[JournalError | None], None] | None = None
        """Told when steps can no longer be written down, and, with None, when all of them have been."""
        self._index = index
        self._file = file
        self._lock = lock
        self._tell = tell
        self._lines, self._chain = taken_up.lines, taken_up.chain
        """All lines of the record, also those not written yet."""
        self._trail, self._checkpoints = taken_up.trail, taken_up.checkpoints
        self._kept = kept
        self._closed = False
        """Another program may play the match now: what is still done at this table is not written down."""
        self._told = len(self._lines)
        """How many lines everybody may know of."""
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """What is to follow once so many lines are on disk."""
        self._loop: asyncio.AbstractEventLoop
        self._writer: Writer | None = None
        """None: whoever makes a step waits for the disk."""
        self._under_way: Future[tuple[int, JournalError | None]] | None = None
        """What is being written; how many lines then are, and why they could not be."""
        self._listen()
        self.save()

    # Writing

    @property
    def lines(self) -> tuple[str, ...]:
        """The match's record so far, what could not be written included, but nothing that is being written."""
        return tuple(self._lines[: self._told])

    @property
    def is_kept(self) -> bool:
        """Whether the match is written down at all."""
        return self._file is not None

    @property
    def unsaved(self) -> int:
        """How many lines of the record are not on disk."""
        return 0 if self._file is None else len(self._lines) - self._file.written

    @property
    def is_writing(self) -> bool:
        """Whether a step is being written down, of which nobody knows yet."""
        return bool(self._waiting)

    def write_apart(self) -> None:
        """From now on write in a thread; what waits for it is done in the loop that runs."""
        if self._file is not None:
            self._loop, self._writer = asyncio.get_running_loop(), Writer()
            self.table.waits = True

    def when_written(self, then: Callable[[], None]) -> None:
        """Do it once all that has been done so far is on disk: at once, as a rule."""
        if self.is_writing:
            self._waiting.append((len(self._lines), then))
        else:
            then()

    def save(self) -> bool:
        """Write what is not on disk yet; True if everything is now. It never raises: `trouble` says what is wrong."""
        if self._file is None or self._closed:
            self._written(len(self._lines), self.trouble)
        elif self._writer is None:
            self._written(*self._write(self._file, self._lines))
        elif self._under_way is None:
            self._begin(BREATH)
        elif self.trouble is not None:
            self._written(len(self._lines), self.trouble)  # people know that it is not saved
        return self.trouble is None

    @staticmethod
    def _write(file: MatchFile, lines: Sequence[str]) -> tuple[int, JournalError | None]:
        try:
            if len(lines) > file.written:
                file.write(lines)
        except OSError as error:
            return len(lines), JournalError(f"The match is not being saved: {reason(error)}")
        return len(lines), None

    def _begin(self, seconds: float) -> None:
        """Have it written in the thread, and wait a moment: with most disks, that is all there is to it."""
        assert self._file is not None
        assert self._writer is not None
        self._under_way = done = self._writer.do(partial(self._write, self._file, tuple(self._lines)))
        wait((done,), seconds)
        if done.done():
            self._end(done)
        else:
            done.add_done_callback(self._call_back)
            self._loop.call_later(PATIENCE, self._give_up, done)

    def _call_back(self, done: Future[tuple[int, JournalError | None]]) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it everybody who could hear of it
            self._loop.call_soon_threadsafe(self._end, done)

    def _end(self, done: Future[tuple[int, JournalError | None]]) -> None:
        """What was under way is on disk, or cannot be; what has come since is next."""
        if done is self._under_way:
            self._under_way = None
            self._written(*done.result())
            if self._writer is not None and (self._waiting or (self.trouble is None and self.unsaved)):
                self._begin(0)

    def _give_up(self, done: Future[tuple[int, JournalError | None]]) -> None:
        """Play on, where a disk does not answer at all."""
        if done is self._under_way:
            words = f"The match is not being saved: the disk has not answered for {PATIENCE:.0f} seconds"
            self._written(len(self._lines), JournalError(words))

    def _written(self, count: int, trouble: JournalError | None) -> None:
        """So many lines are on disk, or it is known why they are not."""
        self._set_trouble(trouble)
        if self._file is not None and self._file.notice:
            self._tell(self._file.notice)
            self._file.notice = ""
        self._told = max(self._told, count)
        while self._waiting and self._waiting[0][0] <= count:
            self._waiting.popleft()[1]()

    def _set_trouble(self, trouble: JournalError | None) -> None:
        changed = str(trouble) != str(self.trouble)
        self.trouble = trouble
        if changed and self.on_trouble is not None:
            self.on_trouble(trouble)

    def _listen(self) -> None:
        table = self.table

        def keep(match: Match, step: Step, show: Callable[[], None]) -> None:
            # A table that was taken back is nobody's any more: what an AI seat still does there does not count.
            if table is self.table:
                self._on_step(match, step, show)
            else:
                show()

        table.keeper, table.waits = keep, self._writer is not None

    def _on_step(self, match: Match, step: Step, show: Callable[[], None]) -> None:
        lines = step_lines(match, step.action, step.events, step.refusal, asked=step.asked)
        if step.action is None or any(isinstance(event, Dealt) for event in step.events):
            self._trail.begin()
            self._checkpoints.begin(match)
        else:
            self._trail.act(step.action, step.events, step.refusal, asked=step.asked)
            self._checkpoints.step(match, step.action)
            for _ in lines[1:]:
                self._trail.follow()
        self._add(lines, show)

    def _add(self, lines: Sequence[Line], then: Callable[[], None] = _nothing) -> None:
        """Write lines; `then` follows when they are on disk, or it is known why they are not."""
        self._lines += [self._chain.seal(dump(line)) for line in lines]
        self._waiting.append((len(self._lines), then))
        self.save()

    # Taking back

    def why_not_undo(self, seats: Collection[int] | None = None) -> str | None:
        """Why nothing can be taken back now, in one sentence, or None where `undo` will do it.

        `seats`: why no step of theirs can be, whatever it showed and whoever has acted since.
        """
        if self.table.match.finished:
            return "The match is over."
        people = self.table.people if seats is None else seats
        return self._trail.why_not(people, freely=self.teaching or seats is not None)

    def undo(self, seats: Collection[int] | None = None) -> Table:
        """Take back a person's last step: a new table, one step earlier; the old one is dead.

        A step can be taken back until something new has been shown or another seat has decided; in a teaching match
        any step of this deal, with all that followed it, and so can the last step of one of these `seats`.

        Raises:
            StoreError: nothing can be taken back; the text is that of `why_not_undo`.
        """
        refused = self.why_not_undo(seats)
        if refused is not None:
            raise StoreError(refused)
        count = self._trail.last_lines(self.table.people if seats is None else seats)
        self._trail.take_back(count)
        old, match = self.table, self._checkpoints.back_to(len(self._trail))
        match.rename(old.match.names)
        match.last_deal = old.match.last_deal
        self.table = Table(old.setup, match, old.plans)
        self._listen()
        self._add([undone_line(count)])
        return self.table

    def reseat(self, seat: int, plan: SeatPlan, then: Callable[[], None] = _nothing) -> None:
        """From now on a seat has this name and player, whatever is taken back.

        Raises:
            ValueError: the names would not tell the seats apart, or there is no such player.
        """
        plans = self.table.check_reseat(seat, plan)

        def seated() -> None:
            self.table.reseat(seat, plan)
            then()

        if self._kept.players:
            self._keep(Kept(self._kept.state, tuple(one.player for one in plans)))
        self._add([seat_line(self.table.match, seat, plan.name, plan.player)], seated)

    def end_after_this_deal(self) -> None:
        """Let the match end with this deal, whatever is taken back."""
        match = self.table.ahead
        match.last_deal = match.ending_deal
        self._add([last_deal_line(match.last_deal)])

    def last_action(self, seats: Collection[int] | None = None) -> Action | None:
        """The last that anybody, or one of these seats, was asked for and did in this deal."""
        return self._trail.last_of(seats)

    @property
    def passed_last(self) -> bool:
        """Whether the last that was done is that a person, who was asked, did not call."""
        last = self._trail.last
        return (
            last is not None and last.asked and isinstance(last.action, Pass) and self.table.is_human(last.action.seat)
        )

    def decisions(self, seat: int) -> list[tuple[View, Action]]:
        """The seat's views and actions in this deal."""
        return self._checkpoints.decisions(seat)

    # What the screen wants to keep

    @property
    def ui_state(self) -> Mapping[str, Any]:
        """The value last given to `keep`, as JSON reads it back."""
        return self._kept.state

    def keep(self, **state: object) -> None:
        """Keep values of the screen's own with the match; they must be JSON. A name given before is overwritten."""
        values = {**self._kept.state, **json.loads(json.dumps(state))}
        self._keep(Kept(values, self._kept.players))

    def _keep(self, kept: Kept) -> None:
        self._kept = kept
        keep = partial(self._index.keep, self.id, kept)
        if self._writer is None:
            keep()
        else:
            self._writer.do(keep)

    def hand_order(self, seat: int) -> tuple[Card, ...]:
        """The order in which the seat had its cards when it last kept one; its hand may have changed since."""
        return tuple(self.ui_state.get(HANDS, {}).get(str(seat), ()))

    def hand_bundles(self, seat: int) -> tuple[int, ...]:
        """The number of the bundle that each of those cards belonged to (-1: none); empty: nothing was bundled."""
        return tuple(self.ui_state.get(BUNDLES, {}).get(str(seat), ()))

    def keep_hand(self, seat: int, cards: Sequence[Card], bundles: Sequence[int] = ()) -> None:
        """Keep how a person's hand lies, unless it lay so before."""
        if (tuple(cards), tuple(bundles)) != (self.hand_order(seat), self.hand_bundles(seat)):
            of_seat = {HANDS: [*cards], BUNDLES: [*bundles]}
            self.keep(**{name: {**self.ui_state.get(name, {}), str(seat): of_seat[name]} for name in of_seat})

    def forget_hands(self) -> None:
        """Forget how hands lay: another deal has begun."""
        if self.ui_state.get(HANDS):
            self.keep(**{HANDS: {}, BUNDLES: {}})

    def close(self) -> None:
        """Write what is missing and let other programs play the match."""
        self.save()
        self._closed = True
        if not self._is_idle():
            # The thread has the file, and this program with it the match, until the disk answers.
            self._tell("The disk does not answer: the last steps of this match may not be saved.")
            return
        if self._file is not None:
            # The match that was left last is the first to go on with, also where no step was made in it.
            self._file.touch()
            self._file.close()
        if self._lock is not None:
            self._lock.release()

    def _is_idle(self) -> bool:
        """Whether the thread has done everything, or does so in time; it ends."""
        if self._writer is None:
            return True
        end = monotonic() + PATIENCE
        while (done := self._under_way) is not None and wait((done,), max(0.0, end - monotonic())).done:
            self._end(done)
        last, self._writer = self._writer.do(None), None
        wait((last,), max(0.0, end - monotonic()))
        if self._under_way is not None:
            self._give_up(self._under_way)
        return last.done()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def begun(table: Table, **head: object) -> TakenUp:
    """A match at a table opened just now: no action taken yet. `head`: what its first line says besides."""
    first, *others = start_lines(record_head(table), table.match)
    chain, checkpoints = CheckChain(), Checkpoints()
    checkpoints.begin(table.match)
    lines = [chain.seal(dump(line)) for line in ({**first, **head}, *others)]
    return TakenUp(table, Trail(), checkpoints, lines, chain)


class Writer:
    """One thread and its queue. The program does not wait for it at its end: a disk may never answer."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any] | None, Future[Any]]] = SimpleQueue()
        Thread(target=self._run, name="writer", daemon=True).start()

    def do(self, job: Callable[[], Any] | None) -> Future[Any]:
        """Do it after all that was given before; None: end."""
        done: Future[Any] = Future()
        self._jobs.put((job, done))
        return done

    def _run(self) -> None:
        job: Callable[[], Any] | None = self._run
        while job is not None:
            job, done = self._jobs.get()
            try:
                done.set_result(None if job is None else job())
            except Exception as error:  # noqa: BLE001 - it belongs to whoever has given the job
                done.set_exception(error)


#: Events that show nobody a card, a decision or a score that was not known: a step of these alone can be taken back.
HARMLESS: Final = (
    happened.Passed,
    happened.Called,
    happened.CallRefused,
    happened.Laid,
    happened.Tacked,
    happened.Swapped,
    happened.Discarded,
    happened.TurnEnded,
    happened.AddedOn,
    happened.BoughtIn,
    happened.SeatLeft,
    happened.WentOut,
)


@dataclass(slots=True)
class Mark:
    """One action in effect, and the number of its lines in the record."""

    action: Action
    reveals: bool
    lines: int = 1
    asked: bool = True
    """False: a pass that was made for a person."""


class Trail:
    """The actions in effect since the cards were dealt; nothing reaches back before them."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def __len__(self) -> int:
        return len(self._marks)

    @property
    def last(self) -> Mark | None:
        return self._marks[-1] if self._marks else None

    def last_of(self, people: Iterable[int] | None = None) -> Action | None:
        """The last that anybody, or one of these people, was asked for and did."""
        place = self._place(people)
        return None if place is None else self._marks[place].action

    def _place(self, people: Iterable[int] | None) -> int | None:
        seats = None if people is None else set(people)
        for place, mark in reversed([*enumerate(self._marks)]):
            if mark.asked and (seats is None or mark.action.seat in seats):
                return place
        return None

    def act(
        self, action: Action, events: Iterable[Event], refusal: Refusal | None = None, *, asked: bool = True
    ) -> None:
        """An action was taken, or an attempt charged. Not `asked`: it was a pass made for a person."""
        reveals = refusal is not None or not shows_nothing(events)
        self._marks.append(Mark(action, reveals, asked=asked))

    def follow(self) -> None:
        """A further line tells what came of the last action."""
        if self._marks:
            self._marks[-1].lines += 1

    def begin(self) -> None:
        """Cards were dealt, or a contract passed over."""
        self._marks.clear()

    def take_back(self, lines: int) -> None:
        """Take the last `lines` lines out of effect."""
        while lines > 0 and self._marks:
            lines -= self._marks.pop().lines

    def why_not(self, people: Iterable[int], *, freely: bool = False) -> str | None:
        """Why the last step cannot be taken back, or None; `freely`: why none of theirs, where everything may be."""
        asked = self._place(None)
        if asked is None or self._place(people) is None:
            own = "of yours " if freely or asked is not None else ""
            return f"There is nothing {own}to take back in this deal."
        if freely:
            return None
        if self._marks[asked].action.seat not in set(people):
            return "Another seat has decided since: a step can be taken back only until then."
        # What a pass shows that was made for somebody, such as a flip, has been seen as well.
        if any(mark.reveals for mark in self._marks[asked:]):
            return "A new card has been seen since: a step can be taken back only until then."
        return None

    def last_lines(self, people: Iterable[int]) -> int:
        """How many lines the last step of a person and all that followed it have; a pass made for a person is none."""
        place = self._place(people)
        return 0 if place is None else sum(mark.lines for mark in self._marks[place:])


def shows_nothing(events: Iterable[Event]) -> bool:
    """Whether these events show nobody a card, a decision or a score that was not known."""
    return all(
        event.source is not Source.STOCK if isinstance(event, happened.Drew) else isinstance(event, HARMLESS)
        for event in events
    )


class TakenUp(Struct, frozen=True):
    """A table as it was, what can be taken back there, and its record, sealed and ending with a whole step."""

    table: Table
    trail: Trail
    checkpoints: Checkpoints
    lines: list[str]
    chain: CheckChain
