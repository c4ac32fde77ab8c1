"""A match being played: every step is on disk before anybody else at the table hears of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, Self

from kalooki_tui.cards import Card
from kalooki_tui.engine.events import Dealt
from kalooki_tui.records.writing import dump, start_lines, step_lines, undone_line
from kalooki_tui.store.database import Database
from kalooki_tui.store.errors import Damaged, JournalError, StoreError, reason
from kalooki_tui.store.locks import FileLock
from kalooki_tui.store.restore import restore
from kalooki_tui.store.rows import UPSERT, match_row
from kalooki_tui.store.trail import Trail
from kalooki_tui.table.recorder import record_head
from kalooki_tui.table.table import Step, Table

HANDS: Final = "hands"
"""The key of the UI state under which the players' own orders of their hands are."""


class LiveMatch:
    """A match that this program plays, from `Store.begin` or `Store.resume` to `close`.

    Play goes on where nothing can be written: `trouble` says why, and every later step tries to write all that is
    still missing.
    """

    def __init__(
        self,
        database: Database,
        lock: FileLock | None,
        match_id: str,
        table: Table,
        *,
        lines: list[str],
        trail: Trail,
        started: datetime,
        teaching: bool = False,
        imported: bool = False,
        ui_state: dict[str, Any] | None = None,
        written: int = 0,
    ) -> None:
        self.id = match_id
        self.table = table
        self.teaching = teaching
        """Whether a person may take back anything done in this deal."""
        self.trouble: JournalError | None = None
        """Why the last steps are not on disk."""
        self.on_trouble: Callable[[JournalError | None], None] | None = None
        """Told when steps can no longer be written down, and, with None, when all of them have been."""
        self._database = database
        self._lock = lock
        self._lines = lines
        """All lines of the journal, also those not written yet."""
        self._written = written
        self._generation = database.generation
        self._trail = trail
        self._started = started
        self._played = started
        self._imported = imported
        self._ui_state = ui_state or {}
        self._listen()

    @classmethod
    def begin(cls, database: Database, lock: FileLock | None, match_id: str, table: Table, *, teaching: bool) -> Self:
        """A match at a table opened just now: no action taken yet."""
        lines = [dump(line) for line in start_lines(record_head(table), table.match)]
        started = datetime.now(UTC)
        live = cls(database, lock, match_id, table, lines=lines, trail=Trail(), started=started, teaching=teaching)
        live.save()
        return live

    # Writing

    @property
    def lines(self) -> tuple[str, ...]:
        """The match's record so far, what is not on disk yet included."""
        return tuple(self._lines)

    @property
    def unsaved(self) -> int:
        """How many lines of the journal are not on disk."""
        return len(self._lines) - self._written

    def save(self) -> bool:
        """Write what is not on disk yet; True if everything is now. It never raises: `trouble` says what is wrong."""
        try:
            self._save()
        except StoreError as error:
            self._set_trouble(JournalError(f"The match is not being saved: {error}"))
        except (OSError, sqlite3.Error) as error:
            self._set_trouble(JournalError(f"The match is not being saved: {reason(error)}"))
        else:
            self._set_trouble(None)
        return self.trouble is None

    def _save(self) -> None:
        try:
            self._write()
        except Damaged:
            self._database.renew()
            self._write()

    def _write(self) -> None:
        if self._generation != self._database.generation:
            self._written, self._generation = 0, self._database.generation
        with self._database.transaction() as connection:
            connection.execute(UPSERT, self._row())
            if not self._written:
                connection.execute("DELETE FROM lines WHERE match_id = ?", (self.id,))
            fresh = enumerate(self._lines[self._written :], start=self._written + 1)
            connection.executemany(
                "INSERT INTO lines (match_id, number, line) VALUES (?, ?, ?)",
                [(self.id, number, line) for number, line in fresh],
            )
        self._written = len(self._lines)

    def _row(self) -> dict[str, Any]:
        return match_row(
            self.id,
            self.table,
            started=self._started,
            played=self._played,
            teaching=self.teaching,
            imported=self._imported,
            ui_state=self._ui_state,
        )

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
        lines = [dump(line) for line in step_lines(self.table.match, step.action, step.events, step.refusal)]
        if step.action is None or any(isinstance(event, Dealt) for event in step.events):
            self._trail.begin()
        else:
            self._trail.act(step.action, step.events, step.refusal)
            for _ in lines[1:]:
                self._trail.follow()
        self._lines += lines
        self._played = datetime.now(UTC)
        self.save()

    # Taking back

    def why_not_undo(self) -> str | None:
        """Why nothing can be taken back now, in one sentence, or None where `undo` will do it."""
        if self.table.match.finished:
            return "The match is over."
        humans = self.table.humans
        return self._trail.why_not_freely(humans) if self.teaching else self._trail.why_not(humans)

    def undo(self) -> Table:
        """Take back a person's last step: a new table, one step earlier; the old one is dead.

        A step can be taken back until something new has been shown or another seat has decided; in a teaching match
        any step of this deal, with all that followed it.

        Raises:
            StoreError: nothing can be taken back; the text is that of `why_not_undo`.
        """
        refused = self.why_not_undo()
        if refused is not None:
            raise StoreError(refused)
        lines = [*self._lines, dump(undone_line(self._trail.last_lines(self.table.humans)))]
        restored = restore(f"match {self.id}", lines, self.table.plans)
        self._lines, self.table, self._trail = lines, restored.table, restored.trail
        self._played = datetime.now(UTC)
        self._listen()
        self.save()
        return self.table

    # What the screen wants to keep

    @property
    def ui_state(self) -> Mapping[str, Any]:
        """What `keep` was given, as JSON reads it back."""
        return self._ui_state

    def keep(self, **state: object) -> None:
        """Keep values of the screen's own with the match; they must be JSON. A name given before is overwritten."""
        self._ui_state |= json.loads(json.dumps(state))
        self.save()

    def hand_order(self, seat: int) -> tuple[Card, ...]:
        """The order in which the seat had its cards when it last kept one; its hand may have changed since."""
        return tuple(self._ui_state.get(HANDS, {}).get(str(seat), ()))

    def keep_hand_order(self, seat: int, cards: Sequence[Card]) -> None:
        """Keep the order in which a person has the cards."""
        self.keep(**{HANDS: {**self._ui_state.get(HANDS, {}), str(seat): [*cards]}})

    def close(self) -> None:
        """Write what is missing and let other programs play the match."""
        if self.unsaved:
            self.save()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
