"""The host's app: the lobby, the doors, and the table."""

from __future__ import annotations

from typing import Final

from kalooki_tui.desk.setup.plan import AskCalls
from kalooki_tui.desk.table.sitting import Sitting
from kalooki_tui.hosting.beside import AtHosted
from kalooki_tui.hosting.board import BoardScreen
from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.guest_app import GuestApp, table_name
from kalooki_tui.hosting.hand.guest import HandGuest, Staged
from kalooki_tui.hosting.house import House
from kalooki_tui.hosting.looks import Looks
from kalooki_tui.hosting.screens import LobbyScreen
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.table import TableScreen

#: Where the host may go while the table is open.
OPEN: Final = ("keys", "settings", "new_match", "resume")
CLOSED: Final = "The host has closed the table."


class HostApp(KalookiApp):
    """One terminal's app that hosts a table for others."""

    is_host = True

    def __init__(self, house: House, match: str = "", *, leads_home: bool = False) -> None:
        """`match`: the id of one that was left, to be gone on with; `leads_home`: the first screen comes after it."""
        super().__init__()
        self._leads_home = leads_home
        self.house, self.lobby = house, house.lobby
        self._match = match
        self._looks = Looks()
        self._staged: Staged = {}

    async def open_doors(self) -> None:
        """Let people come; where that cannot be, the program ends."""
        await self.house.open(self._open_for, self._open_hand_for)
        if self.house.problem:
            self.parting = f"Nobody can come to this table: {self.house.problem}"
            self._go_on(routes.set_up(self.lobby.plan))

    def close_table(self) -> None:
        """The table is no more: to the first screen, or out of the program."""
        self._go_on(routes.home())

    def _go_on(self, way: routes.Route) -> None:
        self.onward = way if self._leads_home else None
        self.exit()

    def _open_for(self, guest: Guest) -> GuestApp:
        return GuestApp(guest, self.lobby, self.thinker, self._looks.of(guest), self._table_name)

    def _open_hand_for(self, guest: Guest) -> HandGuest:
        return HandGuest(guest, self.lobby, self._table_name, self._staged, self.consult)

    @property
    def _table_name(self) -> str:
        hosts = [chair.name for chair in self.lobby.chairs if chair.is_person and not chair.is_own]
        return table_name(hosts[0] if hosts else "")

    def begin_match(self) -> None:
        """Begin the match with those who have come."""
        match, self._match = self._match, ""
        try:
            plan = self.lobby.ready()
            self.go(routes.resume(match) if match else routes.new_match(plan))
        except ValueError as error:
            self.notify(str(error), severity="error")

    def go(self, route: routes.Route) -> None:
        """Home ends the program, and with it the table; the same seats are those in the lobby."""
        match route.name:
            case "home" if self.house.doors is not None:
                self.close_table()
            case "home" | "same_seats":
                self.house.forget_if_over()
                self.lobby.over()
                self.show_screen(LobbyScreen(self.house, self.open_doors, self.begin_match, self.close_table))
            case "at_table":
                plan, table, live = route.arguments
                if live is not None:
                    live.write_apart()
                sitting = Sitting(plan, table, self.thinker, live, ask_calls=AskCalls(self.settings.ask_calls))
                self.lobby.sitting = sitting
                self.lobby.plan = plan
                place = sitting.sit(self.lobby.seats_here)
                screen = TableScreen if place.here else BoardScreen
                self.show_screen(screen(plan, place, lambda table: AtHosted(table, self.lobby, self.house.ways_in)))
                self.lobby.begun(sitting)
                if live is not None and live.is_kept:
                    self.house.keep_with(live.id)
                    table.listen(lambda step: self.house.forget_if_over())
            case name if name in OPEN:
                super().go(route)
            case _:
                self.notify("That waits until the table is closed.")

    async def end(self) -> None:
        """Send everybody away with a sentence."""
        self.house.forget_if_over()
        if self.house.doors is not None:
            await self.house.doors.close(CLOSED)
        await super().end()
