"""How much work a search may do: counted, not timed, so that the same cards always get the same answer."""

from __future__ import annotations

from typing import Final

#: More steps than any search takes.
_NO_END: Final = 1 << 60


class Effort:
    """Steps that the searches for one answer may take together; a step is some ten microseconds of work.

    A search that finds none left stops with the best it has found.
    """

    __slots__ = ("left", "stopped")

    def __init__(self, steps: int = _NO_END) -> None:
        self.left = steps
        self.stopped = False
        """A search stopped early, so as to leave some steps to others."""

    @property
    def is_spent(self) -> bool:
        """True if any search stopped early: what was found may not be the best there is."""
        return self.stopped or self.left < 0
