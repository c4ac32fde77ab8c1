"""A widget by itself, drawn."""

from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from kalooki_tui.tui.looks import themes
from kalooki_tui.tui.looks.palettes import DEFAULT_LOOK, Look
from kalooki_tui.tui.widgets.canvas import CanvasWidget


class OneWidget(App[None]):
    """A widget by itself, and what comes from it."""

    def __init__(self, widget: Widget, look: Look = DEFAULT_LOOK) -> None:
        super().__init__()
        self.widget, self.look = widget, look
        self.messages: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def compose(self) -> ComposeResult:
        yield self.widget

    def post_message(self, message: Message) -> bool:
        self.messages.append(message)
        return super().post_message(message)

    def sent(self, kind: type[Message]) -> list[Any]:
        """The messages of this kind."""
        return [message for message in self.messages if isinstance(message, kind)]


def rows_of(widget: Widget) -> list[str]:
    """What is drawn, row by row."""
    if isinstance(widget, CanvasWidget):
        widget.paint_now()
    return [widget.render_line(y).text for y in range(widget.size.height)]
