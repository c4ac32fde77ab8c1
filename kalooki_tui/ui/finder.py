"""The command palette, as one of the things that lie over a screen."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.command import CommandList, CommandPalette, Provider, SearchIcon
from textual.message import Message
from textual.widgets import Input, OptionList

from kalooki_tui.ui.screens.base import Overlay

CHOSEN: Final = (OptionList.OptionSelected, Input.Submitted)


class FoundList(CommandList):
    """The commands found. Its lines follow its commands a moment later: what is meant for one that has gone is lost."""

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()

    def action_page_up(self) -> None:
        with suppress(LookupError):
            super().action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        with suppress(LookupError):
            super().action_page_down()  # type: ignore[no-untyped-call]


class Finder(CommandPalette, Overlay):
    """Finds a command by its name, or what a `provider` has, and runs it once it is closed."""

    def __init__(self, title: str = "What can be done now", provider: type[Provider] | None = None) -> None:
        super().__init__(None if provider is None else [provider], name="finder")
        self._title = title

    def compose(self) -> ComposeResult:
        """The same widgets, with a list that bears being hurried and a sign of one cell."""
        for widget in super().compose():
            if isinstance(widget, SearchIcon):
                widget.icon = "▸"  # one cell wide, and no emoji
            yield FoundList() if isinstance(widget, CommandList) else widget

    def on_mount(self) -> None:
        frame = self.query_one("#--container")
        frame.border_title, frame.border_subtitle = self._title, "enter does it · esc closes"

    def check_message_enabled(self, message: Message) -> bool:
        """Let nothing be chosen that came after it was closed: it would be run a second time."""
        return not (self.is_away and isinstance(message, CHOSEN)) and super().check_message_enabled(message)
