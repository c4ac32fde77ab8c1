"""Journal of a match in play: every step is on disk before anybody at the table hears of it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self

from msgspec import Struct

from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.events import Dealt
from kalooki_tui.match.live_match import MatchStep, Table, record_head
from kalooki_tui.problems import reason
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.lines import CheckChain
from kalooki_tui.records.writer import LAST_DEAL, Line, dump, start_lines, step_lines
from kalooki_tui.storage.files import JournalError, StoreError
from kalooki_tui.storage.index import NOTHING_KEPT, Index, ScreenNotes

if TYPE_CHECKING:
    from kalooki_tui.cards import Card
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.match import Match
    from kalooki_tui.engine.view import View
    from kalooki_tui.locks import FileLock
    from kalooki_tui.match.seating import SeatPlan
    from kalooki_tui.storage.match_file import MatchFile

#: Not "hands", under which matches saved before have something else.
HANDS: Final = "orders"
BREATH: Final = 0.05
"""Seconds to wait for a step before screens are drawn without it: most disks need 0.01."""
PATIENCE: Final = 10.0
"""Seconds after which a silent disk counts as one that cannot be written to."""


class MatchJournal:
    """Record of a match in play; if nothing can be written play goes on, and each step tries again."""

    def __init__(
        self,
        match_id: str,
        taken_up: TakenUp,
        *,
        index: Index,
        file: MatchFile | None,
        lock: FileLock | None,
        kept: ScreenNotes,
        teaching: bool,
        tell: Callable[[str], None],
        duplicate: tuple[str, ...] = (),
    ) -> None:
        """Save nothing if `file` is None; `tell` gets notices for the player."""
        self.id = match_id
        self.table = taken_up.table
        self.teaching = teaching
        self.duplicate = duplicate
        """Key of a match that others play with the same cards, then its people."""
        self.trouble: JournalError | None = None
        self.on_trouble: Callable[[JournalError | None], None] | None = None
        """Called when writing fails, and with None when all is written again."""
        self._index = index
        self._file = file
        self._lock = lock
        self._tell = tell
        self._lines, self._chain = taken_up.lines, taken_up.chain
        """All lines of the record, also those not written yet."""
        self._checkpoints = taken_up.checkpoints
        self._kept = kept
        self._closed = False
        self._told = len(self._lines)
        """Number of lines that everybody may know."""
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """Calls that follow once so many lines are on disk."""
        self._loop: asyncio.AbstractEventLoop
        self._writer: Writer | None = None
        self._under_way: Future[tuple[int, JournalError | None]] | None = None
        """Write in progress: its number of lines, and its error."""
        self._listen()
        self.save()

    # Writing

    @property
    def lines(self) -> tuple[str, ...]:
        """Record so far without what is being written, but with what could not be."""
        return tuple(self._lines[: self._told])

    @property
    def is_kept(self) -> bool:
        return self._file is not None

    @property
    def unsaved(self) -> int:
        return 0 if self._file is None else len(self._lines) - self._file.written

    @property
    def is_writing(self) -> bool:
        return bool(self._waiting)

    def write_apart(self) -> None:
        """Write in a thread from now on, with callbacks in the running loop."""
        if self._file is not None:
            self._loop, self._writer = asyncio.get_running_loop(), Writer()
            self.table.waits = True

    def when_written(self, then: Callable[[], None]) -> None:
        """Call `then` once all steps so far are on disk, as a rule at once."""
        if self.is_writing:
            self._waiting.append((len(self._lines), then))
        else:
            then()

    def save(self) -> bool:
        """Write what is not on disk yet; return whether everything is. Never raises: see `trouble`."""
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
        if done is self._under_way:
            self._under_way = None
            self._written(*done.result())
            if self._writer is not None and (self._waiting or (self.trouble is None and self.unsaved)):
                self._begin(0)

    def _give_up(self, done: Future[tuple[int, JournalError | None]]) -> None:
        if done is self._under_way:
            words = f"The match is not being saved: the disk has not answered for {PATIENCE:.0f} seconds"
            self._written(len(self._lines), JournalError(words))

    def _written(self, count: int, trouble: JournalError | None) -> None:
        changed, self.trouble = str(trouble) != str(self.trouble), trouble
        if changed and self.on_trouble is not None:
            self.on_trouble(trouble)
        if self._file is not None and self._file.notice:
            self._tell(self._file.notice)
            self._file.notice = ""
        self._told = max(self._told, count)
        while self._waiting and self._waiting[0][0] <= count:
            self._waiting.popleft()[1]()

    def _listen(self) -> None:
        table = self.table

        def keep(match: Match, step: MatchStep, show: Callable[[], None]) -> None:
            # A table that was taken back is nobody's any more: what an AI seat still does there does not count.
            if table is self.table:
                self._on_step(match, step, show)
            else:
                show()

        table.keeper, table.waits = keep, self._writer is not None

    def _on_step(self, match: Match, step: MatchStep, show: Callable[[], None]) -> None:
        lines = step_lines(match, step.action, step.events, step.refusal, asked=step.asked)
        if step.action is None or any(isinstance(event, Dealt) for event in step.events):
            self._checkpoints = Checkpoints(match)
        else:
            self._checkpoints.step(
                match, step.action, step.events, step.refusal, asked=step.asked, lines=len(lines)
            )  # fmt: skip
        self._add(lines, show)

    def _add(self, lines: Sequence[Line], then: Callable[[], None] = lambda: None) -> None:
        self._lines += [self._chain.seal(dump(line)) for line in lines]
        self._waiting.append((len(self._lines), then))
        self.save()

    # Taking back

    def why_not_undo(self, seats: Collection[int] | None = None) -> str | None:
        """Return why nothing can be taken back now, or no step of `seats` ever; None: `undo` will do it."""
        if self.table.match.finished:
            return "The match is over."
        people = self.table.people if seats is None else seats
        return self._checkpoints.why_not(people, freely=self.teaching or seats is not None)

    def undo(self, seats: Collection[int] | None = None) -> Table:
        """Take back a person's last step and return a new table; raise StoreError as `why_not_undo` says.

        Possible until something new is shown or another seat decides; in a teaching match, or with `seats`, any step of
        this deal, with all that followed.
        """
        refused = self.why_not_undo(seats)
        if refused is not None:
            raise StoreError(refused)
        point = self._checkpoints.last_of(self.table.people if seats is None else seats)
        assert point is not None
        count = self._checkpoints.lines_from(point)
        old, match = self.table, self._checkpoints.back_to(point)
        match.rename(old.match.names)
        match.last_deal = old.match.last_deal
        self.table = Table(old.setup, match, old.plans)
        self._listen()
        self._add([{"undone": count}])
        return self.table

    def reseat(self, seat: int, plan: SeatPlan, then: Callable[[], None] = lambda: None) -> None:
        """Change a seat's name and player, whatever is taken back; raise ValueError if that is impossible."""
        plans = self.table.check_reseat(seat, plan)

        def seated() -> None:
            self.table.reseat(seat, plan)
            then()

        if self._kept.players:
            self._keep(ScreenNotes(self._kept.state, tuple(one.player for one in plans)))
        first_name = self.table.match.setup.names[seat]
        self._add([{"seat": first_name, "name": plan.name, "player": plan.player}], seated)

    def end_after_this_deal(self) -> None:
        """Let the match end with this deal, whatever is taken back."""
        match = self.table.ahead
        match.last_deal = match.ending_deal
        self._add([{LAST_DEAL: match.last_deal}])

    def last_action(self, seats: Collection[int] | None = None) -> Action | None:
        """Return the last action in this deal of these seats, or of any, that was asked for."""
        point = self._checkpoints.last_of(seats)
        return None if point is None else self.actions[point]

    @property
    def passed_last(self) -> bool:
        last = self._checkpoints.last
        return (
            last is not None and last.asked and isinstance(last.action, Pass) and self.table.is_human(last.action.seat)
        )

    @property
    def actions(self) -> tuple[Action, ...]:
        return self._checkpoints.actions

    def decisions(self, seat: int) -> dict[int, tuple[View, Action]]:
        """Return the seat's views and actions in this deal, by the number of actions before each."""
        return self._checkpoints.decisions(seat)

    @property
    def ui_state(self) -> Mapping[str, Any]:
        return self._kept.state

    def keep(self, **state: object) -> None:
        """Keep JSON values of the screen with the match, replacing those of the same names."""
        values = {**self._kept.state, **json.loads(json.dumps(state))}
        self._keep(ScreenNotes(values, self._kept.players))

    def _keep(self, kept: ScreenNotes) -> None:
        self._kept = kept
        keep = partial(self._index.keep, self.id, kept)
        if self._writer is None:
            keep()
        else:
            self._writer.do(keep)

    def hand(self, seat: int) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """Return a hand's order when last kept, and the bundle of each card (-1: none); it may have changed since."""
        cards, bundles = self.ui_state.get(HANDS, {}).get(str(seat), ((), ()))
        return tuple(cards), tuple(bundles)

    def keep_hand(self, seat: int, cards: Sequence[Card], bundles: Sequence[int] = ()) -> None:
        if (tuple(cards), tuple(bundles)) != self.hand(seat):
            self.keep(**{HANDS: {**self.ui_state.get(HANDS, {}), str(seat): ([*cards], [*bundles])}})

    def forget_hands(self) -> None:
        if self.ui_state.get(HANDS):
            self.keep(**{HANDS: {}})

    def close(self) -> None:
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
    """Begin a record at a new table; `head` adds to its first line."""
    first, *others = start_lines(record_head(table), table.match)
    chain = CheckChain()
    lines = [chain.seal(dump(line)) for line in ({**first, **head}, *others)]
    return TakenUp(table, Checkpoints(table.match), lines, chain)


def unwritten(table: Table, *, teaching: bool = False) -> MatchJournal:
    """Open the journal of a table whose match is written nowhere, with steps to take back from here on."""
    taken_up = TakenUp(table, Checkpoints(table.match), [], CheckChain())
    return MatchJournal(
        "", taken_up, index=Index(None), file=None, lock=None, kept=NOTHING_KEPT, teaching=teaching,
        tell=lambda _: None,
    )  # fmt: skip


class Writer:
    """Thread with a queue; the program does not wait for it at its end: a disk may never answer."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any] | None, Future[Any]]] = SimpleQueue()
        Thread(target=self._run, name="writer", daemon=True).start()

    def do(self, job: Callable[[], Any] | None) -> Future[Any]:
        """Queue a job; None ends the thread."""
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


class TakenUp(Struct, frozen=True):
    """Resumed table, its actions in effect, and its record, sealed and ending with a whole step."""

    table: Table
    checkpoints: Checkpoints
    lines: list[str]
    chain: CheckChain
