"""Who thinks for AI seats while everybody waits for the next line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from kalooki_tui.engine.view import View
from kalooki_tui.players.processes.own_process import InOwnProcess
from kalooki_tui.players.protocol import Decision, Player

Found = TypeVar("Found")


class ThinksHere:
    """AI seats think while everybody waits; masters in a process of their own."""

    def __init__(self) -> None:
        self._apart = InOwnProcess()
        self._players: dict[tuple[str, str], Player] = {}

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat."""
        if (level, seed) not in self._players:
            self._players[level, seed] = self._apart.player(level, seed)
        return self._players[level, seed].decide(view)

    def compute(self, function: Callable[..., Found], *given: object) -> Found | None:
        """What the function gives, in the process; None once the native core has ended it."""
        return self._apart.compute(function, *given)

    def close(self) -> None:
        self._apart.close()
