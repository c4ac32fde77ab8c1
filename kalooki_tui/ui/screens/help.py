"""Every command of the table on one page."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.ui.commands import COMMANDS, Group
from kalooki_tui.ui.screens.base import Dialog, hanging

#: Keys that belong to the cursor inside a widget, not to the table.
MOVING = (
    ("← →", "Move among the cards; up and down where there are rows."),
    ("space", "Choose the card under the cursor, or choose it no more."),
    ("[ ]", "Move the card under the cursor; or drag it."),
    ("2-9 A J Q K", "Go to the next card of that rank; 0 is the ten, * the joker."),
    ("tab", "Go from the hand to the melds and back."),
    ("enter", "Lay the staged melds; on a meld: choose it."),
    ("ctrl+p", "Find a command by its name."),
)


class HelpScreen(Dialog):
    """The list of commands; any of its keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "close", show=False)]

    def compose(self) -> ComposeResult:
        """A scrolled list, by heading."""
        with Vertical(classes="dialog") as frame:
            frame.border_title = "Keys"
            frame.border_subtitle = "esc closes"
            with VerticalScroll():
                yield Static(_page())

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)


def _page() -> Content:
    parts: list[Content] = []
    for group in Group:
        parts.append(Content.styled(f"{group}\n", "bold $gold"))
        parts += [_row(command.shown, command.sentence) for command in COMMANDS if command.group is group]
    parts.append(Content.styled("Inside the hand and the melds\n", "bold $gold"))
    parts += [_row(keys, sentence) for keys, sentence in MOVING]
    parts.append(
        Content("\nA greyed command stays where it is: press it, and it says why.\nEverything can be clicked.")
    )
    return Content("").join(parts)


def _row(keys: str, sentence: str) -> Content:
    return Content.assemble(Content.styled(f"  {keys:<13}", "bold"), hanging(sentence, 15), "\n")
