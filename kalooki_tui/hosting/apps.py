"""Apps of a hosted table: the host's, and those of guests at other terminals with their own looks."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from textual.app import SystemCommand
from textual.screen import Screen

from kalooki_tui.hosting.doors import HostedTable
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.hand.phone_guest import HandGuest, Staged
from kalooki_tui.hosting.lobby import Lobby, Visitor, state_of
from kalooki_tui.hosting.screens import AtHosted, BoardScreen, ComeScreen, LobbyScreen
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import AskCalls
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.paths import guests_folder
from kalooki_tui.storage.player.settings_file import PlayerSettings, SettingsFile
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.looks.own import OwnThemes
from kalooki_tui.tui.screens.question import confirm
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.wording import escaped, whose

if TYPE_CHECKING:
    from kalooki_tui.session.turn_loop import Thinks
    from kalooki_tui.storage.match_store import Store

#: Where a guest may go besides the table.
OPEN_TO_GUESTS: Final = ("keys", "settings")
ELSEWHERE: Final = "That is for the host's screen."


class GuestApp(KalookiApp):
    is_guest = True

    def __init__(
        self, guest: Guest, lobby: Lobby, thinker: Thinks, looks: OwnLooks, table_name: str, begin: Callable[[], object]
    ) -> None:
        super().__init__(thinker=thinker)
        self.begin_match = begin
        self.settings_file = looks
        self.visitor = Visitor(guest, lobby)
        self.lobby, self.table_name = lobby, table_name
        self._at: MatchSession | None = None

    def begin(self) -> None:
        self.store = cast("Store", SimpleNamespace(take_notices=tuple))
        self.lobby.hear(self, lambda: self.call_later(self.look_around))
        self.visitor.come_back()
        self.look_around()

    async def end(self) -> None:
        self.lobby.unhear(self)
        self.visitor.leave()

    def own_looks(self) -> OwnThemes:
        return OwnThemes({}, {})

    def look_around(self) -> None:
        session = self.lobby.session
        has_place = self.visitor.chair is not None or self.visitor.watches
        if session is not None and session is not self._at and has_place:
            self._at = session
            place = self.lobby.place_of(self.visitor.chair)
            self.overlays.go_to(TableScreen(self.lobby.plan, place, lambda table: AtHosted(table, self.lobby)))
        elif isinstance(self.screen, ComeScreen):
            self.screen.refresh_lobby()
        elif self._at is None or (session is None and not self._at.is_finished):
            self.overlays.go_to(ComeScreen(self.visitor, self.table_name))

    def go(self, route: routes.Route) -> None:
        """Leave instead of going home; only the host begins another match."""
        if route.name == "home":
            self.exit()
        elif route.name == "same_seats":
            self.overlays.go_to(ComeScreen(self.visitor, self.table_name))
        elif route.name in OPEN_TO_GUESTS:
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
        yield SystemCommand("Settings", "Theme, glyphs, motion, bell", lambda: self.go(routes.settings()))
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)


def table_name(host: str) -> str:
    return f"{whose(host)} table" if host else "The table"


MOST: Final = 64
"""Files kept, the newest ones."""


class OwnLooks(SettingsFile):
    @property
    def where(self) -> str:
        """Time for which they are kept; the folder is told to the host alone."""
        return "Kept for you at this host's tables" if self.path != Path() else "They hold until you leave"

    def save(self, settings: PlayerSettings) -> Path | None:
        """Keep the settings on disk, or if that fails while the table is open."""
        self.settings = settings
        if self.path != Path():
            with suppress(StoreError, OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                super().save(settings)
                files = sorted(self.path.parent.glob("*.toml"), key=lambda file: file.stat().st_mtime, reverse=True)
                for file in files[MOST:]:
                    file.unlink(missing_ok=True)
        return None


class Looks:
    def __init__(self) -> None:
        self._known: dict[str, OwnLooks] = {}

    def of(self, guest: Guest) -> OwnLooks:
        """Return a guest's settings: by name, else by token while the table is open, else for this visit."""
        key = guest.name.casefold() or guest.token
        if not key:
            return OwnLooks(Path())
        if key not in self._known:
            # A name can hold what a file's cannot.
            name = f"{sha256(key.encode()).hexdigest()[:16]}.toml"
            looks = OwnLooks.load(guests_folder() / name) if guest.name else OwnLooks(Path())
            assert isinstance(looks, OwnLooks)
            looks.problems = ()
            self._known[key] = looks
        return self._known[key]


#: Where the host may go while the table is open.
OPEN: Final = ("keys", "settings", "new_match", "resume")
CLOSED: Final = "The host has closed the table."


class HostApp(KalookiApp):
    is_host = True

    def __init__(
        self,
        hosted: HostedTable,
        match: str = "",
        *,
        leads_home: bool = False,
        echo: Callable[[str], object] | None = None,
    ) -> None:
        """Resume `match` if given; with `leads_home` the first screen follows at the end.

        `echo`: where there is no screen, what writes a line.
        """
        super().__init__()
        self._echo, self._seats_told = echo, ""
        self._leads_home = leads_home
        self.hosted, self.lobby = hosted, hosted.lobby
        self._match = match
        self._looks = Looks()
        self._staged: Staged = {}

    async def open_doors(self) -> None:
        await self.hosted.open(self._open_for, self._open_hand_for)
        if self.hosted.problem:
            self.parting = f"Nobody can come to this table: {self.hosted.problem}"
            self._go_on(routes.set_up(self.lobby.plan))
        elif self._echo is not None:
            self._echo(self.hosted.ways_in)
            self.lobby.hear(self, self._tell_seats)
            for end in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(end, self.exit)

    def _tell_seats(self) -> None:
        """Write who sits where, if it is news."""
        words = ", ".join(f"{chair.name or 'nobody'} ({state_of(chair)})" for chair in self.lobby.chairs)
        if self._echo is not None and words != self._seats_told:
            self._seats_told = words
            self._echo(escaped(words))

    def close_table(self) -> None:
        self._go_on(routes.home())

    def _go_on(self, way: routes.Route) -> None:
        self.onward = way if self._leads_home else None
        self.exit()

    def _open_for(self, guest: Guest) -> GuestApp:
        return GuestApp(guest, self.lobby, self.thinker, self._looks.of(guest), self._table_name, self._begin_soon)

    def _open_hand_for(self, guest: Guest) -> HandGuest:
        return HandGuest(guest, self.lobby, self._table_name, self._staged, self._begin_soon, self.consult)

    @property
    def _table_name(self) -> str:
        hosts = [chair.name for chair in self.lobby.chairs if chair.is_person and not chair.is_own]
        return table_name(hosts[0] if hosts else "")

    def _begin_soon(self) -> None:
        """Begin in this app's own context: a guest has asked for it."""
        self.call_later(self.begin_match)

    def begin_match(self) -> None:
        match, self._match = self._match, ""
        try:
            plan = self.lobby.ready()
            self.go(routes.resume(match) if match else routes.new_match(plan))
        except ValueError as error:
            self.notify(str(error), severity="error")

    def go(self, route: routes.Route) -> None:
        match route.name:
            case "home" if self.hosted.doors is not None:
                self.close_table()
            case "home" | "same_seats":
                self.hosted.forget_if_over()
                self.lobby.over()
                self.overlays.go_to(LobbyScreen(self.hosted, self.open_doors, self.begin_match, self.close_table))
            case "at_table":
                plan, live = route.arguments
                live.write_apart()
                session = MatchSession(plan, live, self.thinker, ask_calls=AskCalls(self.settings.ask_calls))
                self.lobby.session = session
                self.lobby.plan = plan
                place = session.sit(self.lobby.seats_here)
                screen = TableScreen if place.here else BoardScreen
                self.overlays.go_to(screen(plan, place, lambda table: AtHosted(table, self.lobby, self.hosted)))
                if not place.here:
                    session.when_read = lambda: self.go(routes.same_seats()) if self.lobby.session is session else None
                self.lobby.begun(session)
                if live.is_kept:
                    self.hosted.keep_with(live.id)
                    live.table.listen(lambda step: self.hosted.forget_if_over())
            case name if name in OPEN:
                super().go(route)
            case _:
                self.notify("That waits until the table is closed.")

    async def end(self) -> None:
        self.hosted.forget_if_over()
        if self.hosted.doors is not None:
            await self.hosted.doors.close(CLOSED)
        await super().end()
