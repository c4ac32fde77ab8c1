"""What people see before a hosted match begins: the host's lobby, and that of whoever comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.hosting.house import House
from kalooki_tui.hosting.lobby import Chair
from kalooki_tui.hosting.visitor import Visitor, state_of, waits_for
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import confirm
from kalooki_tui.ui.widgets.canvas import column
from kalooki_tui.ui.widgets.command_bar import CommandBar

#: How an address is used, by its line.
HOW: Final = {"ssh": "from any terminal", "browser": "from any phone or browser"}
#: Rows of the host's lobby besides addresses and seats.
FRAME: Final = 9
#: Cells of a name in the list of seats.
NAME: Final = 20
_STYLE: Final = """
     { layout: vertical; }
     #top { height: 1; padding: 0 1; background: $felt-deep; color: $gold; text-style: bold; }
     #hall { height: 1fr; align: center middle; }
     #body { width: auto; height: auto; padding: 1 2; }
     #words { width: auto; }
     #code { width: auto; margin-left: 8; }
     #said { width: auto; height: 2; padding: 0 2; margin-top: 1; color: $gold; display: block; }
    .-low #hall { align: left top; }
    .-low #body { width: 100%; height: 1fr; }
    .-low #words { width: 1fr; }
    .-low #code { margin-left: 0; }
    .-low #said { width: 100%; margin-top: 0; }
     #name { display: none; width: 44; margin: 0 2; }
    .-naming #name { display: block; }
"""


def _own_style(screen: str) -> str:
    return "\n".join(f"{screen}{line.removeprefix('    ')}" for line in _STYLE.strip("\n").splitlines())


def seat_lines(chairs: list[Chair], marked: int | None = None) -> Content:
    """The seats, a line each, one of them marked."""
    lines = []
    for number, chair in enumerate(chairs):
        text = f" {number + 1}  {column(chair.name or '–', NAME + 1)} {state_of(chair)} "
        lines.append(Content.styled(text, "bold on $felt-raised" if number == marked else "$on-felt"))
    return Content("\n").join(lines)


def qr_code(text: str) -> str:
    """A QR code in half blocks, dark on light, with the margin that readers want; empty where there is no maker."""
    try:
        import segno
    except ImportError:
        return ""
    rows = [list(map(bool, row)) for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return "\n".join(
        "".join(blocks[upper, lower] for upper, lower in zip(one, other, strict=True))
        for one, other in zip(rows[::2], rows[1::2], strict=True)
    )


def _why_not_begin(at: Any) -> Refusal | None:
    why = at.lobby.why_not_begin()
    return choose("", why) if why else None


HOST_COMMANDS: Final = (
    Command("lobby-begin", "enter", "Begin", "Begin the match with those who have come.",
            lambda at: at.begin_match(), _why_not_begin),
    Command("lobby-up", "up", "", "To the seat above.", lambda at: at.mark(-1)),
    Command("lobby-down", "down", "", "To the seat below.", lambda at: at.mark(1)),
    Command("lobby-ai", "x", "AI", "Give the marked seat to an AI, or take it back.", lambda at: at.give()),
    Command("lobby-free", "f", "Free", "Let somebody else with the code have the marked seat.", lambda at: at.free()),
    Command("lobby-code", "c", "New code", "A new code; whoever has come stays.", lambda at: at.new_code()),
    Command("lobby-leave", "escape,q", "Close", "Close the table.", lambda at: at.leave()),
)  # fmt: skip


class LobbyScreen(GameScreen):
    """The host's: where to come to, and who has."""

    DEFAULT_CSS = _own_style("LobbyScreen")
    OFFERED = HOST_COMMANDS
    words = getters.query_one("#words", Static)

    def __init__(
        self,
        house: House,
        open_doors: Callable[[], Awaitable[None]],
        begin_match: Callable[[], object],
        close: Callable[[], object],
    ) -> None:
        """`begin_match`: begins the match with those who have come; `close`: the table."""
        super().__init__(name="lobby")
        self.house, self.lobby = house, house.lobby
        self._open_doors, self.begin_match, self._close = open_doors, begin_match, close
        self.marked = 0
        self._said = ""

    def compose(self) -> ComposeResult:
        """Addresses, code and seats; the QR code beside them; the keys."""
        yield Static(f"Come to the table  ·  {self.house.game_name}", id="top")
        with Vertical(id="hall"):
            with Horizontal(id="body"):
                yield Static(id="words")
                yield Static(id="code")
            yield Static(id="said")
        yield CommandBar()

    def on_mount(self) -> None:
        chairs = self.lobby.chairs
        self.marked = next((number for number, chair in enumerate(chairs) if chair.is_own), 0)
        # What was said may be so no more.
        self.lobby.hear(self, lambda: self.call_later(self.say, ""))
        self.call_later(self.refresh_lobby)
        self.run_worker(self._open(), exclusive=True)

    async def _open(self) -> None:
        await self._open_doors()
        self.refresh_lobby()

    def on_unmount(self) -> None:
        self.lobby.unhear(self)

    def refresh_lobby(self) -> None:
        if not self.is_here:
            return
        doors = self.house.doors
        lines = []
        addresses = doors.addresses if doors is not None else ()
        # Eight seats and the addresses of two networks leave no rows for what needs none.
        explains = 2 * len(addresses) + len(self.lobby.chairs) + FRAME <= self.size.height
        for address in addresses:
            lines.append(Content.styled(f"{address.text}", "bold $gold"))
            if explains:
                lines.append(Content.styled(f"  {HOW[address.line]}", "$on-felt-muted"))
        if doors is None:
            lines.append(Content.styled("Opening the doors…", "$on-felt-muted"))
        code = Content.assemble("code  ", Content.styled(self.house.guests.code, "bold $gold"))
        parts = [*lines, Content(""), code, Content(""), seat_lines(self.lobby.chairs, self.marked)]
        self.words.update(Content("\n").join(parts))
        web = next((one.text for one in doors.addresses if one.line == "browser"), "") if doors is not None else ""
        self.query_one("#code", Static).update(qr_code(web) if web and self.size.height >= 24 else "")
        self.query_one("#said", Static).update(self._said or self.lobby.why_not_begin() or "Everybody is here.")
        self.bar.show(self.footer_keys(command for command in HOST_COMMANDS if command.label))

    def mark(self, step: int) -> None:
        self.marked = (self.marked + step) % len(self.lobby.chairs)
        self.say("")

    def say(self, words: str) -> None:
        """Say something until the next key, or until somebody comes or goes."""
        self._said = words
        self.refresh_lobby()

    def give(self) -> None:
        """The marked seat to an AI, or back."""
        self.say(self.lobby.turn(self.lobby.chairs[self.marked]))

    def free(self) -> None:
        """Keep the marked seat for its guest no more."""
        self.lobby.free(self.lobby.chairs[self.marked])
        self.say("")

    def new_code(self) -> None:
        self.house.guests.new_code()
        self.say("")

    def leave(self) -> None:
        """Close the table, after asking."""

        def answered(yes: object) -> None:
            if yes:
                self._close()

        words = "Whoever has come is sent away with a sentence."
        self.app.overlays.show(confirm("Close the table?", f"{words}\n", "Close it", "Stay"), answered)

    def refuse(self, why: Refusal) -> None:
        """Say why the match cannot begin."""
        self.say(why.message)


def _why_not_named(at: Any) -> Refusal | None:
    return None if at.visitor.chair is None else choose("", "You have sat down under this name.")


def _why_not_onlooker(at: Any) -> Refusal | None:
    if at.visitor.chair is not None:
        return choose("", "You have a seat.")
    return choose("", "You look on already.") if at.visitor.watches else None


def _sit(number: int) -> Command:
    return Command(f"sit-{number}", str(number), "", f"Sit down in seat {number}.", lambda at: at.sit(number))


GUEST_COMMANDS: Final = (
    *map(_sit, range(1, 9)),
    Command("sit-name", "n", "Name", "Say what you are called.", lambda at: at.ask_name(), _why_not_named),
    Command("sit-watch", "w", "Look on", "Look on without a seat.", lambda at: at.look_on(), _why_not_onlooker),
    Command("sit-leave", "escape,q", "Leave", "Leave the table.", lambda at: at.app.exit()),
)  # fmt: skip


class ComeScreen(GameScreen):
    """A guest's: which seats are free, and who has come."""

    DEFAULT_CSS = _own_style("ComeScreen")
    AUTO_FOCUS = ""
    OFFERED = GUEST_COMMANDS
    words = getters.query_one("#words", Static)
    told = getters.query_one("#said", Static)
    field = getters.query_one("#name", Input)

    def __init__(self, visitor: Visitor, table_name: str) -> None:
        super().__init__(name="come")
        self.visitor, self._table_name = visitor, table_name
        self._said = ""

    def compose(self) -> ComposeResult:
        yield Static(self._table_name, id="top")
        with Vertical(id="hall"):
            with Vertical(id="body"):
                yield Static(id="words")
            yield Input(id="name", placeholder="your name, then enter", max_length=40)
            yield Static(id="said")
        yield CommandBar()

    def on_mount(self) -> None:
        self.call_later(self.refresh_lobby)
        if not self.visitor.called:
            self.ask_name()

    def refresh_lobby(self) -> None:
        if not self.is_here:
            return
        self.words.update(seat_lines(self.visitor.lobby.chairs))
        self.told.update(self._said or self._waits())
        self.bar.show(self.footer_keys(command for command in GUEST_COMMANDS if command.label))

    def _waits(self) -> str:
        visitor = self.visitor
        if visitor.chair is not None or visitor.watches or not visitor.called:
            return waits_for(visitor)
        seats = visitor.open_seats
        if not seats:
            return f"{waits_for(visitor)} w looks on, n changes your name."
        return f"{visitor.called}, press {' or '.join(map(str, seats))} to sit down."

    def ask_name(self) -> None:
        """Let the guest type a name."""
        self.add_class("-naming")
        self.field.value = self.visitor.called
        self.field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._said = self.visitor.call(event.value)
        if not self._said:
            self.remove_class("-naming")
            self.set_focus(None)
        self.refresh_lobby()

    def sit(self, number: int) -> None:
        self._said = self.visitor.sit(number)
        self.refresh_lobby()

    def look_on(self) -> None:
        self._said = ""
        self.visitor.look_on()
