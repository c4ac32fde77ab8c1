"""Notes at the table: which one is shown, when it goes, and that it does not come again."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from kalooki_tui.desk.table.notes import CUT, Note, due_note, is_due, note_about

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen

#: Seconds after which a note counts as read, and goes with the next thing that happens.
READ: Final = 8.0


class Noting:
    """Shows one note at a time, on the strip above the hand or in a question; takes no key but its own."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._shown: Note | None = None
        self._since = 0.0
        self._step = 0
        self._awaited = False
        """Whether the table has been drawn since notes were first asked for: reading their texts would hold it up."""

    @property
    def clause(self) -> str:
        """Where the rules tell more of the note that is shown."""
        return "" if self._shown is None else self._shown.clause

    @property
    def _wanted(self) -> bool:
        return self._screen.app.settings.notes and bool(self._screen.sitting.people)

    def refresh(self) -> None:
        """Show the note of this moment, if there is one; called whenever the table is shown anew."""
        if not self._awaited:
            self._awaited = True
            self._screen.call_after_refresh(self.refresh)
            return
        view, mine = self._screen.desk.view, self._screen.desk.seat is not None
        # Between people the screen that passes from one to the other tells it, and would lie over it.
        told_between = not mine and self._screen.shared and self._screen.plan.curtain
        note, read = self._shown, monotonic() - self._since >= READ
        if note is not None:
            lapsed = told_between or not self._wanted or not is_due(note.name, view, mine=mine)
            if read and (lapsed or self._step != len(view.history)):
                self.see(note.name)
            elif lapsed:
                self._show(None)
        if self._shown is None and self._wanted and not told_between:
            self._show(due_note(view, self._screen.app.settings.notes_seen, mine=mine))
            self._step = len(view.history)

    def question_note(self) -> Note | None:
        """The note that a question shows to everybody, if one is due."""
        screen = self._screen
        if not self._wanted:
            return None
        return due_note(screen.place.public, screen.app.settings.notes_seen, mine=False)

    def cut_note(self) -> Note | None:
        """The note of the dealer's cut."""
        screen = self._screen
        if not self._wanted or CUT in screen.app.settings.notes_seen:
            return None
        return note_about(CUT, screen.place.public)

    def see(self, name: str) -> None:
        """The note has been read: it does not come again."""
        game = self._screen.app
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
        self._screen.note.show_note("" if note is None else note.text)
