"""Who may open the page: a browser with the token of its address, or with the table's code; no other page in it."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import urlsplit

from kalooki_tui.hosting.guest import Guest, Guests, name_of

TOKEN: Final = "token"
"""The name of the token in the address."""
LOCAL_NAME: Final = "localhost"


class Gate(Protocol):
    """Who may open the page."""

    @property
    def asks_for_code(self) -> bool:
        """Whether somebody unknown is asked for the code."""

    @property
    def refusal(self) -> str:
        """What somebody unknown is told otherwise."""

    def why_not(self, host: str, origin: str | None) -> str:
        """Why nobody may ask from there, with these headers of the same names; empty where they may."""

    def guest(self, given: str) -> Guest | None:
        """Who has come with that token, from the address or the cookie; None if nobody who may."""

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """The token of somebody who gives the code, or else why they may not come in."""


@dataclass(frozen=True)
class TokenGate:
    """One person, who has the token. `is_local`: this machine's own browsers come here, under one of its own names."""

    token: str
    is_local: bool
    asks_for_code: bool = False
    refusal: str = "The address lacks its token: use the whole line that `kalooki serve` printed."

    def why_not(self, host: str, origin: str | None) -> str:
        """Why nobody may ask from there; a page whose name was made to lead here has another host."""
        if self.is_local and not is_local(bare(host)):
            return "This address is not one of this machine's own."
        return _why_not_from(host, origin)

    def guest(self, given: str) -> Guest | None:
        """Whoever has the token; every window is another's."""
        is_right = hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self.token.encode())
        return Guest("", "browser") if is_right else None

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """Nobody: there is no code."""
        return "", self.refusal


@dataclass(frozen=True)
class CodeGate:
    """Guests of a table: with its code, and from then on with what their browser was given for it."""

    guests: Guests
    names: tuple[str, ...] = ()
    """Under which the page is opened besides the numbers of this machine and its own name."""
    asks_for_code: bool = True
    refusal: str = "Come in by the first page of this address."

    def why_not(self, host: str, origin: str | None) -> str:
        """Why nobody may ask from there; a page whose name was made to lead here has another host."""
        own = socket.gethostname().lower()
        name = bare(host)
        if not (_is_number(name) or name in (LOCAL_NAME, own, f"{own.partition('.')[0]}.local", *self.names)):
            return f"This table is not called {name}: open it by its number, or host it with --name {name}."
        return _why_not_from(host, origin)

    def guest(self, given: str) -> Guest | None:
        """Who was let in before."""
        token = f"browser {given}"
        return Guest(self.guests.name_of(token), "browser", token) if self.guests.knows(token) else None

    def let_in(self, address: str, code: str, name: str) -> tuple[str, str]:
        """The token of somebody who gives the code, or else why they may not come in."""
        why = self.guests.try_code(address, code)
        if why:
            return "", why
        given = secrets.token_urlsafe(24)
        self.guests.remember(f"browser {given}", name_of(name))
        return given, ""


def _why_not_from(host: str, origin: str | None) -> str:
    """A page from elsewhere that asks this server has another origin."""
    try:
        is_own = origin is None or (urlsplit(origin).netloc == host != "")
    except ValueError:
        is_own = False
    return "" if is_own else "Only the game's own page may ask this."


def bare(host: str) -> str:
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


def is_local(host: str) -> bool:
    """Whether a name or number is this machine's for itself."""
    if host == LOCAL_NAME:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(host: str, port: int, token: str = "", *, is_encrypted: bool = False) -> str:
    """The address to type into the browser."""
    shown = f"[{host}]" if ":" in host else host
    return f"http{'s' if is_encrypted else ''}://{shown}:{port}/{f'?{TOKEN}={token}' if token else ''}"
