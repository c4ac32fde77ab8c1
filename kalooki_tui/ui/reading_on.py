"""Many new files of matches: they are read a few at a time, so that keys are answered and what is found is shown."""

from __future__ import annotations

import time
from asyncio import sleep
from typing import Final

from kalooki_tui.ui.game_app import GameApp
from kalooki_tui.ui.screens.base import GameScreen

#: Seconds that a list may take to read files; only many new ones take longer.
PATIENCE: Final = 0.3
#: Seconds in which files are read before keys are looked at, and for which they are then.
READING: Final = 0.03
LOOKING: Final = 0.01
#: Seconds after which it is shown how far reading has come.
TOLD: Final = 0.25


def read_on(app: GameApp) -> None:
    """Go on reading files of matches that are new, where a list had no time for all of them."""
    if app.store.unread and not any(one.group == "matches" and not one.is_finished for one in app.workers):
        app.run_worker(_read_matches(app), group="matches", exit_on_error=False)


async def _read_matches(app: GameApp) -> None:
    """Read what the last list had no time for, and show on the way what has been found."""
    told = time.monotonic()
    while app.store.unread:
        await sleep(LOOKING)
        app.store.read_on(READING)
        if not app.store.unread or time.monotonic() > told + TOLD:
            if isinstance(app.screen, GameScreen) and app.screen.is_here:
                app.screen.show_arrived()
            told = time.monotonic()
    app.tell_notices()
