"""How much may come from one screen: what is more than anybody can type ends it."""

from __future__ import annotations

import time
from typing import Final

KEYS: Final = 65_536
"""Bytes that may come in a second."""


class Allowance:
    """Bytes that may still come: it fills up again by the second."""

    def __init__(self) -> None:
        self._left = float(KEYS)
        self._since = time.monotonic()

    def take(self, size: int) -> bool:
        """Take so many; whether there were as many."""
        now = time.monotonic()
        self._left = min(KEYS, self._left + (now - self._since) * KEYS) - size
        self._since = now
        return self._left >= 0
