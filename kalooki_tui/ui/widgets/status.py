"""The rows above the hand: what the table waits for, what the hand is worth, a note, and what others did meanwhile."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from textual import events
from textual.message import Message

from kalooki_tui.desk.commands import key_of
from kalooki_tui.desk.table.recap import NOBODY, Told, fitting
from kalooki_tui.engine.view import View
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style, wrapped


class Tone(StrEnum):
    """How a prompt is meant."""

    ASKED = "asked"
    """Whether the person with the open hand is to move, or a question waits."""
    QUIET = "quiet"
    """Somebody else's move."""
    REFUSED = "refused"


class StatusView(Painted):
    """A prompt, and below it a line about the hand; a prompt that is longer than a row takes both."""

    DEFAULT_CSS = """
    StatusView { height: 2; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._prompt, self._tone, self._title = "", Tone.QUIET, ""

    @property
    def prompt(self) -> str:
        """The words of the first row."""
        return self._prompt

    @property
    def title(self) -> str:
        """The line about the hand, whether there is room for it or not."""
        return self._title

    def set_prompt(self, text: str, tone: Tone) -> None:
        """Say something on the first row."""
        self._prompt, self._tone = text, tone
        self.repaint_for((text, tone, self._title))

    def set_title(self, text: str) -> None:
        """Say something about the hand."""
        self._title = text
        self.repaint_for((self._prompt, self._tone, text))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground, muted = palette.felt, style(palette.on_felt_muted, palette.felt)
        ink = {
            Tone.ASKED: style(palette.gold, ground, True),
            Tone.QUIET: muted,
            Tone.REFUSED: style(self.app.theme_variables["error"], ground, True),
        }[self._tone]
        room = canvas.width - 2
        lines = [*wrapped(self._prompt, room, indent="")] or [""]
        if len(lines) > canvas.height:
            lines[canvas.height - 1 :] = [" ".join(lines[canvas.height - 1 :])]
        for row, line in enumerate(lines):
            canvas.text(1, row, shorten(line, room), ink)
        if len(lines) == 1:
            canvas.text(1, 1, shorten(self._title, room), muted)


ROWS = 2
#: Columns before the words.
INDENT = 3


def note_keys() -> str:
    """The keys of a note: the one that closes it for good, and the one that tells more."""
    words = f"({key_of('note-away')} closes it · {key_of('rules')} more)"
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def note_lines(text: str, width: int) -> tuple[str, ...]:
    """A note and its keys, broken to lines for a strip `width` columns wide."""
    lines = wrapped(f"{text} {note_keys()}", width - INDENT - 1, indent="")
    return tuple(line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


class NoteStrip(Painted):
    """One note; a click closes it as its key does."""

    DEFAULT_CSS = """
    NoteStrip { height: 2; display: none; }
    """
    GROUND = "felt_raised"

    class Closed(Message):
        """The note was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""

    @property
    def text(self) -> str:
        """Its words; empty while there is no note."""
        return self._text

    def show_note(self, text: str) -> None:
        """Say this; with nothing to say the strip goes."""
        self._text = text
        self.display = bool(text)
        # Where rows are scarce it takes the place of what was missed: melds and log keep theirs.
        self.screen.set_class(bool(text), "-noted")
        self.repaint_for(text)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground = palette.felt_raised
        canvas.text(1, 0, "■", style(palette.gold, ground, True))
        for row, line in enumerate(note_lines(self._text, canvas.width)[:ROWS]):
            canvas.text(INDENT, row, shorten(line, canvas.width - INDENT - 1), style(palette.on_felt, ground))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Closed())


class RecapView(Painted):
    """Who did what, oldest first, on two rows; empty right after one's own turn."""

    DEFAULT_CSS = """
    RecapView { height: 2; }
    """
    GROUND = "felt_deep"

    def __init__(self) -> None:
        super().__init__()
        self._view: View | None = None
        self._together: Collection[int] = NOBODY

    @property
    def told(self) -> list[Told]:
        """Its words, as far as there is room."""
        if self._view is None:
            return []
        return fitting(self._view, max(20, self.size.width), max(1, self.size.height), together=self._together)

    def show(self, view: View | None, together: Collection[int] = NOBODY) -> None:
        """Show the view's seat the events it has missed; None: no hand is open, and nothing is shown.

        `together`: the seats of people at this keyboard.
        """
        self._view, self._together = view, together
        self.repaint_for(None if view is None else (view.seat, view.deal, view.attempt, len(view.history)))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground = palette.felt_deep
        name, text = style(palette.gold, ground, True), style(palette.on_felt, ground)
        x, y, room = 3, 0, canvas.width - 1
        told = self.told
        if told:
            canvas.text(1, 0, "▸", style(palette.on_felt_muted, ground))
        for index, one in enumerate(told):
            words = [(one.name, name)] if one.name else []
            end = " ·" if index < len(told) - 1 and one.text != "…" else ""
            words += [(word, text) for word in f"{one.text}{end}".split()]
            for word, ink in words:
                left = x == 3
                if not left and x + 1 + len(word) > room and y < canvas.height - 1:
                    x, y, left = 3, y + 1, True
                x = canvas.text(x if left else x + 1, y, shorten(word, room - x), ink)
