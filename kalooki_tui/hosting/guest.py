"""Who comes to a table from another terminal or browser, and who may: the code, those let in before, and the limits.

How they come is `hosting.doors`: ``await Doors.open(doorway, guests, open_app, open_hand)`` listens. A guest who
comes by SSH is given the app that ``open_app(guest)`` makes, on a screen of their own in this process and event loop;
when the line breaks, the app is exited and learns nothing else. One who comes with a browser is given what
``open_hand(guest)`` makes. ``doors.addresses`` is what people type to come; ``await doors.close(sentence)`` ends all
screens with that sentence, within two seconds.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.wording import FIRST_NAME, number_word

if TYPE_CHECKING:
    from textual.app import App

LETTERS: Final = "23456789ABCDEFGHJKMNPQRTVWXY"
"""What a code is made of: of signs that look alike, only one of each pair."""
LENGTH: Final = 6
SCREENS: Final = 32
"""Connections at once, let in or not."""
KNOCKING: Final = 64
"""Connections that have not shown yet who they are: where more come, the oldest makes room."""
WAITING: Final = 8
"""Strangers who are asked for the code at once, and take their time."""
BACKLOG: Final = 1024
"""Connections that may wait to be looked at: where many come at once, each is told why it is sent away."""
WRONG: Final = 5
"""Wrong codes that may come from one place in so many seconds:"""
WAIT: Final = 60.0
WRONG_IN_ALL: Final = 30
"""The same of all strangers together: at this rate a code is guessed once in thirty years."""
REMEMBERED: Final = 256
"""Identities let in that are remembered: those with a seat, and of the others those that came last."""
COMINGS: Final = 20
"""Right codes that may come from one place in `WAIT` seconds: each coming is an identity of its own."""

FULL: Final = "This table has as many connections as it takes. Try again later."
BUSY: Final = "Too many people are at the door just now. Try again in a minute."
WRONG_CODE: Final = "That is not the code."
MUST_WAIT: Final = f"{number_word(WRONG).capitalize()} wrong codes came from your address. Try again in a minute."
TOO_MANY: Final = "Too many have come from your address. Try again in a minute."
ALL_MUST_WAIT: Final = "Too many wrong codes have come to this table. Try again in a minute."


class Guest(Struct, frozen=True):
    """Somebody at their own screen. `name`: safe to show; empty where none was given that a seat can have.

    `token`: who they are when they come back after their line broke; empty where they cannot be known again.
    """

    name: str
    token: str = ""


OpenApp: TypeAlias = "Callable[[Guest], App[Any]]"
"""Makes the app that a guest sees."""


class TurnedAway(Exception):
    """Somebody may not come now; the text is what they are told."""


class Visit:
    """One connection, from its first byte to its last."""

    def __init__(self, guests: Guests, address: str, end: Callable[[str], None]) -> None:
        self.place = place_of(address)
        self.end = end
        """Ends it with a sentence."""
        self.is_let_in = self.is_asked = False
        """Whether they have come in; whether they are asked for the code."""
        self._guests = guests

    def let_in(self) -> None:
        """Whoever it is may come in.

        Raises:
            TurnedAway: there are too many screens already.
        """
        others = self._guests.visits.keys() - {self}
        if sum(visit.is_let_in for visit in others) >= SCREENS:
            raise TurnedAway(FULL)
        self.is_let_in = True

    def ask(self) -> None:
        """They are asked for the code. Where one place keeps many waiting, its oldest makes room for others.

        Raises:
            TurnedAway: too many are being asked already.
        """
        asked = [visit for visit in self._guests.visits if visit.is_asked and not visit.is_let_in]
        if self in asked:
            return
        if len(asked) >= WAITING:
            crowd = _crowd(asked)
            if len(crowd) <= sum(visit.place == self.place for visit in asked) + 1:
                raise TurnedAway(BUSY)
            crowd[0].send_away()
        self.is_asked = True

    def send_away(self) -> None:
        self.leave()
        self.end(BUSY)

    def leave(self) -> None:
        """It is over; twice is no mistake."""
        self._guests.visits.pop(self, None)


class Guests:
    """Who may come to one table.

    Whoever was let in before knocks apart from strangers: they never wait for those who are asked for the code, nor for
    their wrong guesses. Wrong guesses change nothing of the code.
    """

    def __init__(
        self, code: str = "", known: Mapping[str, str] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`known`: who has been let in already."""
        self.visits: dict[Visit, None] = {}
        """Who is here or at the door, the oldest first."""
        self._clock = clock
        self._known: dict[str, str] = dict(known or {})
        self._strangers = Allowance(WRONG_IN_ALL, WAIT, clock)
        self._places: dict[str, Allowance] = {}
        """Wrong codes that may still come from a place, as long as that is not as many as ever."""
        self._comings: dict[str, Allowance] = {}
        """The same of right ones."""
        self.has_seat: Callable[[str], bool] = lambda token: False
        """Whether whoever is known by that has a seat, and is never forgotten."""
        self.code = code or _random_code()
        self.changed: Callable[[], object] = lambda: None
        """Called when there is another code, or somebody else is let in."""

    def new_code(self) -> str:
        """Another code; whoever has been let in stays so."""
        self.code = _random_code()
        self.changed()
        return self.code

    # The code

    def try_code(self, address: str, given: str) -> str:
        """Empty if the code given from an address is right, else the sentence that says why not."""
        why = self.must_wait(address)
        if why:
            return why
        here = place_of(address)
        if hmac.compare_digest(_plain(given), _plain(self.code)):
            self._places.pop(here, None)
            came = self._comings.setdefault(here, Allowance(COMINGS, WAIT, self._clock))
            if came.left < 1:
                return TOO_MANY
            came.take()
            self._comings = {place: allowed for place, allowed in self._comings.items() if allowed.left < COMINGS}
            return ""
        self._places.setdefault(here, Allowance(WRONG, WAIT, self._clock)).take()
        self._places = {place: allowed for place, allowed in self._places.items() if allowed.left < WRONG}
        self._strangers.take()
        return WRONG_CODE

    def must_wait(self, address: str) -> str:
        """Why codes from an address are not looked at for now, in a sentence; empty: they are."""
        allowed = self._places.get(place_of(address))
        if allowed is not None and allowed.left < 1:
            return MUST_WAIT
        return ALL_MUST_WAIT if self._strangers.left < 1 else ""

    # Those let in before

    def knows(self, token: str) -> bool:
        """Whether somebody has been let in who is known by that."""
        return token in self._known

    def name_of(self, token: str) -> str:
        """What somebody who has been let in was called when they came."""
        return self._known.get(token, "")

    def remember(self, token: str, name: str = "") -> None:
        """Let whoever is known by that in without the code from now on."""
        self._known.pop(token, None)
        self._known[token] = name
        while len(self._known) > REMEMBERED:
            del self._known[next(one for one in self._known if not self.has_seat(one))]
        self.changed()

    @property
    def known(self) -> dict[str, str]:
        """Who has been let in, by token, and what they were called."""
        return dict(self._known)

    # Connections

    def arrive(self, address: str, end: Callable[[str], None], *, is_known: bool = False) -> Visit:
        """Somebody knocks; `end` closes their connection with a sentence. `is_known`: they have been let in already.

        Where many have not shown yet who they are, the oldest of the place with most of them makes room.

        Raises:
            TurnedAway: they are known, and there are too many screens already.
        """
        visit = Visit(self, address, end)
        if is_known:
            visit.let_in()
        else:
            knocking = [other for other in self.visits if not (other.is_let_in or other.is_asked)]
            if len(knocking) >= KNOCKING:
                _crowd(knocking)[0].send_away()
        self.visits[visit] = None
        return visit


def _crowd(visits: Sequence[Visit]) -> list[Visit]:
    """Those of the place from which most have come, the oldest first."""
    by_place: dict[str, list[Visit]] = {}
    for visit in visits:
        by_place.setdefault(visit.place, []).append(visit)
    return max(by_place.values(), key=len)


def name_of(given: str) -> str:
    """A name as a seat can have it; empty where what was given cannot be one."""
    name = " ".join(given.split())
    return "" if wrong_name([name]) is not None or name.casefold() == FIRST_NAME.casefold() else name


def _random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _plain(code: str) -> bytes:
    """A code without what does not matter: capital letters and spaces."""
    return "".join(code.upper().split()).encode("utf-8", "surrogatepass")


def place_of(address: str) -> str:
    """Where an address is: IPv4 may come dressed as IPv6, and one household has a whole /64 of that."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found
    return str(found if found.version == 4 else ipaddress.ip_network((found, 64), strict=False))


KEYS: Final = 65_536
"""Bytes that may come from a screen in a second."""
TAPS: Final = 20
"""Messages that may come from a phone in a second, on average over some seconds."""


class Allowance:
    """`most` may come at once, and as much again in every `seconds`."""

    def __init__(self, most: float, seconds: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._rate, self._clock = most, most / seconds, clock
        self._left, self._since = most, clock()

    @property
    def left(self) -> float:
        return min(self._most, self._left + (self._clock() - self._since) * self._rate)

    def take(self, size: float = 1) -> bool:
        """Take so much; whether there was as much."""
        self._left, self._since = self.left - size, self._clock()
        return self._left >= 0
