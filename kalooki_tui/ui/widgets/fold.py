"""A part of a form behind one line, which says what is chosen there otherwise than usual."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Collapsible
from textual.widgets._collapsible import CollapsibleTitle

from kalooki_tui.ui.widgets.whole import Whole
from kalooki_tui.ui.widgets.wrapping import whole_items

#: Cells of a heading, so that what stands behind it begins where fields do, and of the symbol before it.
HEADING: Final = 16
SYMBOL: Final = 4
#: What is said where nothing is chosen otherwise, and what parts it from the rest.
USUAL: Final = "as usual"
BETWEEN: Final = " · "


class Fold(Whole, Collapsible):
    """A heading, and fields that are out of sight until it is opened with enter, space or a click."""

    DEFAULT_CSS = """
    Fold { background: transparent; border: none; padding: 0; }
    Fold:focus-within { background-tint: transparent; }
    Fold > Contents { padding: 0; }
    Fold > CollapsibleTitle { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "fold", "Open or close", show=False)]

    def __init__(self, heading: str, inside: str, *fields: Widget, id: str, is_open: bool = False) -> None:  # noqa: A002
        """`inside`: what it holds, in a few words."""
        super().__init__(*fields, id=id, collapsed=not is_open, collapsed_symbol="▸", expanded_symbol="▾")
        self.part, self._inside, self._told = heading, inside, ""

    @property
    def heading(self) -> Widget:
        """What opens and closes it."""
        return self.query_one(CollapsibleTitle)

    def tell(self, unusual: str) -> None:
        """Say what is chosen otherwise than usual; empty: nothing."""
        self._told = unusual
        self._show_line()

    def on_mount(self) -> None:
        self._show_line()

    def on_resize(self) -> None:
        self._show_line()

    def on_descendant_focus(self) -> None:
        self._show_line()

    def on_descendant_blur(self) -> None:
        self._show_line()

    def watch_collapsed(self) -> None:
        if self.is_mounted:
            self._show_line()

    def scroll_visible(self, *args: Any, **options: Any) -> None:
        """What its heading opens comes into sight; where a field in it is gone to, that one does."""
        if self.heading.has_focus:
            super().scroll_visible(*args, **options)

    def action_fold(self) -> None:
        """Open or close it, where its heading has the focus."""
        if self.heading.has_focus:
            self.collapsed = not self.collapsed

    def _show_line(self) -> None:
        has_focus = self.is_mounted and self.heading.has_focus
        room = self.size.width - HEADING - SYMBOL
        behind = ""
        if has_focus:
            behind = f"enter {'opens' if self.collapsed else 'closes'}"
            room -= len(BETWEEN + behind)
        elif self.collapsed and not self._told:
            behind = whole_items(self._inside, room - len(USUAL + BETWEEN))
        # With the focus the whole line has its colours.
        heading, told = ("", "") if has_focus else ("bold $gold", "$on-felt")
        said = [(whole_items(self._told, room), told) if self._told else (USUAL, "")]
        said += [(f"{BETWEEN}{behind}", "")] if behind else []
        self.title = Content.assemble((f"{self.part:<{HEADING}}", heading), *said)  # type: ignore[assignment]
