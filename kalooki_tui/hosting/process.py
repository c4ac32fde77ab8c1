"""What belongs to a process that hosts many screens, and to none of its apps: signals, stray faults, its end."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final

from kalooki_tui.desk.faults import log_fault
from kalooki_tui.ui.loading import import_rest, settle_garbage
from kalooki_tui.ui.terminal import SIGNALS

PATIENCE: Final = 1.9
"""Seconds after a signal within which the process ends, whatever still runs; the processes it started end with it."""


def run_process(main: Callable[[asyncio.Future[int]], Awaitable[None]]) -> None:
    """Run until `main` returns. What it is given is done when a signal asks the process to end.

    A second signal ends the process at once. Those that are ignored stay so, as under nohup.
    """
    asyncio.run(_run(main))


async def _run(main: Callable[[asyncio.Future[int]], Awaitable[None]]) -> None:
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[int] = loop.create_future()
    has_asked = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        if has_asked.is_set():
            os._exit(0)
        has_asked.set()
        overdue = threading.Timer(PATIENCE, os._exit, (0,))
        overdue.daemon = True
        overdue.start()
        loop.call_soon_threadsafe(asked.set_result, number)

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    loop.set_exception_handler(_note_fault)
    try:
        await main(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _note_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A task that nobody waits for has failed: it is written down, never onto the host's terminal."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        log_fault(error)


def load_meanwhile() -> None:
    """Import what apps open most in a thread of its own, so that the first guest need not wait for all of it."""
    loop = asyncio.get_running_loop()
    threading.Thread(target=_load, args=(loop,), name="loading", daemon=True).start()


def _load(loop: asyncio.AbstractEventLoop) -> None:
    import_rest()
    # The process may have ended meanwhile.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(settle_garbage)
