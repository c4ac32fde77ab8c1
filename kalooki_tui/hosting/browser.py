"""Door for browsers: the form for the code, the page with its files, and its socket."""

from __future__ import annotations

import asyncio
import html
import logging
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs, urlencode

from aiohttp import WSMsgType, web

from kalooki_tui.hosting.doors import BrowserAccess
from kalooki_tui.hosting.guest import BACKLOG, Guest, Guests, TurnedAway, Visit, name_of, place_of
from kalooki_tui.hosting.hand.phone_guest import HandGuest, HandLine
from kalooki_tui.presenter.commands import BY_BUTTONS
from kalooki_tui.problems import reason
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.tui.looks.palettes import stylesheet

PAGE: Final = Path(__file__).parent / "hand" / "page"
HAND: Final = "/hand"
"""Path of the page's files; by itself another address of the page, as front ends know it."""
ENTRIES: Final = ("/", HAND)
PUBLIC: Final = tuple(
    f"{HAND}/{name}" for name in ("come.css", "palettes.css", "icon.svg", "icon.png", "kalooki.webmanifest")
)
"""Files that strangers are given too: what the form needs, and what a device keeps on its first screen."""
SOCKETS: Final = 128
"""Connections at once, also those of pages: a browser holds up to six."""
FIRST: Final = 10.0
"""Seconds for a connection's first request, and for a form."""
KEPT: Final = 10
"""Seconds that a connection waits for the next request."""
FORM: Final = 1024
"""Bytes of the largest form."""
ALIVE: Final = 10.0
"""Seconds between pings; a browser has half of that to answer."""
LONGEST: Final = 2048
"""Bytes of the longest message from the page."""
REMEMBERED: Final = 30 * 24 * 3600
"""Seconds for which a browser keeps its cookie: a match may go on another evening."""
LAST_WORDS: Final = 0.3
"""Seconds for a browser to agree to an end."""
NO_VERSIONS: Final = {"Server": "kalooki"}

_PLAIN_HOST: Final = re.compile(r"[A-Za-z0-9.:\[\]-]{1,100}")
_KINDS: Final = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip

ShowHand: TypeAlias = "Callable[[Guest, HandLine, Callable[[HandGuest], object]], Awaitable[None]]"


class Browsers:
    def __init__(self, gate: BrowserAccess, guests: Guests, show: ShowHand, proxies: Sequence[str] = ()) -> None:
        self._gate, self._guests, self._show = gate, guests, show
        self._proxies = {*map(place_of, proxies)}
        self._listening: list[asyncio.Server] = []
        self._sockets: set[BrowserConnection] = set()
        files = {f"{HAND}/{file.name}": file.read_bytes() for file in PAGE.iterdir() if file.suffix in _KINDS}
        self._form_page = files.pop(f"{HAND}/come.html").decode()
        page = files.pop(f"{HAND}/hand.html")
        self._files = {**files, f"{HAND}/palettes.css": stylesheet().encode(), **dict.fromkeys(ENTRIES, page)}
        # What strangers send is nobody's business: nothing of it is written to the host's terminal.
        self._logger = logging.getLogger(__name__)
        self._logger.addHandler(logging.NullHandler())
        self._logger.propagate = False
        self._server = web.Server(self._handle, logger=self._logger)
        self.port = 0

    async def listen(self, addresses: Sequence[str], port: int, tls: tuple[str, str] | None = None) -> None:
        """Listen on these addresses; raise OSError if the port is taken, StoreError if `tls` cannot be used."""
        loop, context = asyncio.get_running_loop(), None
        self.port = port
        if tls is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            try:
                context.load_cert_chain(*tls)
            except OSError as error:
                raise StoreError(f"{' and '.join(tls)} are no certificate and its key: {reason(error)}") from error
        for address in addresses:
            server = await loop.create_server(
                lambda: BrowserConnection(self, self._server, self._logger), address, self.port, backlog=BACKLOG,
                ssl=context, ssl_handshake_timeout=None if context is None else FIRST,
            )  # fmt: skip
            self._listening.append(server)
            self.port = self.port or server.sockets[0].getsockname()[1]

    def listen_no_more(self) -> None:
        for server in self._listening:
            server.close()

    async def close(self) -> None:
        for socket in list(self._sockets):
            socket.end("")
        await self._server.shutdown(LAST_WORDS)

    # Connections

    def arrive(self, knock: BrowserConnection) -> Visit:
        if len(self._sockets) >= SOCKETS:
            raise TurnedAway("Too many connections.")
        visit = self._guests.arrive(knock.address, knock.end)
        self._sockets.add(knock)
        return visit

    def leave(self, knock: BrowserConnection) -> None:
        self._sockets.discard(knock)

    # Requests

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            answer = await self._answer(request)
        except (UnicodeError, ValueError):
            answer = _text("This request makes no sense.", 400)
        except TimeoutError:
            answer = _text("This took too long.", 408)
        except (OSError, asyncio.CancelledError, web.HTTPException):
            raise
        except Exception as error:  # noqa: BLE001 - one odd request harms nobody else
            log_fault(error)
            answer = _text("An error in the program.", 500)
        if not answer.prepared:
            answer.headers.update(NO_VERSIONS | _headers(request))
        return answer

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        knock = request.protocol
        assert isinstance(knock, BrowserConnection)
        knock.has_asked()
        why = self._gate.why_not(request.headers.get("Host", ""), request.headers.get("Origin"))
        if why:
            return _text(why, 403)
        # What a browser was given for the code comes in its cookie alone: addresses are copied and kept.
        guest = self._gate.guest(request.cookies.get(self._cookie, ""))
        if guest is not None:
            knock.let_in()
        elif request.path in ENTRIES:
            return await self._come(request)
        elif request.path not in PUBLIC:
            return _text("Come in by the first page of this address.", 403)
        if request.method not in ("GET", "HEAD"):
            return _text("Not this way.", 405)
        if request.path == f"{HAND}/ws" and guest is not None:
            return await self._play(request, guest)
        if request.path not in self._files:
            return _text("There is nothing here.", 404)
        kind = _KINDS[Path(request.path.removesuffix(HAND)).suffix or ".html"]
        return web.Response(body=self._files[request.path], content_type=kind, charset="utf-8")

    def _sender(self, request: web.BaseRequest) -> tuple[str, bool]:
        """Return who asks, and whether TLS hides it: what a proxy says of both counts if the host has named it."""
        peer, headers = request.remote or "", request.headers
        if place_of(peer) not in self._proxies:
            return peer, request.secure
        sender = headers.get("X-Forwarded-For", peer).rpartition(",")[2].strip()
        return sender, headers.get("X-Forwarded-Proto") == "https"

    @property
    def _cookie(self) -> str:
        return f"kalooki-{self.port}"

    async def _come(self, request: web.BaseRequest) -> web.StreamResponse:
        address, is_safe = self._sender(request)
        if request.method != "POST":
            code, name = (request.query.get(field, "")[:40] for field in ("code", "name"))
            return self._form(self._gate.guests.try_code(address, code) if code else "", code, name)
        if not 0 <= (request.content_length if request.content_length is not None else FORM + 1) <= FORM:
            return _text("This is too much.", 413)
        data = await asyncio.wait_for(request.read(), FIRST)
        fields = parse_qs(data.decode(), max_num_fields=4)
        code, name = (fields.get(field, [""])[0] for field in ("code", "name"))
        given, why = self._gate.let_in(address, code, name)
        if why:
            return self._form(why, "", name_of(name))
        # The address that is kept, as on a device's first screen, knows the name and not the code.
        kept = f"{request.path}?{urlencode({'name': name_of(name)})}" if name_of(name) else request.path
        answer = web.Response(status=303, headers={"Location": kept})
        answer.set_cookie(self._cookie, given, httponly=True, samesite="Strict", secure=is_safe, max_age=REMEMBERED)
        return _last(answer)

    def _form(self, told: str, code: str, name: str) -> web.Response:
        """Return the form; with a right `code` and nothing `told`, it asks for the name alone."""
        known = code if not told else ""
        hidden = f'<input type="hidden" name="code" value="{html.escape(known)}" />'
        names = "".join(
            f'<button name="name" value="{html.escape(one)}">I am {html.escape(one)}</button>'
            for one in (self._gate.guests.expected() if known else ())
        )
        fields = {"told": told, "known": "-known" if known else "", "code": known, "name": name}
        fields = {key: html.escape(value) for key, value in fields.items()}
        fields["names"] = f'<form method="post">{hidden}{names}</form>' if names else ""
        shown = re.sub(r"\{(\w+)\}", lambda found: fields[found[1]], self._form_page)
        return _last(web.Response(text=shown, content_type="text/html"))

    async def _play(self, request: web.BaseRequest, guest: Guest) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=ALIVE, timeout=LAST_WORDS, max_msg_size=LONGEST, compress=False)
        if not socket.can_prepare(request):
            return _text("This address is for the page's own socket.", 400)
        socket.headers.update(NO_VERSIONS)
        await socket.prepare(request)
        BY_BUTTONS.set(True)  # for what is told and done in this task, and in those that begin here
        line = HandLine(socket, request.transport)
        try:
            visit = self._guests.arrive(self._sender(request)[0], line.end, is_known=True)
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


class BrowserConnection(web.RequestHandler):
    """Connection of a browser, which soon has to ask for something and to show who it is."""

    def __init__(self, door: Browsers, server: web.Server, logger: logging.Logger) -> None:
        super().__init__(
            server, loop=asyncio.get_running_loop(), keepalive_timeout=KEPT, access_log=logger,
            logger=logger, auto_decompress=False, lingering_time=0,
        )  # fmt: skip
        self._door = door
        self._visit: Visit | None = None
        self._silence: asyncio.TimerHandle | None = None
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        try:
            self._visit = self._door.arrive(self)
        except TurnedAway as away:
            self.end(str(away))
            return
        self._silence = asyncio.get_running_loop().call_later(FIRST, self.end, "You have asked for nothing.")

    def connection_lost(self, exc: BaseException | None) -> None:
        self.let_in()
        self.has_asked()
        self._door.leave(self)
        super().connection_lost(exc)

    def handle_error(self, *given: Any, **named: Any) -> web.StreamResponse:
        answer = super().handle_error(*given, **named)
        answer.headers.update(NO_VERSIONS)
        return answer

    def has_asked(self) -> None:
        if self._silence is not None:
            self._silence.cancel()

    def let_in(self) -> None:
        """Stop counting the connection as one of strangers: now the page's socket counts."""
        if self._visit is not None:
            self._visit.leave()

    def end(self, sentence: str) -> None:
        transport = self.transport
        if transport is None or transport.is_closing():
            return
        if sentence:
            text = sentence.encode()
            head = f"HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\nConnection: close"
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(head.encode() + b"\r\n\r\n" + text)
        transport.close()
        self._door.leave(self)


def _headers(request: web.BaseRequest) -> dict[str, str]:
    """Return headers that keep out foreign content, inline scripts and framing.

    Other sites do not learn the address. The own server does: without a referrer, browsers do not say whose page has
    sent a form.
    """
    host = request.headers.get("Host", "")
    # Browsers that do not count a socket of the same host as the page's own have it named.
    sockets = f" ws://{host} wss://{host}" if _PLAIN_HOST.fullmatch(host) else ""
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; manifest-src 'self'; "
        f"connect-src 'self'{sockets}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    is_file = request.path.startswith(f"{HAND}/")
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, max-age=300" if is_file else "no-store",
    }


def _text(text: str, status: int) -> web.Response:
    return _last(web.Response(text=text, status=status))


def _last(answer: web.Response) -> web.Response:
    """Close the connection after this answer: strangers keep none."""
    answer.force_close()
    return answer
