"""Owner of what lies over a screen: questions of a match, what the player opens, faults. Nothing else pushes.

Textual can only lay a screen on top of the others and take the topmost one away. So what must not come on top yet
waits here, and what has lost its reason while something lies over it goes as soon as that does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from textual.app import App

if TYPE_CHECKING:
    from kalooki_tui.tui.screens.base import GameScreen

Then: TypeAlias = Callable[[Any], object]


class Layer(IntEnum):
    """Layer of an overlay; the higher lies over the lower."""

    MATCH = 0
    """Questions, curtain, banner, the end of a deal: one at a time, and only while nothing else lies there."""
    PLAYER = 1
    """Settings, rules, a choice of ways to tack: what the player has opened."""
    LEAVING = 2
    FAULT = 3


class Overlays:
    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._lying: list[GameScreen] = []
        self._waiting: list[GameScreen] = []
        self._closed = False

    def show(self, overlay: GameScreen, then: Then | None = None, layer: Layer = Layer.PLAYER) -> None:
        """Lay `overlay` over the screen, now or as soon as it may lie there; `then` gets the answer, if there is one.

        A key of the player's opens nothing over a fault or the question whether to leave, which is asked once.
        """
        overlay.rank, overlay.then = layer, then
        if self._closed:
            return
        if self._may_lie(layer):
            self._push(overlay)
        elif layer not in (Layer.PLAYER, Layer.LEAVING):
            self._waiting.append(overlay)

    def choose(self, overlay: GameScreen, then: Then) -> None:
        """Lay `overlay` over the screen; `then` gets the answer, unless it is closed without one."""
        self.show(overlay, lambda value: None if value is None else then(value))

    async def ask(self, overlay: GameScreen) -> Any:
        """Ask for the match and return the answer; take the question down if nobody waits for it any more."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(value: Any) -> None:
            if not answer.done():
                answer.set_result(value)

        self.show(overlay, answered, Layer.MATCH)
        try:
            return await answer
        finally:
            self.take_down(overlay)

    def answer(self, overlay: GameScreen, value: Any) -> None:
        """Close `overlay` with an answer, unless it is closed already."""
        if overlay in (*self._lying, *self._waiting):
            self.take_down(overlay)
            if overlay.then is not None:
                overlay.then(value)

    def take_down(self, overlay: GameScreen) -> None:
        """Close `overlay` without an answer, unless it is closed already."""
        for place in (self._lying, self._waiting):
            if overlay in place:
                place.remove(overlay)
                overlay.put_away()
                self._tidy()
                return

    @property
    def below(self) -> list[GameScreen]:
        stack: list[Any] = self._app.screen_stack
        return [one for one in stack if getattr(one, "lies_over", None) is False]

    def lies(self, layer: Layer) -> bool:
        return any(overlay.rank is layer for overlay in self._lying)

    def go_to(self, screen: GameScreen) -> None:
        if self._closed:
            return
        self._leave()
        while self._top is not None:
            self._app.pop_screen()
        if len(self._app.screen_stack) > 1:
            self._app.switch_screen(screen)
        else:
            self._app.push_screen(screen)

    def close(self) -> None:
        self._closed = True
        self._leave()

    def _leave(self) -> None:
        for overlay in (*self._lying, *self._waiting):
            overlay.put_away()
        self._lying.clear()
        self._waiting.clear()
        for screen in self.below:
            screen.put_away()

    @property
    def _top(self) -> GameScreen | None:
        """Topmost overlay; None where a screen of the game is on top, or none any more as the app ends."""
        top: Any = next(reversed(self._app.screen_stack), None)
        return top if getattr(top, "lies_over", False) else None

    def _may_lie(self, layer: Layer) -> bool:
        match layer:
            case Layer.MATCH:
                return not self._lying
            case Layer.FAULT | Layer.LEAVING:
                return not self.lies(layer)
        return not (self.lies(Layer.FAULT) or self.lies(Layer.LEAVING))

    def _push(self, overlay: GameScreen) -> None:
        self._lying.append(overlay)
        self._app.push_screen(overlay)
        self._tell_covered()

    def _tell_covered(self) -> None:
        heard = None if self._top is None else self._top.heard
        for screen in self.below:
            if screen.is_here:
                screen.show_covered(heard)

    def _tidy(self) -> None:
        if self._closed:
            return
        while self._top is not None and self._top.is_away:
            self._app.pop_screen()
        self._tell_covered()
        for overlay in sorted(self._waiting, key=lambda overlay: -overlay.rank):
            if self._may_lie(overlay.rank):
                self._waiting.remove(overlay)
                self._push(overlay)
