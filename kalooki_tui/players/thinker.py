"""Decisions and other long computations in a process of their own, for no screen to wait and no crash to spread."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar, cast

from kalooki_tui.players import Player, PlayerChoice, decide_without_core, make_player, without_core

if TYPE_CHECKING:
    from collections.abc import Callable

    from kalooki_tui.engine.view import View

Found = TypeVar("Found")

TRIES: Final = 2
"""Tries of a question, each in a new process."""
_RUN: Final = "import sys; sys.path[:] = {path}; from kalooki_tui.players.thinker import main; main()"


class WorkerLost(Exception):
    pass


class Worker:
    """Process and its two pipes; `ask` is for one thread at a time, `kill` for any; WorkerLost if it cannot start."""

    def __init__(self) -> None:
        try:
            # In a session of its own it does not hear of the terminal's keys.
            self._process = subprocess.Popen(
                [sys.executable, "-c", _RUN.format(path=ascii(sys.path))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerLost(f"the process that thinks cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    @property
    def process(self) -> int:
        return self._process.pid

    def ask(self, question: bytes) -> object:
        """Return the answer to a pickled question, or raise what the function raised there; WorkerLost if it ended."""
        try:
            pickle.dump(question, self._input)
            self._input.flush()
            answer: object = pickle.load(self._output)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            raise WorkerLost(f"the process that thinks has ended: {error}") from error
        if isinstance(answer, Exception):
            raise answer
        return answer

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):
                pipe.close()


class Thinker:
    """Process for every question; started at the first one, replaced when it is lost."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._closed = False
        self._starting = threading.Lock()
        # One question at a time; those that nobody waits for any more are not asked.
        self._asking = ThreadPoolExecutor(max_workers=1, thread_name_prefix="thinker")

    def warm_up(self) -> None:
        """Start the process, so that the first decision need not wait for it."""
        with suppress(WorkerLost):
            self._running()

    @property
    def process(self) -> int | None:
        return None if self._worker is None else self._worker.process

    def ask(self, function: Callable[..., Found], *given: object) -> Found:
        """Compute a function in the process, everything pickled; WorkerLost if the process was lost twice over it."""
        return cast("Found", self._answer(pickle.dumps((function, given))))

    async def compute(self, function: Callable[..., Found], *given: object) -> Found:
        if self._closed:
            raise WorkerLost
        question = pickle.dumps((function, given))
        return cast("Found", await asyncio.get_running_loop().run_in_executor(self._asking, self._answer, question))

    async def decide(self, level: str, seed: str, view: View) -> PlayerChoice:
        return await self.compute(decide, level, seed, view)

    def player(self, level: str, seed: str) -> Player:
        """Make an AI seat of a level: one that needs the native core decides in the process."""
        return make_player(level, seed) if without_core(level) == level else _SeatApart(self, level, seed)

    def close(self) -> None:
        """Stop the process without waiting for its thoughts; twice is no mistake."""
        with self._starting:
            self._closed = True
            if self._worker is not None:
                self._worker.kill()
        # Whatever waits for an answer hears at once that there is none.
        self._asking.shutdown()
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _running(self) -> Worker:
        with self._starting:
            if self._closed:
                raise WorkerLost
            if self._worker is None:
                self._worker = Worker()
            return self._worker

    def _answer(self, question: bytes) -> object:
        for tries in range(1, TRIES + 1):
            worker = self._running()
            try:
                return worker.ask(question)
            except WorkerLost:
                worker.close()
                self._worker = None
                if tries == TRIES:
                    raise
        return None


class _SeatApart:
    """Seat whose player thinks in the other process; once that is lost, without the core."""

    def __init__(self, thinker: Thinker, level: str, seed: str) -> None:
        self._thinker, self._level, self._seed = thinker, level, seed
        self._is_lost = False

    def decide(self, view: View) -> PlayerChoice:
        if not self._is_lost:
            try:
                return self._thinker.ask(decide, self._level, self._seed, view)
            except WorkerLost:
                self._is_lost = True
        return decide_without_core(self._level, self._seed, view)


# In the process


#: Players are kept from one decision to the next.
_player: Final = cache(make_player)


def decide(level: str, seed: str, view: View) -> PlayerChoice:
    return _player(level, seed).decide(view)


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    # What is printed by mistake must not be taken for an answer.
    os.dup2(2, 1)
    with suppress(EOFError, OSError):
        while True:
            answers.write(_answer_to(pickle.load(sys.stdin.buffer)))
            answers.flush()


def _answer_to(question: bytes) -> bytes:
    try:
        function, given = pickle.loads(question)
        return pickle.dumps(function(*given))
    except Exception as error:  # noqa: BLE001 - it goes to whoever asked
        # Notes come through where a traceback does not.
        import traceback

        error.add_note("".join(traceback.format_exception(error)))
        return pickle.dumps(error)
