"""Access to the page: a browser on this machine, or anybody with the token; no other page in that browser."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final
from urllib.parse import urlsplit

from kalooki_tui.values import dataclass

COOKIE: Final = "kalooki"
TOKEN: Final = "token"
"""The name of the token in the address."""
LOCAL_NAME: Final = "localhost"


@dataclass(frozen=True)
class Gate:
    """`token` empty: only this machine's own browsers come here, under one of its own names."""

    token: str = ""

    def why_not(self, host: str, origin: str | None, given: str | None) -> str:
        """Why a request is refused; empty where it is not.

        `host` and `origin` are the headers of that name, `given` the token in the address or the cookie. A page from
        elsewhere that asks this server has another origin; one whose name was made to lead here has another host.
        """
        if origin is not None and urlsplit(origin).netloc != host:
            return "Only the game's own page may ask this."
        if not self.token:
            return "" if is_local(name_of(host)) else "This address is not one of this machine's own."
        if given is None or not hmac.compare_digest(given.encode(), self.token.encode()):
            return "The address lacks its token: use the whole line that `kalooki serve` printed."
        return ""


def name_of(host: str) -> str:
    """The name or number in a `Host` header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_local(host: str) -> bool:
    """Whether a name or number is this machine's for itself."""
    if host == LOCAL_NAME:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(host: str, port: int, token: str) -> str:
    """The address to type into the browser."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/{f'?{TOKEN}={token}' if token else ''}"
