"""The one owner of what lies over a screen: what a match asks, what the player opens, faults. Nothing else pushes.

Textual can only lay a screen on top of the others and take the topmost one away. So what must not come on top yet
waits here, and what has lost its reason while something lies over it goes as soon as that does.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from textual.app import App
from textual.screen import Screen

from kalooki_tui.ui.game import Layer, Then
from kalooki_tui.ui.screens.base import GameScreen, Overlay
from kalooki_tui.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    overlay: Overlay
    layer: Layer
    then: Then | None


class Overlays:
    """Lays dialogs over the screen and takes them away; each is answered once, or not at all."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._lying: list[_Laid] = []
        """From the lowest to the topmost."""
        self._waiting: list[_Laid] = []
        self._closed = False

    def show(self, overlay: Overlay, then: Then | None = None, layer: Layer = Layer.PLAYER) -> None:
        """Lay `overlay` over the screen; `then` gets the answer, if one is given.

        What the player opens does not come over a fault or the question whether to leave: it is not shown at all.
        """
        laid = _Laid(overlay, layer, then)
        if self._closed:
            return
        if self._may_lie(layer):
            self._push(laid)
        elif layer in (Layer.MATCH, Layer.FAULT):
            self._waiting.append(laid)

    async def ask(self, overlay: Overlay) -> Any:
        """What the match asks: the answer. If nobody waits for it any more, the question is taken down."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def answered(value: Any) -> None:
            if not answer.done():
                answer.set_result(value)

        self.show(overlay, answered, Layer.MATCH)
        try:
            return await answer
        finally:
            self.take_down(overlay)

    def answer(self, overlay: Overlay, value: Any) -> None:
        """Close `overlay` with an answer, unless it is closed already."""
        laid = self._find(overlay)
        if laid is not None:
            self.take_down(overlay)
            if laid.then is not None:
                laid.then(value)

    def take_down(self, overlay: Overlay) -> None:
        """Close `overlay` without an answer, wherever it lies; nothing if it is closed already."""
        laid = self._find(overlay)
        if laid is None:
            return
        for place in (self._lying, self._waiting):
            if laid in place:
                place.remove(laid)
        overlay.put_away()
        self._tidy()

    def lies(self, layer: Layer) -> bool:
        """Whether something of that layer is shown."""
        return any(laid.layer is layer for laid in self._lying)

    def go_to(self, screen: GameScreen) -> None:
        """Put `screen` in the place of all that is shown."""
        if self._closed:
            return
        self._leave()
        while isinstance(self._app.screen, Overlay):
            self._app.pop_screen()
        if len(self._app.screen_stack) > 1:
            self._app.switch_screen(screen)
        else:
            self._app.push_screen(screen)

    def close(self) -> None:
        """The program is being left: nothing is shown any more, and nobody is asked."""
        self._closed = True
        self._leave()

    def _leave(self) -> None:
        """Let go of everything shown, at once: what still arrives for it does nothing."""
        for laid in (*self._lying, *self._waiting):
            laid.overlay.put_away()
        self._lying.clear()
        self._waiting.clear()
        for screen in self._app.screen_stack:
            if isinstance(screen, GameScreen):
                screen.put_away()

    def _find(self, overlay: Overlay) -> _Laid | None:
        return next((laid for laid in (*self._lying, *self._waiting) if laid.overlay is overlay), None)

    def _may_lie(self, layer: Layer) -> bool:
        """Whether something of that layer may come on top now."""
        match layer:
            case Layer.MATCH:
                return not self._lying
            case Layer.FAULT:
                return not self.lies(Layer.FAULT)
            case Layer.LEAVING:
                return not self.lies(Layer.LEAVING)
        return not (self.lies(Layer.FAULT) or self.lies(Layer.LEAVING))

    def _push(self, laid: _Laid) -> None:
        self._lying.append(laid)
        self._app.push_screen(cast("Screen[Any]", laid.overlay))
        self._tell_covered()

    def _tell_covered(self) -> None:
        """Let what lies below know which of its commands are heard."""
        top = self._app.screen
        for screen in self._app.screen_stack:
            if isinstance(screen, GameScreen) and screen.is_here:
                screen.show_covered(top.heard if isinstance(top, Overlay) else None)

    def _tidy(self) -> None:
        """Take what is closed off the top, then show what has waited for that."""
        if self._closed:
            return
        while isinstance(self._app.screen, Overlay) and self._app.screen.is_away:
            self._app.pop_screen()
        self._tell_covered()
        for laid in sorted(self._waiting, key=lambda laid: -laid.layer):
            if self._may_lie(laid.layer):
                self._waiting.remove(laid)
                self._push(laid)
