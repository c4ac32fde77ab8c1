"""Commands of a screen on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import Faces
from kalooki_tui.presenter.commands import HAND, MELDS, Command
from kalooki_tui.presenter.hand_order import has_numbers
from kalooki_tui.tui.screens.base import hanging
from kalooki_tui.tui.screens.question import TWO_PAGES, Page, closing, in_columns


def moving(faces: Faces) -> tuple[tuple[str, str], ...]:
    """Return what keys inside the hand and the melds do, with those that the player has chosen."""
    numbers = has_numbers(faces)
    key = {command.name: command.shown for command in (*HAND, *MELDS)}
    return (
        (f"{key['card-left']} {key['card-right']}", "Move among the cards; up and down where there are rows."),
        (key["choose-card"], "Choose the card under the cursor, or undo the choice."),
        (f"{key['card-to-left']} {key['card-to-right']}", "Move the card under the cursor; or drag it."),
        (
            "2-9 A" if numbers else "2-9 A J Q K",
            f"Go to the next card of that rank; 0 is the ten,{' 1 2 a 12,' if numbers else ''} * the joker.",
        ),
        ("tab", "Go from the hand to the melds and back."),
        (f"{key['meld-before']} {key['meld-after']}", "Move among the melds while they have the focus."),
        (key["choose-meld"], "Choose the meld under the cursor; enter does the same, for cards too."),
        ("ctrl+p f2", "Find a command by its name."),
    )


class HelpScreen(Page):
    OFFERED = (closing("help"),)
    heading = "Keys"

    def __init__(self, commands: Mapping[str, Sequence[Command]], moving: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(name="help")
        self._commands, self._moving = commands, moving

    def parts(self) -> ComposeResult:
        blocks = [_block(head, [(one.shown, one.sentence) for one in some]) for head, some in self._commands.items()]
        told = "Everything can be clicked."
        if self._moving:
            blocks.append(_block("Inside the hand and the melds", self._moving))
            told = f"A grey command is not allowed now: press it, and it says why.\n{told}"
        blocks.append(Content(told))
        columns = in_columns(blocks) if self.app.size.width >= TWO_PAGES else (blocks,)
        with Horizontal(classes="columns"):
            for column in columns:
                yield Static(Content("\n").join(column))


def _block(heading: str, lines: Sequence[tuple[str, str]]) -> Content:
    rows = [Content.assemble((f"  {keys:<13}", "bold"), hanging(told, 15), "\n") for keys, told in lines]
    return Content("").join([Content.styled(f"{heading}\n", "bold $gold"), *rows])
