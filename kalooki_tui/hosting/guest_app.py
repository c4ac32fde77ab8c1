"""What a guest sees: the lobby and the table, rules, words, help, scores, and looks of their own. Nothing else.

A guest's app has no store and no files. What it may know of the match comes from its place alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from textual.app import SystemCommand
from textual.screen import Screen

from kalooki_tui.hosting.beside import AtHosted
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.lobby import Lobby
from kalooki_tui.hosting.screens import ComeScreen
from kalooki_tui.hosting.visitor import Visitor
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.looks.own import Own
from kalooki_tui.ui.screens.dialogs import confirm
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.wording import whose

if TYPE_CHECKING:
    from kalooki_tui.desk.table.flow import Thinks
    from kalooki_tui.desk.table.sitting import Sitting
    from kalooki_tui.hosting.looks import OwnLooks
    from kalooki_tui.store.matches import Store

#: Where a guest may go besides the table.
OPEN: Final = ("keys", "settings")
ELSEWHERE: Final = "That is for the host's screen."


@dataclass
class NoStore:
    """In the place of the host's matches, of which a guest has none."""

    def take_notices(self) -> Sequence[str]:
        return ()


class GuestApp(KalookiApp):
    """The app on one guest's screen."""

    is_guest = True

    def __init__(self, guest: Guest, lobby: Lobby, thinker: Thinks, looks: OwnLooks, table_name: str) -> None:
        super().__init__(thinker=thinker)
        self.settings_file = looks
        self.visitor = Visitor(guest, lobby)
        self.lobby, self.table_name = lobby, table_name
        self._at: Sitting | None = None
        """The match that is shown."""

    def begin(self) -> None:
        """Sit down where the guest sat before, else show the seats."""
        self.store = cast("Store", NoStore())
        self.lobby.hear(self, lambda: self.call_later(self.look_around))
        self.visitor.come_back()
        self.look_around()

    async def end(self) -> None:
        """The screen goes: the table waits for whoever sat here. What thinks is the host's."""
        self.lobby.unhear(self)
        self.visitor.leave()

    def own_looks(self) -> Own:
        """None: themes and keys of their own are the host's."""
        return Own({}, {})

    def look_around(self) -> None:
        """Show the table where the guest has a place at it, else the lobby."""
        sitting = self.lobby.sitting
        has_place = self.visitor.chair is not None or self.visitor.watches
        if sitting is not None and sitting is not self._at and has_place:
            self._at = sitting
            place = self.lobby.place_of(self.visitor.chair)
            self.show_screen(TableScreen(self.lobby.plan, place, lambda table: AtHosted(table, self.lobby)))
        elif isinstance(self.screen, ComeScreen):
            self.screen.refresh_lobby()
        elif self._at is None or (sitting is None and not self._at.is_finished):
            self.show_screen(ComeScreen(self.visitor, self.table_name))

    # What is not for guests

    def go(self, route: routes.Route) -> None:
        """Home is the way out, and another match is the host's to begin."""
        if route.name == "home":
            self.exit()
        elif route.name == "same_seats":
            self.show_screen(ComeScreen(self.visitor, self.table_name))
        elif route.name in OPEN:
            super().go(route)
        else:
            self.notify(ELSEWHERE)

    async def action_quit(self) -> None:

        def answered(yes: object) -> None:
            if yes:
                self.exit()

        kept = "Your seat is kept for you.\n" if self.visitor.chair is not None and self._at is not None else ""
        self.overlays.show(confirm(f"Leave {self.table_name}?", kept, "Leave", "Stay"), answered)

    def get_system_commands(self, screen: Screen[Any]) -> Any:
        """Only what is the guest's own."""
        yield SystemCommand("Settings", "Theme, glyphs, motion, bell", lambda: self.go(routes.settings()))
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)


def table_name(host: str) -> str:
    """What a table is called at others' screens."""
    return f"{whose(host)} table" if host else "The table"
