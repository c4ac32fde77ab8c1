"""AI decisions in another process, so that the screen never waits for them (the interpreter lock would make it)."""

from __future__ import annotations

import asyncio
import os
import pickle
import selectors
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar, cast

from kalooki_tui.players.processes.worker import LENGTH, frame
from kalooki_tui.players.protocol import Decision

if TYPE_CHECKING:
    from collections.abc import Callable

    from kalooki_tui.engine.view import View

Found = TypeVar("Found")

STARTING: Final = 5.0
"""Seconds within which a process that has just been started gives its first sign of life."""
SILENCE: Final = 1.2
"""Seconds without a sign of life after which a process that should be thinking is taken for stopped."""
CHUNK: Final = 65536

_RUN: Final = "import sys; sys.path[:] = {path}; from kalooki_tui.players.processes.worker import main; main({parent})"


class WorkerLost(Exception):
    """The process that thinks was ended, stands still, or cannot be started."""


class Thinker:
    """One process that decides for every AI seat; started at the first question, replaced when it is lost.

    Its methods are for one thread, that of the event loop.
    """

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._closed = False
        # One question at a time; those that nobody waits for any more are not asked.
        self._asking = ThreadPoolExecutor(max_workers=1, thread_name_prefix="thinker")

    def warm_up(self) -> None:
        """Start the process, so that the first decision need not wait for it."""
        with suppress(WorkerLost):
            self._running()

    @property
    def process(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._worker is None else self._worker.process

    def _running(self) -> Worker:
        if self._closed:
            raise WorkerLost("nobody is to think any more")
        if self._worker is None:
            self._worker = Worker()
        return self._worker

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat. A process that is lost is replaced once.

        Raises:
            WorkerLost: it was lost twice over the same question.
        """
        answer = await self._answer(pickle.dumps((level, seed, view)))
        assert isinstance(answer, Decision)
        return answer

    async def compute(self, function: Callable[..., Found], *given: object) -> Found:
        """Call the function in the process; it and its arguments are pickled.

        Raises:
            WorkerLost: the process was lost twice over it.
            Exception: what the function raised.
        """
        return cast("Found", await self._answer(pickle.dumps((function, given))))

    async def _answer(self, question: bytes) -> object:
        try:
            return await self._ask(question)
        except WorkerLost:
            return await self._ask(question)

    async def _ask(self, question: bytes) -> object:
        worker = self._running()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._asking, worker.ask, question)
        except WorkerLost:
            if self._worker is worker:
                self._worker = None
                # After other questions to it that wait already.
                self._asking.submit(worker.close)
            raise

    def close(self) -> None:
        """Stop the process without waiting for what it is thinking about; twice is no mistake."""
        self._closed = True
        if self._worker is not None:
            self._worker.kill()
        # Whatever waits for an answer hears at once that there is none.
        self._asking.shutdown()
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class Worker:
    """A process that thinks, and its two pipes. `ask` is for one thread at a time, `kill` for any.

    Raises:
        WorkerLost: it cannot be started.
    """

    def __init__(self) -> None:
        code = _RUN.format(path=ascii(sys.path), parent=os.getpid())
        try:
            # A spawned process shares neither threads nor terminal with this one; in a session of its own it does not
            # hear of the terminal's keys either. On Linux it ends with the thread that starts it: call this in the
            # main thread.
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerLost(f"the process that thinks cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._pipes = (self._process.stdin, self._process.stdout)
        self._input, self._output = (pipe.fileno() for pipe in self._pipes)
        for pipe in (self._input, self._output):
            os.set_blocking(pipe, False)
        self._patience = STARTING
        self._read = bytearray()

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, question: bytes) -> object:
        """The answer to a pickled question.

        Raises:
            WorkerLost: the process has ended, or gives no sign of life.
            Exception: what the player raised there.
        """
        try:
            answer = pickle.loads(self._exchange(question))
        except OSError as error:
            raise WorkerLost(f"the process that thinks has ended: {error}") from error
        if isinstance(answer, Exception):
            raise answer
        return cast("object", answer)

    def _exchange(self, question: bytes) -> bytes:
        """Write the question and read its answer, as long as the process lives."""
        left = memoryview(frame(question))
        heard = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while True:
                ready = {key.fd for key, _ in selector.select(max(0.0, heard + self._patience - time.monotonic()))}
                if not ready:
                    raise WorkerLost("the process that thinks stands still")
                if self._input in ready:
                    with suppress(BlockingIOError):
                        left = left[os.write(self._input, left) :]
                    if not left:
                        selector.unregister(self._input)
                if self._output in ready:
                    chunk = os.read(self._output, CHUNK)
                    if not chunk:
                        raise WorkerLost("the process that thinks has ended")
                    self._read += chunk
                    heard, self._patience = time.monotonic(), SILENCE
                    answer = self._next_answer()
                    if answer is not None:
                        return answer

    def _next_answer(self) -> bytes | None:
        """The first whole frame that is no mere sign of life, if it is there."""
        while len(self._read) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._read)[0]
            if len(self._read) < end:
                return None
            content = bytes(self._read[LENGTH.size : end])
            del self._read[:end]
            if content:
                return content
        return None

    def kill(self) -> None:
        """End the process now, stopped or not."""
        self._process.kill()

    def close(self) -> None:
        """End the process and release it; not while `ask` runs."""
        self.kill()
        self._process.wait()
        for pipe in self._pipes:
            pipe.close()
