"""What all screens share: a notice where the terminal is too small, which goes away when it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from textual import events, on
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

if TYPE_CHECKING:
    from kalooki_tui.ui.app import KalookiApp

SMALLEST: Final = Size(80, 24)


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

    @property
    def game(self) -> KalookiApp:
        """The app this screen belongs to."""
        return cast("KalookiApp", cast("Screen[Any]", self).app)

    @on(events.Mount)
    def _bring_notice(self) -> None:
        """Bring the notice along."""
        assert isinstance(self, Screen)
        self.mount(TooSmall(id="too-small"))
        self._judge_size(self.app.size)

    @on(events.Resize)
    def _resized(self, event: events.Resize) -> None:
        """Look again whether there is room."""
        self._judge_size(event.size)

    def _judge_size(self, size: Size) -> None:
        assert isinstance(self, Screen)
        self.too_small = size.width < SMALLEST.width or size.height < SMALLEST.height
        self.set_class(self.too_small, "-too-small")
        for notice in self.query(TooSmall):
            notice.say(size)


class GameScreen(SizeGuard, Screen[Any]):
    """A screen of the game."""


class Dialog(SizeGuard, ModalScreen[Any]):
    """A question over the table."""
