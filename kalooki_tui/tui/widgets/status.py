"""The rows above the hand: what the table waits for, what the hand is worth, and a note."""

from __future__ import annotations

from enum import StrEnum

from textual import events
from textual.message import Message

from kalooki_tui.presenter.commands import key_of
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, shorten, style, wrapped


class Tone(StrEnum):
    ASKED = "asked"
    """Whether the person with the open hand is to move, or a question waits."""
    QUIET = "quiet"
    """Somebody else's move."""
    REFUSED = "refused"


class StatusView(CanvasWidget):
    """Prompt, and below it a line about the hand; a prompt that is longer than a row takes both."""

    DEFAULT_CSS = "StatusView { height: 2; }"
    prompt, _tone = "", Tone.QUIET
    title = ""

    def set_prompt(self, text: str, tone: Tone) -> None:
        self.prompt, self._tone = text, tone
        self.repaint_for((text, tone, self.title))

    def set_title(self, text: str) -> None:
        self.title = text
        self.repaint_for((self.prompt, self._tone, text))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground, muted = palette.felt, style(palette.on_felt_muted, palette.felt)
        ink = {
            Tone.ASKED: style(palette.gold, ground, True),
            Tone.QUIET: muted,
            Tone.REFUSED: style(self.app.theme_variables["error"], ground, True),
        }[self._tone]
        room = canvas.width - 2
        lines = [*wrapped(self.prompt, room, indent="")] or [""]
        if len(lines) > canvas.height:
            lines[canvas.height - 1 :] = [" ".join(lines[canvas.height - 1 :])]
        for row, line in enumerate(lines):
            canvas.text(1, row, shorten(line, room), ink)
        if len(lines) == 1:
            canvas.text(1, 1, shorten(self.title, room), muted)


ROWS = 2
INDENT = 3


def note_keys() -> str:
    """Return the keys of a note: the one that closes it for good, and the one that tells more."""
    words = f"({key_of('note-away')} closes it · {key_of('rules')} more)"
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def note_lines(text: str, width: int) -> tuple[str, ...]:
    """Break a note and its keys to lines for a strip `width` columns wide."""
    lines = wrapped(f"{text} {note_keys()}", width - INDENT - 1, indent="")
    return tuple(line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


class NoteStrip(CanvasWidget):
    """Note; a click closes it as its key does."""

    DEFAULT_CSS = "NoteStrip { height: 2; display: none; }"
    GROUND = "felt_raised"
    text = ""

    class Closed(Message):
        """Click on the note."""

    def show_note(self, text: str) -> None:
        """Say this; with nothing to say the strip goes."""
        self.text = text
        self.display = bool(text)
        # Where rows are scarce it takes the place of what was missed: melds and log keep theirs.
        self.screen.set_class(bool(text), "-noted")
        self.repaint_for(text)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        ground = palette.felt_raised
        canvas.text(1, 0, "■", style(palette.gold, ground, True))
        for row, line in enumerate(note_lines(self.text, canvas.width)[:ROWS]):
            canvas.text(INDENT, row, shorten(line, canvas.width - INDENT - 1), style(palette.on_felt, ground))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Closed())
