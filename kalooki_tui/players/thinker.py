"""AI decisions in another process, so that the screen never waits for them (the interpreter lock would make it)."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from kalooki_tui.players.protocol import Decision, Player

_players: dict[tuple[str, str], Player] = {}


def _decide(level: str, seed: str, view: View) -> Decision:
    """Runs in the worker; players are kept there from one decision to the next."""
    player = _players.get((level, seed))
    if player is None:
        player = _players[level, seed] = make_player(level, seed)
    return player.decide(view)


class Thinker:
    """One worker process that decides for every AI seat; started at the first question, replaced if it dies."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start the worker, so that the first decision need not wait for it."""
        self._running().submit(_ready)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fork of a program that runs threads and a terminal is not safe; a spawned worker shares neither.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(max_workers=1, mp_context=context)
        return self._pool

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat. A worker that died is replaced once.

        Raises:
            BrokenProcessPool: the worker died twice over the same question.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._running(), _decide, level, seed, view)
        except BrokenProcessPool:
            self._pool = None
            return await loop.run_in_executor(self._running(), _decide, level, seed, view)

    def close(self) -> None:
        """Stop the worker without waiting for what it is thinking about."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _ready() -> bool:
    return True
