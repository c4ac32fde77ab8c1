"""The rows above the hand: what the table waits for, what the hand is worth, and a note."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from kalooki_tui.engine.view import View
from kalooki_tui.presenter.recap import NOBODY, RecapLine, fitting
from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, shorten, style, wrapped
from kalooki_tui.tui.widgets.choices import note_keys


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
            Tone.REFUSED: style(palette.error, ground, True),
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


def note_lines(text: str, width: int) -> tuple[str, ...]:
    """Break a note and its keys to lines for a strip `width` columns wide."""
    lines = wrapped(f"{text} {note_keys()}", width - INDENT - 1, indent="")
    return tuple(line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


class NoteStrip(CanvasWidget):
    DEFAULT_CSS = "NoteStrip { height: 2; display: none; }"
    GROUND = "felt_raised"
    text = ""

    class Closed(Message):
        """Click on the note."""

    def show_note(self, text: str) -> None:
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


MOST_LINES: Final = 500
#: What each key of the log does; the other arrows are the hand's.
KEYS: Final = {
    "up": "scroll_up", "pageup": "page_up", "home": "scroll_home",
    "down": "scroll_down", "pagedown": "page_down", "end": "scroll_end",
}  # fmt: skip


class LogView(CanvasWidget, can_focus=True):
    """Log: the newest line on top and bright, calls marked, long lines wrapped, the rest to be scrolled to."""

    DEFAULT_CSS = "LogView { height: 1fr; overflow: hidden auto; }"
    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding(key, action, show=False) for key, action in KEYS.items()]
    lines: tuple[LogLine, ...] = ()
    _wrapped: Sequence[tuple[int, str]] = ()

    def write(self, text: str, *, call: bool = False) -> None:
        self.set_lines((LogLine(text, call), *self.lines))
        self.scroll_home(animate=False)

    def set_lines(self, lines: Iterable[LogLine]) -> None:
        self.lines = tuple(lines)[:MOST_LINES]
        self.repaint()

    def canvas_height(self, width: int, height: int) -> int:
        self._wrapped = [
            (number, text) for number, line in enumerate(self.lines) for text in wrapped(line.text, max(8, width - 3))
        ]
        return max(height, len(self._wrapped))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        newest, older = style(palette.on_felt, palette.felt, True), style(palette.on_felt_muted, palette.felt)
        call = style(palette.gold, palette.felt)
        if self.has_focus:
            canvas.fill(0, 0, 1, canvas.height, call, "▏")
        for row in range(canvas.top, min(canvas.bottom, len(self._wrapped))):
            number, text = self._wrapped[row]
            before = self._wrapped[row - 1][0] if row else -1
            line = self.lines[number]
            ink = call if line.call else newest if number == 0 else older
            if number != before and (line.call or number == 0):
                canvas.text(0, row, "▸" if line.call else "·", ink)
            canvas.text(2, row, text, ink)


class RecapView(CanvasWidget):
    """Doings of each seat, oldest first, on two rows; empty right after one's own turn."""

    DEFAULT_CSS = "RecapView { height: 2; }"
    GROUND = "felt_deep"
    _view: View | None = None
    _together: Collection[int] = NOBODY

    @property
    def told(self) -> list[RecapLine]:
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
