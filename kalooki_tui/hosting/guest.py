"""Guests at other terminals or browsers, and who may come: the code, those let in before, and the limits."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.notation.seat_text import wrong_name
from kalooki_tui.wording import FIRST_NAME, number_word

if TYPE_CHECKING:
    from textual.app import App

LETTERS: Final = "23456789ABCDEFGHJKMNPQRTVWXY"
"""Letters of a code: of signs that look alike, only one."""
LENGTH: Final = 6
SCREENS: Final = 32
"""Connections at once, let in or not."""
KNOCKING: Final = 64
"""Unknown connections at once: the oldest makes room for another."""
BACKLOG: Final = 1024
"""Connections that may wait to be accepted: each is told why it is sent away."""
WRONG: Final = 5
"""Wrong codes allowed from one address in `WAIT` seconds."""
WAIT: Final = 60.0
WAIT_OUTSIDE: Final = 3600.0
"""The same for an address outside private networks."""
WRONG_IN_ALL: Final = 30
"""Wrong codes allowed from all: at this rate a code is guessed once in thirty years."""
REMEMBERED: Final = 256
"""Guests remembered: those with a seat, then the latest."""

FULL: Final = "This table has as many connections as it takes. Try again later."
BUSY: Final = "Too many people are at the door just now. Try again in a minute."
WRONG_CODE: Final = "That is not the code."
MUST_WAIT: Final = f"{number_word(WRONG).capitalize()} wrong codes came from your address. Try again in a minute."
MUST_WAIT_OUTSIDE: Final = MUST_WAIT.replace("in a minute", "in an hour")
ALL_MUST_WAIT: Final = "Too many wrong codes have come to this table. Try again in a minute."


class Guest(Struct, frozen=True):
    """Person at their own screen; `name` is safe to show, and may be empty.

    `token` tells who they are when they come back; empty: they cannot be known again.
    """

    name: str
    token: str = ""


OpenApp: TypeAlias = "Callable[[Guest], App[Any]]"


class TurnedAway(Exception):
    """Refusal of a connection; the text is for whoever came."""


class Visit:
    def __init__(self, guests: Guests, address: str, end: Callable[[str], None]) -> None:
        self.place = place_of(address)
        self.end = end
        self.is_let_in = False
        self._guests = guests

    def let_in(self) -> None:
        """Let them in; raise TurnedAway if there are too many screens."""
        others = self._guests.visits.keys() - {self}
        if sum(visit.is_let_in for visit in others) >= SCREENS:
            raise TurnedAway(FULL)
        self.is_let_in = True

    def leave(self) -> None:
        self._guests.visits.pop(self, None)


class Guests:
    """Guests of a table, let in by its code; known ones never wait for strangers or their wrong codes."""

    def __init__(
        self, code: str = "", known: Mapping[str, str] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.visits: dict[Visit, None] = {}
        self._clock = clock
        self.known: dict[str, str] = dict(known or {})
        """Names of those let in, by token."""
        self._strangers = Allowance(WRONG_IN_ALL, WAIT, clock)
        self._places: dict[str, Allowance] = {}
        """Wrong codes left to an address, where some have come."""
        self.has_seat: Callable[[str], bool] = lambda token: False
        """Tells whether the guest of a token has a seat: those are never forgotten."""
        self.expected: Callable[[], Sequence[str]] = lambda: ()
        """Returns the names of those who have not come yet."""
        self.code = code or _random_code()
        self.changed: Callable[[], object] = lambda: None
        """Called for another code, and for another guest."""

    def new_code(self) -> str:
        self.code = _random_code()
        self.changed()
        return self.code

    # The code

    def try_code(self, address: str, given: str) -> str:
        """Return why a code is refused; empty: it is right."""
        why = self.must_wait(address)
        if why:
            return why
        here = place_of(address)
        if hmac.compare_digest(_plain(given), _plain(self.code)):
            self._places.pop(here, None)
            return ""
        self._places.setdefault(here, Allowance(WRONG, WAIT if is_private(here) else WAIT_OUTSIDE, self._clock)).take()
        self._places = {place: allowed for place, allowed in self._places.items() if allowed.left < WRONG}
        self._strangers.take()
        return WRONG_CODE

    def must_wait(self, address: str) -> str:
        """Return why an address has to wait; empty: it has not."""
        allowed = self._places.get(place_of(address))
        if allowed is not None and allowed.left < 1:
            return MUST_WAIT if is_private(place_of(address)) else MUST_WAIT_OUTSIDE
        return ALL_MUST_WAIT if self._strangers.left < 1 else ""

    def forget(self, token: str) -> None:
        """Let the holder of a token in no more, nor with the code: it is another from now on."""
        self.known.pop(token, None)
        self.new_code()

    def remember(self, token: str, name: str = "") -> None:
        """Let the holder of a token in without the code from now on."""
        self.known.pop(token, None)
        self.known[token] = name
        while len(self.known) > REMEMBERED:
            del self.known[next(one for one in self.known if not self.has_seat(one))]
        self.changed()

    # Connections

    def arrive(self, address: str, end: Callable[[str], None], *, is_known: bool = False) -> Visit:
        """Begin a visit, which `end` closes; raise TurnedAway if a known guest finds too many screens."""
        visit = Visit(self, address, end)
        if is_known:
            visit.let_in()
        else:
            knocking = [other for other in self.visits if not other.is_let_in]
            if len(knocking) >= KNOCKING:
                crowds = Counter(other.place for other in knocking)
                oldest = next(other for other in knocking if crowds[other.place] == max(crowds.values()))
                oldest.leave()
                oldest.end(BUSY)
        self.visits[visit] = None
        return visit


def name_of(given: str) -> str:
    """Return a name that a seat can have; empty: this one cannot be."""
    name = " ".join(given.split())
    return "" if wrong_name([name]) is not None or name.casefold() == FIRST_NAME.casefold() else name


def _random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _plain(code: str) -> bytes:
    return "".join(code.upper().split()).encode("utf-8", "surrogatepass")


def place_of(address: str) -> str:
    """Return the network of an address: IPv4, even if mapped to IPv6, or the /64 of a household."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found
    return str(found if found.version == 4 else ipaddress.ip_network((found, 64), strict=False))


def is_private(place: str) -> bool:
    try:
        return ipaddress.ip_network(place).is_private
    except ValueError:
        return False


KEYS: Final = 65_536
"""Bytes a second from a screen."""
TAPS: Final = 20
"""Messages a second from a phone, on average over some seconds."""


class Allowance:
    """Rate limit: `most` at once, and as many again in `seconds`."""

    def __init__(self, most: float, seconds: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._rate, self._clock = most, most / seconds, clock
        self._left, self._since = most, clock()

    @property
    def left(self) -> float:
        return min(self._most, self._left + (self._clock() - self._since) * self._rate)

    def take(self, size: float = 1) -> bool:
        self._left, self._since = self.left - size, self._clock()
        return self._left >= 0
