"""The footer: commands with their keys, greyed where they are not open; a click does what the key does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from kalooki_tui.ui.themes import Palette
from kalooki_tui.ui.widgets.canvas import Canvas, Painted, style


@dataclass(frozen=True, slots=True)
class Entry:
    """One command as the footer shows it."""

    name: str
    key: str
    label: str
    tooltip: str
    enabled: bool


class CommandBar(Painted):
    """One row of commands; those for which there is no room are left out from the right, but for the last."""

    DEFAULT_CSS = """
    CommandBar { height: 1; }
    """
    GROUND = "felt_deep"
    KEPT = 1

    @dataclass
    class Pressed(Message):
        """A command was clicked."""

        name: str

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._hovered: str | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is shown, where there is room."""
        return self._entries

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these commands."""
        self._entries = tuple(entries)
        self.repaint_for(self._entries)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Draw the commands from left to right."""
        ground = palette.felt_deep
        x = 1
        for entry in _fitting(self._entries, canvas.width - 1, self.KEPT):
            hovered = entry.name == self._hovered
            back = palette.felt_raised if hovered else ground
            key_colour = palette.gold if entry.enabled else palette.felt_line
            text_colour = palette.on_felt if entry.enabled else palette.on_felt_muted
            start = x
            x = canvas.text(x, 0, entry.key, style(key_colour, back, entry.enabled), entry.name)
            x = canvas.text(x, 0, " ", style(text_colour, back), entry.name)
            ink = style(text_colour, back) if entry.enabled else style(palette.felt_line, back)
            x = canvas.text(x, 0, entry.label, ink, entry.name)
            canvas.mark(start, 0, x - start, 1, entry.name)
            x += 2

    def on_click(self, event: events.Click) -> None:
        """Do what the command clicked does."""
        name = self.target_at(event)
        if name is not None:
            self.post_message(self.Pressed(name))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show what the pointer is over, and what it is for."""
        name = self.target_at(event)
        if name != self._hovered:
            self._hovered = name
            self.tooltip = next((entry.tooltip for entry in self._entries if entry.name == name), None)
            self.repaint()

    def on_leave(self) -> None:
        """Forget what the pointer was over."""
        self._hovered = None
        self.repaint()


def _width(entry: Entry) -> int:
    return len(entry.key) + 1 + len(entry.label) + 2


def _fitting(entries: Sequence[Entry], width: int, kept: int) -> list[Entry]:
    """Entries that fit a row; the last `kept` always do."""
    chosen = list(entries)
    while len(chosen) > kept and sum(map(_width, chosen)) - 2 > width:
        del chosen[-kept - 1]
    return chosen
