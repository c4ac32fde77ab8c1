"""Keys typed ahead, let go one after another, each once what the one before has opened is there to hear it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual.dom import DOMNode
from textual.timer import Timer

from kalooki_tui.tui.screens.base import GameScreen

if TYPE_CHECKING:
    from kalooki_tui.tui.app import KalookiApp

#: Seconds after which it is looked whether a screen is there, and at most waited for it or for what a key does.
MOMENT: Final = 0.02
LONGEST: Final = 5.0
#: Keys that end or stop the program never wait.
ENDING: Final = ("ctrl+q", "ctrl+c", "ctrl+z")
TYPED: Final = (events.Key, events.Paste)


class TypedAhead:
    """Queue of keys and pastes, each let go once the one before has done its work.

    The framework gives each to what has the focus when it comes. In a burst that is the screen before, which the
    first key leaves.
    """

    def __init__(self, app: KalookiApp) -> None:
        self._app = app
        self._held: deque[events.Key | events.Paste] = deque()
        self._going: events.Event | None = None
        self._busy_until = 0.0
        self._timer: Timer | None = None
        self._then: list[Callable[[], object]] = []

    async def take(self, event: events.Key | events.Paste) -> None:
        self._held.append(event)
        await self._let_go()

    @property
    def is_done(self) -> bool:
        """True if everything that has come so far has done its work."""
        return not (self._held or self._is_busy)

    def when_done(self, then: Callable[[], object]) -> None:
        if self.is_done:
            then()
        else:
            self._then.append(then)

    @property
    def _is_busy(self) -> bool:
        return self._going is not None and monotonic() < self._busy_until

    async def _let_go(self) -> None:
        while self._held and not self._is_busy:
            first, screen = self._held[0], self._app.screen
            if isinstance(screen, GameScreen):
                if screen.is_opening and monotonic() < first.time + LONGEST:
                    break
                if not screen.is_meant(first.time):
                    self._held.popleft()
                    continue
            self._going = self._held.popleft()
            self._busy_until = monotonic() + LONGEST
            target = self._app.focused or screen
            await self._app.hear(self._going)
            # What a key's command posts goes the same way once more, as that a button has been pressed.
            self._follow(self._going, [*target.ancestors_with_self] * 2)
        self._watch()

    def _watch(self) -> None:
        if self._held and self._timer is None:
            self._timer = self._app.set_interval(MOMENT, self._let_go)
        elif not self._held and self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.is_done:
            then, self._then = self._then, []
            for call in then:
                call()

    def _follow(self, event: events.Event, nodes: list[DOMNode]) -> None:
        """Take the way a key takes, from what had the focus up to the app: there it has done its work."""
        for at, node in enumerate(nodes):
            if node.call_later(self._follow, event, nodes[at + 1 :]):
                return
        if event is self._going:
            self._going = None
            self._app.call_later(self._let_go)
