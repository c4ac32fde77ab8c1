"""Asks for a line of text."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.ui.screens.base import Dialog


class AskLine(Dialog):
    """Asks for a line of text; dismissed with it, or with None. `empty`: whether no text is an answer as well."""

    OFFERED = (Command("answer-nothing", "escape", "", "Close it without an answer.", lambda at: at.dismiss(None)),)

    takes_typing = True

    def __init__(
        self, title: str, text: str, usual: str, placeholder: str, *, empty: bool = False, name: str = "ask-line"
    ) -> None:
        super().__init__(name=name)
        self._title, self._text, self._usual, self._placeholder, self._empty = title, text, usual, placeholder, empty

    def compose(self) -> ComposeResult:
        """The question and a line to type in."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = self._title
            frame.border_subtitle = f"enter confirms · {self.OFFERED[0].shown} cancels"
            yield Static(self._text, id="question")
            yield Input(self._usual, placeholder=self._placeholder, id="line", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer, if there is something to answer with."""
        if (event.value.strip() or self._empty) and self.is_live:
            self.dismiss(event.value.strip())
