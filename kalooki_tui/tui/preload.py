"""Work of idle time: importing the rest of the program, and reading many new files of matches."""

from __future__ import annotations

import gc
import threading
import time
from asyncio import sleep
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from kalooki_tui.tui.screens.base import GameScreen

if TYPE_CHECKING:
    from kalooki_tui.tui.game_app import GameApp

#: What is opened most, with all that it needs.
REST: Final = (
    "kalooki_tui.tui.screens.table",
    "kalooki_tui.tui.screens.setup",
    "kalooki_tui.players.thinker",
    "kalooki_tui.storage.recovery",
    "kalooki_tui.tui.screens.scores",
    "kalooki_tui.presenter.hints",
    "kalooki_tui.tui.screens.rule_pages",
    "kalooki_tui.tui.screens.settings",
    "kalooki_tui.tui.tableside.notes",
    "kalooki_tui.tui.screens.review",
)
#: Collections of the middle generation between two full ones.
RARELY: Final = 200


def load_the_rest(app: GameApp) -> None:
    """Import the rest in a thread, so that keys are heard meanwhile; then start the thinking.

    A screen opened before it is there waits for the thread, as for any import.
    """
    threading.Thread(target=_load, args=(app,), name="loading", daemon=True).start()


def _load(app: GameApp) -> None:
    try:
        for module in REST:
            import_module(module)
    finally:
        gc.enable()
    loop = app._loop  # the framework has no other way to it that does not wait
    # The app may have ended meanwhile.
    with suppress(RuntimeError):
        if loop is not None:
            loop.call_soon_threadsafe(_settle, app)


def _settle(app: GameApp) -> None:
    if app.is_running:
        _ = app.thinker
    # A full collection of garbage takes longer than a key may: what has been loaded by now stays, so none looks through
    # it again, and the rest is collected when a deal is over.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], RARELY)


#: Seconds that a list may take to read files; only many new ones take longer.
PATIENCE: Final = 0.3
#: Seconds in which files are read before keys are looked at, and for which they are then.
READING: Final = 0.03
LOOKING: Final = 0.01
#: Seconds after which it is shown how far reading has come.
TOLD: Final = 0.25


def read_on(app: GameApp) -> None:
    if app.store.unread and not any(one.group == "matches" and not one.is_finished for one in app.workers):
        app.run_worker(_read_matches(app), group="matches", exit_on_error=False)


async def _read_matches(app: GameApp) -> None:
    told = time.monotonic()
    while app.store.unread:
        await sleep(LOOKING)
        app.store.read_on(READING)
        if not app.store.unread or time.monotonic() > told + TOLD:
            if isinstance(app.screen, GameScreen) and app.screen.is_here:
                app.screen.show_arrived()
            told = time.monotonic()
    app.tell_notices()
