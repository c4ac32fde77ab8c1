"""A thread in which is done, one after another, what has to wait for the disk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any


class Writer:
    """One thread and its queue. The program does not wait for it at its end: a disk may never answer."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Callable[[], Any] | None, Future[Any]]] = SimpleQueue()
        Thread(target=self._run, name="writer", daemon=True).start()

    def do(self, job: Callable[[], Any] | None) -> Future[Any]:
        """Do it after all that was given before; None: end."""
        done: Future[Any] = Future()
        self._jobs.put((job, done))
        return done

    def _run(self) -> None:
        job: Callable[[], Any] | None = self._run
        while job is not None:
            job, done = self._jobs.get()
            try:
                done.set_result(None if job is None else job())
            except Exception as error:  # noqa: BLE001 - it belongs to whoever has given the job
                done.set_exception(error)
