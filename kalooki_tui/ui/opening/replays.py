"""Opens a replay, which takes a while to read: the screen stays alive, and what comes too late is not shown."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.problems import InputError
from kalooki_tui.store.errors import StoreError

if TYPE_CHECKING:
    from textual.screen import Screen

    from kalooki_tui.records.replaying import Replay
    from kalooki_tui.store.summary import Summary
    from kalooki_tui.ui.game_app import GameApp

#: Seconds after which it is said that something is being read.
SOON: Final = 0.4
#: Seconds that an error stays.
LONG: Final = 12


def read_replay(app: GameApp, about: Summary) -> None:
    """Read a match's record in a thread, then step through its deals that are over."""
    try:
        replay = app.store.replay(about.id)
    except (StoreError, InputError) as error:
        app.notify(str(error), severity="error", timeout=LONG)
        return
    reading = partial(_read, app, app.screen, about, replay)
    app.run_worker(reading, group="replay", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]


async def _read(app: GameApp, asked_on: Screen[object], about: Summary, replay: Replay) -> None:
    reading = asyncio.ensure_future(asyncio.to_thread(past_deals, replay))
    done, _ = await asyncio.wait({reading}, timeout=SOON)
    if not done:
        app.notify("Reading the match …", timeout=SOON * 4)
    try:
        deals = await reading
    except (StoreError, InputError) as error:
        app.notify(str(error), severity="error", timeout=LONG)
        return
    if app.screen is not asked_on:
        return  # somebody has gone elsewhere meanwhile
    if deals:
        from kalooki_tui.ui.screens.replay import ReplayScreen

        app.show_screen(ReplayScreen(about, deals, replay.head.seed, is_listed=asked_on.name == "matches"))
    else:
        app.notify("No deal of this match is over yet: there is nothing to step through.", severity="warning")
