"""Which browsers may open the page: under which names, and with what they were given for the table's code."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from kalooki_tui.hosting.guest import Guest, Guests, name_of

LOCAL_NAME: Final = "localhost"


@dataclass(frozen=True)
class Gate:
    """Guests of a table: with its code, and from then on with what their browser was given for it."""

    guests: Guests
    names: tuple[str, ...] = ()
    """Under which the page is opened besides the numbers of this machine and its own name."""

    def why_not(self, host: str, origin: str | None) -> str:
        """Why nobody may ask from there, with these headers of the same names; empty where they may.

        A page whose name was made to lead here has another host; one from elsewhere that asks this server has another
        origin.
        """
        own = socket.gethostname().lower()
        name = _bare(host)
        if not (_is_number(name) or name in (LOCAL_NAME, own, f"{own.partition('.')[0]}.local", *self.names)):
            return f"This table is not called {name}: open it by its number, or host it with --name {name}."
        try:
            is_own = origin is None or (urlsplit(origin).netloc == host != "")
        except ValueError:
            is_own = False
        return "" if is_own else "Only the game's own page may ask this."

    def guest(self, given: str) -> Guest | None:
        """Who was let in before; None if nobody was with what is in the cookie."""
        token = f"browser {given}"
        return Guest(self.guests.name_of(token), token) if self.guests.knows(token) else None

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """What the browser of somebody who gives the code is given for it, or else why they may not come in."""
        why = self.guests.try_code(address, code)
        if why:
            return "", why
        given = secrets.token_urlsafe(24)
        self.guests.remember(f"browser {given}", name_of(name))
        return given, ""


def _bare(host: str) -> str:
    """The name or number in a `Host` header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
