"""What is typed while a form opens: it waits, and goes to the form's first field once that is there."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual.dom import DOMNode
from textual.timer import Timer

from kalooki_tui.ui.screens.base import Shown

if TYPE_CHECKING:
    from kalooki_tui.ui.game_app import GameApp

#: Seconds after which it is looked whether the form is there, and at most waited for what a key does.
MOMENT: Final = 0.02
LONGEST: Final = 5.0
#: Keys that end the program never wait.
ENDING: Final = ("ctrl+q", "ctrl+c")


class TypedAhead:
    """Holds keys and pastes back, and lets them go one after another, each once the one before has done its work."""

    def __init__(self, app: GameApp) -> None:
        self._app = app
        self._held: list[events.Key | events.Paste] = []
        self._going: events.Event | None = None
        """What is being let go."""
        self._busy_until = 0.0
        self._timer: Timer | None = None

    @property
    def _opening(self) -> bool:
        screen = self._app.screen
        return isinstance(screen, Shown) and screen.is_opening

    def holds(self, event: events.Key | events.Paste) -> bool:
        """Whether the event waits: for the form, or behind others that do."""
        if event.is_forwarded or event is self._going:
            return False
        if isinstance(event, events.Key) and event.key in ENDING:
            return False
        if not self._held and not self._opening:
            return False
        self._held.append(event)
        if self._timer is None:
            self._timer = self._app.set_interval(MOMENT, self._let_go)
        return True

    async def _let_go(self) -> None:
        """Let the first go, if nothing hinders it."""
        if self._opening or monotonic() < self._busy_until:
            return
        if not self._held:
            if self._timer is not None:
                self._timer.stop()
                self._timer = None
            return
        target = self._app.focused or self._app.screen
        self._busy_until = monotonic() + LONGEST
        self._going = self._held.pop(0)
        await self._app.on_event(self._going)
        self._follow([*target.ancestors_with_self])

    def _follow(self, nodes: list[DOMNode]) -> None:
        """Take the way a key takes, from what had the focus up to the app: there it has done its work."""
        if nodes:
            nodes[0].call_later(self._follow, nodes[1:])
        else:
            self._busy_until = 0.0
            self._app.call_later(self._let_go)
