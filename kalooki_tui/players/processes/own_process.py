"""Masters in a process of their own, where a match is played in one process: a crash of the native core ends that one.

The app has `thinker` for all AI seats. Where nothing is drawn meanwhile only what needs the core is decided elsewhere.
"""

from __future__ import annotations

import pickle

from kalooki_tui.engine.view import View
from kalooki_tui.players import decide_without_core, make_player, without_core
from kalooki_tui.players.processes.thinker import Worker, WorkerLost
from kalooki_tui.players.protocol import Decision, Player


class InOwnProcess:
    """The process, started at the first decision; `close` it after use. For one thread, the main one."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self.is_lost = False
        """Whether two processes have been lost over one decision."""

    def player(self, level: str, seed: str) -> Player:
        """An AI seat of a level: one that needs the native core decides in the process."""
        return make_player(level, seed) if without_core(level) == level else _SeatApart(self, level, seed)

    def ask(self, level: str, seed: str, view: View) -> Decision:
        """Ask the level to decide; a lost process is replaced once.

        Raises:
            WorkerLost: it was lost twice.
        """
        try:
            return self._ask(level, seed, view)
        except WorkerLost:
            return self._ask(level, seed, view)

    def _ask(self, level: str, seed: str, view: View) -> Decision:
        if self._worker is None:
            self._worker = Worker()
        try:
            answer = self._worker.ask(pickle.dumps((level, seed, view)))
        except WorkerLost:
            self.close()
            raise
        assert isinstance(answer, Decision)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _SeatApart:
    """One seat whose player thinks in the other process."""

    def __init__(self, apart: InOwnProcess, level: str, seed: str) -> None:
        self._apart, self._level, self._seed = apart, level, seed

    def decide(self, view: View) -> Decision:
        """The level's decision, or the one without the core once the process has been lost twice."""
        if not self._apart.is_lost:
            try:
                return self._apart.ask(self._level, self._seed, view)
            except WorkerLost:
                self._apart.is_lost = True
        return decide_without_core(self._level, self._seed, view)
