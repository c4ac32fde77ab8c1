"""The clock of one person among AI seats where the fastest call wins: when it has run out, the person passes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final

from textual.timer import Timer

from kalooki_tui.desk.table.place import Place
from kalooki_tui.engine.actions import Pass
from kalooki_tui.table.table import Moment
from kalooki_tui.ui.screens import passing
from kalooki_tui.ui.screens.base import Shown

WIDTH: Final = 10


class CallClock:
    """Runs while a call can be made, and stands still while something lies over the table or the match is paused."""

    def __init__(self, screen: Shown, place: Place, tell: Callable[[], None]) -> None:
        """`tell`: called when there is less time left."""
        self._screen, self._place, self._tell = screen, place, tell
        self._timer: Timer | None = None
        self._moment: Moment | None = None
        self._seat = 0
        self._left = self._whole = 0.0

    @property
    def words(self) -> str:
        """How much time is left, as a bar and in seconds; empty while no clock runs."""
        if self._timer is None or self._moment != self._place.moment:
            return ""
        full = max(1, round(self._left / self._whole * WIDTH))
        return f"{'█' * full}{'░' * (WIDTH - full)} {ceil(self._left)} s"

    def start(self, seat: int, seconds: float) -> None:
        """Begin to run for the call that can be made now."""
        self.stop()
        self._seat, self._moment = seat, self._place.moment
        self._left = self._whole = seconds
        self._timer = self._screen.set_interval(passing.SECOND / passing.TICKS, self._tick)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _tick(self) -> None:
        screen = self._screen
        if not screen.is_here or self._place.moment != self._moment:
            self.stop()
            return
        if not screen.is_live or self._place.sitting.waits:
            return
        self._left -= 1 / passing.TICKS
        if self._left > 0:
            self._tell()
        else:
            self.stop()
            self._place.act(Pass(self._seat))
