"""Questions that lie between the table and the hand: melds, piles, log and hand stay in sight."""

from __future__ import annotations

from typing import Any, cast

from textual import events
from textual.containers import Vertical
from textual.screen import Screen

from kalooki_tui.ui.screens.base import GameScreen


class Beside:
    """Mixed into a dialog over a table: it lies above the hand, and the table makes as much room as it needs."""

    is_beside = True

    def lie_down(self) -> None:
        """Find the place; to be called whenever the dialog's height or the terminal's size may have changed."""
        screen, table = cast("Screen[Any]", self), self._table
        if not self.is_beside or table is None:
            return
        screen.add_class("beside")
        self._frame.styles.margin = (0, 0, table.make_room(None), 0)
        screen.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """Let the table make room, now that the height is known."""
        table = self._table
        if table is not None and cast("Screen[Any]", self).is_mounted and not cast("Any", self).is_away:
            table.make_room(self._frame.outer_size.height)

    @property
    def _frame(self) -> Vertical:
        return cast("Screen[Any]", self).query_one(".dialog", Vertical)

    @property
    def _table(self) -> GameScreen | None:
        screens = cast("Screen[Any]", self).app.screen_stack
        return next((one for one in reversed(screens) if isinstance(one, GameScreen) and one.is_here), None)

    def on_mount(self) -> None:
        """Find the place."""
        self.lie_down()

    def on_resize(self, event: events.Resize) -> None:
        """Find the place anew."""
        self.lie_down()

    def put_away(self) -> None:
        """Give the room back."""
        table = self._table
        if self.is_beside and table is not None:
            table.make_room(0)
        super().put_away()  # type: ignore[misc]
