"""A match being played: every step is on disk before anybody else at the table hears of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.events import Dealt
from kalooki_tui.records.chain import CheckChain
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.writing import Line, dump, last_deal_line, seat_line, start_lines, step_lines, undone_line
from kalooki_tui.store.errors import JournalError, StoreError, reason
from kalooki_tui.store.index import Index, Kept
from kalooki_tui.store.undo_trail import TakenUp, Trail
from kalooki_tui.table.recorder import record_head
from kalooki_tui.table.table import Step, Table

if TYPE_CHECKING:
    from kalooki_tui.cards import Card
    from kalooki_tui.engine.actions import Action
    from kalooki_tui.engine.view import View
    from kalooki_tui.locks import FileLock
    from kalooki_tui.store.match_file import MatchFile
    from kalooki_tui.table.seats import SeatPlan

HANDS: Final = "hands"
"""Under this name the players' own orders of their hands are kept, by seat."""
BUNDLES: Final = "groups"
"""Under this name the bundle of each card is."""


class LiveMatch:
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
        self._listen()
        self.save()

    # Writing

    @property
    def lines(self) -> tuple[str, ...]:
        """The match's record so far, what is not on disk yet included."""
        return tuple(self._lines)

    @property
    def is_kept(self) -> bool:
        """Whether the match is written down at all."""
        return self._file is not None

    @property
    def unsaved(self) -> int:
        """How many lines of the record are not on disk."""
        return 0 if self._file is None else len(self._lines) - self._file.written

    def save(self) -> bool:
        """Write what is not on disk yet; True if everything is now. It never raises: `trouble` says what is wrong."""
        if self._file is None:
            return True
        if self._closed:
            return self.trouble is None
        try:
            if self.unsaved:
                self._file.write(self._lines)
        except OSError as error:
            self._set_trouble(JournalError(f"The match is not being saved: {reason(error)}"))
        else:
            self._set_trouble(None)
        if self._file.notice:
            self._tell(self._file.notice)
            self._file.notice = ""
        return self.trouble is None

    def _set_trouble(self, trouble: JournalError | None) -> None:
        changed = str(trouble) != str(self.trouble)
        self.trouble = trouble
        if changed and self.on_trouble is not None:
            self.on_trouble(trouble)

    def _listen(self) -> None:
        table = self.table

        def on_step(step: Step) -> None:
            # A table that was taken back is nobody's any more: what an AI seat still does there does not count.
            if table is self.table:
                self._on_step(step)

        table.listen(on_step, first=True)

    def _on_step(self, step: Step) -> None:
        match = self.table.match
        lines = step_lines(match, step.action, step.events, step.refusal, asked=step.asked)
        if step.action is None or any(isinstance(event, Dealt) for event in step.events):
            self._trail.begin()
            self._checkpoints.begin(match)
        else:
            self._trail.act(step.action, step.events, step.refusal, asked=step.asked)
            self._checkpoints.step(match, step.action)
            for _ in lines[1:]:
                self._trail.follow()
        self._add(lines)

    def _add(self, lines: Sequence[Line]) -> None:
        self._lines += [self._chain.seal(dump(line)) for line in lines]
        self.save()

    # Taking back

    def why_not_undo(self, seats: Collection[int] | None = None) -> str | None:
        """Why nothing can be taken back now, in one sentence, or None where `undo` will do it.

        `seats`: why no step of theirs can be, whatever it showed and whoever has acted since.
        """
        if self.table.match.finished:
            return "The match is over."
        people = self.table.people if seats is None else seats
        freely = self.teaching or seats is not None
        return self._trail.why_not_freely(people) if freely else self._trail.why_not(people)

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

    def reseat(self, seat: int, plan: SeatPlan) -> None:
        """From now on a seat has this name and player, whatever is taken back."""
        self.table.reseat(seat, plan)
        if self._kept.players:
            self._kept = Kept(self._kept.state, tuple(one.player for one in self.table.plans))
            self._index.keep(self.id, self._kept)
        self._add([seat_line(self.table.match, seat, plan.name, plan.player)])

    def end_after_this_deal(self) -> None:
        """Let the match end with this deal, whatever is taken back."""
        match = self.table.match
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
        self._kept = Kept(values, self._kept.players)
        self._index.keep(self.id, self._kept)

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
        if self._file is not None:
            # The match that was left last is the first to go on with, also where no step was made in it.
            self._file.touch()
            self._file.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def begun(table: Table, **head: object) -> TakenUp:
    """A match at a table opened just now: no action taken yet. `head`: what its first line says besides."""
    first, *others = start_lines(record_head(table), table.match)
    chain, checkpoints = CheckChain(), Checkpoints()
    checkpoints.begin(table.match)
    lines = [chain.seal(dump(line)) for line in ({**first, **head}, *others)]
    return TakenUp(table, Trail(), checkpoints, lines, chain)
