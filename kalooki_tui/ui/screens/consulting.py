"""The rules and the scores, from every question over a table; closing them leads back to the question."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.widgets import Static

from kalooki_tui.desk.commands import BY_NAME
from kalooki_tui.ui.game import Layer
from kalooki_tui.ui.screens.base import GameScreen, Shown, hanging
from kalooki_tui.ui.widgets.note import note_keys

if TYPE_CHECKING:
    from kalooki_tui.desk.commands import Command
    from kalooki_tui.desk.notes import Note

#: Commands of the table that its questions have too, by the same keys; the last one where a note is shown.
CONSULT: Final = (BY_NAME["rules"], BY_NAME["scores"], BY_NAME["note-away"])
#: Those of questions that come by themselves too: nobody has to open a hand, or to answer, to leave the match.
BETWEEN: Final = (*CONSULT[:2], BY_NAME["help"], BY_NAME["quit"], CONSULT[2])

#: Columns of a note in the narrowest question.
WIDTH: Final = 58


class Consults:
    """Mixed into what lies over a table; `clause` is where the rules are opened."""

    NAMED: ClassVar[tuple[Command, ...]] = CONSULT[:2]
    """Those that are named at the foot of the frame."""
    clause = ""
    note: Note | None = None
    """What is told in the frame, once."""

    @property
    def consulted(self) -> GameScreen | None:
        """The table beneath; None where there is none, or where nothing may come over what lies there."""
        overlays = cast("Shown", self).game.overlays
        if overlays.lies(Layer.LEAVING) or overlays.lies(Layer.FAULT):
            return None
        screens = cast("Screen[Any]", self).app.screen_stack
        return next((one for one in screens if isinstance(one, GameScreen) and one.can_be_consulted), None)

    @property
    def heard(self) -> Collection[str]:
        """The commands it hears: those of a table only where there is one."""
        heard: Collection[str] = super().heard  # type: ignore[misc]
        beneath = () if self.consulted is not None else {command.name for command in BETWEEN}
        return [name for name in heard if name not in beneath]

    @property
    def consult_words(self) -> str:
        """The keys, for the foot of a frame; empty where there is no table."""
        if self.consulted is None:
            return ""
        return " · ".join(f"{command.shown} {command.label.lower()}" for command in self.NAMED)

    def note_part(self) -> ComposeResult:
        """The note, if there is one."""
        if self.note is not None:
            # Broken here, so that the keys stay together.
            words = hanging(f"■ {self.note.text} {note_keys()}", 2, WIDTH)
            yield Static(words.replace("\N{NO-BREAK SPACE}", " "), classes="note", markup=False)

    def close_note(self) -> None:
        """Close the note for good; the question stays."""
        self._see_note()
        for part in cast("Screen[Any]", self).query(".note"):
            part.display = False

    def _see_note(self) -> None:
        if self.note is not None and self.consulted is not None:
            self.consulted.see_note(self.note.name)
        self.note = None

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close with an answer; the note has been there to read."""
        self._see_note()
        return super().dismiss(result)  # type: ignore[misc, no-any-return]

    def show_rules(self) -> None:
        """The rules of the table beneath, at the clause of this question."""
        if self.consulted is not None:
            self.consulted.consult_rules(self.clause if self.note is None else self.note.clause)

    def show_scores(self) -> None:
        """The scores of the table beneath."""
        if self.consulted is not None:
            self.consulted.show_scores()

    def show_help(self) -> None:
        """The commands of the table beneath."""
        if self.consulted is not None:
            self.consulted.show_help()

    def leave_match(self) -> None:
        """Whether to leave the table beneath."""
        if self.consulted is not None:
            self.consulted.leave_match()
