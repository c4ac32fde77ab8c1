"""Seats of a hosted table before and during the match, without a screen.

A chair is a seat of somebody at the host's screen or their own, of an AI or of a program. Whoever has sat down is known
by token, else by name and code, and keeps the chair for as long as the table is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from kalooki_tui.hosting.guest import Guest
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.notation.seat_text import wrong_name
from kalooki_tui.session.client import Client
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.wording import AI_NAMES, ai_words, listed, sentence

#: Ends the text of a seat at an own screen: ``Bob@``, or ``@`` for whoever comes.
OWN: Final = "@"
#: The level that sits in, and that takes a seat for which nobody has come.
LEVEL: Final = "club"
HOST_BEGINS: Final = "The match begins when the host says so."


@dataclass
class Chair:
    name: str
    """Empty: for anybody."""
    player: str = "human"
    is_own: bool = False
    """True for somebody at their own screen."""
    token: str = ""
    """Token of its guest; empty: unknown, or nobody has come."""
    is_here: bool = False
    has_come: bool = False
    kept_for: str = ""

    @property
    def is_person(self) -> bool:
        return self.player == "human"


def read_chairs(texts: Sequence[str]) -> list[Chair]:
    """Read the texts of ``--seat``: also ``Bob@`` and ``@``; raise ValueError for a wrong one."""
    texts = [text.strip() for text in texts]
    own = [text.endswith(OWN) and ":" not in text for text in texts]
    names = [text.removesuffix(OWN).strip() for text in texts]
    # Those that have no name yet stand in for themselves while the others are looked at.
    free = (f"Guest {number}" for number in range(1, len(texts) + 1))
    plans = parse_seats(
        [name or next(free) if is_own else text for text, name, is_own in zip(texts, names, own, strict=True)]
    )
    return [
        Chair(name if is_own else plan.name, plan.player, is_own=is_own, kept_for=name if is_own else "")
        for plan, name, is_own in zip(plans, names, own, strict=True)
    ]


def chairs_of(plan: MatchPlan) -> list[Chair]:
    own = {seat.name for seat in plan.seats if seat.is_human and seat.name in plan.own_screens}
    return [
        Chair(seat.name, seat.player, is_own=seat.name in own, kept_for=seat.name if seat.name in own else "")
        for seat in plan.seats
    ]


class Lobby:
    def __init__(self, plan: MatchPlan, chairs: Sequence[Chair]) -> None:
        self._plan = plan
        self.chairs = list(chairs)
        self.session: MatchSession | None = None
        self.plan = plan
        self._heard: dict[object, Callable[[], object]] = {}

    def hear(self, who: object, changed: Callable[[], object]) -> None:
        """Subscribe `changed` to all changes; `unhear(who)` unsubscribes."""
        self._heard[who] = changed

    def unhear(self, who: object) -> None:
        self._heard.pop(who, None)

    def changed(self) -> None:
        for call in list(self._heard.values()):
            call()

    def chair_of(self, guest: Guest) -> Chair | None:
        return next((one for one in self.chairs if guest.token and one.token == guest.token), None)

    def has_seat(self, token: str) -> bool:
        return any(chair.token == token for chair in self.chairs)

    @property
    def expected(self) -> list[str]:
        """Return the names for which seats are kept, and which nobody has taken yet."""
        return [one.name for one in self.chairs if one.is_own and one.is_person and one.name and not one.token]

    @property
    def is_led_by_guests(self) -> bool:
        """Tell whether nobody plays at the host's screen: whoever has a seat begins, and lets AIs play."""
        return all(chair.is_own or not chair.is_person for chair in self.chairs)

    def open_to(self, guest: Guest, name: str) -> list[Chair]:
        mine = self.chair_of(guest)
        if mine is not None:
            return [mine]
        empty = [one for one in self.chairs if one.is_own and one.is_person and not (one.is_here or one.token)]
        return [chair for chair in empty if not chair.name or chair.name.casefold() == name.casefold()]

    def sit_down(self, chair: Chair, guest: Guest, name: str) -> str:
        """Seat a guest; return why not, else an empty text."""
        if chair is not self.chair_of(guest):
            if chair not in self.open_to(guest, name):
                return "That seat has been taken."
            others = [one.name for one in self.chairs if one is not chair and one.name]
            wrong = wrong_name([*others, name])
            if wrong is not None:
                return sentence(wrong.why)
            chair.name, chair.token = chair.name or name, guest.token
        chair.is_here = chair.has_come = True
        self.changed()
        return ""

    def leave(self, chair: Chair) -> None:
        """Note that a guest has gone: before the match the chair is free again, later it is kept."""
        chair.is_here = False
        if self.session is None:
            chair.name, chair.token = chair.kept_for, ""
            chair.has_come = bool(chair.kept_for)
        self.changed()

    def free(self, chair: Chair) -> None:
        """Let anybody with the code and the chair's name have it."""
        chair.token = ""
        self.changed()

    def turn(self, chair: Chair) -> str:
        """Give a chair to an AI, which sits in during the match, or take it back; return why not."""
        if not chair.is_own:
            return "Only a seat at its own screen can be given to an AI."
        if chair.is_here:
            return f"{chair.name} is here."
        if self.session is not None:
            seat = self.seat_of(chair)
            if not chair.is_person or seat in self.session.stand_ins:
                return "An AI plays there already."
            self.session.sit_in(seat, LEVEL)
        elif chair.is_person:
            taken = {one.name.casefold() for one in self.chairs}
            chair.name = chair.kept_for or next(name for name in AI_NAMES if name.casefold() not in taken)
            chair.player = f"ai:{LEVEL}"
        else:
            chair.name, chair.player = chair.kept_for, "human"
        self.changed()
        return ""

    def why_not_begin(self, how: str = " Mark the seat (↑ ↓): x lets an AI play there.") -> str:
        """Return what the match still waits for, and `how` to go on without it; empty: nothing."""
        missing = [chair for chair in self.chairs if chair.is_own and chair.is_person and not chair.is_here]
        if not missing:
            return ""
        named = [chair.name for chair in missing if chair.name]
        free = len(missing) - len(named)
        words = [*named, *([f"{free} free {'seat' if free == 1 else 'seats'}"] if free else [])]
        why = f"Nobody has come for {listed(words)}."
        if all(chair.has_come for chair in missing):
            why = f"{listed(words)} {'is' if len(words) == 1 else 'are'} away."
        return f"{why}{how}"

    def ready(self) -> MatchPlan:
        """Plan the match with everybody who has come; raise ValueError if somebody is missing."""
        why = self.why_not_begin()
        if why:
            raise ValueError(why)
        seats = tuple(SeatPlan(chair.name, chair.player) for chair in self.chairs)
        own = tuple(chair.name for chair in self.chairs if chair.is_own and chair.is_person)
        self.plan = replace(self._plan, seats=seats, own_screens=own)
        return self.plan

    def begun(self, session: MatchSession) -> None:
        self.session = session
        self.changed()

    def over(self) -> None:
        self.session = None
        self.changed()

    def absent_for(self, place: Client) -> list[Chair]:
        """Return the chairs of people who are away, and for whom this client may let an AI sit in."""
        seats = () if self.session is None else self.session.absent_for(place)
        return [chair for chair in self.chairs if chair.is_person and seats and self.seat_of(chair) in seats]

    def seat_of(self, chair: Chair) -> int:
        assert self.session is not None
        return self.session.names.index(chair.name)

    @property
    def seats_here(self) -> tuple[int, ...]:
        return tuple(self.seat_of(chair) for chair in self.chairs if chair.is_person and not chair.is_own)

    def place_of(self, chair: Chair | None) -> Client:
        """Seat a chair's guest at the match; None: an onlooker."""
        assert self.session is not None
        return self.session.sit(() if chair is None else (self.seat_of(chair),))


class Visitor:
    def __init__(self, guest: Guest, lobby: Lobby) -> None:
        self.guest, self.lobby = guest, lobby
        self.called = guest.name
        self.chair: Chair | None = None
        self.watches = False

    def come_back(self) -> None:
        """Sit down on the former chair, or on one kept for the guest's name."""
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
        if self.chair is not None:
            self.lobby.leave(self.chair)

    @property
    def open_seats(self) -> list[int]:
        """Seat numbers, from 1, that are open to the guest."""
        mine = self.lobby.open_to(self.guest, self.called)
        return [number for number, chair in enumerate(self.lobby.chairs, 1) if chair in mine]

    def call(self, name: str) -> str:
        """Take a name; return why not, else an empty text."""
        text = " ".join(name.split())
        wrong = wrong_name([text])
        if wrong is not None:
            return sentence(wrong.why)
        self.called = text
        if self.chair is None:
            self._sit_where_expected()
        return ""

    def sit(self, number: int) -> str:
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

    @property
    def leads(self) -> bool:
        """Tell whether the guest begins, and lets AIs play."""
        return self.chair is not None and self.lobby.is_led_by_guests and self.lobby.session is None

    def why_not_begin(self) -> str:
        """Return why the guest cannot begin the match; empty: they can."""
        return self.lobby.why_not_begin("") if self.leads else HOST_BEGINS

    def look_on(self) -> None:
        self.watches = True
        self.lobby.changed()


def state_of(chair: Chair) -> str:
    if not chair.is_person:
        return ai_words(chair.player)
    if not chair.is_own:
        return "at the host's screen"
    if chair.is_here:
        return "has come"
    return "away" if chair.has_come else "not here yet" if chair.name else "free"


def stand_in_words(chair: Chair) -> str:
    return f"Let an AI, {LEVEL}, play for {chair.name}"


def waits_for(visitor: Visitor) -> str:
    if visitor.chair is not None:
        if visitor.lobby.is_led_by_guests:
            return f"You have a seat. {visitor.lobby.why_not_begin('') or 'Everybody is here.'}"
        return f"You have a seat. {HOST_BEGINS}"
    if visitor.watches:
        return f"You look on. {HOST_BEGINS}"
    if not visitor.called:
        return "What are you called?"
    return f"{visitor.called}, take a seat." if visitor.open_seats else f"{visitor.called}, no seat is free for you."
