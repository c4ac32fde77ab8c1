"""A page to read over what lies beneath: a frame with a title, scrolled, closed by its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import BY_NAME, Command
from kalooki_tui.ui.screens.base import hanging
from kalooki_tui.ui.screens.question import Question

#: Columns of a screen on which two pages' width of text stand side by side.
TWO_PAGES: Final = 150


def closing(opener: str = "", *keys: str) -> Command:
    """The command that closes a page; the key of the command that opened it does so too."""
    also = "".join(f",{key}" for key in (*([BY_NAME[opener].keys] if opener else ()), *keys))
    return Command("close", f"escape,q,enter{also}", "Close", "Close this page.", lambda at: at.dismiss(None))


class Page(Question):
    """A page; a subclass has a `heading`, commands, and yields its `parts`."""

    OFFERED: ClassVar[tuple[Command, ...]] = (closing(),)
    heading = ""
    has_scroll_keys: ClassVar[bool] = True
    """Whether the arrow keys scroll the page; not where they choose something on it."""

    @property
    def hint(self) -> str:
        """What stands at the frame's foot: keys and what they do."""
        return f"{self.OFFERED[0].shown} closes"

    def parts(self) -> ComposeResult:
        """What there is to read."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as frame:
            frame.border_title = self.heading
            frame.border_subtitle = self.hint
            with VerticalScroll(can_focus=self.has_scroll_keys):
                yield from self.parts()


class LinesPage(Page):
    """Lines to read, oldest first: why AI seats moved as they did, what happened in the last round."""

    OFFERED = (closing("last-round", "w"),)

    def __init__(self, heading: str, lines: Sequence[str]) -> None:
        super().__init__(name="lines")
        self.heading, self._lines = heading, tuple(lines)

    def parts(self) -> ComposeResult:
        yield Static("\n".join(hanging(line, 2) for line in self._lines))


def rows_of(blocks: Sequence[Content]) -> int:
    """Rows of blocks below one another."""
    return sum(len(block.plain.splitlines()) + 1 for block in blocks)


def in_columns(blocks: Sequence[Content]) -> tuple[list[Content], list[Content]]:
    """Blocks in two columns of about one height, in their order."""
    heights = [rows_of([block]) for block in blocks]
    split = min(range(len(blocks) + 1), key=lambda place: (abs(sum(heights[:place]) - sum(heights[place:])), -place))
    return list(blocks[:split]), list(blocks[split:])
