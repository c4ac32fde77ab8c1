"""The strip of a note: two rows above what has happened, there only while a note is shown."""

from __future__ import annotations

from textual import events
from textual.message import Message

from kalooki_tui.desk.commands import key_of
from kalooki_tui.ui.looks.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.wrapping import wrapped

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
