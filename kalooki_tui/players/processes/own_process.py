"""Masters in a process of their own, where a match is played in one process: a crash of the native core ends that one.

The app has `thinker` for all AI seats. Where nothing is drawn meanwhile only what needs the core is decided elsewhere.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Final, TypeVar, cast

from kalooki_tui.engine.view import View
from kalooki_tui.players import decide_without_core, make_player, without_core
from kalooki_tui.players.processes.thinker import Worker, WorkerLost
from kalooki_tui.players.protocol import Decision, Player

Found = TypeVar("Found")

#: How often one question is put, each time to a new process.
TRIES: Final = 2


class InOwnProcess:
    """The process, started at the first decision; `close` it after use. For one thread, the main one."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self.is_lost = False
        """Whether two processes have been lost over one decision."""

    def player(self, level: str, seed: str) -> Player:
        """An AI seat of a level: one that needs the native core decides in the process."""
        return make_player(level, seed) if without_core(level) == level else _SeatApart(self, level, seed)

    def decide(self, level: str, seed: str, view: View) -> Decision:
        """What the level decides, or what is decided without the core once the process has been lost."""
        found = self._ask((level, seed, view))
        if found is None:
            return decide_without_core(level, seed, view)
        assert isinstance(found, Decision)
        return found

    def compute(self, function: Callable[..., Found], *given: object) -> Found | None:
        """What the function gives, computed in the process; None once that has been lost.

        Raises:
            Exception: what the function raised.
        """
        return cast("Found | None", self._ask((function, given)))

    def _ask(self, question: object) -> object:
        """The answer; None where the process was lost over it twice, or before. A lost one is replaced once."""
        asked = pickle.dumps(question)
        for _ in range(TRIES):
            if self.is_lost:
                break
            try:
                if self._worker is None:
                    self._worker = Worker()
                return self._worker.ask(asked)
            except WorkerLost:
                self.close()
        self.is_lost = True
        return None

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _SeatApart:
    """One seat whose player thinks in the other process."""

    def __init__(self, apart: InOwnProcess, level: str, seed: str) -> None:
        self._apart, self._level, self._seed = apart, level, seed

    def decide(self, view: View) -> Decision:
        return self._apart.decide(self._level, self._seed, view)
