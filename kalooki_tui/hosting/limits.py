"""How much may come from outside, and how fast: what is more ends a screen, or makes strangers wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

KEYS: Final = 65_536
"""Bytes that may come from a screen in a second."""
TAPS: Final = 20
"""Messages that may come from a phone in a second, on average over some seconds."""


class Allowance:
    """`most` may come at once, and as much again in every `seconds`."""

    def __init__(self, most: float, seconds: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._rate, self._clock = most, most / seconds, clock
        self._left, self._since = most, clock()

    @property
    def left(self) -> float:
        """How much may come now."""
        return min(self._most, self._left + (self._clock() - self._since) * self._rate)

    def take(self, size: float = 1) -> bool:
        """Take so much; whether there was as much."""
        self._left, self._since = self.left - size, self._clock()
        return self._left >= 0
