"""Who comes to a table from another terminal or browser, and who may: the code, those let in before, and the limits.

How they come is `hosting.doors`: ``doors = await Doors.open(addresses, ssh_port, web_port, guests, open_app)`` listens,
and gives every guest who is let in the app that ``open_app(guest)`` makes, on a screen of their own in this process and
event loop; when the line breaks, the app is exited and learns nothing else. ``doors.addresses`` is what people type to
come; ``await doors.close(sentence)`` ends all screens with that sentence, within two seconds.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from kalooki_tui.notation.seats import wrong_name
from kalooki_tui.values import dataclass
from kalooki_tui.wording import FIRST_NAME, number_word

if TYPE_CHECKING:
    from textual.app import App

Line: TypeAlias = Literal["ssh", "browser"]

LETTERS: Final = "23456789ABCDEFGHJKMNPQRTVWXY"
"""What a code is made of: of signs that look alike, only one of each pair."""
LENGTH: Final = 4
SCREENS: Final = 32
"""Connections at once, let in or not."""
WAITING: Final = 8
"""Of them at most so many that are not let in yet."""
BACKLOG: Final = 1024
"""Connections that may wait to be looked at: where many come at once, each is told why it is sent away."""
WRONG: Final = 5
"""Wrong codes after which an address has to wait, for so many seconds:"""
WAIT: Final = 60.0
WRONG_IN_ALL: Final = 10
"""Wrong codes, from wherever they come, after which there is a new one."""
REMEMBERED: Final = 256
"""Identities let in, and addresses with wrong codes, that are remembered: those that came last."""

FULL: Final = "This table has as many connections as it takes. Try again later."
BUSY: Final = "Too many people are at the door just now. Try again in a minute."
WRONG_CODE: Final = "That is not the code."


@dataclass(frozen=True)
class Guest:
    """Somebody at their own screen. `name`: safe to show; empty where none was given that a seat can have.

    `token`: who they are when they come back after their line broke; empty where they cannot be known again.
    """

    name: str
    line: Line
    token: str = ""


OpenApp: TypeAlias = "Callable[[Guest], App[Any]]"
"""Makes the app that a guest sees."""


class TurnedAway(Exception):
    """Somebody may not come now; the text is what they are told."""


class Visit:
    """One connection, from its first byte to its last."""

    def __init__(self, guests: Guests, address: str, end: Callable[[str], None]) -> None:
        self.address = address
        self.end = end
        """Ends it with a sentence."""
        self.is_let_in = False
        self.is_screen = True
        """Whether it is or may become a screen, as the connections on which a browser fetches its page never do."""
        self._guests = guests

    def let_in(self) -> None:
        """Whoever it is may come in."""
        self.is_let_in = True

    def leave(self) -> None:
        """It is over; twice is no mistake."""
        self._guests.visits.pop(self, None)


class Guests:
    """Who may come to one table. `on_new_code` is called when wrong guesses have made a new one."""

    def __init__(self, code: str = "", *, clock: Callable[[], float] = time.monotonic) -> None:
        self.visits: dict[Visit, None] = {}
        """Who is here or at the door, the oldest first."""
        self.on_new_code: Callable[[], None] | None = None
        self._clock = clock
        self._known: dict[str, str] = {}
        self._wrong: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._wrong_in_all = 0
        self.code = code or _random_code()

    def new_code(self) -> str:
        """Another code; whoever has been let in stays so."""
        self.code = _random_code()
        self._wrong_in_all = 0
        return self.code

    # The code

    def try_code(self, address: str, given: str) -> str:
        """Empty if the code given from an address is right, else the sentence that says why not."""
        here = _plain_address(address)
        wait = self._until.get(here, 0.0) - self._clock()
        if wait > 0:
            return f"{number_word(WRONG).capitalize()} wrong codes came from your address. Try again in a minute."
        if hmac.compare_digest(_plain(given), _plain(self.code)):
            self._wrong.pop(here, None)
            return ""
        wrong = self._wrong.pop(here, 0) + 1
        self._until.pop(here, None)
        if wrong == WRONG:
            self._until[here] = self._clock() + WAIT
        else:
            self._wrong[here] = wrong
        for remembered in (self._wrong, self._until):
            while len(remembered) > REMEMBERED:
                del remembered[next(iter(remembered))]
        self._wrong_in_all += 1
        if self._wrong_in_all == WRONG_IN_ALL:
            self.new_code()
            if self.on_new_code is not None:
                self.on_new_code()
        return WRONG_CODE

    def must_wait(self, address: str) -> bool:
        """Whether codes from an address are not looked at for now."""
        return self._until.get(_plain_address(address), 0.0) > self._clock()

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
            del self._known[next(iter(self._known))]

    # Connections

    def arrive(
        self, address: str, end: Callable[[str], None], *, is_known: bool = False, is_screen: bool = True
    ) -> Visit:
        """Somebody knocks; `end` closes their connection with a sentence. `is_known`: they have been let in already.

        Where one address keeps many waiting at the door, its oldest makes room for others.

        Raises:
            TurnedAway: there are too many already.
        """
        here = _plain_address(address)
        waiting: dict[str, list[Visit]] = {}
        for visit in self.visits:
            if not visit.is_let_in:
                waiting.setdefault(visit.address, []).append(visit)
        if not is_known and sum(map(len, waiting.values())) >= WAITING:
            most = max(waiting.values(), key=len)
            if len(most) <= len(waiting.get(here, ())) + 1:
                raise TurnedAway(BUSY)
            most[0].leave()
            most[0].end(BUSY)
        if is_screen and sum(visit.is_screen for visit in self.visits) >= SCREENS:
            raise TurnedAway(FULL)
        visit = Visit(self, here, end)
        visit.is_let_in, visit.is_screen = is_known, is_screen
        self.visits[visit] = None
        return visit


def name_of(given: str) -> str:
    """A name as a seat can have it; empty where what was given cannot be one."""
    name = " ".join(given.split())
    return "" if wrong_name([name]) is not None or name.casefold() == FIRST_NAME.casefold() else name


def _random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _plain(code: str) -> bytes:
    """A code without what does not matter: capital letters and spaces."""
    return "".join(code.upper().split()).encode("utf-8", "surrogatepass")


def _plain_address(address: str) -> str:
    """One text for one address: IPv4 may come dressed as IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(found, "ipv4_mapped", None) or found)
