"""The command palette, as one of the things that lie over a screen."""

from __future__ import annotations

from typing import Final

from textual.command import CommandPalette
from textual.message import Message
from textual.widgets import Input, OptionList

from kalooki_tui.ui.screens.base import Overlay

CHOSEN: Final = (OptionList.OptionSelected, Input.Submitted)


class Finder(Overlay, CommandPalette):
    """Finds a command by its name, and runs it once it is closed."""

    def __init__(self) -> None:
        super().__init__(name="finder")

    def check_message_enabled(self, message: Message) -> bool:
        """Let nothing be chosen that came after it was closed: it would be run a second time."""
        return not (self.is_away and isinstance(message, CHOSEN)) and super().check_message_enabled(message)
