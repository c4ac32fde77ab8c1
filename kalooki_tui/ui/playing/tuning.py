"""How a table runs while a match is played: speed of AI seats, what people are asked about, the player's settings."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kalooki_tui.desk.setup.plan import AskCalls, Speed
from kalooki_tui.desk.table.flow import ASK_WORDS
from kalooki_tui.store.player.settings import PlayerSettings

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Tuning:
    """Changes how the table runs; what is changed is kept with the match."""

    def __init__(self, screen: TableScreen, choose_when: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """`choose_when`: lets one of several people say when to be asked."""
        self._screen, self._sitting, self._choose_when = screen, screen.sitting, choose_when

    def cycle_speed(self) -> None:
        """The next speed of AI moves."""
        screen, speeds = self._screen, list(Speed)
        self._set_speed(speeds[(speeds.index(self._sitting.speed) + 1) % len(speeds)])
        screen.app.remember(replace(screen.app.settings, ai_speed=self._sitting.speed.value))
        screen.tell(f"AI seats move at {self._sitting.speed} speed.", briefly=True)

    def cycle_asking(self) -> None:
        """The next rule of being asked about calls, for this match and the next; of several people each has an own."""
        screen = self._screen
        if len(self._sitting.people) != 1:
            screen.begin(self._choose_when)
            return
        rules = list(AskCalls)
        self._set_asking(rules[(rules.index(self._sitting.ask_calls) + 1) % len(rules)])
        screen.app.remember(replace(screen.app.settings, ask_calls=self._sitting.ask_calls.value))
        screen.tell(f"From now on you are asked {ASK_WORDS[self._sitting.ask_calls]}.", briefly=True)

    def show_settings(self) -> None:
        """The player's settings; those of the table hold at once, where the match is the player's own."""
        screen = self._screen
        before = screen.app.settings

        def closed(_: object) -> None:
            if screen.place.is_host:
                self._tune(before, screen.app.settings)
            screen.refresh_table()

        from kalooki_tui.ui.screens.settings import SettingsScreen

        screen.app.overlays.show(SettingsScreen(), closed)

    def _tune(self, before: PlayerSettings, settings: PlayerSettings) -> None:
        """Have what was changed in the settings hold for this match, too."""
        if settings.ai_speed != before.ai_speed:
            self._set_speed(Speed(settings.ai_speed))
        if settings.ask_calls != before.ask_calls:
            self._set_asking(AskCalls(settings.ask_calls))
        if settings.curtain != before.curtain:
            self._screen.plan = replace(self._screen.plan, curtain=settings.curtain)
            self._sitting.keep(curtain=settings.curtain)

    def _set_speed(self, speed: Speed) -> None:
        self._sitting.speed = speed
        self._sitting.keep(speed=speed)

    def _set_asking(self, ask: AskCalls) -> None:
        self._sitting.ask_calls = ask
        self._sitting.keep(ask_calls=ask)
