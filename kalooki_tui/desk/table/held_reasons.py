"""Why AI seats moved, held back until the deal is over: any reason speaks of a hand that nobody else sees (V2)."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.desk.words.telling import log_line
from kalooki_tui.engine.events import Dealt, Event
from kalooki_tui.engine.rules import Rules


class HeldReasons:
    """The reasons of one deal, as far as its steps are in effect."""

    def __init__(self) -> None:
        self._coming: tuple[int, str] | None = None
        """The seat that moves next, and why."""
        self._told: list[tuple[int, str]] = []
        """The events of the deal before a step, and what is told of it."""

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each reason, oldest first; to be shown to nobody before the deal is over."""
        return tuple(line for _, line in self._told)

    def hold(self, seat: int, reason: str) -> None:
        """The seat will move now, for this reason."""
        self._coming = (seat, reason) if reason else None

    def happened(self, before: int, events: Sequence[Event], names: Sequence[str], rules: Rules) -> None:
        """Something happened at the table, after so many events of the deal; what was taken back is forgotten."""
        coming, self._coming = self._coming, None
        if any(isinstance(event, Dealt) for event in events):
            self._told.clear()
            return
        self._told = [one for one in self._told if one[0] < before]
        if coming is None or not events or getattr(events[0], "seat", None) != coming[0]:
            return
        line = log_line(events[0], names, rules)
        if line is not None:
            self._told.append((before, f"{line.text}: {coming[1]}"))
