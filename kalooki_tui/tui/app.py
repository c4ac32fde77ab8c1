"""App of a terminal: how it starts, what keys do everywhere, and how it ends."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from kalooki_tui.storage.match_store import open_store
from kalooki_tui.tui import routes
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.overlays import Layer
from kalooki_tui.tui.preload import PATIENCE, load_the_rest
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.question import Finder, confirm
from kalooki_tui.tui.terminal import stop_for_a_while

if TYPE_CHECKING:
    from kalooki_tui.session.turn_loop import Thinks

WRITTEN: Final = 0.05
"""Seconds after which the first screen has been written to the terminal."""
LATIN: Final = "\u024f"
"""Last Latin letter: é and ø are keys of nothing either, but their typists need not be told."""
SCREENS: Final = Path(__file__).with_name("screens")
FAULT: Final = 70
#: Seconds after which it is looked whether a screen is there, and at most waited for it or for what a key does.
MOMENT: Final = 0.02
LONGEST: Final = 5.0
#: Keys that end or stop the program never wait.
ENDING: Final = ("ctrl+q", "ctrl+c", "ctrl+z")
TYPED: Final = (events.Key, events.Paste)


class KalookiApp(GameApp):
    """App of one terminal. `first`: where it begins, and what is `told` there.

    Keys and pastes typed ahead wait, and each is let go once the one before has done its work. The framework gives
    each to what has the focus when it comes: in a burst that is the screen before, which the first key leaves.
    """

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
        self._typed: deque[events.Key | events.Paste] = deque()
        self._going: events.Event | None = None
        self._busy_until = 0.0
        self._timer: Timer | None = None
        self._then: list[Callable[[], object]] = []
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
            self._typed.append(event)
            await self._let_go()
        else:
            await self._hear(event)

    @property
    def is_quiet(self) -> bool:
        """True if everything typed so far has done its work."""
        return not (self._typed or self._is_busy)

    def when_quiet(self, then: Callable[[], object]) -> None:
        if self.is_quiet:
            then()
        else:
            self._then.append(then)

    @property
    def _is_busy(self) -> bool:
        return self._going is not None and monotonic() < self._busy_until

    async def _let_go(self) -> None:
        while self._typed and not self._is_busy:
            first, screen = self._typed[0], self.screen
            if isinstance(screen, GameScreen):
                if screen.is_opening and monotonic() < first.time + LONGEST:
                    break
                if not screen.is_meant(first.time):
                    self._typed.popleft()
                    continue
            self._going = self._typed.popleft()
            self._busy_until = monotonic() + LONGEST
            target = self.focused or screen
            await self._hear(self._going)
            # What a key's command posts goes the same way once more, as that a button has been pressed.
            self._follow(self._going, [*target.ancestors_with_self] * 2)
        self._watch()

    def _watch(self) -> None:
        if self._typed and self._timer is None:
            self._timer = self.set_interval(MOMENT, self._let_go)
        elif not self._typed and self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.is_quiet:
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
            self.call_later(self._let_go)

    async def _hear(self, event: events.Event) -> None:
        """Act on a key or a click, and end what moves by itself."""
        if isinstance(event, (events.Key, events.MouseDown)) and not event.is_forwarded:
            typed = (event.character or "") if isinstance(event, events.Key) else ""
            if not self._knows_letters and typed.isalpha() and typed > LATIN and not isinstance(self.focused, Input):
                # A letter such as ж or λ is no key of anything; a field takes it.
                self._knows_letters = True
                self.notify(f"Keys are Latin letters, and {typed} is none: switch your keyboard.", severity="warning")
            if isinstance(self.screen, GameScreen) and self.screen.moving is not None:
                self.screen.moving.end()
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
