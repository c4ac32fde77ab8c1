"""App of a terminal: how it starts, what keys do everywhere, and how it ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from kalooki_tui.storage.match_store import open_store
from kalooki_tui.tui import routes
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.overlays import Layer
from kalooki_tui.tui.preload import PATIENCE, load_the_rest
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.question import Finder, confirm
from kalooki_tui.tui.terminal import stop_for_a_while
from kalooki_tui.tui.typed_ahead import ENDING, TYPED, TypedAhead

if TYPE_CHECKING:
    from kalooki_tui.session.turn_loop import Thinks

WRITTEN: Final = 0.05
"""Seconds after which the first screen has been written to the terminal."""
LATIN: Final = "\u024f"
"""Last Latin letter: é and ø are keys of nothing either, but their typists need not be told."""
SCREENS: Final = Path(__file__).with_name("screens")
FAULT: Final = 70


class KalookiApp(GameApp):
    """App of one terminal. `first`: where it begins, and what is `told` there."""

    TITLE = "Kalooki"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+p", "command_palette", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        # Browsers keep ctrl+p for printing; a key of the player's own comes before this one.
        Binding("f2", "command_palette", show=False),
    ]
    # Classes of screens by their size: in large ones lists stand in the middle, and exercises have larger cards.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (140, "-wide"), (190, "-broad")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall"), (46, "-hall")]

    def __init__(self, first: routes.Route | None = None, thinker: Thinks | None = None, *, told: str = "") -> None:
        self._first, self._told = first or routes.home(), told
        # The sheet of the first screen is read with the app's own: one that comes later has all of them read again.
        sheet = {"home": "home", "new_match": "tabletop"}.get(self._first.name)
        super().__init__(thinker, css_path=[self.CSS_PATH, *([SCREENS / f"{sheet}.tcss"] if sheet else [])])
        self.ahead = TypedAhead(self)
        self._knows_letters = False
        self.fault: str | None = None
        """Sentence for the player once the terminal is theirs again, if the program had to stop."""
        self.parting = ""
        """Words with which the app the player goes on to begins."""

    def on_mount(self) -> None:
        self.begin()
        self.call_after_refresh(self._first_drawn)

    def begin(self) -> None:
        self.store = open_store(patience=PATIENCE)
        self.theme_changed_signal.subscribe(self, self._theme_chosen)
        self._tell_problems(*self._own.problems)
        self.go(self._first)
        if self._told:
            self.notify(self._told, severity="warning")

    def _first_drawn(self) -> None:
        self._drawn = True
        if self._once_drawn is not None:
            self._once_drawn()
        # What has been drawn is written to the terminal by a thread of its own, which goes first.
        if not self.is_guest:
            self.set_timer(WRITTEN, lambda: load_the_rest(self))

    async def on_unmount(self) -> None:
        await self.end()

    async def end(self) -> None:
        self.end_processes()
        self.store.close()

    async def on_event(self, event: events.Event) -> None:
        """Let what is typed wait for its turn, but never what ends the program."""
        ends = isinstance(event, events.Key) and event.key in ENDING
        if isinstance(event, TYPED) and not event.is_forwarded and not ends:
            await self.ahead.take(event)
        else:
            await self.hear(event)

    async def hear(self, event: events.Event) -> None:
        """Act on a key or a click, and end what moves by itself."""
        if isinstance(event, (events.Key, events.MouseDown)) and not event.is_forwarded:
            typed = (event.character or "") if isinstance(event, events.Key) else ""
            if not self._knows_letters and typed.isalpha() and typed > LATIN and not isinstance(self.focused, Input):
                # A letter such as ж or λ is no key of anything; a field takes it.
                self._knows_letters = True
                self.notify(f"Keys are Latin letters, and {typed} is none: switch your keyboard.", severity="warning")
            if isinstance(self.screen, GameScreen):
                self.screen.end_motion()
        elif isinstance(event, events.Compose):
            self._dress()
        await super().on_event(event)

    async def action_quit(self) -> None:
        table = self.table
        if table is not None and not table.is_away and not table.session.is_finished:
            table.leave_match(program=True)
            return

        def answered(yes: object) -> None:
            if yes:
                self.exit()

        lost = next((one.lost for one in self.overlays.below if one.lost), "")
        question = confirm("Leave Kalooki?", f"{lost}\n" if lost else "", "Leave the program", "Stay")
        self.overlays.show(question, answered, Layer.LEAVING)

    def action_suspend_process(self) -> None:
        if self.is_host or self.is_guest:
            self.notify("Others play here too: the game cannot be stopped for a while.")
        elif self._driver is not None and self._driver.can_suspend:
            if os.getpgrp() == os.getsid(0):
                self.notify("No shell waits here that could bring the game back. ctrl+q leaves it.")
            else:
                self._driver.suspend_application_mode()
                stop_for_a_while()

    def exit(self, *arguments: Any, **named: Any) -> None:
        """Leave the program: nothing that still arrives is shown."""
        self.overlays.close()
        super().exit(*arguments, **named)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, Finder):
            self.overlays.show(Finder())

    def search_themes(self) -> None:
        from textual.theme import ThemeProvider

        self.overlays.show(Finder("Which colours", ThemeProvider))

    def get_system_commands(self, screen: Screen[Any]) -> Any:
        """Offer only what belongs to the game: no screenshots of hands, no panels of the framework."""
        yield SystemCommand("Settings", "Theme, glyphs, motion, bell, speed", lambda: self.go(routes.settings()))
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        yield SystemCommand("Stop for a while (ctrl+z)", "Back to the shell, until fg", self.action_suspend_process)
        yield SystemCommand("Quit Kalooki", "Leave the program", self.action_quit)

    def _handle_exception(self, error: Exception) -> None:
        """Write the error down and leave one sentence for the player, never a traceback."""
        from kalooki_tui.storage.paths import fault_sentence, log_fault

        if self.is_headless:
            super()._handle_exception(error)
            return
        self.fault = fault_sentence(error, log_fault(error))
        self._return_code = FAULT
        self.exit(return_code=FAULT)
