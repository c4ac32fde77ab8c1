"""The two rows above the hand: what the table waits for, and what the hand is worth."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from kalooki_tui.ui.widgets.canvas import Canvas, Painted, shorten, style
from kalooki_tui.ui.widgets.wrapping import wrapped

if TYPE_CHECKING:
    from kalooki_tui.ui.looks.themes import Palette


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
