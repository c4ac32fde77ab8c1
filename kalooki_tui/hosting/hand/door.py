"""The page for phones at the door for browsers: its files, and the socket that it speaks over."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

from aiohttp import WSMsgType, web

from kalooki_tui.desk.commands import BY_BUTTONS
from kalooki_tui.hosting.guest import Guest, Guests, TurnedAway
from kalooki_tui.hosting.hand.guest import HandGuest
from kalooki_tui.hosting.hand.line import HandLine

PAGE: Final = Path(__file__).with_name("page")
HAND: Final = "/hand"
"""The address of the page; what belongs to it lies below."""
ALIVE: Final = 10.0
"""Seconds after which a phone is asked whether it is there; half of that it has to answer."""
LONGEST: Final = 2048
"""Bytes of a message from the page."""
LAST_WORDS: Final = 0.3
"""Seconds that a browser has to agree to an end."""

_PLAIN_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]-]{1,100}")
_KINDS: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
                 ".webmanifest": "application/manifest+json"}  # fmt: skip

ShowHand: TypeAlias = "Callable[[Guest, HandLine, Callable[[HandGuest], object]], Awaitable[None]]"
"""Shows a guest who has been let in their hand, until the line is over."""
Answer: TypeAlias = "Callable[[web.BaseRequest, Guest], Awaitable[web.StreamResponse]]"


class HandDoor:
    """Answers requests of guests who have been let in."""

    def __init__(self, guests: Guests, show: ShowHand) -> None:
        self._guests, self._show = guests, show
        self._files = {f"{HAND}/{file.name}": file.read_bytes() for file in PAGE.iterdir() if file.suffix in _KINDS}
        self._files[HAND] = self._files.pop(f"{HAND}/hand.html")

    def answer_of(self, path: str) -> Answer | None:
        """What answers a request for a path; None: nothing of the page lies there."""
        if path == f"{HAND}/ws":
            return self._play
        return self._file if path in self._files else None

    async def _file(self, request: web.BaseRequest, guest: Guest) -> web.StreamResponse:
        kind = _KINDS[Path(request.path).suffix or ".html"]
        return web.Response(
            body=self._files[request.path], content_type=kind, charset="utf-8", headers=headers(request)
        )

    async def _play(self, request: web.BaseRequest, guest: Guest) -> web.StreamResponse:
        """Show the hand for as long as the socket lasts."""
        socket = web.WebSocketResponse(heartbeat=ALIVE, timeout=LAST_WORDS, max_msg_size=LONGEST, compress=False)
        if not socket.can_prepare(request):
            return web.Response(text="This address is for the page's own socket.", status=400)
        socket.headers["Server"] = "kalooki"
        await socket.prepare(request)
        BY_BUTTONS.set(True)  # for what is told and done in this task, and in those that begin here
        line = HandLine(_Socket(socket, request))
        try:
            visit = self._guests.arrive(request.remote or "", line.end, is_known=True)
        except TurnedAway as away:
            line.end(str(away))
            await line.run()
            return socket
        hands: list[HandGuest] = []
        showing = asyncio.ensure_future(self._show(guest, line, hands.append))
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT or not line.may_say():
                    break
                for hand in hands:
                    hand.hear(message.data)
        finally:
            line.end("")
            visit.leave()
            await showing
        return socket


class _Socket:
    """A socket as what carries messages."""

    def __init__(self, socket: web.WebSocketResponse, request: web.BaseRequest) -> None:
        self._socket, self._request = socket, request

    async def send(self, text: str) -> None:
        """Send; returns when it may be given more."""
        await self._socket.send_str(text)

    async def close(self) -> None:
        """End it."""
        await self._socket.close()

    def abort(self) -> None:
        """End it now."""
        if self._request.transport is not None:
            self._request.transport.abort()


def headers(request: web.BaseRequest) -> dict[str, str]:
    """Nothing comes from elsewhere, no script is in the page itself, and no other page shows this one."""
    host = request.headers.get("Host", "")
    # Browsers that do not count a socket of the same host as the page's own have it named.
    sockets = f" ws://{host} wss://{host}" if _PLAIN_HOST.fullmatch(host) else ""
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; manifest-src 'self'; "
        f"connect-src 'self'{sockets}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store" if request.path == HAND else "private, max-age=300",
    }
