"""The announcement of a deal."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult

from kalooki_tui.engine.view import View
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.ui.widgets.banner import EXAMPLE_SIZES, TALL, DealBanner


class DealIntro(Dialog):
    """The deal's banner across the table; goes by itself, or at any key."""

    DEFAULT_CSS = """
    DealIntro DealBanner { width: 100%; }
    """

    def __init__(self, view: View, seconds: float) -> None:
        super().__init__(name="deal-intro")
        self._view, self._seconds = view, seconds

    def compose(self) -> ComposeResult:
        """The banner."""
        yield DealBanner()

    def on_mount(self) -> None:
        """Show it, for a while, with larger cards where there are rows for them."""
        banner = self.query_one(DealBanner)
        if self.app.size.height >= TALL:
            banner.styles.height = EXAMPLE_SIZES[0][0]
        banner.show(self._view)
        self.set_timer(self._seconds, self.dismiss)

    def on_key(self, event: events.Key) -> None:
        """Go on."""
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Go on."""
        self.dismiss()
