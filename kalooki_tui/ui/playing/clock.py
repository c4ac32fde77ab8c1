"""The clock of one person among AI seats where the fastest call wins: when it has run out, the person passes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from textual.timer import Timer

from kalooki_tui.engine.actions import Pass
from kalooki_tui.table.table import Moment
from kalooki_tui.ui.screens import passing

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen

WIDTH: Final = 10


class CallClock:
    """Runs while a call can be made, and stands still while something lies over the table or the match is paused."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._timer: Timer | None = None
        self._moment: Moment | None = None
        self._seat = 0
        self._left = self._whole = 0.0

    @property
    def words(self) -> str:
        """How much time is left, as a bar and in seconds; empty while no clock runs."""
        if self._timer is None or self._moment != self._screen.place.moment:
            return ""
        full = max(1, round(self._left / self._whole * WIDTH))
        return f"{'█' * full}{'░' * (WIDTH - full)} {ceil(self._left)} s"

    def start(self, seat: int, seconds: float) -> None:
        """Begin to run for the call that can be made now."""
        self.stop()
        self._seat, self._moment = seat, self._screen.place.moment
        self._left = self._whole = seconds
        self._timer = self._screen.set_interval(passing.SECOND / passing.TICKS, self._tick)

    def stop(self) -> None:
        """Run no more."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        screen = self._screen
        if not screen.is_here or screen.place.moment != self._moment:
            self.stop()
            return
        if not screen.is_live or screen.sitting.waits:
            return
        self._left -= 1 / passing.TICKS
        if self._left > 0:
            screen.show_prompt()
        else:
            self.stop()
            screen.place.act(Pass(self._seat))
