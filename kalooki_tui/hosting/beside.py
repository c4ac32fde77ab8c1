"""What stands beside a hosted table: who is away, and what can be done about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kalooki_tui.desk.commands import CONSENT, TABLE, Command, key_of
from kalooki_tui.desk.words import LONGEST, PHRASES
from kalooki_tui.hosting.lobby import Chair, Lobby
from kalooki_tui.hosting.visitor import stand_in_words
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui.playing.noting import Beside
from kalooki_tui.ui.playing.tuning import Seating
from kalooki_tui.ui.screens.dialogs import Ask, AskLine
from kalooki_tui.ui.screens.table import TableScreen
from kalooki_tui.ui.widgets.choices import Choice, numbered

SAY: Final = Command(
    "hosted-say", "y", "Say", "Say something to everybody: a ready phrase, or a line of your own.",
    lambda at: at.beside.open_phrases(),
)  # fmt: skip
_OWN_LINE: Final = "a line of your own"


class AtHosted(Beside):
    """Notes, the seats of those who are away, and what people say to each other."""

    offered = (SAY, *CONSENT)
    help: Mapping[str, Sequence[Command]] = {**TABLE, "At several screens": offered}

    def __init__(self, table: TableScreen, lobby: Lobby, ways_in: str = "") -> None:
        """`ways_in`: how to come to the table, for the host alone; empty at others' screens."""
        super().__init__(table)
        self._lobby, self._ways_in = lobby, ways_in

    @property
    def _away(self) -> list[Chair]:
        """Chairs whose people are away, and for whom this screen may let an AI sit in."""
        lobby = self._lobby
        if lobby.sitting is None:
            return []
        seats = lobby.sitting.absent_for(self.table.place)
        return [chair for chair in lobby.chairs if chair.is_person and lobby.seat_of(chair) in seats]

    @property
    def waiting_words(self) -> str:
        """Who is away, and the key that helps where it does."""
        words = super().waiting_words
        return f"{words} · {key_of('seats')} lets an AI play" if words and self._away else words

    def why_no_seats(self) -> str:
        """The host can always look up how to come, and change who plays here."""
        if self.table.place.is_host or self._away:
            return ""
        is_somebody_away = self._lobby.sitting is not None and self._lobby.sitting.away
        return "Only the host lets an AI play in the first minute." if is_somebody_away else "Everybody is here."

    @property
    def leave_words(self) -> str:
        """What becomes of the match; a guest reads what becomes of the seat."""
        place = self.table.place
        if place.is_host:
            return super().leave_words
        return "Your seat is kept for you, and the table waits." if place.here else "You can come back at any time."

    def open_seats(self) -> None:
        """Ask for whom an AI is to sit in, or whose seat is free for another screen."""
        away = self._away
        lines: list[tuple[str, tuple[str, Chair | None]]] = [(stand_in_words(chair), ("ai", chair)) for chair in away]
        if self.table.place.is_host:
            gone = [chair for chair in self._lobby.chairs if chair.is_own and chair.token and not chair.is_here]
            lines += [(f"Let {chair.name} come from another screen", ("free", chair)) for chair in gone]
            lines.append(("Change who plays", ("change", None)))
        words = f"{self._ways_in}\n" if self._ways_in else ""
        words += "" if len(lines) > 1 else "Everybody is here.\n"
        choices = numbered(lines)
        question = Ask("Seats", words, choices, may_close=True, name="seats")
        self.table.app.overlays.show(question, self._chosen)

    def open_phrases(self) -> None:
        """Ask what is to be said."""
        choices = [*numbered((words, words) for words in PHRASES), Choice(SAY.key, _OWN_LINE.capitalize(), _OWN_LINE)]
        off = "" if self.table.app.settings.phrases else "You have switched off what others say: settings.\n"
        self.table.app.overlays.show(Ask("Say", off, choices, may_close=True, name="phrases"), self._say)

    def _say(self, words: object) -> None:
        if words == _OWN_LINE:
            line = AskLine("Say", "", "", f"at most {LONGEST} characters")
            self.table.app.overlays.show(line, self._say_line)
        else:
            self._say_line(words)

    def _say_line(self, words: object) -> None:
        why = self.table.place.say(words) if isinstance(words, str) else ""
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
        elif what == "free":
            self._lobby.free(chair)
        else:
            why = self._lobby.turn(chair)
            if why:
                self.table.tell(why)
