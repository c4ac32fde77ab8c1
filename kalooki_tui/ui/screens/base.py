"""What all screens share: a notice where the terminal is too small, which goes away when it grows."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final, cast

from textual import events
from textual.await_complete import AwaitComplete
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

if TYPE_CHECKING:
    from kalooki_tui.ui.app import KalookiApp

SMALLEST: Final = Size(80, 24)


#: Columns of a page of text in a dialog.
PAGE: Final = 68


class TooSmall(Static):
    """Stands in front of everything where there is no room to play."""

    def say(self, size: Size) -> None:
        """Name the size there is and the size needed."""
        self.update(
            f"Kalooki needs {SMALLEST.width} columns and {SMALLEST.height} rows.\n"
            f"This terminal has {size.width} and {size.height}.\n\nMake it larger to go on: nothing is lost."
        )


class SizeGuard:
    """Mixed into a screen: hides everything but the notice while the terminal is too small."""

    too_small = False
    _focused_before: Widget | None = None

    @property
    def game(self) -> KalookiApp:
        """The app this screen belongs to."""
        return cast("KalookiApp", cast("Screen[Any]", self).app)

    def on_mount(self) -> None:
        """Bring the notice along."""
        assert isinstance(self, Screen)
        if not self.is_attached:
            return  # the program is being left before the screen came up
        self.mount(TooSmall(id="too-small"))
        self._judge_size(self.app.size)

    def on_resize(self, event: events.Resize) -> None:
        """Look again whether there is room."""
        self._judge_size(event.size)

    def _judge_size(self, size: Size) -> None:
        assert isinstance(self, Screen)
        was_small, before = self.too_small, self.focused
        self.too_small = size.width < SMALLEST.width or size.height < SMALLEST.height
        if self.too_small and not was_small:
            self._focused_before = before
        self.set_class(self.too_small, "-too-small")
        if was_small and not self.too_small and self._focused_before is not None:
            # What was hidden has lost the focus.
            self.call_after_refresh(self._focused_before.focus)
        for notice in self.query(TooSmall):
            notice.say(size)


def hanging(text: str, indent: int, width: int = PAGE) -> str:
    """`text` broken at spaces to lines of `width`, those after the first indented."""
    return "\n".join(textwrap.wrap(text, width - indent)).replace("\n", "\n" + " " * indent)


class GameScreen(SizeGuard, Screen[Any]):
    """A screen of the game."""


class Dialog(SizeGuard, ModalScreen[Any]):
    """A question over the table."""

    _is_answered = False

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close with an answer, once: a second key of the same burst must not close what lies beneath."""
        if self._is_answered:
            return AwaitComplete()
        self._is_answered = True
        return super().dismiss(result)
