"""Notes at the table: which one is shown, when it goes, and that it does not come again."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Final

from kalooki_tui.desk.table.notes import CUT, Note, due_note, is_due, note_about
from kalooki_tui.ui.screens.place import Beside, PlaceScreen

#: Seconds after which a note counts as read, and goes with the next thing that happens.
READ: Final = 8.0


class Noting(Beside):
    """Shows one note at a time, on the strip above the hand or in a question; takes no key but its own."""

    def __init__(self, table: PlaceScreen) -> None:
        super().__init__(table)
        self._shown: Note | None = None
        self._since = 0.0
        self._step = 0
        self._awaited = False
        """Whether the table has been drawn since notes were first asked for: reading their texts would hold it up."""

    @property
    def _wanted(self) -> bool:
        return self.table.app.settings.notes and bool(self.table.sitting.people)

    def why_no_seats(self) -> str:
        """Only those who play change who does."""
        return "" if self.table.place.here else "Only those who play can change who does."

    def open_seats(self) -> None:
        """Ask which seat is to change, and how."""
        # A table is drawn without what asks this.
        from kalooki_tui.ui.playing.seating import Seating

        Seating(self.table).open()

    def refresh(self) -> None:
        """Show the note of this moment, if there is one; called whenever the table is shown anew."""
        if not self._awaited:
            self._awaited = True
            self.table.call_after_refresh(self.refresh)
            return
        view, mine = self.table.desk.view, self.table.desk.seat is not None
        # Between people the screen that passes from one to the other tells it, and would lie over it.
        told_between = not mine and self.table.shared and self.table.plan.curtain
        note, read = self._shown, monotonic() - self._since >= READ
        if note is not None:
            lapsed = told_between or not self._wanted or not is_due(note.name, view, mine=mine)
            if read and (lapsed or self._step != len(view.history)):
                self.see(note.name)
            elif lapsed:
                self._show(None)
        if self._shown is None and self._wanted and not told_between:
            self._show(due_note(view, self.table.app.settings.notes_seen, mine=mine))
            self._step = len(view.history)

    def question_note(self) -> Note | None:
        """The note that a question shows to everybody, if one is due."""
        table = self.table
        if not self._wanted:
            return None
        return due_note(table.place.public, table.app.settings.notes_seen, mine=False)

    def cut_note(self) -> Note | None:
        """The note of the dealer's cut."""
        table = self.table
        if not self._wanted or CUT in table.app.settings.notes_seen:
            return None
        return note_about(CUT, table.place.public)

    def see(self, name: str) -> None:
        """The note has been read: it does not come again."""
        game = self.table.app
        if name not in game.settings.notes_seen:
            game.remember(replace(game.settings, notes_seen=[*game.settings.notes_seen, name]))
        if self._shown is not None and self._shown.name == name:
            self._show(None)

    def close(self) -> bool:
        """Close the note for good; another one may have waited. Whether there was one."""
        if self._shown is None:
            return False
        self.see(self._shown.name)
        self.refresh()
        return True

    def _show(self, note: Note | None) -> None:
        self._shown, self._since = note, monotonic()
        self.clause = "" if note is None else note.clause
        self.table.note.show_note("" if note is None else note.text)
