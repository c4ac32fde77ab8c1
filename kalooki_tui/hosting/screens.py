"""Screens of a hosted table: the lobbies of host and guests, the board in the middle, what stands beside a match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input, Static

from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.hosting.doors import HostedTable
from kalooki_tui.hosting.lobby import HOST_BEGINS, Chair, Lobby, Visitor, stand_in_words, state_of, waits_for
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.presenter.commands import CONSENT, TABLE, Command, key_of, not_open
from kalooki_tui.presenter.prompts import large_words
from kalooki_tui.presenter.sentences import LONGEST, PHRASES, log_lines
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.client import Client
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.screens import tabletop
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.question import AskLine, ChoiceDialog, confirm
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside.controls import Seating
from kalooki_tui.tui.tableside.notes import SidePanel
from kalooki_tui.tui.widgets.canvas import column
from kalooki_tui.tui.widgets.choices import Choice, numbered
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.tui.widgets.pictures import beneath, large, qr_code
from kalooki_tui.tui.widgets.status import StatusView

#: How an address is used, by its line.
HOW: Final = {"ssh": "from any terminal", "browser": "from any phone or browser"}
#: Rows of the host's lobby besides addresses and seats.
FRAME: Final = 9
#: Cells of a name in the list of seats.
NAME: Final = 20


#: Commands of guests where nobody plays at the host's screen.
LEADING: Final = ("sit-begin", "sit-ai")


class HallScreen(GameScreen):
    """Lobby: the seats, what stands beside and below them, a line that says what is waited for."""

    AUTO_FOCUS = ""  # else the field for a name, though it is not shown, would hear the letters
    DEFAULT_CSS = """
    HallScreen #hall { height: 1fr; align: center middle; }
    HallScreen #body { width: auto; height: auto; padding: 1 2; }
    HallScreen #words { width: auto; }
    HallScreen #code { width: auto; margin-left: 8; }
    HallScreen #said { width: auto; height: 2; padding: 0 2; margin-top: 1; color: $gold; display: block; }
    HallScreen.-low #hall { align: left top; }
    HallScreen.-low #body { width: 100%; height: 1fr; }
    HallScreen.-low #words { width: 1fr; }
    HallScreen.-low #code { margin-left: 0; }
    HallScreen.-low #said { width: 100%; margin-top: 0; }
    HallScreen #name { display: none; width: 44; margin: 0 2; }
    HallScreen.-naming #name { display: block; }
    """
    words = getters.query_one("#words", Static)
    told = getters.query_one("#said", Static)
    heading: str
    _said = ""

    def compose(self) -> ComposeResult:
        yield Static(self.heading, id="top")
        with Vertical(id="hall"):
            with Horizontal(id="body"):
                yield Static(id="words")
                yield Static(id="code")
            yield Input(id="name", placeholder="your name, then enter", max_length=40)
            yield Static(id="said")
        yield CommandBar()

    def show_lobby(self, words: Content, waits: str, *, led: bool = True) -> None:
        self.words.update(words)
        self.told.update(self._said or waits)
        offered = (command for command in self.OFFERED if command.label and (led or command.name not in LEADING))
        self.bar.show(self.footer_keys(offered))


def seat_lines(chairs: list[Chair], marked: int | None = None) -> Content:
    lines = []
    for number, chair in enumerate(chairs):
        text = f" {number + 1}  {column(chair.name or '–', NAME + 1)} {state_of(chair)} "
        lines.append(Content.styled(text, "bold on $felt-raised" if number == marked else "$on-felt"))
    return Content("\n").join(lines)


HOST_COMMANDS: Final = (
    Command("lobby-begin", "enter", "Begin", "Begin the match with those who have come.",
            lambda at: at.begin_match(), lambda at: not_open("", why) if (why := at.lobby.why_not_begin()) else None),
    Command("lobby-up", "up", "", "To the seat above.", lambda at: at.mark(-1)),
    Command("lobby-down", "down", "", "To the seat below.", lambda at: at.mark(1)),
    Command("lobby-ai", "x", "AI", "Give the marked seat to an AI, or take it back.", lambda at: at.give()),
    Command("lobby-free", "f", "Free", "Let somebody else with the code have the marked seat.", lambda at: at.free()),
    Command("lobby-ban", "b", "Ban", "Send the marked guest away, and have another code.",
            lambda at: ask_to_send_away(at.app, at.hosted, at.chair),
            lambda at: None if at.chair.token else not_open("", "No guest has that seat.")),
    Command("lobby-code", "c", "New code", "A new code; whoever has come stays.", lambda at: at.new_code()),
    Command("lobby-leave", "escape,q", "Close", "Close the table.", lambda at: at.leave()),
)  # fmt: skip


class LobbyScreen(HallScreen):
    OFFERED = HOST_COMMANDS

    def __init__(
        self,
        hosted: HostedTable,
        open_doors: Callable[[], Awaitable[None]],
        begin_match: Callable[[], object],
        close: Callable[[], object],
    ) -> None:
        super().__init__(name="lobby")
        self.hosted, self.lobby = hosted, hosted.lobby
        self._open_doors, self.begin_match, self._close = open_doors, begin_match, close
        self.heading = f"Come to the table  ·  {load_ruleset(self.lobby.plan.ruleset).name}"
        self.marked = 0

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
        doors = self.hosted.doors
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
        code = Content.assemble("code  ", Content.styled(self.hosted.guests.code, "bold $gold"))
        parts = [*lines, Content(""), code, Content(""), seat_lines(self.lobby.chairs, self.marked)]
        web = next((one.text for one in doors.addresses if one.line == "browser"), "") if doors is not None else ""
        link = f"{web}?{urlencode({'code': self.hosted.guests.code})}"
        self.query_one("#code", Static).update(qr_code(link) if web and self.size.height >= 24 else "")
        self.show_lobby(Content("\n").join(parts), self.lobby.why_not_begin() or "Everybody is here.")

    @property
    def chair(self) -> Chair:
        return self.lobby.chairs[self.marked]

    def mark(self, step: int) -> None:
        self.marked = (self.marked + step) % len(self.lobby.chairs)
        self.say("")

    def say(self, words: str) -> None:
        self._said = words
        self.refresh_lobby()

    def give(self) -> None:
        self.say(self.lobby.turn(self.chair))

    def free(self) -> None:
        self.lobby.free(self.chair)
        self.say("")

    def new_code(self) -> None:
        self.hosted.guests.new_code()
        self.say("")

    def leave(self) -> None:
        def answered(yes: object) -> None:
            if yes:
                self._close()

        words = "Whoever has come is sent away with a sentence."
        self.app.overlays.show(confirm("Close the table?", f"{words}\n", "Close it", "Stay"), answered)

    def refuse(self, why: Refusal) -> None:
        self.say(why.message)


def ask_to_send_away(app: GameApp, hosted: HostedTable, chair: Chair) -> None:
    words = "The table has another code then; whoever has come stays.\n"
    question = confirm(f"Send {chair.name} away?", words, "Send away", "Let them stay")
    app.overlays.show(question, lambda yes: hosted.send_away(chair) if yes else None)


def _why_not_onlooker(at: Any) -> Refusal | None:
    if at.visitor.chair is not None:
        return not_open("", "You have a seat.")
    return not_open("", "You look on already.") if at.visitor.watches else None


def _sit(number: int) -> Command:
    return Command(f"sit-{number}", str(number), "", f"Sit down in seat {number}.", lambda at: at.sit(number))


GUEST_COMMANDS: Final = (
    *map(_sit, range(1, 9)),
    Command("sit-begin", "enter", "Begin", "Begin the match with those who have come.",
            lambda at: at.app.begin_match(), lambda at: at.why_not_begin()),
    Command("sit-ai", "x", "AI", "Let AIs play where nobody has come.",
            lambda at: at.fill_seats(), lambda at: None if at.visitor.leads else not_open("", HOST_BEGINS)),
    Command("sit-name", "n", "Name", "Say what you are called.", lambda at: at.ask_name(),
            lambda at: None if at.visitor.chair is None else not_open("", "You have sat down under this name.")),
    Command("sit-watch", "w", "Look on", "Look on without a seat.", lambda at: at.look_on(), _why_not_onlooker),
    Command("sit-leave", "escape,q", "Leave", "Leave the table.", lambda at: at.app.exit()),
)  # fmt: skip


class ComeScreen(HallScreen):
    OFFERED = GUEST_COMMANDS
    field = getters.query_one("#name", Input)

    def __init__(self, visitor: Visitor, table_name: str) -> None:
        super().__init__(name="come")
        self.visitor, self.heading = visitor, table_name

    def on_mount(self) -> None:
        self.call_later(self.refresh_lobby)
        if not self.visitor.called:
            self.ask_name()

    def refresh_lobby(self) -> None:
        if not self.is_here:
            return
        self.show_lobby(seat_lines(self.visitor.lobby.chairs), self._waits(), led=self.visitor.leads)

    def _waits(self) -> str:
        visitor = self.visitor
        if visitor.chair is not None or visitor.watches or not visitor.called:
            return waits_for(visitor)
        seats = visitor.open_seats
        if not seats:
            return f"{waits_for(visitor)} w looks on, n changes your name."
        return f"{visitor.called}, press {' or '.join(map(str, seats))} to sit down."

    def ask_name(self) -> None:
        self.add_class("-naming")
        self.field.value = self.visitor.called
        self.field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._said = self.visitor.call(event.value)
        if not self._said:
            self.remove_class("-naming")
            self.set_focus(None)
        self.refresh_lobby()

    def why_not_begin(self) -> Refusal | None:
        why = self.visitor.why_not_begin()
        return not_open("", why) if why else None

    def fill_seats(self) -> None:
        for chair in self.visitor.lobby.chairs:
            if chair.is_own and chair.is_person and not chair.is_here:
                self.visitor.lobby.turn(chair)

    def sit(self, number: int) -> None:
        self._said = self.visitor.sit(number)
        self.refresh_lobby()

    def look_on(self) -> None:
        self._said = ""
        self.visitor.look_on()


#: Rows of the headline: three of letters, two of words, or one between and one of words.
ROWS: Final = 5


class BoardScreen(TableScreen):
    AUTO_FOCUS = "MeldsView"
    CSS_PATH = str(Path(tabletop.__file__).with_name(TableScreen.CSS_PATH))
    DEFAULT_CSS = """
    BoardScreen HandView, BoardScreen StatusView { display: none; }
    #headline { height: 5; padding: 0 2; background: $felt-deep; color: $gold; text-style: bold; }
    """
    headline_view = getters.query_one("#headline", Static)

    def __init__(self, plan: MatchPlan, place: Client, beside: Callable[[TableScreen], SidePanel]) -> None:
        super().__init__(plan, place, beside)
        self._width = 0

    def compose(self) -> ComposeResult:
        for part in super().compose():
            if isinstance(part, StatusView):
                yield Static(id="headline")
            yield part

    def _give_room(self, size: Size) -> None:
        super()._give_room(size)
        self._width = size.width - 4
        self.show_prompt()

    def show_prompt(self) -> None:
        super().show_prompt()
        view = self.state.view
        last = next((line.text for line in reversed(log_lines(view.history, view.names, view.rules))), "")
        words = " · ".join(filter(None, (last, self.status.prompt)))
        text, below = large(large_words(view), self._width), beneath(words, self._width)
        self.headline_view.update(Content.assemble(f"{text}\n", Content.styled(below, "$on-felt")))


SAY: Final = Command(
    "hosted-say", "y", "Say", "Say something to everybody: a ready phrase, or a line of your own.",
    lambda at: at.beside.open_phrases(),
)  # fmt: skip
_OWN_LINE: Final = "a line of your own"


class AtHosted(SidePanel):
    offered = (SAY, *CONSENT)
    help: Mapping[str, Sequence[Command]] = {**TABLE, "At several screens": offered}

    def __init__(self, table: TableScreen, lobby: Lobby, hosted: HostedTable | None = None) -> None:
        """`hosted`: None at a guest's screen."""
        super().__init__(table)
        self._lobby, self._hosted = lobby, hosted

    @property
    def waiting_words(self) -> str:
        words = super().waiting_words
        helps = words and self._lobby.absent_for(self.table.client)
        return f"{words} · {key_of('seats')} lets an AI play" if helps else words

    def why_no_seats(self) -> str:
        """Return why nobody can be replaced; the host can always look up addresses and change players."""
        if self.table.client.is_host or self._lobby.absent_for(self.table.client):
            return ""
        return self._who_is_here

    @property
    def _who_is_here(self) -> str:
        session = self.table.session
        if session.away:
            return "Only the host lets an AI play in the first minute."
        return "An AI plays for whoever is away." if session.stand_ins else "Everybody is here."

    @property
    def leave_words(self) -> str:
        place = self.table.client
        if place.is_host:
            return super().leave_words
        return "Your seat is kept for you, and the table waits." if place.here else "You can come back at any time."

    def open_seats(self) -> None:
        away = self._lobby.absent_for(self.table.client)
        lines: list[tuple[str, tuple[str, Chair | None]]] = [(stand_in_words(chair), ("ai", chair)) for chair in away]
        if self._hosted is not None:
            guests = [chair for chair in self._lobby.chairs if chair.token]
            lines += [(f"Send {chair.name} away", ("ban", chair)) for chair in guests]
            gone = [chair for chair in self._lobby.chairs if chair.is_own and chair.token and not chair.is_here]
            lines += [(f"Let {chair.name} come from another screen", ("free", chair)) for chair in gone]
            lines.append(("Change who plays", ("change", None)))
        words = "" if self._hosted is None else f"{self._hosted.ways_in}\n"
        words += "" if len(lines) > 1 else f"{self._who_is_here}\n"
        choices = numbered(lines)
        question = ChoiceDialog("Seats", words, choices, may_close=True, name="seats")
        self.table.app.overlays.show(question, self._chosen)

    def open_phrases(self) -> None:
        choices = [*numbered((words, words) for words in PHRASES), Choice(SAY.key, _OWN_LINE.capitalize(), _OWN_LINE)]
        off = "" if self.table.app.settings.phrases else "You have switched off what others say: settings.\n"
        self.table.app.overlays.show(ChoiceDialog("Say", off, choices, may_close=True, name="phrases"), self._say)

    def _say(self, words: object) -> None:
        if words == _OWN_LINE:
            line = AskLine("Say", "", "", f"at most {LONGEST} characters")
            self.table.app.overlays.show(line, self._say_line)
        else:
            self._say_line(words)

    def _say_line(self, words: object) -> None:
        why = self.table.client.say(words) if isinstance(words, str) else ""
        if why:
            self.table.tell(why, briefly=True)

    def _reseated(self, before: SeatPlan, plan: SeatPlan) -> None:
        for chair in self._lobby.chairs:
            if chair.name == before.name:
                chair.name, chair.player = plan.name, plan.player
        self._lobby.changed()

    def _chosen(self, answer: tuple[str, Chair | None] | None) -> None:
        if answer is None:
            return
        what, chair = answer
        if chair is None:
            Seating(self.table, self._reseated).open()
        elif what == "ban" and self._hosted is not None:
            ask_to_send_away(self.table.app, self._hosted, chair)
        elif what == "free":
            self._lobby.free(chair)
        else:
            why = self._lobby.turn(chair)
            if why:
                self.table.tell(why)
