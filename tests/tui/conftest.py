"""A table for tests: AI seats think in this process and at once, nothing is written into the user's folders."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence

import pytest
import textual._wait
import textual.screen
from textual._compositor import visible_screen_stack
from textual.events import Key
from textual.pilot import Pilot

from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.presenter.commands import use_keys
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import question
from kalooki_tui.tui.screens.table import TableScreen

#: What keys print whose names are not what stands on them.
SIGNS = {"question_mark": "?", "comma": ",", "space": " "}
LONGEST_WAIT = 90.0
"""Seconds after which a test gives up waiting: many, for a machine that is busy with other things."""

# A pilot waits for longer than a frame at each step: frames come sooner here, and it waits for less.
textual.screen.UPDATE_PERIOD = 1 / 600
textual._wait.SLEEP_GRANULARITY = 1 / 250
textual._wait.SLEEP_IDLE = textual._wait.SLEEP_GRANULARITY / 20


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Screens between people hear keys at once, the usual ones."""
    monkeypatch.setattr(question, "QUIET_SECONDS", 0.0)
    yield
    use_keys({})


def text_of(app: KalookiApp) -> str:
    """Everything on the screen, as text."""
    visible_screen_stack.set(app._background_screens)  # no frame has been drawn in which it would have been
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


def table_of(app: KalookiApp) -> TableScreen:
    """The table screen, wherever it is in the stack."""
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def match_of(app: KalookiApp) -> Match:
    return table_of(app).session._table.match


async def until_happened(pilot: Pilot[None], app: KalookiApp, kind: type[Event], *seats: int) -> None:
    """Let the app run until this has happened in the deal, to each of these seats."""

    def has_happened() -> bool:
        found = [event for event in match_of(app).deal.history if isinstance(event, kind)]
        return bool(found) and {*seats} <= {getattr(event, "seat", None) for event in found}

    await wait_until(pilot, has_happened)


async def wait_until(pilot: Pilot[None], condition: object) -> None:
    assert callable(condition)
    end, rest = time.monotonic() + LONGEST_WAIT, 0.01
    while time.monotonic() < end:
        if condition():
            await pilot.pause()
            return
        await asyncio.sleep(
            rest := min(1.3 * rest, 0.1)
        )  # a pause of the pilot's own asks every widget whether it is done
    raise AssertionError(f"nothing came of it; on the screen:\n{text_of(pilot.app)}")


async def press(pilot: Pilot[None], *keys: str, until: Callable[[], object] | None = None) -> None:
    """Press keys, and let the app run until that has come of them, or for a moment."""
    await pilot.press(*keys)
    if until is None:
        await pilot.pause()
    else:
        await wait_until(pilot, until)


def burst(app: KalookiApp, keys: Sequence[str]) -> None:
    """Keys that come all at once, before the app has done anything about the first."""
    for key in keys:
        app.post_message(Key(key, key if len(key) == 1 else SIGNS.get(key)))


async def go(pilot: Pilot[None], app: KalookiApp, route: routes.Route, until: Callable[[], object]) -> None:
    """Open something, and let the app run until that has come of it."""
    app.go(route)
    await wait_until(pilot, until)


def key_of(app: KalookiApp, words: str) -> str:
    """The key of the answer with these words in the dialog on the screen."""
    found = re.search(r"(\S)\s+" + re.escape(words), text_of(app))
    assert found, text_of(app)
    return found[1]


def is_asked(app: KalookiApp) -> bool:
    """Whether the table waits for somebody at the keyboard: at the table's keys, or in a dialog."""
    if not isinstance(app.screen, TableScreen):
        return app.screen.name not in ("home-screen", None)
    return app.screen.state.is_asked and app.screen.state.has_plan  # found once all else is drawn


def has_table(app: KalookiApp) -> bool:
    """Whether a match is being played, whatever lies over its table."""
    return any(isinstance(screen, TableScreen) for screen in app.screen_stack)


def is_asked_at_table(app: KalookiApp) -> bool:
    """Whether the table waits for somebody at its own keys."""
    return isinstance(app.screen, TableScreen) and is_asked(app)
