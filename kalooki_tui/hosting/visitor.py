"""One guest at the table, whatever their screen shows: what they are called, where they sit, whether they look on."""

from __future__ import annotations

from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.lobby import LEVEL, Chair, Lobby
from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.wording import ai_words


class Visitor:
    """A guest who has been let in."""

    def __init__(self, guest: Guest, lobby: Lobby) -> None:
        self.guest, self.lobby = guest, lobby
        self.called = guest.name
        """Empty as long as it is not known."""
        self.chair: Chair | None = None
        """Where the guest sits."""
        self.watches = False
        """Whether the guest only looks on."""

    def come_back(self) -> None:
        """Sit down where the guest sat before, or where a seat is kept for that name."""
        known = self.lobby.chair_of(self.guest)
        if known is not None:
            self.lobby.sit_down(known, self.guest, known.name)
            self.chair, self.called = known, known.name
        else:
            self._sit_where_expected()

    def _sit_where_expected(self) -> None:
        for number in self.open_seats:
            if self.lobby.chairs[number - 1].name:
                self.sit(number)
                return

    def leave(self) -> None:
        """The screen goes: the table waits for whoever sat here."""
        if self.chair is not None:
            self.lobby.leave(self.chair)

    @property
    def open_seats(self) -> list[int]:
        """Numbers of the seats, from 1, in which the guest may sit down."""
        mine = self.lobby.open_to(self.guest, self.called)
        return [number for number, chair in enumerate(self.lobby.chairs, 1) if chair in mine]

    def call(self, name: str) -> str:
        """Have a name; why not, in a sentence, else an empty one."""
        text = " ".join(name.split())
        wrong = wrong_name([text])
        if wrong is not None:
            return f"{wrong.why[:1].upper()}{wrong.why[1:]}."
        self.called = text
        if self.chair is None:
            self._sit_where_expected()
        return ""

    def sit(self, number: int) -> str:
        """Sit down in the seat of a number, from 1; why not, in a sentence, else an empty one."""
        if self.chair is not None:
            return "You have a seat."
        if not self.called:
            return "Say what you are called first: n."
        if not 1 <= number <= len(self.lobby.chairs):
            return "There is no such seat."
        chair = self.lobby.chairs[number - 1]
        why = self.lobby.sit_down(chair, self.guest, self.called)
        if not why:
            self.chair, self.called, self.watches = chair, chair.name, False
        return why

    def look_on(self) -> None:
        """Look on without a seat."""
        self.watches = True
        self.lobby.changed()


def state_of(chair: Chair) -> str:
    """Who plays a chair, in words."""
    if not chair.is_person:
        return ai_words(chair.player)
    if not chair.is_own:
        return "at the host's screen"
    if chair.is_here:
        return "has come"
    return "away" if chair.has_come else "not here yet" if chair.name else "free"


def stand_in_words(chair: Chair) -> str:
    """What lets an AI play for somebody who is away."""
    return f"Let an AI, {LEVEL}, play for {chair.name}"


def waits_for(visitor: Visitor) -> str:
    """What a guest without a key has to do, or waits for."""
    if visitor.chair is not None:
        return "You have a seat. The match begins when the host says so."
    if visitor.watches:
        return "You look on. The match begins when the host says so."
    if not visitor.called:
        return "What are you called?"
    return f"{visitor.called}, take a seat." if visitor.open_seats else f"{visitor.called}, no seat is free for you."
