"""The log, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.binding import Binding, BindingType

from kalooki_tui.desk.words import LogLine
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, style, wrapped

if TYPE_CHECKING:
    from kalooki_tui.ui.looks.themes import Palette

#: Lines kept.
MOST_LINES: Final = 500


class LogView(Painted, can_focus=True):
    """The log: the newest line on top and bright, calls marked, long lines wrapped, the rest to be scrolled to."""

    DEFAULT_CSS = """
    LogView { height: 1fr; overflow: hidden auto; }
    """
    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Newer", show=False),
        Binding("down", "scroll_down", "Older", show=False),
        Binding("pageup", "page_up", "Newer, a page", show=False),
        Binding("pagedown", "page_down", "Older, a page", show=False),
        Binding("home", "newest", "Newest", show=False),
        Binding("end", "oldest", "Oldest", show=False),
    ]

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lines: list[LogLine] = []
        self._wrapped: list[tuple[int, str]] = []

    @property
    def lines(self) -> tuple[LogLine, ...]:
        return tuple(self._lines)

    def write(self, text: str, *, call: bool = False) -> None:
        """Put a line on top."""
        self._lines.insert(0, LogLine(text, call))
        del self._lines[MOST_LINES:]
        self.scroll_home(animate=False)
        self.repaint()

    def set_lines(self, lines: Iterable[LogLine]) -> None:
        """Show these lines, newest first."""
        self._lines = list(lines)[:MOST_LINES]
        self.repaint()

    def clear(self) -> None:
        self.set_lines(())

    def action_newest(self) -> None:
        self.scroll_home(animate=False)

    def action_oldest(self) -> None:
        self.scroll_end(animate=False)

    def canvas_height(self, width: int, height: int) -> int:
        """Rows of all lines, wrapped."""
        self._wrapped = [
            (number, text) for number, line in enumerate(self._lines) for text in wrapped(line.text, max(8, width - 3))
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
            line = self._lines[number]
            ink = call if line.call else newest if number == 0 else older
            if number != before and (line.call or number == 0):
                canvas.text(0, row, "▸" if line.call else "·", ink)
            canvas.text(2, row, text, ink)
